package io.hintflow.grammar;

/**
 * A half-open range of UTF-16 offsets into a {@link SourceText}: {@code start} inclusive, {@code
 * end} exclusive.
 */
public record Span(int start, int end) implements Comparable<Span> {
  public Span {
    if (start < 0 || end < start) {
      throw new IllegalArgumentException("Not a span: " + start + " to " + end);
    }
  }

  public int length() {
    return end - start;
  }

  public boolean contains(Span other) {
    return start <= other.start && other.end <= end;
  }

  /** The smallest span that covers this one and the other. */
  public Span cover(Span other) {
    return new Span(Math.min(start, other.start), Math.max(end, other.end));
  }

  public Span shift(int offset) {
    return new Span(start + offset, end + offset);
  }

  @Override
  public int compareTo(Span other) {
    int byStart = Integer.compare(start, other.start);
    return byStart != 0 ? byStart : Integer.compare(end, other.end);
  }
}
