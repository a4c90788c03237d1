package io.hintflow.transpiler.deduplication;

import io.hintflow.grammar.Block;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.TimeAttribute;
import io.hintflow.transpiler.lowering.ColumnUse;
import io.hintflow.transpiler.lowering.ColumnUses;
import io.hintflow.transpiler.lowering.Condition;
import io.hintflow.transpiler.lowering.FromText;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.lowering.WhereClause;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlKind;

/** Tells by which columns of an item Flink hashes its rows before the join. */
final class JoinKeys {
  private final ScriptContext script;
  private final Block block;
  private final From from;
  private final FromText text;
  private final ColumnUses.Found uses;

  JoinKeys(ScriptContext script, Block block, From from, FromText text, ColumnUses.Found uses) {
    this.script = script;
    this.block = block;
    this.from = from;
    this.text = text;
    this.uses = uses;
  }

  /**
   * The columns of an item that its own join compares with =; none if it only compares what is
   * worked out from them. Some of a join's key will do: rows equal in all of it are equal in these.
   */
  List<String> of(From.Item item) {
    From.Join join = from.joinOf(item).orElseThrow();
    Set<String> columns = new LinkedHashSet<>();
    ColumnUses.commonColumns(join).stream()
        .filter(name -> item.column(name).isPresent())
        .forEach(columns::add);
    for (Condition condition : conditions(join)) {
      if (condition instanceof Condition.Comparison comparison
          && comparison.kind() == SqlKind.EQUALS) {
        column(comparison.left(), comparison.right(), item, join).ifPresent(columns::add);
        column(comparison.right(), comparison.left(), item, join).ifPresent(columns::add);
      }
    }
    return item.columns().stream()
        .filter(column -> columns.contains(column.name()))
        .filter(column -> column.timeAttribute() != TimeAttribute.PROCTIME)
        .map(column -> column.name())
        .toList();
  }

  private List<Condition> conditions(From.Join join) {
    List<Condition> conditions = new ArrayList<>(Condition.on(script.tokens(), join, text));
    conditions.addAll(WhereClause.of(script, block, from, text).conjuncts());
    return conditions;
  }

  /**
   * The column of the item that one operand is, if the other is a value of the rest of the join.
   */
  private Optional<String> column(
      Condition.Operand own, Condition.Operand other, From.Item item, From.Join join) {
    List<ColumnUse> others = uses.in(text.span(other.range()));
    boolean ofTheRest =
        !others.isEmpty()
            && others.stream()
                .allMatch(use -> use.item() != item && join.items().contains(use.item()));
    return uses.in(text.span(own.range())).stream()
        .filter(use -> use.span().equals(text.span(own.range())))
        .filter(use -> ofTheRest && use.item() == item && use.nested().isEmpty())
        .map(use -> use.column().name())
        .findFirst();
  }
}
