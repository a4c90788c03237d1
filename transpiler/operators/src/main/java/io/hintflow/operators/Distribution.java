package io.hintflow.operators;

import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.types.Row;

/**
 * Decides which task gets which row of a stream, whatever the parallelism of the stream itself. Row
 * kinds, record timestamps and watermarks stay as they are.
 */
public final class Distribution {
  private Distribution() {}

  /**
   * Rows that are equal in the given columns go to one task, in the order in which each task in
   * front sends them.
   *
   * @param stream the rows of the query, as {@link TableStreams#toStream} returns them
   * @param columns names of columns of the query, at least one
   * @param uid identifies the operator in savepoints
   */
  public static SingleOutputStreamOperator<Row> byHash(
      DataStream<Row> stream, Table query, List<String> columns, String uid) {
    requireHashable(query, columns);
    return atJobParallelism(
        stream.keyBy(new RowHash(columns)), uid, "Distribute by hash of " + columns);
  }

  /** As {@link #byHash}, with all columns: for rows without a key, each retracted where it went. */
  public static SingleOutputStreamOperator<Row> byWholeRow(
      DataStream<Row> stream, Table query, String uid) {
    List<String> columns =
        query.getResolvedSchema().getColumns().stream()
            .filter(column -> !isProctime(column.getDataType().getLogicalType()))
            .map(Column::getName)
            .toList();
    return byHash(stream, query, columns, uid);
  }

  /** Rows go to the tasks in turn. Not for updates: two changes of one row may change places. */
  public static SingleOutputStreamOperator<Row> rebalance(DataStream<Row> stream, String uid) {
    return atJobParallelism(stream.rebalance(), uid, "Distribute in turn");
  }

  /**
   * An exchange takes its parallelism from the operator behind it, and SQL gives its first operator
   * the parallelism in front of the exchange. So an operator of the job's parallelism has to stand
   * in between, though it does nothing.
   */
  private static SingleOutputStreamOperator<Row> atJobParallelism(
      DataStream<Row> exchanged, String uid, String name) {
    return exchanged.map(row -> row).returns(exchanged.getType()).uid(uid).name(name);
  }

  static void requireHashable(Table query, List<String> names) {
    ResolvedSchema schema = query.getResolvedSchema();
    if (names.isEmpty()) {
      throw new IllegalArgumentException("A distribution by hash needs at least one column.");
    }
    for (String name : names) {
      Column column =
          schema
              .getColumn(name)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "There is no column '%s' to distribute rows by. The columns are: %s."
                              .formatted(name, String.join(", ", schema.getColumnNames()))));
      LogicalType type = column.getDataType().getLogicalType();
      if (!hashesAlikeEverywhere(type)) {
        throw new IllegalArgumentException(
            "Rows cannot be distributed by column '%s': values of type %s do not hash alike in every task."
                .formatted(name, type));
      }
    }
  }

  // A proctime column is not in the stream at all; objects of a user's class may hash by identity.
  static boolean hashesAlikeEverywhere(LogicalType type) {
    return !isProctime(type)
        && !type.is(LogicalTypeRoot.RAW)
        && !type.is(LogicalTypeRoot.STRUCTURED_TYPE)
        && type.getChildren().stream().allMatch(Distribution::hashesAlikeEverywhere);
  }

  private static boolean isProctime(LogicalType type) {
    return type.toString().endsWith("*PROCTIME*");
  }
}
