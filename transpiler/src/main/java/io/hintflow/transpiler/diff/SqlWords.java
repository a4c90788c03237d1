package io.hintflow.transpiler.diff;

import io.hintflow.grammar.Identifiers;
import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Token;
import io.hintflow.grammar.Token.Kind;
import io.hintflow.grammar.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * SQL as the words that it is made of. What it only looks like is not in them: white space,
 * comments, the case of keywords, backquotes that a name does not need.
 */
final class SqlWords {
  private final List<Word> words;

  /**
   * @param text as written
   * @param meaning equal for words that mean the same
   * @param spaced whether something stands between the word in front and this one
   * @param literal whether it is a value, outside of hints
   */
  record Word(String text, String meaning, boolean spaced, boolean literal) {}

  private SqlWords(List<Word> words) {
    this.words = List.copyOf(words);
  }

  static SqlWords of(String sql) {
    Tokens tokens = Tokens.of(new SourceText("", sql));
    List<Word> words = new ArrayList<>();
    boolean inHint = false;
    int end = 0;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      inHint = token.kind() == Kind.HINT_START || inHint && token.kind() != Kind.HINT_END;
      boolean literal = token.kind() == Kind.STRING || token.kind() == Kind.NUMBER;
      words.add(
          new Word(
              token.text(),
              meaning(token),
              !words.isEmpty() && token.span().start() > end,
              literal && !inHint));
      end = token.span().end();
    }
    return new SqlWords(words);
  }

  private static String meaning(Token token) {
    return switch (token.kind()) {
      case WORD ->
          Identifiers.isReserved(token.text())
              ? "keyword " + token.text().toUpperCase(Locale.ROOT)
              : "name " + token.text();
      case QUOTED_NAME -> "name " + token.value();
      case STRING, NUMBER, SYMBOL, SETTING, PLACEHOLDER, HINT_START, HINT_END, UNTERMINATED ->
          token.text();
    };
  }

  List<Word> words() {
    return words;
  }

  boolean meansTheSame(SqlWords other) {
    return meanings().equals(other.meanings());
  }

  List<String> meanings() {
    return words.stream().map(Word::meaning).toList();
  }

  /** Whether it is the same SQL with other values in it. */
  boolean differsInValuesOnly(SqlWords other) {
    if (words.size() != other.words.size()) {
      return false;
    }
    for (int i = 0; i < words.size(); i++) {
      Word word = words.get(i);
      Word otherWord = other.words.get(i);
      boolean bothValues = word.literal() && otherWord.literal();
      if (!bothValues && !word.meaning().equals(otherWord.meaning())) {
        return false;
      }
    }
    return true;
  }

  /** The words of a CREATE TABLE without those of its WITH clause, for options are told apart. */
  SqlWords withoutOptions() {
    int depth = 0;
    for (int i = 0; i < words.size(); i++) {
      String text = words.get(i).text();
      if (depth == 0
          && words.get(i).meaning().equals("keyword WITH")
          && i + 1 < words.size()
          && words.get(i + 1).text().equals("(")) {
        int end = i + 1;
        for (int open = 0; end < words.size(); end++) {
          open += opened(words.get(end).text());
          if (open == 0) {
            break;
          }
        }
        List<Word> remaining = new ArrayList<>(words.subList(0, i));
        remaining.addAll(words.subList(Math.min(end + 1, words.size()), words.size()));
        return new SqlWords(remaining);
      }
      depth += opened(text);
    }
    return this;
  }

  private static int opened(String text) {
    return switch (text) {
      case "(" -> 1;
      case ")" -> -1;
      default -> 0;
    };
  }
}
