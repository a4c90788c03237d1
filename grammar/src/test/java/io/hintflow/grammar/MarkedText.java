package io.hintflow.grammar;

import java.util.ArrayList;
import java.util.List;

/** A text in which ⟦ and ⟧ mark spans; marks do not nest. */
record MarkedText(String text, List<Span> spans) {
  static MarkedText of(String marked) {
    StringBuilder text = new StringBuilder();
    List<Span> spans = new ArrayList<>();
    int start = 0;
    for (char c : marked.toCharArray()) {
      switch (c) {
        case '⟦' -> start = text.length();
        case '⟧' -> spans.add(new Span(start, text.length()));
        default -> text.append(c);
      }
    }
    return new MarkedText(text.toString(), List.copyOf(spans));
  }
}
