package io.hintflow.grammar;

import io.hintflow.grammar.Token.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.flink.sql.parser.impl.ParseException;

/** Puts what Flink's parser says, which may fill pages, into one sentence about one token. */
final class SyntaxError {
  private static final int END_OF_FILE = 0;
  private static final int MOST_ALTERNATIVES = 4;

  /** Words that begin a statement and rarely stand at the start of a line otherwise. */
  private static final List<String> STATEMENT_STARTS =
      List.of(
          "ALTER",
          "BEGIN",
          "CREATE",
          "DESCRIBE",
          "DROP",
          "EXECUTE",
          "EXPLAIN",
          "INSERT",
          "RESET",
          "SELECT",
          "SET",
          "SHOW",
          "USE",
          "WITH");

  /** Words that are hardly ever meant as a name, except in a list of names. */
  private static final Set<String> CLAUSES =
      Set.of(
          "AND", "AS", "BY", "FROM", "GROUP", "HAVING", "INTO", "JOIN", "LEFT", "ON", "OR", "ORDER",
          "RIGHT", "SELECT", "UNION", "WHERE");

  /**
   * What helps.
   *
   * @param fix as of a {@link Diagnostic}
   */
  private record Help(String sentence, List<Replacement> fix) {
    static Help of(String sentence) {
      return new Help(sentence, List.of());
    }

    static Help of(String sentence, Span span, String replacement) {
      return new Help(sentence, List.of(new Replacement(span, replacement)));
    }
  }

  private final SqlParseException error;
  private final List<Token> tokens;
  private final Positions positions;
  private final Findings findings;

  /**
   * The index of the token that the parser points to; the number of tokens if that is the
   * statement's end.
   */
  private final int reported;

  private SyntaxError(
      SqlParseException error, List<Token> tokens, Positions positions, Findings findings) {
    this.error = error;
    this.tokens = tokens;
    this.positions = positions;
    this.findings = findings;
    this.reported = indexOfReported();
  }

  /** Adds one finding for a statement that the parser refused. */
  static void report(
      SqlParseException error, List<Token> tokens, Positions positions, Findings findings) {
    new SyntaxError(error, tokens, positions, findings).report();
  }

  private int indexOfReported() {
    boolean atEnd =
        error.getCause() instanceof ParseException cause
            && cause.currentToken != null
            && cause.currentToken.next.kind == END_OF_FILE;
    if (atEnd) {
      return tokens.size();
    }
    if (error.getPos() == null) {
      return 0;
    }
    int offset = positions.span(error.getPos()).start();
    int index = 0;
    while (index < tokens.size() && tokens.get(index).span().end() <= offset) {
      index++;
    }
    return index;
  }

  private void report() {
    String message = error.getMessage() == null ? "" : error.getMessage();
    Span span = error.getPos() == null ? positions.statement() : positions.span(error.getPos());
    Optional<Help> statement = misspelt(0, STATEMENT_STARTS);
    if (reported == 0 && statement.isPresent()) {
      add(tokens.get(0).span(), "No statement starts with " + tokens.get(0).shown(), statement);
    } else if (error.getExpectedTokenSequences() != null) {
      unexpectedToken();
    } else if (message.startsWith("Lexical error")) {
      strayCharacter(span.start());
    } else if (message.startsWith("Bang equal")) {
      Help help = Help.of("Write <> instead of !=", span, "<>");
      add(span, "!= has no meaning in Flink SQL", Optional.of(help));
    } else if (message.startsWith("Non-query expression")) {
      add(span, "Expected a query", Optional.empty());
    } else if (message.startsWith("Query expression")) {
      add(span, "Unexpected query", Optional.of(Help.of("Put the query in parentheses")));
    } else {
      add(span, firstSentence(message), Optional.empty());
    }
  }

  private static String firstSentence(String message) {
    String line = message.lines().findFirst().orElse("");
    String sentence = line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    return sentence.isBlank() ? "Flink's parser cannot read this statement" : sentence;
  }

  /** For the last character of a statement the parser gives the place behind it. */
  private void strayCharacter(int reportedOffset) {
    int offset = tokens.get(0).span().start();
    for (Token token : tokens) {
      if (token.span().start() <= reportedOffset) {
        boolean within = reportedOffset < token.span().end();
        offset = within ? reportedOffset : token.span().start();
      }
    }
    int codePoint = positions.text().text().codePointAt(offset);
    Span span = new Span(offset, offset + Character.charCount(codePoint));
    String number = "U+%04X".formatted(codePoint);
    String shown =
        isVisible(codePoint) ? Character.toString(codePoint) + " (" + number + ")" : number;
    add(span, "The character " + shown + " has no meaning in SQL", helpForCharacter(span));
  }

  private static boolean isVisible(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.SPACE_SEPARATOR,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  private Optional<Help> helpForCharacter(Span span) {
    int codePoint = positions.text().text().codePointAt(span.start());
    if (codePoint == '"' || codePoint == '\u201C' || codePoint == '\u201D') {
      return Optional.of(Help.of("Put names in backquotes and literals in single quotes"));
    }
    if (codePoint == '\u2018' || codePoint == '\u2019') {
      return Optional.of(Help.of("Write the plain quote '"));
    }
    int type = Character.getType(codePoint);
    if (type == Character.SPACE_SEPARATOR) {
      return Optional.of(Help.of("Write a plain space", span, " "));
    }
    if (type == Character.FORMAT) {
      return Optional.of(Help.of("Remove it: it has no width", span, ""));
    }
    if (type == Character.DASH_PUNCTUATION || codePoint == '\u2212') {
      return Optional.of(Help.of("Write the plain character -", span, "-"));
    }
    // The full-width forms of ASCII, in its order.
    if (codePoint >= '\uFF01' && codePoint <= '\uFF5E') {
      String plain = Character.toString(codePoint - '\uFF01' + '!');
      String sentence = "Write the plain character " + plain;
      boolean quote = plain.equals("\"") || plain.equals("'") || plain.equals("`");
      return Optional.of(quote ? Help.of(sentence) : Help.of(sentence, span, plain));
    }
    if (codePoint == '\u3001' || codePoint == '\u3002') {
      return Optional.of(Help.of("Write a plain comma or semicolon"));
    }
    if (Character.isLetter(codePoint)) {
      return Optional.of(Help.of("Put the name in backquotes"));
    }
    return Optional.empty();
  }

  /**
   * The parser points to where it had to choose between rules, and tells what would have had to
   * follow; the token at fault is the first that no rule agrees with.
   */
  private void unexpectedToken() {
    int agreed = 0;
    for (int[] sequence : error.getExpectedTokenSequences()) {
      agreed = Math.max(agreed, agreement(sequence));
    }
    Set<String> expected = new LinkedHashSet<>();
    for (int[] sequence : error.getExpectedTokenSequences()) {
      if (sequence.length > agreed && agreement(sequence) == agreed) {
        expected.add(error.getTokenImages()[sequence[agreed]]);
      }
    }
    int index = reported + agreed;
    if (index >= tokens.size()) {
      Token last = tokens.get(tokens.size() - 1);
      String wanted = alternatives(expected).map(names -> "; expected " + names).orElse("");
      add(last.span(), "The statement ends too early" + wanted, helpForParenthesis(tokens.size()));
      return;
    }
    Token found = tokens.get(index);
    String message =
        alternatives(expected)
            .map(names -> "Found " + found.shown() + ", expected " + names)
            .orElse("Unexpected " + found.shown());
    add(found.span(), message, help(index, expected));
  }

  private void add(Span span, String message, Optional<Help> help) {
    if (help.isPresent()) {
      findings.add(
          DiagnosticCode.SYNTAX_ERROR, span, message, help.get().sentence(), help.get().fix());
    } else {
      findings.add(DiagnosticCode.SYNTAX_ERROR, span, message);
    }
  }

  /** How many tokens from the reported one on are as the sequence has them, its last one aside. */
  private int agreement(int[] sequence) {
    int agreed = 0;
    while (agreed < sequence.length - 1
        && reported + agreed < tokens.size()
        && matches(error.getTokenImages()[sequence[agreed]], tokens.get(reported + agreed))) {
      agreed++;
    }
    return agreed;
  }

  private static boolean matches(String image, Token token) {
    return switch (token.kind()) {
      case WORD -> image.equals("<IDENTIFIER>") || unquoted(image).equalsIgnoreCase(token.text());
      case QUOTED_NAME -> image.equals("<BACK_QUOTED_IDENTIFIER>");
      case STRING -> image.equals("<QUOTED_STRING>");
      case NUMBER -> image.endsWith("_LITERAL>") && !image.contains("STRING");
      case SYMBOL -> unquoted(image).equals(token.text());
      case SETTING, PLACEHOLDER, HINT_START, HINT_END, UNTERMINATED -> false;
    };
  }

  private static String unquoted(String image) {
    boolean quoted = image.length() > 2 && image.startsWith("\"") && image.endsWith("\"");
    return quoted ? image.substring(1, image.length() - 1) : image;
  }

  /** What would have been right, if that is little enough to be of use. */
  private static Optional<String> alternatives(Set<String> expected) {
    List<String> shown = new ArrayList<>();
    for (String image : expected) {
      switch (image) {
        case "<IDENTIFIER>", "<BACK_QUOTED_IDENTIFIER>" -> {
          if (!shown.contains("a name")) {
            shown.add("a name");
          }
        }
        case "<QUOTED_STRING>" -> shown.add("a literal in single quotes");
        case "<UNSIGNED_INTEGER_LITERAL>" -> shown.add("a number");
        case "\"UESCAPE\"" -> {
          // Correct, but nobody means it.
        }
        case "<EOF>" -> shown.add("the end of the statement");
        default -> {
          if (image.startsWith("\"")) {
            shown.add("'" + unquoted(image) + "'");
          }
        }
      }
    }
    if (shown.isEmpty() || shown.size() > MOST_ALTERNATIVES) {
      return Optional.empty();
    }
    String last = shown.remove(shown.size() - 1);
    return Optional.of(shown.isEmpty() ? last : String.join(", ", shown) + " or " + last);
  }

  private Optional<Help> help(int index, Set<String> expected) {
    return helpForToken(index, expected)
        .or(() -> misspelt(index - 1, keywords(expected)))
        .or(() -> helpForParenthesis(index))
        .or(() -> helpForComma(index, expected));
  }

  private Optional<Help> helpForToken(int index, Set<String> expected) {
    Token found = tokens.get(index);
    if (found.kind() == Kind.SYMBOL) {
      return found.isSymbol("=") ? helpForEquals(index) : helpForCharacter(found.span());
    }
    if (found.kind() != Kind.WORD) {
      return Optional.empty();
    }
    String word = found.text().toUpperCase(Locale.ROOT);
    if (word.equals("FROM") && index > 0 && tokens.get(index - 1).isSymbol(",")) {
      return Optional.of(Help.of("Remove the comma before FROM", tokens.get(index - 1).span(), ""));
    }
    if (index > 0 && STATEMENT_STARTS.contains(word) && startsLine(found)) {
      return Optional.of(Help.of("Is a semicolon missing before it?"));
    }
    boolean nameExpected =
        expected.contains("<IDENTIFIER>") || expected.contains("<BACK_QUOTED_IDENTIFIER>");
    if (!nameExpected) {
      // Of two words that look like keywords, the first is more likely to be one: FORM orders.
      return misspelt(index - 1, keywords(expected)).or(() -> misspelt(index, keywords(expected)));
    }
    boolean inList =
        index > 0 && (tokens.get(index - 1).isSymbol(",") || tokens.get(index - 1).isSymbol("("));
    return CLAUSES.contains(word) && !inList
        ? Optional.empty()
        : Optional.of(
            Help.of(
                found.text() + " is a reserved word: put it in backquotes to use it as a name",
                found.span(),
                "`" + found.text() + "`"));
  }

  private boolean startsLine(Token token) {
    SourceText text = positions.text();
    int start = token.span().start();
    return text.text().substring(text.lineStart(text.lineOf(start)), start).isBlank();
  }

  private Optional<Help> helpForEquals(int index) {
    if (index > 0 && tokens.get(index - 1).isSymbol("=")) {
      return Optional.of(Help.of("SQL compares with a single =", tokens.get(index).span(), ""));
    }
    // Two literals side by side are one to the parser.
    boolean twoLiterals =
        index > 1
            && tokens.get(index - 1).kind() == Kind.STRING
            && tokens.get(index - 2).kind() == Kind.STRING;
    return twoLiterals
        ? Optional.of(Help.of("Is a comma missing before " + tokens.get(index - 1).text() + "?"))
        : Optional.empty();
  }

  /** The innermost parenthesis that is open before a token, if the statement never closes it. */
  private Optional<Help> helpForParenthesis(int index) {
    Deque<Token> open = new ArrayDeque<>();
    Set<Token> openBefore = new HashSet<>();
    for (int i = 0; i < tokens.size(); i++) {
      if (i == index) {
        openBefore.addAll(open);
      }
      if (tokens.get(i).isSymbol("(")) {
        open.push(tokens.get(i));
      } else if (tokens.get(i).isSymbol(")")) {
        open.poll();
      }
    }
    return open.stream()
        .filter(token -> index == tokens.size() || openBefore.contains(token))
        .findFirst()
        .map(token -> positions.text().location(token.span().start()))
        .map(
            place ->
                Help.of(
                    "The parenthesis at line %d, column %d is never closed"
                        .formatted(place.line(), place.column())));
  }

  private Optional<Help> helpForComma(int index, Set<String> expected) {
    return switch (tokens.get(index).kind()) {
      case WORD, QUOTED_NAME, STRING, NUMBER ->
          expected.contains("\",\"")
              ? Optional.of(Help.of("Is a comma missing before it?"))
              : Optional.empty();
      case SYMBOL, SETTING, PLACEHOLDER, HINT_START, HINT_END, UNTERMINATED -> Optional.empty();
    };
  }

  private static List<String> keywords(Set<String> images) {
    return images.stream()
        .filter(image -> image.startsWith("\"") && Character.isLetter(image.charAt(1)))
        .map(SyntaxError::unquoted)
        .toList();
  }

  /**
   * A keyword that looks like the word there; a misspelt one may have been taken for an alias
   * before the error.
   */
  private Optional<Help> misspelt(int index, List<String> keywords) {
    if (index < 0 || tokens.get(index).kind() != Kind.WORD) {
      return Optional.empty();
    }
    String word = tokens.get(index).text();
    return NearestName.of(word, keywords)
        .filter(nearest -> !nearest.equalsIgnoreCase(word))
        .map(
            nearest ->
                Help.of(
                    "Did you mean " + nearest + " instead of " + word + "?",
                    tokens.get(index).span(),
                    nearest));
  }
}
