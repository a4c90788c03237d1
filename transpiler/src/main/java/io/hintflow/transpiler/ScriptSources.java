package io.hintflow.transpiler;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.Replacement;
import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Span;
import io.hintflow.transpiler.plan.Origin;
import java.util.List;

/**
 * Several scripts read as one: joined text on the way in, each script's own places on the way out.
 */
final class ScriptSources {
  /** Ends a last statement whose semicolon is missing, and a last comment. */
  private static final String SEPARATOR = "\n;\n";

  private final List<SourceText> scripts;
  private final SourceText joined;

  ScriptSources(List<SourceText> scripts) {
    this.scripts = List.copyOf(scripts);
    this.joined =
        scripts.size() == 1
            ? scripts.get(0)
            : new SourceText(
                scripts.get(0).name(),
                String.join(SEPARATOR, scripts.stream().map(SourceText::text).toList()));
  }

  SourceText joined() {
    return joined;
  }

  /** The place of a part of the joined text. */
  Origin origin(Span span) {
    Place place = place(span.start());
    int end = Math.min(place.offset() + span.length(), place.script().text().length());
    int last = Math.max(place.offset(), end - 1);
    return new Origin(
        place.script().name(), place.script().lineOf(place.offset()), place.script().lineOf(last));
  }

  /** A finding in the joined text as one in the script that it is about. */
  Diagnostic localized(Diagnostic diagnostic) {
    return new Diagnostic(
        diagnostic.code(),
        place(diagnostic.span().start()).script(),
        localized(diagnostic.span()),
        diagnostic.message(),
        diagnostic.help(),
        diagnostic.fix().stream()
            .map(edit -> new Replacement(localized(edit.span()), edit.text()))
            .toList());
  }

  private Span localized(Span span) {
    Place start = place(span.start());
    int end = Math.min(start.offset() + span.length(), start.script().text().length());
    return new Span(start.offset(), Math.max(start.offset(), end));
  }

  private record Place(SourceText script, int offset) {}

  private Place place(int offset) {
    int remaining = offset;
    for (SourceText script : scripts.subList(0, scripts.size() - 1)) {
      if (remaining <= script.text().length()) {
        return new Place(script, remaining);
      }
      remaining = Math.max(0, remaining - script.text().length() - SEPARATOR.length());
    }
    return new Place(scripts.get(scripts.size() - 1), remaining);
  }
}
