package io.hintflow.cli;

import io.hintflow.cli.report.CheckedScript;
import io.hintflow.cli.report.GithubReport;
import io.hintflow.cli.report.JsonReport;
import io.hintflow.cli.report.JunitReport;
import io.hintflow.cli.report.Report;
import io.hintflow.cli.report.SarifReport;
import io.hintflow.grammar.Severity;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code hintflow check}: scripts in, all that is wrong with them out. */
@Command(
    name = "check",
    description = {
      "Tells all that is wrong with scripts, and writes nothing.",
      "",
      "Each script is checked by itself. A comment '-- hintflow:ignore HF305' in a line of its own "
          + "silences the findings of that code in the line below it. What is found goes to "
          + "stdout, what cannot be read is told on stderr.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:no errors, and with --strict no warnings either; notes never count",
      "1:there are some",
      "2:wrong usage, a script that cannot be read (the others are checked), or an internal fault"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  hintflow check sql --strict",
      "  hintflow check 'jobs/**/*.sql' --format sarif > hintflow.sarif",
      "  hintflow check --as-one tables.sql orders.sql --flink-version 1.20",
      "  git show HEAD:orders.sql | hintflow check - --stdin-name orders.sql",
      "  hintflow check sql --watch"
    })
final class CheckCommand implements Callable<Integer> {
  private static final String STANDARD_INPUT_NAME = "<stdin>";

  /** How findings are told. */
  enum Format {
    TEXT,
    JSON,
    SARIF,
    GITHUB,
    JUNIT
  }

  @ParentCommand private HintflowCommand hintflow;
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "SCRIPT.sql",
      description =
          "Flink SQL, in UTF-8: files; folders, for all .sql files in and below them; globs such "
              + "as 'jobs/**/*.sql'; - for standard input.")
  private List<String> words = List.of();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "text (default), json, sarif (2.1.0), github (workflow commands) or junit (XML).")
  private Format format = Format.TEXT;

  @Option(names = "--strict", description = "Let warnings count as errors do.")
  private boolean strict;

  @Option(
      names = "--as-one",
      description = "Check the scripts as transpile reads them: as one, in the order given.")
  private boolean asOne;

  @Mixin private FlinkVersionOption flink;

  @Option(
      names = "--stdin-name",
      paramLabel = "NAME",
      description = "What to call the script that is read from standard input.")
  private Optional<String> standardInputName = Optional.empty();

  @Option(
      names = "--watch",
      description = "Check again whenever a script is saved, until Ctrl-C; as text.")
  private boolean watch;

  @Override
  public Integer call() throws CliException {
    boolean readsInput = words.contains(ScriptSelection.STANDARD_INPUT);
    if (standardInputName.isPresent() && !readsInput) {
      throw usage("--stdin-name names the script -, which is not among the scripts");
    }
    if (watch && (readsInput || format != Format.TEXT)) {
      throw usage("--watch is for files and the format text");
    }
    Checker checker = new Checker(flink.version());
    if (watch) {
      return new CheckWatch(hintflow, words, checker, asOne).run();
    }
    ScriptSelection selection =
        ScriptSelection.of(words, standardInputName.orElse(STANDARD_INPUT_NAME));
    try (Report report = report()) {
      Run run = new Run(report);
      try {
        selection.faults().forEach(run::tellFault);
        if (asOne) {
          run.check(checker, selection.scripts());
        } else {
          selection.scripts().forEach(script -> run.check(checker, List.of(script)));
        }
      } catch (RuntimeException | Error fault) {
        report.addFault("an internal fault ended the check: " + fault.getClass().getSimpleName());
        throw fault;
      }
      return run.exitCode();
    }
  }

  private ParameterException usage(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }

  private Report report() {
    Terminal terminal = hintflow.terminal();
    return switch (format) {
      case TEXT -> new TextReport(terminal.out(), terminal.outShowsColor());
      case JSON -> new JsonReport(terminal.out());
      case SARIF -> new SarifReport(terminal.out(), Version.ofHintflow(), ExplainPages::markdown);
      case GITHUB -> new GithubReport(terminal.out());
      case JUNIT -> new JunitReport(terminal.out(), strict);
    };
  }

  /** One run, which goes on behind what it cannot read. */
  private final class Run {
    private final Report report;
    private boolean hasFindings;
    private boolean hasFaults;

    Run(Report report) {
      this.report = report;
    }

    void check(Checker checker, List<ScriptInput> scripts) {
      if (scripts.isEmpty()) {
        return; // Why there are none has been told.
      }
      try {
        for (CheckedScript checked : checker.checkAsOne(scripts)) {
          hasFindings |=
              checked.diagnostics().stream()
                  .map(found -> found.severity())
                  .anyMatch(
                      severity ->
                          severity == Severity.ERROR || strict && severity == Severity.WARNING);
          report.add(checked);
        }
      } catch (CliException fault) {
        fault.getMessage().lines().forEach(this::tellFault);
      }
    }

    void tellFault(String sentence) {
      hasFaults = true;
      hintflow.error(sentence);
      report.addFault(sentence);
    }

    int exitCode() {
      return hasFaults
          ? ExitCode.USAGE_OR_FAULT
          : hasFindings ? ExitCode.INPUT_HAS_ERRORS : ExitCode.DONE;
    }
  }
}
