package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Span;
import java.util.List;

/** What to remove so that no hole, and no comma too many, is left behind. */
public final class Gap {
  private Gap() {}

  /** The span and the white space behind it, if there is white space before it too. */
  public static Span withSpaceBehind(String text, Span span) {
    if (span.start() == 0 || !Character.isWhitespace(text.charAt(span.start() - 1))) {
      return span;
    }
    int end = span.end();
    while (end < text.length() && Character.isWhitespace(text.charAt(end))) {
      end++;
    }
    return new Span(span.start(), end);
  }

  /**
   * One item of a list in parentheses with the comma that goes with it: the one behind it or, for
   * the last item, the one before it. Comments beside it stay.
   *
   * @param items all items of the list
   */
  public static List<Span> listItem(String text, List<Span> items, int index) {
    Span item = items.get(index);
    if (index + 1 < items.size()) {
      int comma = comma(text, item.end());
      return List.of(withSpaceBehind(text, new Span(item.start(), comma + 1)));
    }
    if (index == 0) {
      return List.of(withSpaceAround(text, item));
    }
    int comma = comma(text, items.get(index - 1).end());
    if (text.substring(comma + 1, item.start()).isBlank()) {
      return List.of(new Span(comma, item.end()));
    }
    return List.of(new Span(comma, comma + 1), withLineBreakBefore(text, item));
  }

  private static Span withSpaceAround(String text, Span span) {
    int start = span.start();
    while (Character.isWhitespace(text.charAt(start - 1))) {
      start--;
    }
    int end = span.end();
    while (Character.isWhitespace(text.charAt(end))) {
      end++;
    }
    return new Span(start, end);
  }

  private static Span withLineBreakBefore(String text, Span span) {
    int start = span.start();
    while (text.charAt(start - 1) == ' ' || text.charAt(start - 1) == '\t') {
      start--;
    }
    return text.charAt(start - 1) == '\n' ? new Span(start - 1, span.end()) : span;
  }

  /** The first comma from an offset on that is not part of a comment. */
  private static int comma(String text, int offset) {
    int i = offset;
    while (text.charAt(i) != ',') {
      if (text.startsWith("--", i)) {
        while (text.charAt(i) != '\n') {
          i++;
        }
      } else if (text.startsWith("/*", i)) {
        i = text.indexOf("*/", i) + 1;
      }
      i++;
    }
    return i;
  }
}
