package io.hintflow.cli.report;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Location;
import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Span;
import java.util.List;
import java.util.Optional;

/**
 * A diagnostic as machines read it: with places instead of offsets, so that the text of its script
 * can go.
 */
record Finding(
    String path,
    DiagnosticCode code,
    Region region,
    String message,
    Optional<String> help,
    List<Edit> fix) {

  /**
   * A part of a script.
   *
   * @param end behind its last character; equal to {@code start} for a place between two characters
   */
  record Region(Location start, Location end) {
    static Region of(SourceText source, Span span) {
      return new Region(source.location(span.start()), source.location(span.end()));
    }

    boolean isInOneLine() {
      return start.line() == end.line();
    }
  }

  /** What to write in place of a part of a script. */
  record Edit(Region region, String text) {}

  static Finding of(String path, Diagnostic found) {
    SourceText source = found.source();
    return new Finding(
        path,
        found.code(),
        Region.of(source, found.span()),
        found.message(),
        found.help(),
        found.fix().stream()
            .map(edit -> new Edit(Region.of(source, edit.span()), edit.text()))
            .toList());
  }

  /** Message and help in whole sentences. */
  String sentences() {
    return ended(message) + help.map(text -> " " + ended(text)).orElse("");
  }

  private static String ended(String sentence) {
    return sentence.endsWith("?") || sentence.endsWith(".") ? sentence : sentence + ".";
  }
}
