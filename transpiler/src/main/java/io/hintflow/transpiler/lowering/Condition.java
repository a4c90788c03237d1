package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Tokens;
import io.hintflow.transpiler.analysis.From;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * A condition taken apart, each part with the text that it has in the script. The syntax tree alone
 * would not do: it forgets parentheses.
 */
public sealed interface Condition {
  SqlNode node();

  /** The tokens that it is made of, its outer parentheses included. */
  FromText.Range range();

  /** The conditions that AND, OR or NOT make it of; none for any other. */
  default List<Condition> parts() {
    return List.of();
  }

  /** True if all parts are. */
  record All(SqlNode node, FromText.Range range, List<Condition> parts) implements Condition {}

  /** True if any part is. */
  record Any(SqlNode node, FromText.Range range, List<Condition> parts) implements Condition {}

  record Not(SqlNode node, FromText.Range range, Condition part) implements Condition {
    @Override
    public List<Condition> parts() {
      return List.of(part);
    }
  }

  /** Two values compared: {@code =}, {@code <>}, {@code <} and so on, IS [NOT] DISTINCT FROM. */
  record Comparison(SqlNode node, FromText.Range range, Operand left, Operand right)
      implements Condition {
    public SqlKind kind() {
      return node.getKind();
    }
  }

  /** Anything else. */
  record Term(SqlNode node, FromText.Range range) implements Condition {}

  /** A value of a comparison. */
  record Operand(SqlNode node, FromText.Range range) {}

  static Condition of(Tokens tokens, SqlNode node, FromText.Range range) {
    return new Reader(tokens).read(node, range);
  }

  /** The conditions that AND joins behind a join's ON; none if it has USING or nothing. */
  static List<Condition> on(Tokens tokens, From.Join join, FromText text) {
    return text.condition(join)
        .map(range -> of(tokens, join.node().getCondition(), range).conjuncts())
        .orElse(List.of());
  }

  /** The parts that AND joins; a BETWEEN is one. */
  default List<Condition> conjuncts() {
    return this instanceof All all && node().getKind() == SqlKind.AND
        ? all.parts().stream().flatMap(part -> part.conjuncts().stream()).toList()
        : List.of(this);
  }

  /** Follows the tree and the tokens side by side; where they differ, it takes nothing apart. */
  final class Reader {
    private static final List<String> COMPARISONS = List.of("=", "<>", "!=", "<", "<=", ">", ">=");

    private final Tokens tokens;

    private Reader(Tokens tokens) {
      this.tokens = tokens;
    }

    private Condition read(SqlNode node, FromText.Range whole) {
      FromText.Range range = withoutParentheses(whole);
      switch (node.getKind()) {
        case AND -> {
          return parts(node, range, SqlKind.AND)
              .<Condition>map(parts -> new All(node, whole, parts))
              .orElse(new Term(node, whole));
        }
        case OR -> {
          return parts(node, range, SqlKind.OR)
              .<Condition>map(parts -> new Any(node, whole, parts))
              .orElse(new Term(node, whole));
        }
        case NOT -> {
          SqlNode operand = ((SqlCall) node).operand(0);
          return tokens.isWord(range.from(), "NOT")
              ? new Not(
                  node, whole, read(operand, new FromText.Range(range.from() + 1, range.to())))
              : new Term(node, whole);
        }
        case BETWEEN -> {
          return between((SqlCall) node, range).orElse(new Term(node, whole));
        }
        case EQUALS,
            NOT_EQUALS,
            LESS_THAN,
            LESS_THAN_OR_EQUAL,
            GREATER_THAN,
            GREATER_THAN_OR_EQUAL,
            IS_DISTINCT_FROM,
            IS_NOT_DISTINCT_FROM -> {
          return comparison((SqlCall) node, range, whole).orElse(new Term(node, whole));
        }
        default -> {
          return new Term(node, whole);
        }
      }
    }

    private Optional<List<Condition>> parts(SqlNode node, FromText.Range range, SqlKind kind) {
      List<FromText.Range> ranges = split(range, kind == SqlKind.AND);
      List<Condition> parts = new ArrayList<>();
      SqlNode rest = node;
      for (int i = ranges.size() - 1; i > 0; i--) {
        if (rest.getKind() != kind) {
          return Optional.empty();
        }
        parts.add(0, read(((SqlCall) rest).operand(1), ranges.get(i)));
        rest = ((SqlCall) rest).operand(0);
      }
      parts.add(0, read(rest, ranges.get(0)));
      return parts.size() > 1 ? Optional.of(List.copyOf(parts)) : Optional.empty();
    }

    /** The pieces between the AND, or the OR, of a condition's outermost level. */
    private List<FromText.Range> split(FromText.Range range, boolean and) {
      List<FromText.Range> pieces = new ArrayList<>();
      int start = range.from();
      boolean between = false;
      for (int i = start; i < range.to(); i = next(i)) {
        if (tokens.isWord(i, "BETWEEN")) {
          between = true;
        } else if (tokens.isWord(i, "AND") && between) {
          between = false;
        } else if (tokens.isWord(i, and ? "AND" : "OR")) {
          pieces.add(new FromText.Range(start, i));
          start = i + 1;
        }
      }
      pieces.add(new FromText.Range(start, range.to()));
      return pieces;
    }

    private Optional<Condition> comparison(
        SqlCall call, FromText.Range range, FromText.Range whole) {
      List<Integer> found = new ArrayList<>();
      int behind = 0;
      for (int i = range.from(); i < range.to(); i = next(i)) {
        int at = i;
        if (COMPARISONS.stream().anyMatch(symbol -> tokens.isSymbol(at, symbol))) {
          found.add(i);
          behind = i + 1;
        } else if (tokens.isWord(i, "DISTINCT") && tokens.isWord(i + 1, "FROM")) {
          found.add(tokens.isWord(i - 1, "NOT") ? i - 2 : i - 1);
          behind = i + 2;
        }
      }
      if (found.size() != 1) {
        return Optional.empty();
      }
      return Optional.of(
          new Comparison(
              call,
              whole,
              new Operand(call.operand(0), new FromText.Range(range.from(), found.get(0))),
              new Operand(call.operand(1), new FromText.Range(behind, range.to()))));
    }

    /** BETWEEN as the two comparisons that it stands for. */
    private Optional<Condition> between(SqlCall call, FromText.Range range) {
      int between = find(range.from(), range.to(), "BETWEEN");
      int and = find(between, range.to(), "AND");
      if (and >= range.to()
          || tokens.isWord(between - 1, "NOT")
          || tokens.isWord(between + 1, "SYMMETRIC")) {
        return Optional.empty();
      }
      int lower = tokens.isWord(between + 1, "ASYMMETRIC") ? between + 2 : between + 1;
      Operand value = new Operand(call.operand(0), new FromText.Range(range.from(), between));
      Operand low = new Operand(call.operand(1), new FromText.Range(lower, and));
      Operand high = new Operand(call.operand(2), new FromText.Range(and + 1, range.to()));
      return Optional.of(
          new All(
              call,
              range,
              List.of(
                  new Comparison(
                      compare(SqlStdOperatorTable.GREATER_THAN_OR_EQUAL, value, low),
                      range,
                      value,
                      low),
                  new Comparison(
                      compare(SqlStdOperatorTable.LESS_THAN_OR_EQUAL, value, high),
                      range,
                      value,
                      high))));
    }

    private static SqlNode compare(SqlOperator operator, Operand left, Operand right) {
      return operator.createCall(SqlParserPos.ZERO, left.node(), right.node());
    }

    private int find(int from, int to, String word) {
      for (int i = from; i < to; i = next(i)) {
        if (tokens.isWord(i, word)) {
          return i;
        }
      }
      return to;
    }

    /** The next token of the same level: what parentheses or CASE … END enclose is passed over. */
    private int next(int index) {
      if (tokens.isSymbol(index, "(") && tokens.matching(index).isPresent()) {
        return tokens.matching(index).getAsInt() + 1;
      }
      if (!tokens.isWord(index, "CASE")) {
        return index + 1;
      }
      int i = index + 1;
      while (i < tokens.size() && !tokens.isWord(i, "END")) {
        i = next(i);
      }
      return i + 1;
    }

    private FromText.Range withoutParentheses(FromText.Range range) {
      boolean enclosed =
          tokens.isSymbol(range.from(), "(")
              && tokens.matching(range.from()).stream().anyMatch(close -> close == range.to() - 1);
      return enclosed
          ? withoutParentheses(new FromText.Range(range.from() + 1, range.to() - 1))
          : range;
    }
  }
}
