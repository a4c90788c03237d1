package io.hintflow.transpiler.analysis;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;

/** What the names in a block stand for. */
public final class BlockScope {
  private final From from;
  private final SqlSelect select;
  private final QueryPlanner.Validator validator;

  BlockScope(From from, SqlSelect select, QueryPlanner.Validator validator) {
    this.from = from;
    this.select = select;
    this.validator = validator;
  }

  public From from() {
    return from;
  }

  /**
   * The type of an expression over the columns of FROM, without subqueries and aggregates; empty if
   * it cannot be told.
   *
   * @param expression part of the block's own syntax tree, which stays as it is
   */
  public Optional<RelDataType> typeOf(SqlNode expression) {
    return QueryReader.attempt(
        () ->
            validator.deriveType(validator.getWhereScope(select), QueryCopy.of(expression).root()));
  }

  /** The type to which values of several types are brought to be compared; empty if none fits. */
  public Optional<RelDataType> commonType(List<RelDataType> types) {
    RelDataTypeFactory factory = validator.getTypeFactory();
    return QueryReader.attempt(() -> Optional.ofNullable(factory.leastRestrictive(types)))
        .flatMap(found -> found);
  }

  /**
   * The block's select list with every star written out and every name qualified. Items that come
   * from one star share its position.
   */
  public SqlNodeList expandedSelectList() {
    return select.getSelectList();
  }
}
