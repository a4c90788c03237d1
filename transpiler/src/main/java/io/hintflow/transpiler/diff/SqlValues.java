package io.hintflow.transpiler.diff;

import io.hintflow.grammar.Token;
import io.hintflow.grammar.Token.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Set;

/**
 * Which literals of SQL are values that others can replace while everything that Flink makes of the
 * SQL keeps its types. In a filter, a watermark and a comment, all of them. Elsewhere a literal has
 * a type of its own, an argument can decide over the type of a result ({@code ROUND}) and an
 * interval over what a window is.
 */
final class SqlValues {
  private static final Set<String> STARTS = Set.of("WHERE", "WATERMARK");

  private static final Set<String> ENDS =
      Set.of(
          "SELECT",
          "FROM",
          "GROUP",
          "HAVING",
          "WINDOW",
          "ORDER",
          "LIMIT",
          "OFFSET",
          "FETCH",
          "UNION",
          "INTERSECT",
          "EXCEPT",
          "OVER");

  /** One digit less than the largest INT has. */
  private static final String INT = "\\d{1,9}";

  /**
   * What is inside a pair of parentheses.
   *
   * @param filters whether the place is in a filter or a watermark
   * @param inherited whether the parentheses are in one
   * @param arguments whether they are those of a function or a type
   */
  private record Scope(boolean filters, boolean inherited, boolean arguments) {
    Scope with(boolean filters) {
      return new Scope(filters, inherited, arguments);
    }
  }

  private final Deque<Scope> around = new ArrayDeque<>();
  private Scope scope = new Scope(false, false, false);
  private boolean inHint;
  private boolean behindName;
  private String behind = "";

  /** What the next literal is as a value, as in {@link SqlWords.Word#value}. */
  String next(Token token) {
    String capitals = token.text().toUpperCase(Locale.ROOT);
    inHint = token.kind() == Kind.HINT_START || inHint && token.kind() != Kind.HINT_END;
    String value = inHint ? "" : value(token);
    if (token.isSymbol("(")) {
      around.push(scope);
      scope = new Scope(scope.filters, scope.filters, behindName);
    } else if (token.isSymbol(")")) {
      scope = around.isEmpty() ? scope : around.pop();
    } else if (token.isSymbol(",")) {
      scope = scope.with(scope.inherited);
    } else if (token.kind() == Kind.WORD && STARTS.contains(capitals)) {
      scope = scope.with(true);
    } else if (token.kind() == Kind.WORD && ENDS.contains(capitals)) {
      scope = scope.with(false);
    }
    behindName = token.kind() == Kind.WORD || token.kind() == Kind.QUOTED_NAME;
    behind = capitals;
    return value;
  }

  private String value(Token token) {
    if (token.kind() != Kind.STRING && token.kind() != Kind.NUMBER) {
      return "";
    }
    if (scope.filters || behind.equals("COMMENT")) {
      return "any";
    }
    if (scope.arguments || behind.equals("INTERVAL")) {
      return "";
    }
    if (token.kind() == Kind.STRING) {
      return "CHAR(" + token.value().length() + ")";
    }
    return token.text().matches(INT) ? "INT" : "";
  }
}
