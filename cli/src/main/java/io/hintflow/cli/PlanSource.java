package io.hintflow.cli;

import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.Transpilation;
import io.hintflow.transpiler.Transpiler;
import io.hintflow.transpiler.TranspilerOptions;
import io.hintflow.transpiler.TranspilerOptions.Emission;
import io.hintflow.transpiler.emission.PlanFormatException;
import io.hintflow.transpiler.emission.PlanReader;
import io.hintflow.transpiler.plan.JobPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A plan, and where it comes from: it was written down, or it is that of scripts that are read as
 * one.
 *
 * @param scripts none if the plan was written down
 */
record PlanSource(JobPlan plan, List<SourceText> scripts) {
  /**
   * Reads the plan, and tells what is found in the scripts.
   *
   * @param inputs one whose name ends in {@code .json}, or scripts
   * @param version for scripts; a written plan has its own
   * @return empty if the scripts have errors
   * @throws CliException if an input cannot be read, or is no plan
   */
  static Optional<PlanSource> read(
      HintflowCommand hintflow, List<? extends ScriptInput> inputs, FlinkVersion version)
      throws CliException {
    ScriptFiles files = ScriptFiles.readInputs(inputs);
    if (inputs.size() == 1 && isPlan(inputs.get(0))) {
      return Optional.of(new PlanSource(written(inputs.get(0), files.sources().get(0)), List.of()));
    }
    TranspilerOptions options =
        new TranspilerOptions(
            version,
            TranspilerOptions.DEFAULT_PACKAGE,
            TranspileCommand.jobName(Path.of(inputs.get(0).name())),
            Emission.PROJECT);
    return TranspileCommand.transpile(hintflow, files, sources -> Transpiler.plan(sources, options))
        .flatMap(Transpilation::plan)
        .map(plan -> new PlanSource(plan, files.sources()));
  }

  static boolean isPlan(ScriptInput input) {
    return input.name().toLowerCase(Locale.ROOT).endsWith(".json");
  }

  private static JobPlan written(ScriptInput input, SourceText source) throws CliException {
    try {
      return PlanReader.read(source.text());
    } catch (PlanFormatException e) {
      throw new CliException(
          "%s cannot be read as a plan: %s"
              .formatted(Glyph.harmless(input.shown()), e.getMessage()));
    }
  }
}
