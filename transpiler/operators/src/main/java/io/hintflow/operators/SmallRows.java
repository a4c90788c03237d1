package io.hintflow.operators;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.types.Row;

/**
 * All small rows of a broadcast join: in state, from which every task restores all of them, and in
 * memory by the hash of their join key. Equal rows are kept once, with their number.
 *
 * <p>A row whose last addition or removal is too long ago counts as absent. It is dropped when
 * state is written the next time.
 */
final class SmallRows {
  /** A small row, and how many equal ones there are. */
  static final class SmallRow {
    private final Row row;
    private int count;
    private long lastWrite;

    private SmallRow(Row row, int count, long lastWrite) {
      this.row = row;
      this.count = count;
      this.lastWrite = lastWrite;
    }

    Row row() {
      return row;
    }

    int count() {
      return count;
    }
  }

  /** For each row, how many there are and when that last changed, in milliseconds. */
  private final BroadcastState<Row, Tuple2<Integer, Long>> state;

  private final JoinKey key;
  private final long retention;
  private final ProcessingTimeService clock;
  private final Map<Integer, List<SmallRow>> rowsByHash = new HashMap<>();

  /**
   * @param state the rows so far, without kind
   * @param retention how long to keep a row after its last change; zero for ever
   */
  SmallRows(
      BroadcastState<Row, Tuple2<Integer, Long>> state,
      JoinKey key,
      Duration retention,
      ProcessingTimeService clock)
      throws Exception {
    this.state = state;
    this.key = key;
    this.retention = retention.toMillis();
    this.clock = clock;
    for (Map.Entry<Row, Tuple2<Integer, Long>> entry : state.entries()) {
      index(new SmallRow(entry.getKey(), entry.getValue().f0, entry.getValue().f1));
    }
  }

  /** The rows whose join key has this hash, those that have expired among them. */
  List<SmallRow> withHash(int hash) {
    return rowsByHash.getOrDefault(hash, List.of());
  }

  boolean isAlive(SmallRow row) {
    return retention == 0 || row.lastWrite + retention > clock.getCurrentProcessingTime();
  }

  /**
   * Adds a row without NULL in its key.
   *
   * @return how many equal ones there are now
   */
  int add(Row row) throws Exception {
    if (!state.contains(row)) {
      SmallRow added = new SmallRow(row, 0, 0);
      index(added);
      return change(added, 1);
    }
    SmallRow present = find(row);
    return change(present, isAlive(present) ? present.count + 1 : 1);
  }

  /**
   * Takes back a row, if it is there.
   *
   * @return how many equal ones remain
   */
  int remove(Row row) throws Exception {
    if (!state.contains(row)) {
      return 0;
    }
    SmallRow present = find(row);
    if (isAlive(present) && present.count > 1) {
      return change(present, present.count - 1);
    }
    drop(present);
    return 0;
  }

  void dropExpired() throws Exception {
    List<SmallRow> expired =
        rowsByHash.values().stream().flatMap(List::stream).filter(row -> !isAlive(row)).toList();
    for (SmallRow row : expired) {
      drop(row);
    }
  }

  private int change(SmallRow row, int count) throws Exception {
    row.count = count;
    row.lastWrite = clock.getCurrentProcessingTime();
    state.put(row.row, Tuple2.of(row.count, row.lastWrite));
    return count;
  }

  private void index(SmallRow row) {
    rowsByHash.computeIfAbsent(key.hash(row.row), hash -> new ArrayList<>(1)).add(row);
  }

  private SmallRow find(Row row) {
    return withHash(key.hash(row)).stream()
        .filter(candidate -> candidate.row.equals(row))
        .findFirst()
        .orElseThrow();
  }

  private void drop(SmallRow row) throws Exception {
    state.remove(row.row);
    int hash = key.hash(row.row);
    List<SmallRow> rows = rowsByHash.get(hash);
    rows.remove(row);
    if (rows.isEmpty()) {
      rowsByHash.remove(hash);
    }
  }
}
