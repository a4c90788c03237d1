package io.hintflow.transpiler.analysis;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/**
 * A call of TUMBLE, HOP, CUMULATE or SESSION as a table function, its arguments in order however
 * they are written.
 *
 * @param function its name in capitals
 * @param time the column that DESCRIPTOR names
 * @param keys the columns of PARTITION BY
 * @param lengths size; slide and size; step and greatest size; or gap; and an offset if there is
 *     one
 * @param columns what its table has
 * @param changelog what kinds of rows its table produces
 */
public record WindowedTable(
    String function,
    SqlIdentifier time,
    List<SqlIdentifier> keys,
    List<SqlNode> lengths,
    List<OutputColumn> columns,
    Changelog changelog) {
  public WindowedTable {
    keys = List.copyOf(keys);
    lengths = List.copyOf(lengths);
    columns = List.copyOf(columns);
  }

  /** Empty if the item is something else than such a call. */
  static Optional<WindowedTable> of(SqlNode item, List<OutputColumn> columns, Changelog changelog) {
    if (item.getKind() != SqlKind.COLLECTION_TABLE) {
      return Optional.empty();
    }
    SqlCall function = ((SqlCall) item).operand(0);
    return WindowTableFunction.named(function.getOperator().getName())
        .map(window -> window.call(function.getParserPosition(), function.getOperandList()))
        .map(call -> of(call, columns, changelog));
  }

  private static WindowedTable of(SqlCall call, List<OutputColumn> columns, Changelog changelog) {
    List<List<SqlIdentifier>> descriptors =
        call.getOperandList().stream()
            .filter(WindowedTable::isDescriptor)
            .map(WindowedTable::described)
            .toList();
    return new WindowedTable(
        call.getOperator().getName(),
        descriptors.get(0).get(0),
        descriptors.size() > 1 ? descriptors.get(1) : List.of(),
        call.getOperandList().stream().skip(1).filter(operand -> !isDescriptor(operand)).toList(),
        columns,
        changelog);
  }

  /** The parser leaves it a function of that name. */
  private static boolean isDescriptor(SqlNode operand) {
    return operand instanceof SqlCall call
        && call.getOperator().getName().equalsIgnoreCase("DESCRIPTOR");
  }

  private static List<SqlIdentifier> described(SqlNode descriptor) {
    return ((SqlCall) descriptor).getOperandList().stream().map(SqlIdentifier.class::cast).toList();
  }

  public Optional<OutputColumn> column(String name) {
    return columns.stream().filter(column -> column.name().equals(name)).findFirst();
  }
}
