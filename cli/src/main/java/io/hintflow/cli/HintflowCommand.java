package io.hintflow.cli;

import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The whole command line: what all commands share, and how each of them ends. */
@Command(
    name = "hintflow",
    description = "Turns Flink SQL with a vendor's extended hints into a standard Flink job.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    subcommands = {
      TranspileCommand.class,
      RunCommand.class,
      CheckCommand.class,
      PlanCommand.class,
      DiffCommand.class,
      HintsCommand.class,
      ExplainCommand.class,
      CompletionCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the input has errors",
      "2:wrong usage, a file or folder that cannot be used, or an internal fault"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  hintflow transpile orders.sql -o orders-job",
      "  hintflow run orders.sql --parallelism 4",
      "  hintflow hints DISTRIBUTEBY"
    })
final class HintflowCommand implements Runnable {
  private final Terminal processTerminal;

  @Spec private CommandSpec spec;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      scope = ScopeType.INHERIT,
      description = "auto (default: on a terminal, unless NO_COLOR is set), always or never.")
  private ColorMode color = ColorMode.AUTO;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Show stack traces, and what the programs that hintflow starts say.")
  private boolean verbose;

  HintflowCommand(Terminal terminal) {
    this.processTerminal = terminal;
  }

  /** Runs the command that the arguments name and gives its exit code. Never throws. */
  int execute(String... arguments) {
    try {
      return commandLine().execute(arguments);
    } catch (Throwable fault) { // Errors pass picocli's own handler; a stack may have overflowed.
      return report(fault);
    }
  }

  CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(this);
    commandLine
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(writer(processTerminal.out()))
        .setErr(writer(processTerminal.err()))
        .setParameterExceptionHandler((fault, given) -> usage(fault))
        .setExecutionExceptionHandler((fault, command, result) -> report(fault))
        .setExecutionStrategy(
            result -> {
              // Only now is --color known.
              Ansi ansi = terminal().outShowsColor() ? Ansi.ON : Ansi.OFF;
              commandLine.setColorScheme(CommandLine.Help.defaultColorScheme(ansi));
              return new CommandLine.RunLast().execute(result);
            });
    return commandLine;
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
  }

  Terminal terminal() {
    return processTerminal.with(color);
  }

  boolean verbose() {
    return verbose;
  }

  /** Tells on {@code err} what is being done, where that takes a while or leaves no other trace. */
  void progress(String sentence) {
    processTerminal.err().println("hintflow: " + Glyph.harmless(sentence));
  }

  void error(String sentence) {
    Terminal terminal = terminal();
    String head = Style.ERROR.apply("error", terminal.errShowsColor());
    terminal.err().println(head + ": " + Glyph.harmless(sentence));
  }

  void help(String sentence) {
    processTerminal.err().println("  = help: " + Glyph.harmless(sentence));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  private int usage(ParameterException fault) {
    error(fault.getMessage());
    if (fault instanceof UnmatchedArgumentException unmatched) {
      List<String> suggestions = unmatched.getSuggestions();
      if (!suggestions.isEmpty()) {
        help("did you mean " + String.join(" or ", suggestions) + "?");
      }
    }
    String command = fault.getCommandLine().getCommandSpec().qualifiedName();
    help("see " + command + " --help");
    return ExitCode.USAGE_OR_FAULT;
  }

  private int report(Throwable fault) {
    if (fault instanceof CliException) {
      fault.getMessage().lines().forEach(this::error);
    } else if (verbose) {
      error("internal fault");
      fault.printStackTrace(processTerminal.err());
      help(
          "this is a fault of hintflow, not of the script; please report it with the trace above, "
              + "the script without its secrets, and: "
              + String.join(", ", new Version().getVersion()));
    } else {
      error("internal fault (" + fault.getClass().getSimpleName() + ")");
      help("run again with --verbose to see where, and how to report it");
    }
    return ExitCode.USAGE_OR_FAULT;
  }
}
