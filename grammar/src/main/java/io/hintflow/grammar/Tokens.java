package io.hintflow.grammar;

import io.hintflow.grammar.Token.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * The tokens of a script, comments and white space skipped: for finding extents that a syntax tree
 * does not tell.
 *
 * <p>Literals, quoted names and comments are told apart exactly as Flink's parser does, so that a
 * semicolon or a parenthesis found here is one for the parser too. What stands inside a hint
 * comment are tokens like any others.
 */
public final class Tokens {
  private static final int NO_MATCH = -1;

  private final List<Token> tokens;
  private final List<Skipped> skipped;
  private final int[] matches;

  /** Text between tokens that is not white space. */
  record Skipped(Reason reason, Span span) {
    enum Reason {
      COMMENT,
      /** From {@code #} to the end of its line: not SQL, but common in pasted scripts. */
      HASH_COMMENT,
      /** What the SQL client prints before the user's input. */
      PROMPT
    }
  }

  private Tokens(List<Token> tokens, List<Skipped> skipped) {
    this.tokens = tokens;
    this.skipped = skipped;
    this.matches = matches(tokens);
  }

  /**
   * Never fails: what is not SQL becomes {@link Kind#SYMBOL} or {@link Kind#UNTERMINATED}. Takes
   * linear time.
   */
  public static Tokens of(SourceText source) {
    Lexer lexer = new Lexer(source.text(), false);
    lexer.run();
    if (lexer.openLiteral) {
      // Some literal before lacks a quote, and all literals behind it were taken inside out.
      lexer = new Lexer(source.text(), true);
      lexer.run();
    }
    return new Tokens(List.copyOf(lexer.tokens), List.copyOf(lexer.skipped));
  }

  private static int[] matches(List<Token> tokens) {
    int[] matches = new int[tokens.size()];
    Arrays.fill(matches, NO_MATCH);
    int[] open = new int[tokens.size()];
    int depth = 0;
    for (int i = 0; i < matches.length; i++) {
      Token token = tokens.get(i);
      if (token.isSymbol("(")) {
        open[depth++] = i;
      } else if (token.isSymbol(")") && depth > 0) {
        matches[i] = open[--depth];
        matches[matches[i]] = i;
      } else if (token.isSymbol(";")) {
        // A parenthesis that its statement does not close must not pair with one of a later
        // statement.
        depth = 0;
      }
    }
    return matches;
  }

  public int size() {
    return tokens.size();
  }

  public Token get(int index) {
    return tokens.get(index);
  }

  /** Whether there is a token at the index and it is the given keyword. */
  public boolean isWord(int index, String word) {
    return index >= 0 && index < size() && get(index).isWord(word);
  }

  /** Whether there is a token at the index and it is the given punctuation mark or operator. */
  public boolean isSymbol(int index, String symbol) {
    return index >= 0 && index < size() && get(index).isSymbol(symbol);
  }

  /**
   * The index of the first token that starts at the offset or behind it; {@link #size()} if there
   * is none.
   */
  public int indexAt(int offset) {
    int low = 0;
    int high = tokens.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (tokens.get(middle).span().start() < offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * The index of the parenthesis that closes or opens the one at the index, if that has a partner
   * in its statement.
   */
  public OptionalInt matching(int index) {
    return matches[index] == NO_MATCH ? OptionalInt.empty() : OptionalInt.of(matches[index]);
  }

  /** What was skipped, in the order written. */
  List<Skipped> skipped() {
    return skipped;
  }

  /** Reads from left to right, once. */
  private static final class Lexer {
    private static final String PROMPT = "Flink SQL>";
    private static final List<String> OPERATORS = List.of("<>", "<=", ">=", "!=", "||", "=>");

    private final String text;

    /** Whether a literal is taken for unclosed if a semicolon at the end of a line stands in it. */
    private final boolean closesBeforeStatementEnd;

    private final List<Token> tokens = new ArrayList<>();
    private final List<Skipped> skipped = new ArrayList<>();
    private int at;

    /** Whether a literal was found that is not closed. */
    private boolean openLiteral;

    /**
     * Whether the statement being read was pasted with its prompt, so that its further lines may
     * have one too.
     */
    private boolean prompted;

    Lexer(String text, boolean closesBeforeStatementEnd) {
      this.text = text;
      this.closesBeforeStatementEnd = closesBeforeStatementEnd;
    }

    void run() {
      while (at < text.length()) {
        char c = text.charAt(at);
        if (isWhiteSpace(c)) {
          at++;
        } else if (!skipPrompt() && !skipComment()) {
          readToken(c);
        }
      }
    }

    private boolean isWhiteSpace(char c) {
      boolean byteOrderMark = at == 0 && c == '\uFEFF';
      return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || byteOrderMark;
    }

    private boolean startsLine() {
      int before = at - 1;
      while (before >= 0 && (text.charAt(before) == ' ' || text.charAt(before) == '\t')) {
        before--;
      }
      return before < 0 || isLineEnd(before);
    }

    private boolean isLineEnd(int index) {
      return text.charAt(index) == '\n' || text.charAt(index) == '\r';
    }

    private int lineEnd() {
      int end = at;
      while (end < text.length() && !isLineEnd(end)) {
        end++;
      }
      return end;
    }

    private boolean skipPrompt() {
      if (text.startsWith(PROMPT, at) && startsLine()) {
        prompted = true;
        skip(Skipped.Reason.PROMPT, at + PROMPT.length());
        return true;
      }
      if (prompted && text.charAt(at) == '>' && startsLine()) {
        skip(Skipped.Reason.PROMPT, at + 1);
        return true;
      }
      return false;
    }

    private boolean skipComment() {
      if (text.startsWith("--", at) || text.startsWith("//", at)) {
        skip(Skipped.Reason.COMMENT, lineEnd());
        return true;
      }
      if (text.charAt(at) == '#' && (startsLine() || isWhiteSpace(text.charAt(at - 1)))) {
        skip(Skipped.Reason.HASH_COMMENT, lineEnd());
        return true;
      }
      if (text.startsWith("/*", at) && !text.startsWith("/*+", at)) {
        // Flink's lexer takes "/**" and the character behind it as one mark unless that is a slash.
        int inside = text.startsWith("/**", at) && !text.startsWith("/**/", at) ? at + 4 : at + 2;
        int end = text.indexOf("*/", inside);
        if (end < 0) {
          add(Kind.UNTERMINATED, text.length());
        } else {
          skip(Skipped.Reason.COMMENT, end + 2);
        }
        return true;
      }
      return false;
    }

    private void skip(Skipped.Reason reason, int end) {
      skipped.add(new Skipped(reason, new Span(at, end)));
      at = end;
    }

    private void add(Kind kind, int end) {
      tokens.add(new Token(kind, text.substring(at, end), new Span(at, end)));
      at = end;
    }

    private void readToken(char c) {
      if (c == '\'') {
        readQuoted(Kind.STRING, false);
      } else if (c == '`') {
        readQuoted(Kind.QUOTED_NAME, true);
      } else if (text.startsWith("/*+", at)) {
        add(Kind.HINT_START, at + 3);
      } else if (text.startsWith("*/", at)) {
        add(Kind.HINT_END, at + 2);
      } else if (text.startsWith("${", at)) {
        readPlaceholder();
      } else if (c >= '0' && c <= '9') {
        readNumber();
      } else if (isWordPart(text.codePointAt(at))) {
        readWord();
      } else {
        readSymbol();
      }
    }

    private void readQuoted(Kind kind, boolean withinLine) {
      int end = quotedEnd(at, withinLine);
      if (end < 0) {
        addUnterminated(kind == Kind.STRING);
      } else {
        add(kind, end);
      }
    }

    /**
     * Going on at the end of the line rather than of the script lets the errors of later statements
     * be told.
     */
    private void addUnterminated(boolean literal) {
      openLiteral |= literal;
      int end = spacesStart(lineEnd());
      add(Kind.UNTERMINATED, end > at + 1 && text.charAt(end - 1) == ';' ? end - 1 : end);
    }

    /** Where the spaces before an offset of this line start. */
    private int spacesStart(int offset) {
      int start = offset;
      while (start > at && (text.charAt(start - 1) == ' ' || text.charAt(start - 1) == '\t')) {
        start--;
      }
      return start;
    }

    /**
     * Where the quoted text that starts at an offset ends, its closing quote included; negative if
     * it has none.
     */
    private int quotedEnd(int start, boolean withinLine) {
      char quote = text.charAt(start);
      for (int i = start + 1; i < text.length(); i++) {
        if (text.charAt(i) == quote) {
          if (i + 1 < text.length() && text.charAt(i + 1) == quote) {
            i++;
          } else {
            return i + 1;
          }
        } else if (isLineEnd(i)
            && (withinLine || closesBeforeStatementEnd && endsStatement(start, i))) {
          return -1;
        }
      }
      return -1;
    }

    private boolean endsStatement(int start, int lineEnd) {
      int last = lineEnd - 1;
      while (last > start && (text.charAt(last) == ' ' || text.charAt(last) == '\t')) {
        last--;
      }
      return text.charAt(last) == ';';
    }

    private void readPlaceholder() {
      int end = at + 2;
      while (end < text.length() && "}$\r\n".indexOf(text.charAt(end)) < 0) {
        end++;
      }
      boolean closed = end < text.length() && text.charAt(end) == '}';
      add(Kind.PLACEHOLDER, closed ? end + 1 : at + 2);
    }

    private void readNumber() {
      int end = digitsEnd(at);
      if (end < text.length() && text.charAt(end) == '.') {
        end = digitsEnd(end + 1);
      }
      if (end < text.length() && (text.charAt(end) == 'e' || text.charAt(end) == 'E')) {
        int exponent = end + 1;
        if (exponent < text.length()
            && (text.charAt(exponent) == '+' || text.charAt(exponent) == '-')) {
          exponent++;
        }
        int exponentEnd = digitsEnd(exponent);
        end = exponentEnd > exponent ? exponentEnd : end;
      }
      add(Kind.NUMBER, end);
    }

    private int digitsEnd(int start) {
      int end = start;
      while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
        end++;
      }
      return end;
    }

    private static boolean isWordPart(int codePoint) {
      return Character.isLetterOrDigit(codePoint) || codePoint == '_' || codePoint == '$';
    }

    private void readWord() {
      int end = at;
      while (end < text.length()
          && isWordPart(text.codePointAt(end))
          && !text.startsWith("${", end)) {
        end += Character.charCount(text.codePointAt(end));
      }
      boolean startsStatement = tokens.isEmpty() || tokens.get(tokens.size() - 1).isSymbol(";");
      boolean escapedLiteral =
          end - at == 1
              && (text.charAt(at) == 'e' || text.charAt(at) == 'E')
              && end < text.length()
              && text.charAt(end) == '\'';
      add(Kind.WORD, end);
      Token word = tokens.get(tokens.size() - 1);
      if (escapedLiteral) {
        readEscapedLiteral();
      } else if (startsStatement && word.isWord("SET")) {
        readSetting(true);
      } else if (startsStatement && word.isWord("RESET")) {
        readSetting(false);
      }
    }

    /** The quotes of {@code E'…'}, in which a backslash escapes the next character. */
    private void readEscapedLiteral() {
      for (int i = at + 1; i < text.length(); i++) {
        if (text.charAt(i) == '\\') {
          i++;
        } else if (text.charAt(i) == '\'') {
          if (i + 1 < text.length() && text.charAt(i + 1) == '\'') {
            i++;
          } else {
            add(Kind.STRING, i + 1);
            return;
          }
        }
      }
      addUnterminated(true);
    }

    /**
     * What stands behind SET or RESET if it is not wholly quoted. A value may be an address such as
     * {@code s3://bucket}, in which the slashes start no comment; so such a statement ends with its
     * line.
     */
    private void readSetting(boolean withValue) {
      int lineEnd = lineEnd();
      int key = spacesEnd(at, lineEnd);
      boolean quotedKey = key < lineEnd && text.charAt(key) == '\'';
      int keyEnd = quotedKey ? quotedEnd(key, true) : settingKeyEnd(key, lineEnd);
      if (keyEnd <= key) {
        return;
      }
      int behindKey = spacesEnd(keyEnd, lineEnd);
      if (!withValue) {
        boolean complete = behindKey == lineEnd || text.charAt(behindKey) == ';';
        if (complete && !quotedKey) {
          at = key;
          add(Kind.SETTING, keyEnd);
        }
        return;
      }
      if (behindKey == lineEnd || text.charAt(behindKey) != '=') {
        return;
      }
      int value = spacesEnd(behindKey + 1, lineEnd);
      boolean quotedValue = value < lineEnd && text.charAt(value) == '\'';
      int valueEnd = quotedValue ? value : settingValueEnd(value, lineEnd);
      if (valueEnd == value && !quotedValue) {
        return;
      }
      at = key;
      add(quotedKey ? Kind.STRING : Kind.SETTING, keyEnd);
      at = behindKey;
      add(Kind.SYMBOL, behindKey + 1);
      at = value;
      if (!quotedValue) {
        add(Kind.SETTING, valueEnd);
      }
    }

    private int spacesEnd(int start, int limit) {
      int end = start;
      while (end < limit && (text.charAt(end) == ' ' || text.charAt(end) == '\t')) {
        end++;
      }
      return end;
    }

    private int settingKeyEnd(int start, int limit) {
      int end = start;
      while (end < limit
          && (isWordPart(text.charAt(end)) || text.charAt(end) == '.' || text.charAt(end) == '-')) {
        end++;
      }
      return end;
    }

    private int settingValueEnd(int start, int limit) {
      int end = start;
      while (end < limit && text.charAt(end) != ';' && !text.startsWith(" --", end)) {
        end++;
      }
      while (end > start && (text.charAt(end - 1) == ' ' || text.charAt(end - 1) == '\t')) {
        end--;
      }
      return end;
    }

    private void readSymbol() {
      for (String operator : OPERATORS) {
        if (text.startsWith(operator, at)) {
          add(Kind.SYMBOL, at + operator.length());
          return;
        }
      }
      if (text.charAt(at) == ';') {
        prompted = false;
      }
      add(Kind.SYMBOL, at + Character.charCount(text.codePointAt(at)));
    }
  }
}
