package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Span;
import io.hintflow.transpiler.analysis.From;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlNode;

/** A block's WHERE as the conditions that AND joins; some of them can be moved elsewhere. */
public final class WhereClause {
  private final ScriptContext script;
  private final From from;
  private final FromText text;
  private final List<Condition> conjuncts;

  private WhereClause(ScriptContext script, From from, FromText text, List<Condition> conjuncts) {
    this.script = script;
    this.from = from;
    this.text = text;
    this.conjuncts = conjuncts;
  }

  public static WhereClause of(ScriptContext script, Block block, From from, FromText text) {
    SqlNode where = block.select().getWhere();
    List<Condition> conjuncts =
        where == null || text.where().isEmpty()
            ? List.of()
            : Condition.of(script.tokens(), where, text.where().get()).conjuncts();
    return new WhereClause(script, from, text, conjuncts);
  }

  /** In the order written; none without a WHERE. */
  public List<Condition> conjuncts() {
    return conjuncts;
  }

  /** Text of a condition as one that AND can join to others: a disjunction gets parentheses. */
  public static String conjunct(ScriptContext script, Condition condition, String sql) {
    boolean bare =
        condition instanceof Condition.Any
            && !script.tokens().isSymbol(condition.range().from(), "(");
    return bare ? "(" + sql + ")" : sql;
  }

  /** A condition with the script's edits in it, as {@link #conjunct}. */
  public String render(Condition condition) {
    return conjunct(script, condition, script.edits().render(text.span(condition.range())));
  }

  /** Takes conditions out of the clause, and the clause out of the block with the last one. */
  public void remove(Set<Condition> moved) {
    if (moved.isEmpty()) {
      return;
    }
    Span where = text.span(text.where().orElseThrow());
    List<Condition> kept = conjuncts.stream().filter(part -> !moved.contains(part)).toList();
    if (kept.isEmpty()) {
      script.edits().remove(new Span(text.span(from).end(), where.end()));
      return;
    }
    boolean flat =
        conjuncts.stream()
            .allMatch(part -> part == conjuncts.get(0) || isAnd(part.range().from() - 1));
    if (!flat) {
      script
          .edits()
          .replace(where, kept.stream().map(this::render).collect(Collectors.joining(" AND ")));
      return;
    }
    boolean keptBefore = false;
    for (int i = 0; i < conjuncts.size(); i++) {
      Span part = text.span(conjuncts.get(i).range());
      if (!moved.contains(conjuncts.get(i))) {
        keptBefore = true;
      } else if (keptBefore) {
        script.edits().remove(new Span(text.span(conjuncts.get(i - 1).range()).end(), part.end()));
      } else {
        script
            .edits()
            .remove(new Span(part.start(), text.span(conjuncts.get(i + 1).range()).start()));
      }
    }
  }

  private boolean isAnd(int index) {
    return script.tokens().isWord(index, "AND");
  }
}
