package io.hintflow.operators;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.types.Row;

/**
 * Where to find a column in the pair of rows that a broadcast join compares.
 *
 * @param name as the user gave it: name of the table, dot, name of the column
 * @param big whether it is in the big row or in the small one
 * @param table the field of the row that holds the row of the table, or {@link #ONLY_TABLE}
 * @param field the position of the column in the row of the table
 */
record JoinColumn(String name, boolean big, int table, int field, LogicalType type)
    implements Serializable {
  /** The row is that of the table itself. */
  static final int ONLY_TABLE = -1;

  private static final long serialVersionUID = 1L;

  /** The value in the big row or the small row, SQL's NULL as null. */
  Object value(Row bigRow, Row smallRow) {
    return valueIn(big ? bigRow : smallRow);
  }

  Object valueIn(Row row) {
    if (table == ONLY_TABLE) {
      return row.getField(field);
    }
    // An earlier outer join may have found no row of that table.
    Row rowOfTable = row.getFieldAs(table);
    return rowOfTable == null ? null : rowOfTable.getField(field);
  }

  /**
   * Whether two values that are not NULL are equal as keys of Flink's joins: by what they hold.
   * Unlike in a condition, NaN equals NaN, and 0.0 does not equal -0.0.
   */
  static boolean equalAsKeys(Object left, Object right) {
    if (left instanceof BigDecimal number) {
      return number.compareTo((BigDecimal) right) == 0;
    } else if (left instanceof Map || left instanceof Object[]) {
      return Row.of(left).equals(Row.of(right)); // It looks into maps and arrays of arrays.
    }
    return Objects.deepEquals(left, right);
  }
}
