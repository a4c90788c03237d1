package io.hintflow.cli;

/** The program {@code hintflow}. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    Terminal terminal = Terminal.ofProcess(System.getenv());
    int exitCode = new HintflowCommand(terminal).execute(arguments);
    // A stream that nobody reads any more keeps silent: PrintStream has swallowed the fault.
    terminal.out().flush();
    terminal.err().flush();
    System.exit(exitCode);
  }
}
