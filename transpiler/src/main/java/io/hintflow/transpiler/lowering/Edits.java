package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Replacements in a script's text, by source span. What no edit touches stays byte for byte. An
 * edit over a wider span takes the place of those inside it, so blocks are edited from the inside
 * out: render the block, lift the result out, replace the block.
 */
public final class Edits {
  private final SourceText source;
  private final NavigableMap<Span, Edit> edits = new TreeMap<>();

  /**
   * @param reads the views that the replacement reads in place of what it replaces
   */
  private record Edit(Span span, String replacement, List<String> reads) {}

  public Edits(SourceText source) {
    this.source = source;
  }

  /** Replaces a span by text that reads nothing. */
  public void replace(Span span, String replacement) {
    replace(span, replacement, List.of());
  }

  /** Replaces a span by text that reads the given views. */
  public void replace(Span span, String replacement, List<String> reads) {
    within(span).forEach(edit -> edits.remove(edit.span()));
    edits.put(span, new Edit(span, replacement, List.copyOf(reads)));
  }

  public void insert(int offset, String text) {
    edits.put(new Span(offset, offset), new Edit(new Span(offset, offset), text, List.of()));
  }

  public void remove(Span span) {
    replace(span, "");
  }

  /** The text of a span with the edits inside it. */
  public String render(Span span) {
    StringBuilder rendered = new StringBuilder();
    int position = span.start();
    for (Edit edit : within(span)) {
      rendered.append(source.text(), position, edit.span().start()).append(edit.replacement());
      position = edit.span().end();
    }
    return rendered.append(source.text(), position, span.end()).toString();
  }

  /** The views that the edits inside a span read. */
  public List<String> viewsReadIn(Span span) {
    return within(span).stream().flatMap(edit -> edit.reads().stream()).distinct().toList();
  }

  /** Whether an edit over a span, or over a wider one, took the place of what stood there. */
  public boolean isReplaced(Span span) {
    // Edits do not overlap, so only the last one that begins no later can cover the span.
    Map.Entry<Span, Edit> last = edits.floorEntry(new Span(span.start(), Integer.MAX_VALUE));
    while (last != null && last.getKey().length() == 0) {
      last = edits.lowerEntry(last.getKey());
    }
    return last != null && last.getKey().contains(span);
  }

  private List<Edit> within(Span span) {
    List<Edit> found = new ArrayList<>();
    for (Edit edit : edits.tailMap(new Span(span.start(), span.start()), true).values()) {
      if (edit.span().start() > span.end()) {
        break;
      }
      if (span.contains(edit.span())) {
        found.add(edit);
      }
    }
    return found;
  }
}
