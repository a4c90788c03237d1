package io.hintflow.transpiler.diff;

import io.hintflow.grammar.Identifiers;
import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Token;
import io.hintflow.grammar.Tokens;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * SQL as the words that it is made of. What it only looks like is not in them: white space,
 * comments, the case of keywords and of functions, backquotes that a name does not need, which of a
 * type's names it goes by.
 */
final class SqlWords {
  private static final Map<String, String> SYNONYMS =
      Map.of("INTEGER", "INT", "DEC", "DECIMAL", "NUMERIC", "DECIMAL");

  /** Behind these a word is a name, even if it is one of the keywords that can be names. */
  private static final Set<String> BEFORE_NAMES =
      Set.of("(", ",", ".", "SELECT", "DISTINCT", "AS", "BY", "FROM", "JOIN", "INTO");

  private static final Set<String> BEFORE_STAR =
      Set.of("SELECT", "DISTINCT", "ALL", ",", ".", "*/");

  private final List<Word> words;

  /**
   * @param text as written
   * @param meaning equal for words that mean the same
   * @param spaced whether something stands between the word in front and this one
   * @param value equal for values that can replace each other without another type of any column;
   *     empty if the word is not a value, or one on which a type can depend
   */
  record Word(String text, String meaning, boolean spaced, String value) {}

  private SqlWords(List<Word> words) {
    this.words = List.copyOf(words);
  }

  static SqlWords of(String sql) {
    Tokens tokens = Tokens.of(new SourceText("", sql));
    SqlValues values = new SqlValues();
    List<Word> words = new ArrayList<>();
    int end = 0;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      words.add(
          new Word(
              token.text(),
              meaning(tokens, i),
              !words.isEmpty() && token.span().start() > end,
              values.next(token)));
      end = token.span().end();
    }
    return new SqlWords(words);
  }

  private static String meaning(Tokens tokens, int place) {
    Token token = tokens.get(place);
    String capitals = token.value().toUpperCase(Locale.ROOT);
    return switch (token.kind()) {
      case WORD -> {
        if (Identifiers.isReserved(token.text())) {
          yield "keyword " + SYNONYMS.getOrDefault(capitals, capitals);
        }
        if (isBeforeParenthesis(tokens, place)) {
          yield "function " + capitals;
        }
        yield Identifiers.isKeyword(token.text()) && !isWhereNamesAre(tokens, place)
            ? "keyword " + capitals
            : "name " + token.text();
      }
      case QUOTED_NAME ->
          isBeforeParenthesis(tokens, place) ? "function " + capitals : "name " + token.value();
      case STRING, NUMBER, SYMBOL, SETTING, PLACEHOLDER, HINT_START, HINT_END, UNTERMINATED ->
          token.text();
    };
  }

  private static boolean isBeforeParenthesis(Tokens tokens, int place) {
    return place + 1 < tokens.size() && tokens.get(place + 1).isSymbol("(");
  }

  private static boolean isWhereNamesAre(Tokens tokens, int place) {
    return place > 0
        && BEFORE_NAMES.contains(tokens.get(place - 1).text().toUpperCase(Locale.ROOT));
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

  /** Whether it is the same SQL with other values in it, and its columns have the same types. */
  boolean differsInValuesOnly(SqlWords other) {
    if (words.size() != other.words.size()) {
      return false;
    }
    for (int i = 0; i < words.size(); i++) {
      Word word = words.get(i);
      Word otherWord = other.words.get(i);
      boolean alikeValues = !word.value().isEmpty() && word.value().equals(otherWord.value());
      if (!alikeValues && !word.meaning().equals(otherWord.meaning())) {
        return false;
      }
    }
    return true;
  }

  /** Whether all columns of a table are asked for. */
  boolean selectsAll() {
    for (int i = 1; i < words.size(); i++) {
      if (words.get(i).text().equals("*")
          && BEFORE_STAR.contains(words.get(i - 1).text().toUpperCase(Locale.ROOT))) {
        return true;
      }
    }
    return false;
  }

  /** Whether the other is the same SQL with further items in its lists. */
  boolean differsInFurtherItemsOnly(SqlWords other) {
    return WordEdit.between(this, other).stream()
        .allMatch(edit -> edit.kind() == WordEdit.Kind.SAME || isItem(edit));
  }

  private static boolean isItem(WordEdit edit) {
    String text = edit.text().strip();
    return edit.kind() == WordEdit.Kind.ADDED && (text.startsWith(",") || text.endsWith(","));
  }

  /**
   * What a CREATE TABLE has between its first parentheses, without comments, by the meaning of the
   * word that it begins with: a column's name, or the keyword of a constraint.
   */
  Map<String, List<String>> definitions() {
    Map<String, List<String>> definitions = new LinkedHashMap<>();
    List<String> definition = new ArrayList<>();
    int depth = 0;
    for (int i = 0; i < words.size() && (depth > 0 || definitions.isEmpty()); i++) {
      int opened = opened(words.get(i).text());
      boolean ends = depth == 1 && (opened < 0 || words.get(i).text().equals(","));
      if (ends && !definition.isEmpty()) {
        definitions.put(definition.get(0), List.copyOf(definition));
        definition.clear();
      } else if (depth > 0 && !isOfComment(i)) {
        definition.add(words.get(i).meaning());
      }
      depth += opened;
    }
    return definitions;
  }

  private boolean isOfComment(int place) {
    return List.of(place, place - 1).stream()
        .anyMatch(i -> words.get(i).meaning().equals("keyword COMMENT"));
  }

  /** The table whose columns a CREATE TABLE takes over, as its stage is called. */
  Optional<String> likeTable() {
    int depth = 0;
    for (int i = 0; i < words.size(); i++) {
      if (depth == 0 && words.get(i).meaning().equals("keyword LIKE")) {
        StringBuilder name = new StringBuilder("table/");
        for (Word word : words.subList(i + 1, words.size())) {
          if (word.spaced() && !name.toString().endsWith("/") || word.text().equals("(")) {
            break;
          }
          name.append(word.text().replace("`", ""));
        }
        return Optional.of(name.toString());
      }
      depth += opened(words.get(i).text());
    }
    return Optional.empty();
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
