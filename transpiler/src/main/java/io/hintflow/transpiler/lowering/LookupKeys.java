package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.transpiler.analysis.BlockScope;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.analysis.TimeAttribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSnapshot;

/**
 * What a look-up join asks its table for: the columns that it compares with =, in ON, USING or,
 * where that is the same, in WHERE. Flink looks a table up by all of them.
 */
public final class LookupKeys {
  private final ScriptContext script;
  private final Statement statement;
  private final BlockScope scope;
  private final Block block;
  private final FromText text;
  private final ColumnUses.Found uses;

  /**
   * A column of the table that equals a value.
   *
   * @param at where the column is named
   * @param values the columns that the value is made of; none for a constant
   * @param valueAt where the value stands
   * @param value its syntax tree; empty for a column of USING
   * @param inWhere whether WHERE compares it
   */
  public record Key(
      OutputColumn column,
      Span at,
      List<ColumnUse> values,
      Span valueAt,
      Optional<SqlNode> value,
      boolean inWhere) {}

  /**
   * @param text of what the scope's FROM reads
   * @param uses the columns that the block reads
   */
  public LookupKeys(
      ScriptContext script,
      Statement statement,
      Block block,
      BlockScope scope,
      FromText text,
      ColumnUses.Found uses) {
    this.script = script;
    this.statement = statement;
    this.scope = scope;
    this.block = block;
    this.text = text;
    this.uses = uses;
  }

  /**
   * The keys of a look-up, in the order of the text.
   *
   * @param join whose right input is the table
   */
  public List<Key> of(From.Join join) {
    From.Item table = (From.Item) join.right();
    List<Key> keys = new ArrayList<>();
    for (String name : ColumnUses.commonColumns(join)) {
      Span using = text.using(join).map(text::span).orElseGet(() -> text.span(table));
      List<ColumnUse> values =
          join.left().items().stream()
              .flatMap(
                  item ->
                      item.column(name).stream()
                          .map(
                              column ->
                                  new ColumnUse(
                                      using, item, column, List.of(), ColumnUse.Place.ELSEWHERE)))
              .toList();
      table
          .column(name)
          .ifPresent(
              column -> keys.add(new Key(column, using, values, using, Optional.empty(), false)));
    }
    Condition.on(script.tokens(), join, text)
        .forEach(condition -> add(condition, table, false, keys));
    if (join.node().getJoinType() != JoinType.LEFT) {
      WhereClause.of(script, block, scope.from(), text)
          .conjuncts()
          .forEach(condition -> add(condition, table, true, keys));
    }
    return List.copyOf(keys);
  }

  /** What kind of time a table is looked up at; empty if it is not a column's. */
  public Optional<TimeAttribute> time(From.Item table) {
    SqlNode item = table.node();
    while (item.getKind() == SqlKind.AS) {
      item = ((SqlCall) item).operand(0);
    }
    return item instanceof SqlSnapshot snapshot
        ? uses
            .in(script.script().span(statement, snapshot.getPeriod().getParserPosition()))
            .stream()
            .map(use -> use.column().timeAttribute())
            .findFirst()
        : Optional.empty();
  }

  /** The type of the value that a key equals; empty if it cannot be told. */
  public Optional<RelDataType> valueType(Key key) {
    return key.value().isPresent()
        ? scope.typeOf(key.value().get())
        : key.values().stream().map(use -> use.column().type()).findFirst();
  }

  /** The type in which Flink compares two; empty if there is none. */
  public Optional<RelDataType> commonType(RelDataType one, RelDataType other) {
    return scope.commonType(List.of(one, other));
  }

  private void add(Condition condition, From.Item table, boolean inWhere, List<Key> keys) {
    if (condition instanceof Condition.Comparison comparison
        && comparison.kind() == SqlKind.EQUALS) {
      add(comparison.left(), comparison.right(), table, inWhere, keys);
      add(comparison.right(), comparison.left(), table, inWhere, keys);
    }
  }

  private void add(
      Condition.Operand own,
      Condition.Operand other,
      From.Item table,
      boolean inWhere,
      List<Key> keys) {
    Span at = text.span(own.range());
    List<ColumnUse> values = uses.in(text.span(other.range()));
    if (values.stream().anyMatch(use -> use.item() == table)) {
      return;
    }
    uses.in(at).stream()
        .filter(use -> use.span().equals(at) && use.item() == table && use.nested().isEmpty())
        .map(
            use ->
                new Key(
                    use.column(),
                    at,
                    values,
                    text.span(other.range()),
                    Optional.of(other.node()),
                    inWhere))
        .forEach(keys::add);
  }

  /** Where a look-up says what it compares: its condition, or else the table. */
  public Span span(From.Join join) {
    return text.condition(join)
        .or(() -> text.using(join))
        .map(text::span)
        .orElseGet(() -> text.span(join.right()));
  }
}
