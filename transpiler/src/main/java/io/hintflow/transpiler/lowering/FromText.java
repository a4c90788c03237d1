package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Script;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.Tokens;
import io.hintflow.transpiler.analysis.From;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlNode;

/**
 * Where the parts of a block's FROM and WHERE stand. The syntax tree knows only where a join's
 * keyword is; the rest is looked for in the tokens.
 */
public final class FromText {
  private static final List<String> BEHIND_FROM =
      List.of("WHERE", "GROUP", "HAVING", "WINDOW", "QUALIFY", "ORDER", "LIMIT", "OFFSET", "FETCH");
  private static final List<String> BEFORE_JOIN =
      List.of("LEFT", "RIGHT", "FULL", "INNER", "OUTER", "CROSS", "NATURAL");

  private final Script script;
  private final Statement statement;
  private final Tokens tokens;
  private final Map<From, Range> ranges = new IdentityHashMap<>();
  private final Map<From.Join, Range> conditions = new IdentityHashMap<>();
  private final Map<From.Join, Range> usings = new IdentityHashMap<>();
  private final Optional<Range> where;

  /**
   * Some tokens of the script.
   *
   * @param from the index of the first
   * @param to the index behind the last
   */
  public record Range(int from, int to) {}

  private FromText(Script script, Statement statement, Tokens tokens, Block block, From from) {
    this.script = script;
    this.statement = statement;
    this.tokens = tokens;
    Range select =
        new Range(tokens.indexAt(block.span().start()), tokens.indexAt(block.span().end()));
    int start = clause(select.from(), select.to(), List.of("FROM")) + 1;
    int end = clause(start, select.to(), BEHIND_FROM);
    locate(from, new Range(start, end));
    this.where =
        end < select.to() && tokens.isWord(end, "WHERE")
            ? Optional.of(new Range(end + 1, clause(end + 1, select.to(), BEHIND_FROM)))
            : Optional.empty();
  }

  /** Throws an {@link IllegalStateException} if the text is not what the tree tells. */
  public static FromText of(ScriptContext script, Statement statement, Block block, From from) {
    return new FromText(script.script(), statement, script.tokens(), block, from);
  }

  /** The text of a part, parentheses and alias included. */
  public Span span(From from) {
    return span(range(from));
  }

  /** The tokens of a part, parentheses and alias included. */
  public Range range(From from) {
    return ranges.get(from);
  }

  /** The condition behind a join's ON; empty if it has USING or nothing. */
  public Optional<Range> condition(From.Join join) {
    return Optional.ofNullable(conditions.get(join));
  }

  /** A join's USING with its columns; empty if it has none. */
  public Optional<Range> using(From.Join join) {
    return Optional.ofNullable(usings.get(join));
  }

  /** The condition behind WHERE. */
  public Optional<Range> where() {
    return where;
  }

  public Span span(Range range) {
    return new Span(
        tokens.get(range.from()).span().start(), tokens.get(range.to() - 1).span().end());
  }

  /**
   * The index of the first of some keywords outside of parentheses; {@code to} if none is there.
   */
  private int clause(int from, int to, List<String> words) {
    for (int i = from; i < to; i++) {
      if (tokens.isSymbol(i, "(") && tokens.matching(i).isPresent()) {
        i = tokens.matching(i).getAsInt();
      } else {
        int at = i;
        boolean comparison = tokens.isWord(i, "FROM") && tokens.isWord(i - 1, "DISTINCT");
        if (!comparison && words.stream().anyMatch(word -> tokens.isWord(at, word))) {
          return i;
        }
      }
    }
    return to;
  }

  private void locate(From from, Range range) {
    ranges.put(from, range);
    if (!(from instanceof From.Join join)) {
      return;
    }
    Range inside = range;
    int keyword = at(join.node().getJoinTypeNode());
    while (isInParentheses(inside, keyword)) {
      inside = new Range(inside.from() + 1, inside.to() - 1);
    }
    int left = keyword;
    while (isBeforeJoin(left - 1)) {
      left--;
    }
    int right = inside.to();
    SqlNode condition = join.node().getCondition();
    if (condition != null) {
      boolean using = join.node().getConditionType() == JoinConditionType.USING;
      right = before(at(condition), using ? "USING" : "ON", keyword);
      if (using) {
        usings.put(join, new Range(right, inside.to()));
      } else {
        conditions.put(join, new Range(right + 1, inside.to()));
      }
    }
    locate(join.left(), new Range(inside.from(), left));
    locate(join.right(), new Range(keyword + 1, right));
  }

  /** The last of a keyword from an index on backwards. */
  private int before(int index, String word, int limit) {
    for (int i = index; i > limit; i--) {
      if (tokens.isWord(i, word)) {
        return i;
      }
    }
    throw new IllegalStateException("No " + word + " behind a join");
  }

  private boolean isInParentheses(Range range, int index) {
    return tokens.isSymbol(range.from(), "(")
        && tokens.matching(range.from()).stream().anyMatch(close -> close == range.to() - 1)
        && index > range.from()
        && index < range.to() - 1;
  }

  private boolean isBeforeJoin(int index) {
    return BEFORE_JOIN.stream().anyMatch(word -> tokens.isWord(index, word));
  }

  private int at(SqlNode node) {
    return tokens.indexAt(script.span(statement, node.getParserPosition()).start());
  }
}
