package io.hintflow.operators;

import java.io.Serializable;
import java.util.List;
import org.apache.flink.types.Row;

/** The columns of one side that have to equal those of the other side; none if nothing has to. */
final class JoinKey implements Serializable {
  private static final long serialVersionUID = 1L;

  private final JoinColumn[] columns;

  JoinKey(List<JoinColumn> columns) {
    this.columns = columns.toArray(JoinColumn[]::new);
  }

  /** A key with a NULL in it equals no other. */
  boolean hasNull(Row row) {
    for (JoinColumn column : columns) {
      if (column.valueIn(row) == null) {
        return true;
      }
    }
    return false;
  }

  int hash(Row row) {
    int hash = 1;
    for (JoinColumn column : columns) {
      hash = 31 * hash + RowHash.hash(column.valueIn(row));
    }
    return hash;
  }

  /** Whether two rows, neither with a NULL in its key, have the same key. */
  boolean equals(Row row, JoinKey otherKey, Row otherRow) {
    for (int index = 0; index < columns.length; index++) {
      if (!JoinColumn.equalAsKeys(
          columns[index].valueIn(row), otherKey.columns[index].valueIn(otherRow))) {
        return false;
      }
    }
    return true;
  }
}
