package io.hintflow.operators;

import java.time.Duration;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.transformations.PhysicalTransformation;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.types.Row;

/**
 * Drops changes that do not change the set of rows of a query: before a join, for what stands
 * behind it would work on each of them for nothing. Record timestamps and watermarks stay as they
 * are.
 */
public final class Deduplication {
  private Deduplication() {}

  /**
   * For rows that have a key, so that no two of them are equal: an update whose row before equals
   * the row after is dropped. It is so in the task that reads it, before any exchange.
   *
   * @param changes the rows of the query, as {@link TableStreams#toStream} returns them
   * @param uid identifies the operator in savepoints
   */
  public static SingleOutputStreamOperator<Row> dropUnchangedUpdates(
      DataStream<Row> changes, Table query, String uid) {
    SingleOutputStreamOperator<Row> changed =
        changes
            .transform(
                "Drop unchanged updates", RowTypes.of(query, changes), new UnchangedUpdateFilter())
            // Else the rows would be dealt out to the job's tasks, and change places.
            .setParallelism(changes.getParallelism())
            .uid(uid);
    // Before Flink 2.0, an operator runs in a task of its own unless it says otherwise, and it can
    // say so only here.
    ((PhysicalTransformation<Row>) changed.getTransformation())
        .setChainingStrategy(ChainingStrategy.ALWAYS);
    return changed;
  }

  /**
   * For rows of which several can be equal: the first comes out, as an insertion; the last that is
   * taken back comes out, as a deletion; others do not. Unchanged updates are dropped before. A row
   * is kept for as long as {@code table.exec.state.ttl} says, after the last change of one like it;
   * one that repeats then comes out again now and then, so that what is behind keeps it too.
   *
   * @param changes the rows of the query, as {@link TableStreams#toStream} returns them
   * @param placement which task a row goes to; equal rows meet at one, in order
   * @param uid identifies the operator in savepoints
   */
  public static SingleOutputStreamOperator<Row> dropRepeatedRows(
      TableStreams streams, DataStream<Row> changes, Table query, Placement placement, String uid) {
    return dropRepeatedRows(
        streams,
        changes,
        query,
        placement,
        streams.configured(ExecutionConfigOptions.IDLE_STATE_RETENTION),
        uid);
  }

  /**
   * As above, with a time of its own.
   *
   * @param retention how long to keep a row after the last change of one like it; zero for ever
   */
  public static SingleOutputStreamOperator<Row> dropRepeatedRows(
      TableStreams streams,
      DataStream<Row> changes,
      Table query,
      Placement placement,
      Duration retention,
      String uid) {
    if (placement.isInTurn()) {
      throw new IllegalArgumentException(
          "Equal rows must meet to be counted: place them by hash or by the whole row, not in turn.");
    }
    TypeInformation<Row> type = RowTypes.of(query, changes);
    boolean insertOnly = streams.isInsertOnly(query);
    DataStream<Row> remaining =
        insertOnly ? changes : dropUnchangedUpdates(changes, query, uid + "/updates");
    return remaining
        .keyBy(placement.hash(query), Types.LONG)
        .process(new RepeatedRowFilter(type, insertOnly, retention))
        .returns(type)
        .name("Drop repeated rows")
        .uid(uid);
  }
}
