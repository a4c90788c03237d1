package io.hintflow.operators;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.Row;
import org.apache.flink.util.OutputTag;

/**
 * The rows of a query in two parts: those that come in time for a window behind it, and those that
 * the window would drop because they come too late. Each row is in exactly one of them. Record
 * timestamps, watermarks and row kinds stay as they are.
 *
 * <p>Late is judged by the watermark of all tasks of the query, as the window does. A row in time
 * leaves before the watermark that would make it late, so the window does not drop it.
 */
public final class LateRows {
  // Flink has these options in its planner, which a job does not see.
  private static final ConfigOption<Boolean> LATE_FIRE =
      ConfigOptions.key("table.exec.emit.late-fire.enabled").booleanType().defaultValue(false);
  private static final ConfigOption<Duration> ALLOW_LATENESS =
      ConfigOptions.key("table.exec.emit.allow-lateness").durationType().noDefaultValue();

  private final TableStreams streams;
  private final Table query;
  private final SingleOutputStreamOperator<Row> onTime;
  private final OutputTag<Row> late;
  private final TypeInformation<Row> type;
  private final String uid;

  private LateRows(
      TableStreams streams,
      Table query,
      SingleOutputStreamOperator<Row> onTime,
      OutputTag<Row> late,
      TypeInformation<Row> type,
      String uid) {
    this.streams = streams;
    this.query = query;
    this.onTime = onTime;
    this.late = late;
    this.type = type;
    this.uid = uid;
  }

  /**
   * @param rows of the query, as {@link TableStreams#toStream} returns them
   * @param window that the query behind puts the rows into
   * @param uid identifies the operator in savepoints
   * @param alongside the rows of the other sides of a window join, which works on a window once all
   *     sides have passed it
   */
  @SafeVarargs
  public static LateRows split(
      TableStreams streams,
      DataStream<Row> rows,
      Table query,
      EventTimeWindow window,
      String uid,
      DataStream<Row>... alongside) {
    TypeInformation<Row> type = RowTypes.of(query, rows);
    OutputTag<Row> late = LateRow.tag(type);
    RowType columns = (RowType) TableStreams.rowType(query).getLogicalType();
    int time = requireTime(columns, window.time());
    WindowClock clock =
        columns.getTypeAt(time).is(LogicalTypeRoot.TIMESTAMP_WITH_LOCAL_TIME_ZONE)
            ? WindowClock.of(streams.localTimeZone())
            : WindowClock.of(ZoneOffset.UTC);
    DataStream<Row> all = rows;
    for (int other = 0; other < alongside.length; other++) {
      all = all.union(watermarks(alongside[other], rows.getType(), uid + "/alongside " + other));
    }
    SingleOutputStreamOperator<Row> onTime;
    if (window instanceof EventTimeWindow.Aligned aligned) {
      long lateness = aligned.grouped() ? allowedLateness(streams) : 0;
      onTime =
          splitInPlace(all, type, new AlignedLateness(time, aligned, lateness, clock, late), uid);
    } else if (window instanceof EventTimeWindow.UnboundedOver) {
      onTime = splitInPlace(all, type, new UnboundedOverLateness(time, late), uid);
    } else if (window instanceof EventTimeWindow.Session session) {
      onTime =
          keyed(all, columns, session.keys())
              .process(new SessionLateness(time, session, clock, late));
    } else {
      EventTimeWindow.BoundedOver over = (EventTimeWindow.BoundedOver) window;
      Duration retention = streams.configured(ExecutionConfigOptions.IDLE_STATE_RETENTION);
      onTime =
          keyed(all, columns, over.keys())
              .process(new BoundedOverLateness(time, over, retention, late));
    }
    return new LateRows(
        streams, query, onTime.returns(type).name("Split off late rows").uid(uid), late, type, uid);
  }

  private static int requireTime(RowType columns, String time) {
    int field = columns.getFieldIndex(time);
    if (field < 0
        || !columns
            .getTypeAt(field)
            .isAnyOf(
                LogicalTypeRoot.TIMESTAMP_WITHOUT_TIME_ZONE,
                LogicalTypeRoot.TIMESTAMP_WITH_LOCAL_TIME_ZONE)) {
      throw new IllegalArgumentException(
          "There is no column '%s' of event time. The columns are: %s."
              .formatted(time, String.join(", ", columns.getFieldNames())));
    }
    return field;
  }

  /**
   * In milliseconds: how long a window of GROUP BY waits for late rows. Flink counts on {@code
   * table.exec.emit.allow-lateness}, or else on the retention of idle state, if it is told to give
   * out windows again for late rows, and only then.
   */
  private static long allowedLateness(TableStreams streams) {
    return streams.configured(LATE_FIRE)
        ? Optional.ofNullable(streams.configured(ALLOW_LATENESS))
            .orElseGet(() -> streams.configured(ExecutionConfigOptions.IDLE_STATE_RETENTION))
            .toMillis()
        : 0;
  }

  /** Nothing of a stream but how far its time has come. */
  private static DataStream<Row> watermarks(
      DataStream<Row> stream, TypeInformation<Row> type, String uid) {
    return stream
        .<Row>flatMap((row, out) -> {})
        .returns(type)
        .setParallelism(stream.getParallelism())
        .name("Watermarks only")
        .uid(uid);
  }

  /**
   * Each row goes from a task to the one of the same number, so that rows stay in order and as
   * evenly spread as they are. Watermarks go from every task to every task all the same, which they
   * would not if there were no exchange.
   */
  private static SingleOutputStreamOperator<Row> splitInPlace(
      DataStream<Row> rows,
      TypeInformation<Row> type,
      ProcessFunction<Tuple2<Integer, Row>, Row> split,
      String uid) {
    return rows.map(new TaskNumber())
        .returns(Types.TUPLE(Types.INT, type))
        .setParallelism(rows.getParallelism())
        .name("Keep the task")
        .uid(uid + "/task")
        .partitionCustom((task, tasks) -> task % tasks, numbered -> numbered.f0)
        .process(split);
  }

  /** A row with the number of the task that it comes from. */
  private static final class TaskNumber extends RichMapFunction<Row, Tuple2<Integer, Row>> {
    private static final long serialVersionUID = 1L;

    private transient int task;

    @Override
    public void open(OpenContext context) {
      task = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }

    @Override
    public Tuple2<Integer, Row> map(Row row) {
      return Tuple2.of(task, row);
    }
  }

  private static KeyedStream<Row, Row> keyed(
      DataStream<Row> rows, RowType columns, List<String> keys) {
    int[] fields = keys.stream().mapToInt(columns::getFieldIndex).toArray();
    List<LogicalType> types = keys.stream().map(key -> typeOf(columns, key)).toList();
    return rows.keyBy(
        new Key(fields),
        RowTypes.of(keys, types)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "Rows cannot be told apart by columns of type %s.".formatted(types))));
  }

  private static LogicalType typeOf(RowType columns, String column) {
    int field = columns.getFieldIndex(column);
    if (field < 0) {
      throw new IllegalArgumentException(
          "There is no column '%s'. The columns are: %s."
              .formatted(column, String.join(", ", columns.getFieldNames())));
    }
    return columns.getTypeAt(field);
  }

  /** Some columns of a row, as an insertion: the kind of the row does not count. */
  private record Key(int[] fields) implements KeySelector<Row, Row> {
    private static final long serialVersionUID = 1L;

    @Override
    public Row getKey(Row row) {
      return Row.project(row, fields);
    }
  }

  /** The rows that come in time, as a table with the columns of the query. */
  public Table onTime() {
    return streams.toTable(onTime, query);
  }

  /** The rows that come too late, as a table with the columns of the query. */
  public Table late() {
    return streams.toTable(lateRows(LateRow::row, type), query);
  }

  /**
   * The rows that come too late, each with the last window that it would have been in.
   *
   * @param start name of a further column of type TIMESTAMP(3), for the window's start by the local
   *     clock; NULL for a row that is in no window
   * @param end name of the column for its end
   */
  public Table late(String start, String end) {
    List<DataTypes.Field> window =
        List.of(
            DataTypes.FIELD(start, DataTypes.TIMESTAMP(3)),
            DataTypes.FIELD(end, DataTypes.TIMESTAMP(3)));
    String row = TableStreams.unlikeColumns("row", query, window);
    return streams.toTable(
        lateRows(
            late -> late,
            Types.ROW_NAMED(
                new String[] {row, start, end},
                type,
                Types.LOCAL_DATE_TIME,
                Types.LOCAL_DATE_TIME)),
        query,
        row,
        window);
  }

  private DataStream<Row> lateRows(MapFunction<Row, Row> form, TypeInformation<Row> type) {
    return onTime.getSideOutput(late).map(form).returns(type).name("Late rows").uid(uid + "/late");
  }
}
