package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeduplicationTest {
  private static final InMemoryReporter METRICS = InMemoryReporter.createWithRetainedMetrics();

  @RegisterExtension
  static final MiniClusterExtension CLUSTER =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberSlotsPerTaskManager(2)
              .setConfiguration(METRICS.addToConfiguration(new Configuration()))
              .build());

  @TempDir Path folder;

  private StreamExecutionEnvironment environment;
  private StreamTableEnvironment tables;
  private TableStreams streams;

  /** Not with the object: it is made before the cluster is the one that jobs go to. */
  @BeforeEach
  void createEnvironments() {
    environment =
        StreamExecutionEnvironment.getExecutionEnvironment(
            Configuration.fromMap(Map.of("parallelism.default", "2")));
    tables = StreamTableEnvironment.create(environment);
    streams = new TableStreams(environment, tables);
  }

  private static Row row(RowKind kind, Object... values) {
    return Row.ofKind(kind, values);
  }

  /** Users with a column that changes all the time; on the way, names stay but once. */
  private Table updatedUsers() {
    List<Row> rows = new ArrayList<>();
    for (int id = 0; id < 3; id++) {
      rows.add(row(RowKind.INSERT, id, "name " + id, 0));
      for (int visits = 0; visits < 5; visits++) {
        rows.add(row(RowKind.UPDATE_BEFORE, id, "name " + id, visits));
        rows.add(row(RowKind.UPDATE_AFTER, id, "name " + id, visits + 1));
      }
    }
    rows.add(row(RowKind.UPDATE_BEFORE, 1, "name 1", 5));
    rows.add(row(RowKind.UPDATE_AFTER, 1, "name 0", 5));
    rows.add(row(RowKind.DELETE, 2, "name 2", 5));
    return tables.fromChangelogStream(
        environment.fromData(rows, Types.ROW(Types.INT, Types.STRING, Types.INT)).setParallelism(1),
        Schema.newBuilder()
            .column("f0", DataTypes.INT())
            .column("f1", DataTypes.STRING())
            .column("f2", DataTypes.INT())
            .build(),
        ChangelogMode.all());
  }

  private Table namesOfUpdatedUsers(String columns) {
    return tables.sqlQuery("SELECT %s FROM %s".formatted(columns, updatedUsers()));
  }

  @Test
  void whatStandsBehindSeesNothingOfUnchangedUpdates() throws Exception {
    Table query = namesOfUpdatedUsers("f0 AS id, f1 AS name");
    TableResult result =
        streams
            .toTable(
                Deduplication.dropUnchangedUpdates(streams.toStream(query, 1), query, "users"),
                query)
            .execute();

    assertThat(changes(result))
        .containsExactly(
            Row.of(0, "name 0"),
            Row.of(1, "name 1"),
            Row.of(2, "name 2"),
            row(RowKind.UPDATE_BEFORE, 1, "name 1"),
            row(RowKind.UPDATE_AFTER, 1, "name 0"),
            row(RowKind.DELETE, 2, "name 2"));
    JobID job = result.getJobClient().orElseThrow().getJobID();
    assertThat(count(job, "Drop unchanged updates", "numRecordsIn")).isEqualTo(36);
    assertThat(count(job, "Drop unchanged updates", "suppressedUpdates")).isEqualTo(15);
    assertThat(count(job, "Drop unchanged updates", "numRecordsOut")).isEqualTo(6);
  }

  @Test
  void whatStandsBehindSeesTheSetOfRows() throws Exception {
    Table query = namesOfUpdatedUsers("f1 AS name");
    TableResult result =
        streams
            .toTable(
                Deduplication.dropRepeatedRows(
                    streams, streams.toStream(query, 1), query, Placement.byWholeRow(), "users"),
                query)
            .execute();

    assertThat(changes(result))
        .containsExactlyInAnyOrder(
            Row.of("name 0"),
            Row.of("name 1"),
            Row.of("name 2"),
            row(RowKind.DELETE, "name 1"),
            row(RowKind.DELETE, "name 2"));
    JobID job = result.getJobClient().orElseThrow().getJobID();
    assertThat(count(job, "Drop unchanged updates", "suppressedUpdates")).isEqualTo(15);
    assertThat(count(job, "Drop repeated rows", "numRecordsIn")).isEqualTo(6);
    assertThat(count(job, "Drop repeated rows", "suppressedDuplicates")).isOne();
    assertThat(count(job, "Drop repeated rows", "numRecordsOut")).isEqualTo(5);
  }

  /** How far a counter has come, in all tasks of an operator together. */
  private static long count(JobID job, String operator, String counter) {
    return METRICS.findOperatorMetricGroups(job, operator).stream()
        .mapToLong(task -> ((Counter) METRICS.getMetricsByGroup(task).get(counter)).getCount())
        .sum();
  }

  private static List<Row> changes(TableResult result) {
    List<Row> changes = new ArrayList<>();
    result.collect().forEachRemaining(changes::add);
    return changes;
  }

  /** At the stream's own parallelism, for with another its rows would change places. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void unchangedUpdatesAreDroppedInTheTaskThatReadsThem(int parallelism) {
    Table query = tables.sqlQuery("SELECT id, UPPER(name) FROM %s".formatted(changedUsers()));
    DataStream<Row> changed =
        Deduplication.dropUnchangedUpdates(streams.toStream(query, parallelism), query, "users");
    tables.toChangelogStream(streams.toTable(changed, query));

    assertThat(changed.getTransformation().getUid()).isEqualTo("users");
    assertThat(taskWithTheFilterOfUpdates())
        .matches(
            "Source: .* -> Calc.* -> TableToData(Stream|Steam).* -> Drop unchanged updates.* at "
                + parallelism);
  }

  @Test
  void unchangedUpdatesAreDroppedInTheTaskThatMakesThem() {
    Table query = tables.sqlQuery("SELECT name, COUNT(*) FROM %s GROUP BY name".formatted(names()));
    DataStream<Row> changed =
        Deduplication.dropUnchangedUpdates(streams.toStream(query), query, "users");
    tables.toChangelogStream(streams.toTable(changed, query));

    assertThat(taskWithTheFilterOfUpdates())
        .matches(
            "GroupAggregate.* -> TableToData(Stream|Steam).* -> Drop unchanged updates.* at 2");
  }

  /** The operators of the only such task, and its parallelism. */
  private String taskWithTheFilterOfUpdates() {
    List<JobVertex> tasks = new ArrayList<>();
    for (JobVertex task : environment.getStreamGraph().getJobGraph().getVertices()) {
      if (task.getName().contains("Drop unchanged updates")) {
        tasks.add(task);
      }
    }
    assertThat(tasks).hasSize(1);
    return tasks.get(0).getName() + " at " + tasks.get(0).getParallelism();
  }

  /** A source that can run at any parallelism. Its file is never read. */
  private Table changedUsers() {
    tables.executeSql(
        "CREATE TABLE users (id INT, name STRING) WITH ('connector' = 'filesystem', 'format' = 'canal-json', 'path' = '/unused')");
    return tables.from("users");
  }

  private Table names() {
    return tables.sqlQuery("SELECT * FROM (VALUES ('a'), ('b'), ('a')) AS t(name)");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void repeatedRowsOfAnUpdatedQueryMeetBehindAnExchange(int parallelism) throws Exception {
    Table query = tables.sqlQuery("SELECT name FROM %s".formatted(changedUsers()));
    DataStream<Row> stream =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(query, parallelism),
            query,
            Placement.byHash("name"),
            "users");
    tables.toChangelogStream(streams.toTable(stream, query));

    assertThat(stream.getTransformation().getUid()).isEqualTo("users");
    assertThat(filters())
        .containsExactly(
            "FORWARD, Drop unchanged updates at " + parallelism, "HASH, Drop repeated rows at 2");
  }

  @Test
  void anInsertOnlyQueryStaysSo() throws Exception {
    tables.executeSql(
        "CREATE TABLE insertions (name STRING) WITH ('connector' = 'filesystem', 'format' = 'json', 'path' = '%s')"
            .formatted(folder.resolve("out").toUri()));
    Table query = names();
    Table distinct =
        streams.toTable(
            Deduplication.dropRepeatedRows(
                streams, streams.toStream(query), query, Placement.byWholeRow(), "users"),
            query);

    assertThat(changes(distinct.execute())).containsExactlyInAnyOrder(Row.of("a"), Row.of("b"));
    assertThat(distinct.insertInto("insertions").explain()).contains("Sink(");
    tables.toChangelogStream(distinct);
    assertThat(filters()).containsExactly("HASH, Drop repeated rows at 2");
  }

  /** The filters of the job, with how rows get to each of them, and how many tasks it has. */
  private List<String> filters() throws IOException {
    List<String> filters = new ArrayList<>();
    for (JsonNode node : new ObjectMapper().readTree(environment.getExecutionPlan()).get("nodes")) {
      if (node.get("type").asText().startsWith("Drop ")) {
        filters.add(
            "%s, %s at %d"
                .formatted(
                    node.get("predecessors").get(0).get("ship_strategy").asText(),
                    node.get("type").asText(),
                    node.get("parallelism").asInt()));
      }
    }
    return filters;
  }

  @Test
  void aRowtimeStaysWithItsTimestampsAndWatermarks() throws Exception {
    environment.setParallelism(1);
    TypeInformation<Row> type = Types.ROW(Types.STRING, Types.INSTANT);
    DataStream<Row> events =
        environment
            .fromData(
                List.of(
                    event(RowKind.INSERT, "a", 1),
                    event(RowKind.UPDATE_BEFORE, "a", 1),
                    event(RowKind.UPDATE_AFTER, "a", 1),
                    event(RowKind.UPDATE_BEFORE, "a", 1),
                    event(RowKind.UPDATE_AFTER, "b", 2),
                    event(RowKind.INSERT, "c", 3)),
                type)
            .assignTimestampsAndWatermarks(
                WatermarkStrategy.<Row>forGenerator(context -> new WatermarkBehindUpdate())
                    .withTimestampAssigner(
                        (row, time) -> row.<Instant>getFieldAs(1).toEpochMilli()));
    Table query =
        tables.fromChangelogStream(
            events,
            Schema.newBuilder()
                .column("f0", DataTypes.STRING())
                .column("f1", DataTypes.TIMESTAMP_LTZ(3))
                .watermark("f1", "SOURCE_WATERMARK()")
                .build(),
            ChangelogMode.all());
    DataStream<Row> stream =
        Deduplication.dropRepeatedRows(
            streams, streams.toStream(query), query, Placement.byWholeRow(), "events");

    assertThat(streams.toTable(stream, query).getResolvedSchema().getColumnDataTypes().toString())
        .isEqualTo("[STRING, TIMESTAMP_LTZ(3) *ROWTIME*]")
        .isEqualTo(query.getResolvedSchema().getColumnDataTypes().toString());
    List<String> rows = new ArrayList<>();
    stream.process(new TimesOfRow()).executeAndCollect().forEachRemaining(rows::add);
    assertThat(rows)
        .containsExactly(
            "INSERT a at 1 after " + Long.MIN_VALUE,
            "DELETE a at 1 after 1",
            "INSERT b at 2 after 1",
            "INSERT c at 3 after 2");
  }

  private static Row event(RowKind kind, String name, long time) {
    return row(kind, name, Instant.ofEpochMilli(time));
  }

  /** The time of each row as a watermark behind it, but none within an update. */
  private static final class WatermarkBehindUpdate implements WatermarkGenerator<Row> {
    @Override
    public void onEvent(Row event, long time, WatermarkOutput output) {
      if (event.getKind() != RowKind.UPDATE_BEFORE) {
        output.emitWatermark(new Watermark(time));
      }
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {}
  }

  private static final class TimesOfRow extends ProcessFunction<Row, String> {
    private static final long serialVersionUID = 1L;

    @Override
    public void processElement(Row row, Context context, Collector<String> out) {
      out.collect(
          "%s %s at %d after %d"
              .formatted(
                  row.getKind(),
                  row.getField(0),
                  context.timestamp(),
                  context.timerService().currentWatermark()));
    }
  }

  @Test
  void rowsAreKeptForAsLongAsTheJobSays() throws Exception {
    Table query = names();
    DataStream<Row> stream = streams.toStream(query);
    Placement placement = Placement.byWholeRow();

    assertThat(keepsARow(Deduplication.dropRepeatedRows(streams, stream, query, placement, "a"), 9))
        .as("for ever, if the job says nothing")
        .isTrue();
    tables.getConfig().set("table.exec.state.ttl", "1 h");
    DataStream<Row> configured =
        Deduplication.dropRepeatedRows(streams, stream, query, placement, "b");
    assertThat(keepsARow(configured, 0.99)).isTrue();
    assertThat(keepsARow(configured, 1)).isFalse();
    DataStream<Row> own =
        Deduplication.dropRepeatedRows(streams, stream, query, placement, Duration.ofHours(2), "c");
    assertThat(keepsARow(own, 1.99)).isTrue();
    assertThat(keepsARow(own, 2)).isFalse();
    DataStream<Row> ever =
        Deduplication.dropRepeatedRows(streams, stream, query, placement, Duration.ZERO, "d");
    assertThat(keepsARow(ever, 9)).isTrue();
  }

  /** Whether the last operator of the stream, after so many hours, still knows a row. */
  private static boolean keepsARow(DataStream<Row> stream, double hours) throws Exception {
    OneInputTransformation<?, Row> transformation =
        (OneInputTransformation<?, Row>) stream.getTransformation();
    KeyedOneInputStreamOperatorTestHarness<Long, Row, Row> harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            transformation.getOperatorFactory(), row -> 0L, Types.LONG);
    try {
      harness.open();
      harness.setStateTtlProcessingTime(0);
      harness.processElement(Row.of("a"), 0);
      harness.setStateTtlProcessingTime((long) (hours * 3_600_000));
      harness.processElement(Row.of("a"), 0);
      return harness.extractOutputValues().size() == 1;
    } finally {
      harness.close();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "absent | There is no column 'absent' to distribute rows by. The columns are: name, p.",
        "NAME | There is no column 'NAME' to distribute rows by. The columns are: name, p.",
        "p | Rows cannot be distributed by column 'p'",
      })
  void aPlacementByAColumnWithoutAHashIsRefused(String column, String message) {
    Table query = tables.sqlQuery("SELECT name, PROCTIME() AS p FROM %s".formatted(names()));
    DataStream<Row> stream = streams.toStream(query);

    assertThatThrownBy(
            () ->
                Deduplication.dropRepeatedRows(
                    streams, stream, query, Placement.byHash("name", column), "users"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void aPlacementInTurnIsRefused() {
    Table query = names();
    DataStream<Row> stream = streams.toStream(query);

    assertThatThrownBy(
            () ->
                Deduplication.dropRepeatedRows(streams, stream, query, Placement.inTurn(), "users"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Equal rows must meet to be counted: place them by hash or by the whole row, not in turn.");
  }

  @Test
  void aStreamOfAnotherQueryIsRefused() {
    Table query = names();
    DataStream<Row> stream = streams.toStream(query);

    assertThatThrownBy(
            () ->
                Deduplication.dropRepeatedRows(
                    streams, stream, names(), Placement.byWholeRow(), "users"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The stream of a query must come from toStream before anything is made of it.");
  }
}
