package io.hintflow.transpiler.broadcast;

import io.hintflow.grammar.Span;

/** Thrown when something in a block can't be carried over to a broadcast join. */
final class UnsupportedJoin extends Exception {
  private static final long serialVersionUID = 1L;
  private final transient Span span;
  private final String help;

  /**
   * @param message what is wrong, as a diagnostic says it
   */
  UnsupportedJoin(Span span, String message, String help) {
    super(message, null, false, false);
    this.span = span;
    this.help = help;
  }

  Span span() {
    return span;
  }

  String help() {
    return help;
  }
}
