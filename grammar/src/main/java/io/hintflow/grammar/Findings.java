package io.hintflow.grammar;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Gathers what reading one script finds. */
final class Findings {
  private final SourceText source;
  private final List<Diagnostic> diagnostics = new ArrayList<>();

  Findings(SourceText source) {
    this.source = source;
  }

  void add(DiagnosticCode code, Span span, String message) {
    diagnostics.add(new Diagnostic(code, source, span, message, Optional.empty()));
  }

  void add(DiagnosticCode code, Span span, String message, String help) {
    diagnostics.add(new Diagnostic(code, source, span, message, Optional.of(help)));
  }

  /** Adds a finding whose help is these edits. */
  void add(DiagnosticCode code, Span span, String message, String help, List<Replacement> fix) {
    diagnostics.add(new Diagnostic(code, source, span, message, Optional.of(help), fix));
  }

  boolean hasErrors() {
    return diagnostics.stream().anyMatch(diagnostic -> diagnostic.severity() == Severity.ERROR);
  }

  /** All of them in the order of the text; those of one place in the order found. */
  List<Diagnostic> inOrder() {
    return diagnostics.stream()
        .sorted(Comparator.comparingInt(diagnostic -> diagnostic.span().start()))
        .toList();
  }
}
