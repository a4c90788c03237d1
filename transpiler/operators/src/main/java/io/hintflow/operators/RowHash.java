package io.hintflow.operators;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.types.Row;

/**
 * The hash of some columns of a row. Values that SQL takes for equal, or groups as equal, have
 * equal hashes, on every machine: arrays, maps and nested rows count by what they hold, decimals
 * whatever their scale, -0.0 as 0.0, NULL as NULL. The kind of the row does not count.
 */
final class RowHash implements KeySelector<Row, Integer> {
  private static final long serialVersionUID = 1L;

  private final String[] columns;

  RowHash(List<String> columns) {
    this.columns = columns.toArray(String[]::new);
  }

  @Override
  public Integer getKey(Row row) {
    int hash = 1;
    for (String column : columns) {
      hash = 31 * hash + hash(row.getField(column));
    }
    return hash;
  }

  /** The hash of one value, SQL's NULL as null. */
  static int hash(Object value) {
    if (value == null) {
      return 0;
    } else if (value instanceof Double number) {
      return Double.hashCode(number + 0.0); // -0.0 + 0.0 is 0.0
    } else if (value instanceof Float number) {
      return Float.hashCode(number + 0.0f);
    } else if (value instanceof BigDecimal number) {
      return number.stripTrailingZeros().hashCode();
    } else if (value instanceof byte[] bytes) {
      return Arrays.hashCode(bytes);
    } else if (value instanceof Row row) {
      int hash = 1;
      for (int field = 0; field < row.getArity(); field++) {
        hash = 31 * hash + hash(row.getField(field));
      }
      return hash;
    } else if (value instanceof Map<?, ?> map) {
      int hash = 0; // A sum, because a map has no order.
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        hash += 31 * hash(entry.getKey()) ^ hash(entry.getValue());
      }
      return hash;
    } else if (value.getClass().isArray()) {
      int hash = 1;
      for (int index = 0; index < Array.getLength(value); index++) {
        hash = 31 * hash + hash(Array.get(value, index));
      }
      return hash;
    } else {
      return value.hashCode();
    }
  }
}
