package io.hintflow.grammar;

/**
 * One word, literal or mark of a script.
 *
 * @param text as written, quotes included
 * @param span where it stands in the script
 */
public record Token(Kind kind, String text, Span span) {
  /** What a token is. */
  public enum Kind {
    /** A keyword or an unquoted name. */
    WORD,
    /** A name in backquotes. */
    QUOTED_NAME,
    /** A literal in single quotes. */
    STRING,
    NUMBER,
    /** Punctuation or an operator, and any character that SQL has no use for. */
    SYMBOL,
    /** The unquoted key or value of a SET or RESET at the start of a statement. */
    SETTING,
    /** A <code>${NAME}</code> outside a literal. */
    PLACEHOLDER,
    /** The opening mark of a hint comment. */
    HINT_START,
    /** The closing mark of a hint comment. */
    HINT_END,
    /** A literal, quoted name or comment that is never closed. */
    UNTERMINATED
  }

  /** Whether this is the given keyword, in whatever case. */
  public boolean isWord(String word) {
    return kind == Kind.WORD && text.equalsIgnoreCase(word);
  }

  public boolean isSymbol(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  /**
   * The name or value that the token stands for, without quotes and with their escapes resolved.
   */
  public String value() {
    return switch (kind) {
      case STRING -> unquote('\'');
      case QUOTED_NAME -> unquote('`');
      case WORD, NUMBER, SYMBOL, SETTING, PLACEHOLDER, HINT_START, HINT_END, UNTERMINATED -> text;
    };
  }

  private String unquote(char quote) {
    String mark = String.valueOf(quote);
    return text.substring(1, text.length() - 1).replace(mark + mark, mark);
  }

  /** The token as messages show it. Literals and settings stay unsaid: they may be passwords. */
  String shown() {
    return switch (kind) {
      case STRING -> "a literal";
      case SETTING -> "a setting that is not quoted";
      case UNTERMINATED -> "a literal that is not closed";
      case HINT_START, HINT_END, WORD, QUOTED_NAME, NUMBER, SYMBOL, PLACEHOLDER -> "'" + text + "'";
    };
  }

  /** The token as a {@link Name}: its {@link #value()}, and where it stands. */
  Name asName() {
    return new Name(value(), span);
  }
}
