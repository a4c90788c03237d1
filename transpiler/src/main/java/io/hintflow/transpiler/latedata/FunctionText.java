package io.hintflow.transpiler.latedata;

import io.hintflow.grammar.Span;
import io.hintflow.grammar.Tokens;
import io.hintflow.transpiler.lowering.FromText;

/**
 * Where the table of a window table function stands in the text.
 *
 * @param argument {@code TABLE t}, or a query in parentheses; without PARTITION BY
 * @param table the same, as a FROM would have it: without the word TABLE
 */
record FunctionText(Span argument, Span table) {

  /**
   * @param item the whole item of FROM
   * @param function its name
   */
  static FunctionText of(Tokens tokens, FromText.Range item, String function) {
    int open = item.from();
    while (!(tokens.isWord(open, function) && tokens.isSymbol(open + 1, "("))) {
      open++;
    }
    open++;
    int close = tokens.matching(open).orElseThrow();
    int start = open + 1;
    for (int i = start; i < close; i = next(tokens, i)) {
      if (tokens.isWord(i, "DATA") && tokens.isSymbol(i + 1, "=>")) {
        start = i + 2;
      }
    }
    int end = start;
    while (end < close && !tokens.isSymbol(end, ",") && !tokens.isWord(end, "PARTITION")) {
      end = next(tokens, end);
    }
    Span argument = span(tokens, start, end);
    return new FunctionText(
        argument, tokens.isWord(start, "TABLE") ? span(tokens, start + 1, end) : argument);
  }

  /** The token behind one, or behind the parenthesis that it opens. */
  private static int next(Tokens tokens, int index) {
    return (tokens.isSymbol(index, "(") ? tokens.matching(index).orElse(index) : index) + 1;
  }

  private static Span span(Tokens tokens, int from, int to) {
    return new Span(tokens.get(from).span().start(), tokens.get(to - 1).span().end());
  }
}
