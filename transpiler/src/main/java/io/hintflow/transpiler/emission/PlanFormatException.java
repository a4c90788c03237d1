package io.hintflow.transpiler.emission;

/**
 * A text is not a plan that this version reads. The message is one sentence without a full stop.
 */
public final class PlanFormatException extends Exception {
  private static final long serialVersionUID = 1;

  PlanFormatException(String message) {
    super(message);
  }
}
