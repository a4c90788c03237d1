package io.hintflow.operators;

import static org.apache.flink.table.api.Expressions.$;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.types.DataType;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LateRowsTest {
  @RegisterExtension
  static final MiniClusterExtension CLUSTER =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder().setNumberSlotsPerTaskManager(4).build());

  private static final EventTimeWindow HOURS = EventTimeWindow.tumble("ts", Duration.ofHours(1));

  private StreamExecutionEnvironment environment;
  private StreamTableEnvironment tables;
  private TableStreams streams;

  /** Not with the object: it is made before the cluster is the one that jobs go to. */
  @BeforeEach
  void createEnvironments() {
    createEnvironments(1);
  }

  private void createEnvironments(int parallelism) {
    environment =
        StreamExecutionEnvironment.getExecutionEnvironment(
            Configuration.fromMap(
                Map.of(
                    "parallelism.default",
                    String.valueOf(parallelism),
                    "execution.buffer-timeout.interval",
                    "0 ms")));
    tables = StreamTableEnvironment.create(environment);
    streams = new TableStreams(environment, tables);
  }

  /** The time of a row. */
  private static LocalDateTime at(int minutes) {
    return LocalDateTime.of(2024, 1, 1, 0, 0).plusMinutes(minutes);
  }

  // Watermarks of several tasks, one step after the other.

  private static final TypeInformation<Row> STEP =
      Types.ROW_NAMED(
          new String[] {"task", "ts", "watermark", "alongside", "repeated"},
          Types.INT,
          Types.LOCAL_DATE_TIME,
          Types.LOCAL_DATE_TIME,
          Types.LOCAL_DATE_TIME,
          Types.BOOLEAN);

  /** What has become of a step's row, once it is behind the split. */
  private static final BlockingQueue<String> OUTCOMES = new LinkedBlockingQueue<>();

  /** A row of a task that must pass, and behind it a watermark. */
  private static Row step(int task, int minute, LocalDateTime watermark) {
    return Row.of(task, at(minute), watermark, LocalDateTime.MIN, false);
  }

  /** A row of a task that comes again and again until it is late. */
  private static Row repeated(int task, int minute, LocalDateTime alongside) {
    return Row.of(task, at(minute), LocalDateTime.MIN, alongside, true);
  }

  /** Lets a row go only when the one before it is behind the split. */
  private static final class OneByOne implements FlatMapFunction<Row, Row> {
    private static final long serialVersionUID = 1L;

    @Override
    public void flatMap(Row step, Collector<Row> out) throws Exception {
      boolean repeated = step.<Boolean>getFieldAs(4);
      String outcome;
      do {
        out.collect(step);
        outcome = OUTCOMES.take();
      } while (repeated && outcome.startsWith("on time"));
      String expected = "%s in task %s".formatted(repeated ? "late" : "on time", step.getField(0));
      if (!outcome.equals(expected)) {
        throw new IllegalStateException("%s is %s.".formatted(step, outcome));
      }
    }
  }

  /** Tells what has become of a row, and in which task. */
  private static final class Outcome extends RichMapFunction<Row, Row> {
    private static final long serialVersionUID = 1L;
    private final String outcome;

    Outcome(String outcome) {
      this.outcome = outcome;
    }

    @Override
    public Row map(Row row) {
      int task = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
      OUTCOMES.add("%s in task %d".formatted(outcome, task));
      return row;
    }
  }

  private record WatermarkBehindRow(int field) implements WatermarkGenerator<Row> {
    @Override
    public void onEvent(Row row, long time, WatermarkOutput output) {
      LocalDateTime watermark = row.getFieldAs(field);
      if (!watermark.equals(LocalDateTime.MIN)) {
        output.emitWatermark(new Watermark(milliseconds(watermark)));
      }
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {}
  }

  private static long milliseconds(LocalDateTime time) {
    return time.toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  private static DataStream<Row> withWatermarks(DataStream<Row> rows, int field) {
    return rows.assignTimestampsAndWatermarks(
        WatermarkStrategy.<Row>forGenerator(context -> new WatermarkBehindRow(field))
            .withTimestampAssigner((row, time) -> milliseconds(row.getFieldAs(1))));
  }

  private Table table(DataStream<Row> steps) {
    return tables.fromDataStream(
        steps,
        Schema.newBuilder()
            .column("task", DataTypes.INT())
            .column("ts", DataTypes.TIMESTAMP(3))
            .watermark("ts", "SOURCE_WATERMARK()")
            .build());
  }

  private DataStream<Row> oneByOne(List<Row> steps) {
    OUTCOMES.clear();
    return environment
        .fromData(steps, STEP)
        .setParallelism(1)
        .flatMap(new OneByOne())
        .returns(STEP)
        .setParallelism(1)
        .partitionCustom((task, tasks) -> task, step -> step.<Integer>getFieldAs(0))
        .map(step -> step)
        .returns(STEP);
  }

  private void run(LateRows split) throws Exception {
    DataStream<Row> late = streams.toStream(split.late()).map(new Outcome("late"));
    streams
        .toStream(split.onTime())
        .map(new Outcome("on time"))
        .union(late)
        .sinkTo(new DiscardingSink<>());
    environment.execute();
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void aRowIsLateOnceAllTasksHavePassedItsWindow() throws Exception {
    createEnvironments(4);
    List<Row> steps = new ArrayList<>();
    for (int task = 0; task < 3; task++) {
      steps.add(step(task, 1, at(120)));
      steps.add(step(task, 1, at(120)));
    }
    steps.add(step(3, 1, at(58)));
    for (int task = 0; task < 4; task++) {
      steps.add(step(task, 1, LocalDateTime.MIN));
    }
    steps.add(step(3, 1, at(90)));
    for (int task = 0; task < 4; task++) {
      steps.add(repeated(task, 1, LocalDateTime.MIN));
      steps.add(step(task, 60, LocalDateTime.MIN));
    }
    Table query = table(withWatermarks(oneByOne(steps), 2));

    run(LateRows.split(streams, query, HOURS, "split"));
    assertThat(OUTCOMES).isEmpty();
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void theOtherSidesOfAJoinHoldLatenessBack() throws Exception {
    createEnvironments(2);
    DataStream<Row> steps =
        oneByOne(
            List.of(
                step(0, 1, at(120)),
                step(1, 1, at(120)),
                step(0, 1, LocalDateTime.MIN),
                step(1, 1, LocalDateTime.MIN),
                Row.of(0, at(61), LocalDateTime.MIN, at(90), false),
                Row.of(1, at(61), LocalDateTime.MIN, at(90), false),
                repeated(0, 1, LocalDateTime.MIN),
                repeated(1, 1, LocalDateTime.MIN)));
    Table query = table(withWatermarks(steps, 2));
    Table other = table(withWatermarks(steps, 3));

    run(
        LateRows.split(
            LateRows.input(streams, query, HOURS), "split", LateRows.input(streams, other, HOURS)));
    assertThat(OUTCOMES).isEmpty();
  }

  private static final class NoteTask extends RichMapFunction<Row, Row> {
    private static final long serialVersionUID = 1L;
    private transient int task;

    @Override
    public void open(OpenContext context) {
      task = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }

    @Override
    public Row map(Row row) {
      return Row.of(task, row.getField(0), row.getField(1));
    }
  }

  @Test
  void rowsStayInTheirTaskAndInOrder() throws Exception {
    createEnvironments(4);
    List<Row> numbers =
        IntStream.range(0, 400)
            .mapToObj(number -> Row.of(number % 4, at(number), at(0), at(0), false))
            .toList();
    Table query =
        table(
            withWatermarks(
                environment
                    .fromData(numbers, STEP)
                    .setParallelism(1)
                    .partitionCustom((task, tasks) -> task, row -> row.<Integer>getFieldAs(0))
                    .map(row -> row)
                    .returns(STEP),
                2));
    LateRows split = LateRows.split(streams, query, HOURS, "split");
    List<Row> rows = new ArrayList<>();
    streams
        .toStream(split.onTime())
        .map(new NoteTask())
        .returns(Types.ROW(Types.INT, Types.INT, Types.LOCAL_DATE_TIME))
        .executeAndCollect()
        .forEachRemaining(rows::add);

    assertThat(rows).hasSize(400).allMatch(row -> row.getField(0).equals(row.getField(1)));
    for (int task = 0; task < 4; task++) {
      Integer number = task;
      assertThat(
              rows.stream()
                  .filter(row -> row.getField(0).equals(number))
                  .map(row -> row.<LocalDateTime>getFieldAs(2)))
          .hasSize(100)
          .isSorted();
    }
  }

  // One task, so that each row sees the watermark of the one before it.

  /** Rows with a time, and a watermark behind each row that is as far as its time. */
  private Table events(DataType rowtime, ChangelogMode changelogMode, List<Row> rows) {
    boolean instants = rowtime.equals(DataTypes.TIMESTAMP_LTZ(3));
    TypeInformation<Row> type =
        Types.ROW_NAMED(
            new String[] {"id", "ts"}, Types.INT, instants ? Types.INSTANT : Types.LOCAL_DATE_TIME);
    return tables.fromChangelogStream(
        environment
            .fromData(rows, type)
            .assignTimestampsAndWatermarks(
                WatermarkStrategy.<Row>forGenerator(context -> new WatermarkOfTimestamp())
                    .withTimestampAssigner(
                        (row, time) ->
                            instants
                                ? row.<Instant>getFieldAs("ts").toEpochMilli()
                                : milliseconds(row.getFieldAs("ts")))),
        Schema.newBuilder()
            .column("id", DataTypes.INT())
            .column("ts", rowtime)
            .watermark("ts", "SOURCE_WATERMARK()")
            .build(),
        changelogMode);
  }

  private static final class WatermarkOfTimestamp implements WatermarkGenerator<Row> {
    @Override
    public void onEvent(Row row, long time, WatermarkOutput output) {
      output.emitWatermark(new Watermark(time));
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {}
  }

  private Table events(List<Row> rows) {
    return events(DataTypes.TIMESTAMP(3), ChangelogMode.insertOnly(), rows);
  }

  private Table lateEvents() {
    return events(
        List.of(
            Row.of(1, at(5)),
            Row.of(2, at(70)),
            Row.of(3, at(59)),
            Row.of(4, at(61)),
            Row.of(5, at(150)),
            Row.of(6, at(61))));
  }

  private LateRows split(Table query, EventTimeWindow window) {
    return LateRows.split(streams, query, window, "split");
  }

  private static List<Row> result(Table table) {
    List<Row> rows = new ArrayList<>();
    table.execute().collect().forEachRemaining(rows::add);
    return rows;
  }

  @Test
  void rowsInTimeCanBeWindowed() {
    tables.createTemporaryView("on_time", split(lateEvents(), HOURS).onTime());
    assertThat(
            result(
                tables.sqlQuery(
                    "SELECT window_start, COUNT(*) FROM TABLE(TUMBLE(TABLE on_time, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end")))
        .containsExactly(Row.of(at(0), 1L), Row.of(at(60), 2L), Row.of(at(120), 1L));
  }

  @Test
  void lateRowsHaveTheColumnsOfTheQuery() {
    Table query = lateEvents();
    Table late = split(query, HOURS).late();

    assertThat(late.getResolvedSchema().getColumns())
        .hasToString(query.getResolvedSchema().getColumns().toString());
    assertThat(result(late)).containsExactly(Row.of(3, at(59)), Row.of(6, at(61)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"window", "row"})
  void lateRowsComeWithTheirWindow(String name) {
    tables.createTemporaryView("events", lateEvents());
    Table query =
        tables.sqlQuery(
            "SELECT ts, id AS `%s`, ARRAY[id] AS numbers, MAP['a', id] AS named, ROW(id, 'x') AS nested, PROCTIME() AS seen FROM events"
                .formatted(name));
    Table late = split(query, HOURS).late("start", "end");

    assertThat(late.getResolvedSchema().getColumnNames())
        .containsExactly("ts", name, "numbers", "named", "nested", "seen", "start", "end");
    assertThat(late.getResolvedSchema().getColumnDataTypes())
        .hasToString(
            "[TIMESTAMP(3) *ROWTIME*, INT, ARRAY<INT> NOT NULL, MAP<CHAR(1) NOT NULL, INT> NOT NULL, ROW<`EXPR$0` INT, `EXPR$1` CHAR(1) NOT NULL> NOT NULL, TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*, TIMESTAMP(3), TIMESTAMP(3)]");
    assertThat(
            result(
                late.select(
                    $("ts"), $(name), $("numbers"), $("named"), $("nested"), $("start"), $("end"))))
        .containsExactly(
            Row.of(at(59), 3, new Integer[] {3}, Map.of("a", 3), Row.of(3, "x"), at(0), at(60)),
            Row.of(at(61), 6, new Integer[] {6}, Map.of("a", 6), Row.of(6, "x"), at(60), at(120)));
  }

  @Test
  void windowsOfInstantsAreCutByTheClockOfTheZone() {
    tables.getConfig().set("table.local-time-zone", "Europe/Berlin");
    Table query =
        events(
            DataTypes.TIMESTAMP_LTZ(3),
            ChangelogMode.insertOnly(),
            List.of(
                Row.of(1, Instant.parse("2024-10-27T22:59:59.998Z")),
                Row.of(2, Instant.parse("2024-10-26T22:00:00Z")),
                Row.of(3, Instant.parse("2024-10-27T22:59:59.999Z")),
                Row.of(4, Instant.parse("2024-10-26T22:00:00Z"))));
    Table late =
        split(query, EventTimeWindow.tumble("ts", Duration.ofDays(1))).late("start", "end");

    assertThat(late.getResolvedSchema().getColumnDataTypes())
        .hasToString("[INT, TIMESTAMP_LTZ(3) *ROWTIME*, TIMESTAMP(3), TIMESTAMP(3)]");
    assertThat(result(late))
        .containsExactly(
            Row.of(
                4,
                Instant.parse("2024-10-26T22:00:00Z"),
                LocalDateTime.parse("2024-10-27T00:00"),
                LocalDateTime.parse("2024-10-28T00:00")));
  }

  @Test
  void updatesKeepTheirKinds() {
    List<Row> changes =
        List.of(
            Row.of(1, at(70)),
            Row.ofKind(RowKind.UPDATE_BEFORE, 1, at(5)),
            Row.ofKind(RowKind.UPDATE_AFTER, 1, at(5)),
            Row.ofKind(RowKind.DELETE, 2, at(65)),
            Row.ofKind(RowKind.DELETE, 3, at(5)));
    Table query = events(DataTypes.TIMESTAMP(3), ChangelogMode.all(), changes);
    LateRows split = split(query, HOURS);

    assertThat(result(split.onTime())).containsExactly(changes.get(0), changes.get(3));
    List<Row> late = List.of(changes.get(1), changes.get(2), changes.get(4));
    assertThat(result(split.late())).isEqualTo(late);
    assertThat(result(split.late("start", "end")).stream().map(Row::getKind).toList())
        .isEqualTo(late.stream().map(Row::getKind).toList());
  }

  @Test
  void theKindOfAChangeDoesNotTellKeysApart() {
    List<Row> changes =
        List.of(
            Row.of(1, at(70)),
            Row.of(2, at(75)),
            Row.ofKind(RowKind.DELETE, 1, at(60)),
            Row.ofKind(RowKind.DELETE, 2, at(60)));
    Table query = events(DataTypes.TIMESTAMP(3), ChangelogMode.all(), changes);
    LateRows split = split(query, EventTimeWindow.session("ts", Duration.ofMinutes(12), "id"));

    assertThat(result(split.onTime())).containsExactlyElementsOf(changes.subList(0, 3));
    assertThat(result(split.late())).containsExactly(changes.get(3));
  }

  @Test
  void everyKindOfWindowHasItsSplit() {
    Table query = lateEvents();
    assertThat(late(query, EventTimeWindow.over("ts"))).containsExactly(3, 4, 6);
    assertThat(late(query, EventTimeWindow.overRows("ts", "id"))).isEmpty();
    assertThat(late(query, EventTimeWindow.overRows("ts"))).containsExactly(3, 4, 6);
    assertThat(late(query, EventTimeWindow.overRange("ts", Duration.ofHours(9))))
        .containsExactly(3, 4, 6);
    assertThat(late(query, EventTimeWindow.session("ts", Duration.ofMinutes(12))))
        .containsExactly(6);
    assertThat(late(query, EventTimeWindow.session("ts", Duration.ofMinutes(5), "id")))
        .containsExactly(3, 4, 6);
  }

  private List<Integer> late(Table query, EventTimeWindow window) {
    return result(split(query, window).late()).stream()
        .map(row -> row.<Integer>getFieldAs("id"))
        .toList();
  }

  @Test
  void onlyWindowsOfGroupByWait() {
    tables.getConfig().set("table.exec.emit.late-fire.enabled", "true");
    tables.getConfig().set("table.exec.emit.allow-lateness", "90 min");
    assertThat(late(lateEvents(), HOURS)).containsExactly(3, 6);
  }

  /** With late firing, Flink waits for late rows of GROUP BY. */
  @ParameterizedTest
  @CsvSource({
    "false, 90 min, 0 ms, 3 6",
    "true, 12 min, 0 ms, 6",
    "true, 90 min, 0 ms, ''",
    "true, '', 12 min, 6",
    "true, '', 0 ms, 3 6"
  })
  void theConfigurationTellsHowLongToWait(
      String fires, String lateness, String retention, String late) {
    tables.getConfig().set("table.exec.emit.late-fire.enabled", fires);
    if (!lateness.isEmpty()) {
      tables.getConfig().set("table.exec.emit.allow-lateness", lateness);
    }
    tables.getConfig().set("table.exec.state.ttl", retention);
    Table query = lateEvents();

    assertThat(late(query, EventTimeWindow.groupTumble("ts", Duration.ofHours(1))))
        .hasToString(late.isEmpty() ? "[]" : "[" + late.replace(" ", ", ") + "]");
  }

  @ParameterizedTest
  @CsvSource({"time", "id"})
  void theTimeMustBeTheEventTimeOfTheQuery(String time) {
    Table query = lateEvents();
    assertThatThrownBy(() -> split(query, EventTimeWindow.tumble(time, Duration.ofHours(1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'%s' is not the query's event time, which is 'ts'.".formatted(time));
  }

  @Test
  void theQueryMustHaveAnEventTime() {
    assertThatThrownBy(
            () -> split(tables.sqlQuery("SELECT TIMESTAMP '2024-01-01 00:00:00' AS ts"), HOURS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'ts' is not the query's event time, which is missing.");
  }

  @Test
  void keysMustBeColumnsThatTellRowsApart() {
    Table query = lateEvents();
    assertThatThrownBy(
            () -> split(query, EventTimeWindow.session("ts", Duration.ofHours(1), "key")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("There is no column 'key'. The columns are: id, ts.");

    tables.createTemporaryView("events", query);
    Table maps = tables.sqlQuery("SELECT ts, MAP['a', id] AS key FROM events");
    assertThatThrownBy(() -> split(maps, EventTimeWindow.overRows("ts", "key")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Rows cannot be told apart by columns of type [MAP<CHAR(1) NOT NULL, INT> NOT NULL].");
  }
}
