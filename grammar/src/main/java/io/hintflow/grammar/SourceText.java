package io.hintflow.grammar;

import java.util.Arrays;
import java.util.Objects;

/**
 * A script's text and the name it is reported under. Knows where its lines begin: a line ends at
 * LF, CRLF or a lone CR.
 */
public final class SourceText {
  private final String name;
  private final String text;
  private final int[] lineStarts;

  public SourceText(String name, String text) {
    this.name = Objects.requireNonNull(name);
    this.text = Objects.requireNonNull(text);
    this.lineStarts = lineStarts(text);
  }

  private static int[] lineStarts(String text) {
    int[] starts = new int[16];
    int count = 1;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean loneCarriageReturn =
          c == '\r' && (i + 1 == text.length() || text.charAt(i + 1) != '\n');
      if (c == '\n' || loneCarriageReturn) {
        if (count == starts.length) {
          starts = Arrays.copyOf(starts, count * 2);
        }
        starts[count++] = i + 1;
      }
    }
    return Arrays.copyOf(starts, count);
  }

  public String name() {
    return name;
  }

  public String text() {
    return text;
  }

  public String text(Span span) {
    return text.substring(span.start(), span.end());
  }

  public int lineCount() {
    return lineStarts.length;
  }

  /**
   * The 1-based line that an offset stands in; the offset behind the last character belongs to the
   * last line.
   */
  public int lineOf(int offset) {
    int found = Arrays.binarySearch(lineStarts, offset);
    return found >= 0 ? found + 1 : -found - 1;
  }

  /** The offset of the first character of a 1-based line. */
  public int lineStart(int line) {
    return lineStarts[line - 1];
  }

  /** A 1-based line without its terminator. */
  public String line(int line) {
    int end = line == lineStarts.length ? text.length() : lineStarts[line];
    int start = lineStarts[line - 1];
    while (end > start && (text.charAt(end - 1) == '\n' || text.charAt(end - 1) == '\r')) {
      end--;
    }
    return text.substring(start, end);
  }

  /** Line and column of an offset, both 1-based; the column counts code points, as editors do. */
  public Location location(int offset) {
    int line = lineOf(offset);
    return new Location(line, text.codePointCount(lineStart(line), offset) + 1);
  }
}
