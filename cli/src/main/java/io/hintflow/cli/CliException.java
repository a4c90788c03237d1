package io.hintflow.cli;

/**
 * The command cannot do what it was asked to, and it is not the script's fault: wrong usage, or a
 * folder or a program that is not as it must be. Ends the run with exit code 2.
 */
final class CliException extends Exception {
  private static final long serialVersionUID = 1;

  /**
   * @param message one sentence without a full stop, shown to the user as it is
   */
  CliException(String message) {
    super(message);
  }
}
