package io.hintflow.grammar;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One finding in a script: what is wrong in one sentence, where exactly, and what to do about it.
 *
 * @param source the text that the span points into
 * @param message one sentence without a full stop; control characters in it are replaced
 * @param help one sentence without a full stop that the user can act on
 * @param fix the edits of the source that do what the help says, all together, none overlapping;
 *     empty where the user has to decide something first
 */
public record Diagnostic(
    DiagnosticCode code,
    SourceText source,
    Span span,
    String message,
    Optional<String> help,
    List<Replacement> fix) {
  public Diagnostic {
    Objects.requireNonNull(code);
    Objects.requireNonNull(source);
    Objects.requireNonNull(span);
    Objects.requireNonNull(message);
    message = printable(message);
    help = help.map(Diagnostic::printable);
    fix = List.copyOf(fix);
  }

  /** A finding that no edit mends as it stands. */
  public Diagnostic(
      DiagnosticCode code, SourceText source, Span span, String message, Optional<String> help) {
    this(code, source, span, message, help, List.of());
  }

  /** A name quoted from a script may hold line ends or a terminal's control characters. */
  private static String printable(String sentence) {
    StringBuilder printable = new StringBuilder(sentence);
    for (int i = 0; i < printable.length(); i++) {
      if (Character.isISOControl(printable.charAt(i))) {
        printable.setCharAt(i, '\uFFFD');
      }
    }
    return printable.toString();
  }

  public Severity severity() {
    return code.severity();
  }

  public Location location() {
    return source.location(span.start());
  }
}
