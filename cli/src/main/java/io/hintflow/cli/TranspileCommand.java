package io.hintflow.cli;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.Transpilation;
import io.hintflow.transpiler.Transpiler;
import io.hintflow.transpiler.TranspilerOptions;
import io.hintflow.transpiler.TranspilerOptions.Emission;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import javax.lang.model.SourceVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code hintflow transpile}: scripts in, a job's files out. */
@Command(
    name = "transpile",
    description = {
      "Writes the job that the scripts describe.",
      "",
      "Several scripts are read as one, in the order given. DIR is made if it is not there. In it, "
          + "files are replaced only if their bytes change, files that an earlier run wrote and "
          + "this one does not are removed, and nothing else is touched. If the scripts have "
          + "errors, nothing is written.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the job is written; with --check: DIR holds it",
      "1:a script has errors, holds no statement or is not UTF-8; with --check: DIR differs",
      "2:wrong usage, a script that cannot be read, a DIR that cannot be written to, or an "
          + "internal fault"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  hintflow transpile orders.sql -o orders-job",
      "  hintflow transpile tables.sql orders.sql -o orders-job --flink-version 1.20",
      "  hintflow transpile orders.sql -o sql --emit sql",
      "  hintflow transpile orders.sql -o orders-job --check"
    })
final class TranspileCommand implements Callable<Integer> {
  @ParentCommand private HintflowCommand hintflow;
  @Spec private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "SCRIPT.sql", description = "Flink SQL, in UTF-8.")
  private List<Path> scripts = List.of();

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "DIR",
      description = "The folder to write to.")
  private Path output;

  @Mixin private FlinkVersionOption flink;

  @Option(
      names = "--package",
      paramLabel = "NAME",
      description =
          "The Java package of the job. Default: " + TranspilerOptions.DEFAULT_PACKAGE + ".")
  private String packageName = TranspilerOptions.DEFAULT_PACKAGE;

  @Option(
      names = "--job-name",
      paramLabel = "NAME",
      description = "The job's name. Default: the name of the first script without .sql.")
  private Optional<String> jobName = Optional.empty();

  @Option(
      names = "--emit",
      paramLabel = "WHAT",
      description =
          "project (default): a Maven project; sql: one standard Flink SQL script, where every "
              + "hint has a native form.")
  private Emission emission = Emission.PROJECT;

  @Option(
      names = "--check",
      description =
          "Write nothing; list the files in DIR that are missing, differ or are left over from an "
              + "earlier run.")
  private boolean check;

  @Override
  public Integer call() throws CliException {
    if (!SourceVersion.isName(packageName)) {
      throw new ParameterException(
          spec.commandLine(), "'" + packageName + "' is not a name for a Java package");
    }
    if (jobName.isPresent() && !isJobName(jobName.get())) {
      throw new ParameterException(
          spec.commandLine(), "a job's name needs a visible character and is one line");
    }
    TranspilerOptions options =
        new TranspilerOptions(
            flink.version(),
            packageName,
            jobName.orElseGet(() -> jobName(scripts.get(0))),
            emission);
    Optional<Transpilation> transpilation =
        transpile(
            hintflow, ScriptFiles.read(scripts), sources -> Transpiler.transpile(sources, options));
    if (transpilation.isEmpty()) {
      return ExitCode.INPUT_HAS_ERRORS;
    }
    OutputFolder folder = new OutputFolder(output);
    if (check) {
      return tellDifferences(folder.differences(transpilation.get().files()));
    }
    OutputFolder.Outcome outcome = folder.write(transpilation.get().files());
    hintflow.progress(
        "%s: %d written, %d unchanged, %d removed"
            .formatted(output, outcome.written(), outcome.unchanged(), outcome.removed()));
    return ExitCode.DONE;
  }

  private int tellDifferences(SortedMap<String, OutputFolder.Difference> differences) {
    PrintStream out = hintflow.terminal().out();
    differences.forEach(
        (file, difference) ->
            out.println(
                difference.label() + ": " + Glyph.harmless(output.resolve(file).toString())));
    if (differences.isEmpty()) {
      out.println(Glyph.harmless(output.toString()) + " is what the scripts give");
      return ExitCode.DONE;
    }
    hintflow.error(output + " is not what the scripts give");
    hintflow.help("run hintflow transpile again, without --check");
    return ExitCode.INPUT_HAS_ERRORS;
  }

  /**
   * Transpiles scripts and reports what was found; empty if there were errors.
   *
   * @param transpiler what to make of their texts
   */
  static Optional<Transpilation> transpile(
      HintflowCommand hintflow,
      ScriptFiles files,
      Function<List<SourceText>, Transpilation> transpiler) {
    if (!files.diagnostics().isEmpty()) {
      report(hintflow, files, files.diagnostics());
      return Optional.empty();
    }
    Transpilation transpilation = transpiler.apply(files.sources());
    report(hintflow, files, transpilation.diagnostics());
    return transpilation.hasErrors() ? Optional.empty() : Optional.of(transpilation);
  }

  private static void report(
      HintflowCommand hintflow, ScriptFiles files, List<Diagnostic> diagnostics) {
    Terminal terminal = hintflow.terminal();
    DiagnosticRenderer renderer = new DiagnosticRenderer(files, terminal.errShowsColor());
    terminal.err().print(renderer.render(diagnostics));
    terminal.err().flush();
  }

  /**
   * The name of a job that is called nothing else: the file's, reduced to letters, digits and . _ -
   * of ASCII.
   */
  static String jobName(Path script) {
    String file = Optional.ofNullable(script.getFileName()).orElse(script).toString();
    String name =
        file.replaceFirst("(?i)\\.sql$", "")
            .replaceAll("[^A-Za-z0-9._-]+", "-")
            .replaceAll("^[._-]+|[._-]+$", "");
    return name.isEmpty() ? "job" : name;
  }

  private static boolean isJobName(String name) {
    return !name.isBlank() && name.codePoints().noneMatch(Character::isISOControl);
  }
}
