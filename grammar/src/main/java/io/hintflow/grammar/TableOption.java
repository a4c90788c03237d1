package io.hintflow.grammar;

/** One {@code 'key' = 'value'} of a WITH clause or an OPTIONS hint; the span covers both. */
public record TableOption(Name key, Name value) {
  public Span span() {
    return key.span().cover(value.span());
  }
}
