package io.hintflow.operators;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
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
import org.apache.flink.streaming.api.functions.co.CoMapFunction;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
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

  private final Input input;
  private final Table onTime;
  private final DataStream<Row> late;
  private final String uid;

  private LateRows(Input input, Table onTime, DataStream<Row> late, String uid) {
    this.input = input;
    this.onTime = onTime;
    this.late = late;
    this.uid = uid;
  }

  /** What a window reads, before it is split. */
  public static final class Input {
    private final TableStreams streams;
    private final Table query;
    private final EventTimeWindow window;
    private final Form<?> form;

    private Input(TableStreams streams, Table query, EventTimeWindow window, Form<?> form) {
      this.streams = streams;
      this.query = query;
      this.window = window;
      this.form = form;
    }

    private RowType columns() {
      return (RowType) TableStreams.rowType(query).getLogicalType();
    }
  }

  /**
   * The form in which rows travel: Flink's own where they are only inserted and nobody looks into
   * them, else objects.
   */
  private record Form<T>(
      DataStream<T> rows,
      TypeInformation<T> type,
      Class<T> ofRow,
      Function<DataStream<T>, Table> toTable) {}

  /**
   * @param query a query with a column of event time
   * @param window that the query behind puts the rows into
   */
  public static Input input(TableStreams streams, Table query, EventTimeWindow window) {
    requireEventTime(query, window.time());
    Optional<DataStream<RowData>> insertions =
        isKeyed(window) ? Optional.empty() : streams.toInsertions(query);
    if (insertions.isPresent()) {
      DataStream<RowData> rows = insertions.get();
      return new Input(
          streams,
          query,
          window,
          new Form<>(
              rows,
              rows.getType(),
              RowData.class,
              part -> streams.toTableOfInsertions(part, query)));
    }
    DataStream<Row> rows = streams.toStream(query);
    return new Input(
        streams,
        query,
        window,
        new Form<>(
            rows, RowTypes.of(query, rows), Row.class, part -> streams.toTable(part, query)));
  }

  private static void requireEventTime(Table query, String time) {
    Optional<String> known = TableStreams.rowtime(query);
    if (known.filter(time::equals).isEmpty()) {
      throw new IllegalArgumentException(
          "'%s' is not the query's event time, which is %s."
              .formatted(time, known.map("'%s'"::formatted).orElse("missing")));
    }
  }

  private static boolean isKeyed(EventTimeWindow window) {
    return window instanceof EventTimeWindow.Session
        || window instanceof EventTimeWindow.BoundedOver;
  }

  /**
   * @param query a query with a column of event time
   * @param window that the query behind puts the rows into
   * @param uid identifies the operator in savepoints
   */
  public static LateRows split(
      TableStreams streams, Table query, EventTimeWindow window, String uid) {
    return split(input(streams, query, window), uid);
  }

  /**
   * @param uid identifies the operator in savepoints
   * @param alongside the other sides of a window join, which works on a window once all sides have
   *     passed it
   */
  public static LateRows split(Input input, String uid, Input... alongside) {
    return split(input, input.form, uid, alongside);
  }

  private static <T> LateRows split(Input input, Form<T> form, String uid, Input... alongside) {
    DataStream<T> rows = form.rows();
    for (int other = 0; other < alongside.length; other++) {
      rows =
          alongside(rows, form.type(), alongside[other].form.rows(), uid + "/alongside " + other);
    }
    OutputTag<Row> late = LateRow.tag(form.type());
    SingleOutputStreamOperator<T> onTime =
        split(input, rows, form.type(), late, uid)
            .returns(form.type())
            .name("Split off late rows")
            .uid(uid);
    return new LateRows(input, form.toTable().apply(onTime), onTime.getSideOutput(late), uid);
  }

  private static <T> SingleOutputStreamOperator<T> split(
      Input input, DataStream<T> rows, TypeInformation<T> type, OutputTag<Row> late, String uid) {
    RowType columns = input.columns();
    WindowClock clock = clock(input.streams, typeOf(columns, input.window.time()));
    if (input.window instanceof EventTimeWindow.Aligned aligned) {
      long lateness = aligned.grouped() ? allowedLateness(input.streams) : 0;
      return inPlace(rows, type, uid)
          .process(new AlignedLateness<>(aligned, lateness, clock, late));
    }
    if (input.window instanceof EventTimeWindow.UnboundedOver) {
      return inPlace(rows, type, uid).process(new UnboundedOverLateness<>(late));
    }
    if (input.window instanceof EventTimeWindow.Session session) {
      return keyed(rows, columns, session.keys())
          .process(new SessionLateness<>(session, clock, late));
    }
    EventTimeWindow.BoundedOver over = (EventTimeWindow.BoundedOver) input.window;
    Duration retention = input.streams.configured(ExecutionConfigOptions.IDLE_STATE_RETENTION);
    boolean alone = rows.getExecutionEnvironment().getParallelism() == 1;
    return keyed(rows, columns, over.keys())
        .process(new BoundedOverLateness<>(over, retention, alone, late));
  }

  private static WindowClock clock(TableStreams streams, LogicalType time) {
    return time.is(LogicalTypeRoot.TIMESTAMP_WITH_LOCAL_TIME_ZONE)
        ? WindowClock.of(streams.localTimeZone())
        : WindowClock.of(ZoneOffset.UTC);
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

  /**
   * The rows of a stream, with the watermarks that an operator with it and another stream as inputs
   * has: it takes each input's tasks together first.
   */
  private static <T> DataStream<T> alongside(
      DataStream<T> rows, TypeInformation<T> type, DataStream<?> other, String uid) {
    DataStream<T> watermarksOnly =
        other
            .<T>flatMap((row, out) -> {})
            .returns(type)
            .setParallelism(other.getParallelism())
            .name("Watermarks only")
            .uid(uid + "/watermarks");
    return inPlace(rows, type, uid)
        .connect(watermarksOnly.rebalance())
        .map(new Rows<T>())
        .returns(type)
        .name("Alongside the other side of the join")
        .uid(uid);
  }

  /** The rows of the first input; the second has none. */
  private static final class Rows<T> implements CoMapFunction<Tuple2<Integer, T>, T, T> {
    private static final long serialVersionUID = 1L;

    @Override
    public T map1(Tuple2<Integer, T> numbered) {
      return numbered.f1;
    }

    @Override
    public T map2(T none) {
      return none;
    }
  }

  /**
   * Each row goes from a task to the one of the same number, so that rows stay in order and as
   * evenly spread as they are. Watermarks go from every task to every task all the same, which they
   * would not if there were no exchange.
   */
  private static <T> DataStream<Tuple2<Integer, T>> inPlace(
      DataStream<T> rows, TypeInformation<T> type, String uid) {
    return rows.map(new TaskNumber<T>())
        .returns(Types.TUPLE(Types.INT, type))
        .setParallelism(rows.getParallelism())
        .name("Keep the task")
        .uid(uid + "/task")
        .partitionCustom((task, tasks) -> task % tasks, numbered -> numbered.f0);
  }

  /** A row with the number of the task that it comes from. */
  private static final class TaskNumber<T> extends RichMapFunction<T, Tuple2<Integer, T>> {
    private static final long serialVersionUID = 1L;

    private transient int task;

    @Override
    public void open(OpenContext context) {
      task = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }

    @Override
    public Tuple2<Integer, T> map(T row) {
      return Tuple2.of(task, row);
    }
  }

  private static <T> KeyedStream<T, Row> keyed(
      DataStream<T> rows, RowType columns, List<String> keys) {
    List<LogicalType> types = keys.stream().map(key -> typeOf(columns, key)).toList();
    TypeInformation<Row> type =
        RowTypes.of(keys, types)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "Rows cannot be told apart by columns of type %s.".formatted(types)));
    return rows.keyBy(new Key<>(keys.stream().mapToInt(columns::getFieldIndex).toArray()), type);
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

  /**
   * Some columns of a row that travels as objects. What kind of change the row is does not count.
   */
  private record Key<T>(int[] fields) implements KeySelector<T, Row> {
    private static final long serialVersionUID = 1L;

    @Override
    public Row getKey(T row) {
      Row key = Row.project((Row) row, fields);
      key.setKind(RowKind.INSERT);
      return key;
    }
  }

  /** The rows that come in time, as a table with the columns of the query. */
  public Table onTime() {
    return onTime;
  }

  /** The rows that come too late, as a table with the columns of the query. */
  public Table late() {
    return late(input.form);
  }

  private <T> Table late(Form<T> form) {
    Class<T> ofRow = form.ofRow();
    return form.toTable().apply(lateRows(late -> ofRow.cast(LateRow.row(late)), form.type()));
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
    String row = TableStreams.unlikeColumns("row", input.query, window);
    TypeInformation<Row> type =
        Types.ROW_NAMED(
            new String[] {row, start, end},
            input.form.type(),
            Types.LOCAL_DATE_TIME,
            Types.LOCAL_DATE_TIME);
    return input.streams.toTable(
        lateRows(late -> late, type), input.query, row, input.form.ofRow(), window);
  }

  private <T> DataStream<T> lateRows(MapFunction<Row, T> form, TypeInformation<T> type) {
    return late.map(form).returns(type).name("Late rows").uid(uid + "/late");
  }
}
