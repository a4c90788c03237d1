package io.hintflow.cli;

import io.hintflow.transpiler.diff.DiffHtml;
import io.hintflow.transpiler.diff.DiffJson;
import io.hintflow.transpiler.diff.DiffMarkdown;
import io.hintflow.transpiler.diff.DiffText;
import io.hintflow.transpiler.diff.PlanDiff;
import io.hintflow.transpiler.plan.JobPlan;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code hintflow diff}: what is different between two plans. */
@Command(
    name = "diff",
    description = {
      "Tells stage by stage what is different between two plans, and what a savepoint of the old "
          + "job is worth to the new one.",
      "",
      "OLD and NEW are each a script, a plan.json, or either as git has it: git:REVISION:PATH, with "
          + "PATH from the top of the repository. How a script is laid out, its name and its "
          + "secrets make no difference.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the plans are the same",
      "1:they are different",
      "2:wrong usage, a side that cannot be read or has errors, or an internal fault"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  hintflow diff old.sql new.sql",
      "  hintflow diff git:origin/main:jobs/orders.sql jobs/orders.sql",
      "  hintflow diff git:main:job/plan.json job/plan.json --format markdown"
    })
final class DiffCommand implements Callable<Integer> {
  @ParentCommand private HintflowCommand hintflow;
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "OLD",
      converter = ScriptInput.Converter.class,
      description = "The plan that there was.")
  private ScriptInput before;

  @Parameters(
      index = "1",
      paramLabel = "NEW",
      converter = ScriptInput.Converter.class,
      description = "The plan that there is.")
  private ScriptInput after;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "text (default), json, markdown or html; markdown fits a comment of a pull request.")
  private Format format = Format.TEXT;

  @Mixin private FlinkVersionOption flink;

  private enum Format {
    TEXT(DiffText::of),
    JSON(DiffJson::of),
    MARKDOWN(DiffMarkdown::of),
    HTML(DiffHtml::of);

    private final Function<PlanDiff, String> writer;

    Format(Function<PlanDiff, String> writer) {
      this.writer = writer;
    }
  }

  @Override
  public Integer call() throws CliException {
    if (before instanceof ScriptInput.StandardInput && after instanceof ScriptInput.StandardInput) {
      throw new ParameterException(
          spec.commandLine(), "standard input can be OLD or NEW, and not both");
    }
    PlanDiff diff = PlanDiff.between(plan("OLD", before), plan("NEW", after));
    hintflow.terminal().out().print(format.writer.apply(diff));
    return diff.isEmpty() ? ExitCode.DONE : ExitCode.DIFFERENT;
  }

  private JobPlan plan(String side, ScriptInput input) throws CliException {
    return PlanSource.read(hintflow, List.of(input), flink.version())
        .orElseThrow(() -> new CliException("%s has errors: %s".formatted(side, input.shown())))
        .plan();
  }
}
