package io.hintflow.cli;

/** How a command ends. {@code run} also passes on the exit code of the job. */
final class ExitCode {
  static final int DONE = 0;
  static final int INPUT_HAS_ERRORS = 1;
  static final int DIFFERENT = 1;
  static final int USAGE_OR_FAULT = 2;

  private ExitCode() {}
}
