package io.hintflow.operators;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.Row;

/** Decides which task a row goes to. */
public final class Placement {
  private enum Kind {
    HASH,
    WHOLE_ROW,
    IN_TURN
  }

  private final Kind kind;
  private final List<String> columns;

  private Placement(Kind kind, List<String> columns) {
    this.kind = kind;
    this.columns = columns;
  }

  /** Rows that are equal in these columns of their query meet at one task, in order. */
  public static Placement byHash(String... columns) {
    return new Placement(Kind.HASH, List.of(columns));
  }

  /**
   * For updates without a key: equal rows meet at one task, so each is taken back where it went.
   */
  public static Placement byWholeRow() {
    return new Placement(Kind.WHOLE_ROW, List.of());
  }

  /** To the tasks in turn, even if all rows are equal. Only for rows that are never updated. */
  public static Placement inTurn() {
    return new Placement(Kind.IN_TURN, List.of());
  }

  boolean isInTurn() {
    return kind == Kind.IN_TURN;
  }

  /**
   * The hash that decides, of a row of the query as it travels.
   *
   * @throws IllegalArgumentException if the query lacks a column, or its values have no hash
   */
  KeySelector<Row, Long> hash(Table query) {
    RowType type = (RowType) TableStreams.rowType(query).getLogicalType();
    if (kind == Kind.HASH) {
      Distribution.requireHashable(query, columns);
      return new Hash(columns.stream().mapToInt(type::getFieldIndex).toArray());
    }
    // A column without a hash can be left out: equal rows have equal hashes all the same.
    return new Hash(
        IntStream.range(0, type.getFieldCount())
            .filter(field -> Distribution.hashesAlikeEverywhere(type.getTypeAt(field)))
            .toArray());
  }

  /**
   * @param fields the positions of the columns that count
   */
  private record Hash(int[] fields) implements KeySelector<Row, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public Long getKey(Row row) {
      int hash = 1;
      for (int field : fields) {
        hash = 31 * hash + RowHash.hash(row.getField(field));
      }
      return (long) hash;
    }
  }
}
