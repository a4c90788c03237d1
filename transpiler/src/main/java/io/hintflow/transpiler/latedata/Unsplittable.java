package io.hintflow.transpiler.latedata;

import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Span;

/** Why the late rows of a block cannot be split off. */
final class Unsplittable extends Exception {
  private static final long serialVersionUID = 1L;

  private final DiagnosticCode code;
  private final transient Span span;
  private final String help;

  Unsplittable(DiagnosticCode code, Span span, String message, String help) {
    super(message, null, false, false);
    this.code = code;
    this.span = span;
    this.help = help;
  }

  DiagnosticCode code() {
    return code;
  }

  Span span() {
    return span;
  }

  String help() {
    return help;
  }
}
