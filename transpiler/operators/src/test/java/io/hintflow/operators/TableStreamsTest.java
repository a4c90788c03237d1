package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableStreamsTest {
  @RegisterExtension
  static final MiniClusterExtension CLUSTER =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder().setNumberSlotsPerTaskManager(2).build());

  private static final String ALL_TYPES =
      """
      SELECT id,
        CASE WHEN id > 0 THEN TRUE END AS a_boolean,
        CASE WHEN id > 0 THEN CAST(1 AS TINYINT) END AS a_tinyint,
        CASE WHEN id > 0 THEN CAST(2 AS SMALLINT) END AS a_smallint,
        CASE WHEN id > 0 THEN CAST(id AS BIGINT) END AS a_bigint,
        CASE WHEN id > 0 THEN CAST(-0.0 AS FLOAT) END AS a_float,
        CASE WHEN id > 0 THEN CAST(1.5 AS DOUBLE) END AS a_double,
        CASE WHEN id > 0 THEN CAST(123456789012.345678 AS DECIMAL(38, 18)) END AS a_decimal,
        CASE WHEN id > 0 THEN CAST('abc' AS CHAR(3)) END AS a_char,
        CASE WHEN id > 0 THEN '中文 ''quoted''' END AS a_string,
        CASE WHEN id > 0 THEN CAST(x'00ff' AS BYTES) END AS some_bytes,
        CASE WHEN id > 0 THEN DATE '2024-02-29' END AS a_date,
        CASE WHEN id > 0 THEN TIME '12:34:56' END AS a_time,
        CASE WHEN id > 0 THEN TIMESTAMP '2024-02-29 12:34:56.123456789' END AS a_timestamp,
        CASE WHEN id > 0 THEN CAST(TIMESTAMP '2024-02-29 12:34:56.123' AS TIMESTAMP_LTZ(3)) END AS an_instant,
        CASE WHEN id > 0 THEN INTERVAL '3' DAY END AS an_interval,
        CASE WHEN id > 0 THEN ARRAY[1, id] END AS an_array,
        CASE WHEN id > 0 THEN MAP['a', ARRAY[1, 2], 'b', ARRAY[id]] END AS a_map,
        CAST((id, ('x', id)) AS ROW<a INT, b ROW<c STRING, d INT>>) AS a_row
      FROM (VALUES (0), (1), (2)) AS numbers(id)
      """;

  @TempDir Path folder;

  private StreamExecutionEnvironment environment;
  private StreamTableEnvironment tables;
  private TableStreams streams;

  /** Not with the object: it is made before the cluster is the one that jobs go to. */
  @BeforeEach
  void createEnvironments() {
    environment = environment(Map.of("parallelism.default", "2"));
    tables = StreamTableEnvironment.create(environment);
    streams = new TableStreams(environment, tables);
  }

  @Test
  void everyTypeSurvives() throws Exception {
    Table query = tables.sqlQuery(ALL_TYPES);

    Table returned = throughHashDistribution(query, query.getResolvedSchema().getColumnNames());

    assertThat(returned.getResolvedSchema().getColumns())
        .isEqualTo(query.getResolvedSchema().getColumns());
    assertThat(result(returned)).hasSize(3).containsExactlyInAnyOrderElementsOf(result(query));
  }

  @Test
  void aRowtimeStaysARowtime() throws Exception {
    createEvents();
    Table query = tables.sqlQuery("SELECT name, id, ts FROM patient_events WHERE id >= 0");

    Table returned = throughHashDistribution(query, List.of("name"));

    tables.createTemporaryView("returned", returned);
    assertThat(returned.getResolvedSchema().getColumnDataTypes().toString())
        .isEqualTo("[STRING, INT, TIMESTAMP(3) *ROWTIME*]")
        .isEqualTo(query.getResolvedSchema().getColumnDataTypes().toString());
    assertThat(result(countsPerMinute(tables, "returned")))
        .hasSize(24)
        .containsExactlyInAnyOrderElementsOf(result(countsPerMinute(tables, "patient_events")));
  }

  /** One task each, because with more it is a matter of speed which of the rows are late. */
  @Test
  void watermarksTravel() throws Exception {
    StreamExecutionEnvironment environment = environment(Map.of("parallelism.default", "1"));
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    TableStreams streams = new TableStreams(environment, tables);
    createEvents(tables);
    Table query = tables.from("events");
    DataStream<Row> stream =
        Distribution.byHash(streams.toStream(query), query, List.of("name"), "by-name");
    tables.createTemporaryView("returned", streams.toTable(stream, query));

    List<Row> counts = result(countsPerMinute(tables, "returned"));

    assertThat(counts.stream().mapToLong(row -> row.getFieldAs("rows")).sum())
        .as("all 300 rows but the 29 late ones")
        .isEqualTo(271);
    assertThat(counts)
        .containsExactlyInAnyOrderElementsOf(result(countsPerMinute(tables, "events")));
  }

  private static Table countsPerMinute(StreamTableEnvironment tables, String table) {
    return tables.sqlQuery(
        """
        SELECT name, window_start, COUNT(*) AS `rows`
        FROM TABLE(TUMBLE(TABLE %s, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
        GROUP BY name, window_start, window_end"""
            .formatted(table));
  }

  @Test
  void ofTwoRowtimesTheFirstStays() throws Exception {
    createEvents();
    Table query =
        tables.sqlQuery(
            """
            SELECT a.id, a.ts, b.ts AS ts2
            FROM events a JOIN events b ON a.id = b.id AND a.ts BETWEEN b.ts AND b.ts""");

    Table returned = throughHashDistribution(query, List.of("id"));

    assertThat(returned.getResolvedSchema().getColumnDataTypes().toString())
        .isEqualTo("[INT, TIMESTAMP(3) *ROWTIME*, TIMESTAMP(3)]");
    assertThat(result(returned))
        .isNotEmpty()
        .allMatch(row -> row.getField(1).equals(row.getField(2)));
  }

  @Test
  void aProctimeStaysAProctimeInItsPlace() throws Exception {
    tables.createTemporaryView(
        "numbers",
        tables.sqlQuery(
            "SELECT id, PROCTIME() AS p, name FROM (VALUES (1, 'a'), (2, 'b'), (3, 'a')) AS t(id, name)"));
    Table query = tables.from("numbers");

    Table returned = throughHashDistribution(query, List.of("name"));
    tables.createTemporaryView("returned", returned);

    assertThat(returned.getResolvedSchema().getColumnDataTypes().toString())
        .isEqualTo(query.getResolvedSchema().getColumnDataTypes().toString())
        .contains("*PROCTIME*");
    assertThat(
            result(
                tables.sqlQuery(
                    "SELECT name, COUNT(*) OVER (PARTITION BY name ORDER BY p) FROM returned")))
        .containsExactlyInAnyOrder(Row.of("a", 1L), Row.of("a", 2L), Row.of("b", 1L));
  }

  @Test
  void updatesAndDeletionsStayWhatTheyAre() throws Exception {
    Table query =
        tables.sqlQuery(
            """
            SELECT rows_per_name, COUNT(*) AS names
            FROM (SELECT name, COUNT(*) AS rows_per_name
              FROM (VALUES ('a'), ('b'), ('a'), ('c'), ('a'), ('b')) AS t(name) GROUP BY name)
            GROUP BY rows_per_name""");

    Table returned = throughHashDistribution(query, List.of("rows_per_name"));

    assertThat(result(returned))
        .containsExactlyInAnyOrder(Row.of(1L, 1L), Row.of(2L, 1L), Row.of(3L, 1L));
    assertThat(changes(returned)).extracting(Row::getKind).contains(RowKind.DELETE);
  }

  @Test
  void onlyRowsThatAreNeverUpdatedMayGoToASinkOfInsertions() throws Exception {
    tables.executeSql(
        "CREATE TABLE insertions (name STRING) WITH ('connector' = 'filesystem', 'format' = 'json', 'path' = '%s')"
            .formatted(folder.resolve("out").toUri()));
    createEvents();
    Table inserting = tables.sqlQuery("SELECT name FROM events WHERE id > 1");
    Table updating = tables.sqlQuery("SELECT MAX(name) AS name FROM events");

    assertThat(
            throughHashDistribution(inserting, List.of("name")).insertInto("insertions").explain())
        .contains("Sink(");
    assertThatThrownBy(
            () ->
                throughHashDistribution(updating, List.of("name"))
                    .insertInto("insertions")
                    .explain())
        .hasMessageContaining("doesn't support consuming update");
  }

  @Test
  void aPrimaryKeyIsDeclared() {
    Table query =
        tables.sqlQuery("SELECT id, name FROM (VALUES (1, 'a'), (2, 'b')) AS t(id, name)");
    DataStream<Row> stream = streams.toStream(query);

    assertThat(
            streams
                .toTable(stream, query, "id", "name")
                .getResolvedSchema()
                .getPrimaryKey()
                .orElseThrow()
                .getColumns())
        .containsExactly("id", "name");
    assertThat(streams.toTable(stream, query).getResolvedSchema().getPrimaryKey()).isEmpty();
  }

  @Test
  void aQueryWithAnErrorFailsWithFlinksOwnError() {
    assertThatThrownBy(
            () ->
                streams.toStream(
                    tables.sqlQuery(
                        "SELECT id, name, COUNT(*) OVER (PARTITION BY name ORDER BY id DESC) FROM (VALUES (1, 'a')) AS t(id, name)")))
        .hasMessageContaining("ASCENDING");
  }

  @Test
  void aStreamThatIsNotAQuerysIsRefused() {
    Table query = tables.sqlQuery(ALL_TYPES);
    Table other = tables.sqlQuery("SELECT 1 AS a");

    assertThatThrownBy(() -> streams.toTable(streams.toStream(query), other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("toStream");
  }

  @ParameterizedTest
  @CsvSource({"parallelism.default, 4", "table.exec.resource.default-parallelism, 3"})
  void aSourceRunsAtItsOwnParallelismAndWhatFollowsAtTheJobs(String option, int parallelism)
      throws Exception {
    StreamExecutionEnvironment environment = environment(Map.of(option, "" + parallelism));
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    TableStreams streams = new TableStreams(environment, tables);
    createEvents(tables);
    Table query = tables.sqlQuery("SELECT id, name FROM events WHERE id > 0");
    DataStream<Row> stream =
        Distribution.byHash(streams.toStream(query, 2), query, List.of("name"), "by-name");
    tables.createTemporaryView("returned", streams.toTable(stream, query));

    assertThat(planOf(environment, tables, "INSERT INTO sink SELECT id, name FROM returned"))
        .containsExactly(
            "Source: events at 2",
            "FORWARD, WatermarkAssigner at 2",
            "FORWARD, Calc at 2",
            "FORWARD, TableToDataStream at 2",
            "HASH, Distribute by hash of [name] at " + parallelism,
            "FORWARD, DataStreamToTable at " + parallelism,
            "FORWARD, sink: Writer at " + parallelism);
  }

  @Test
  void rowsOfASourceAtItsOwnParallelismGoToTheTasksInTurn() throws Exception {
    createEvents();
    Table query = tables.sqlQuery("SELECT id, name FROM events");
    DataStream<Row> stream = Distribution.rebalance(streams.toStream(query, 1), "in-turn");
    tables.createTemporaryView("returned", streams.toTable(stream, query));

    assertThat(planOf(environment, tables, "INSERT INTO sink SELECT id, name FROM returned"))
        .contains("FORWARD, TableToDataStream at 1", "REBALANCE, Distribute in turn at 2");
    assertThat(result(tables.from("returned")))
        .hasSize(300)
        .containsExactlyInAnyOrderElementsOf(result(query));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void aParallelismBelowOneIsRefused(int parallelism) {
    Table query = tables.sqlQuery("SELECT 1 AS a");

    assertThatThrownBy(() -> streams.toStream(query, parallelism))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The parallelism of a stream must be at least 1, not " + parallelism + ".");
  }

  /** Each operator of the job with its parallelism and how rows get to it. */
  private static List<String> planOf(
      StreamExecutionEnvironment environment, StreamTableEnvironment tables, String insert)
      throws IOException {
    tables.createStatementSet().addInsertSql(insert).attachAsDataStream();
    List<String> operators = new ArrayList<>();
    for (JsonNode node : new ObjectMapper().readTree(environment.getExecutionPlan()).get("nodes")) {
      StringBuilder operator = new StringBuilder();
      node.path("predecessors")
          .forEach(input -> operator.append(input.get("ship_strategy").asText()).append(", "));
      operator.append(
          node.get("type")
              .asText()
              .replaceAll("\\[\\d+\\]", "")
              .replace("TableToDataSteam", "TableToDataStream") // 1.20
              .replaceAll(
                  "\\*anonymous_datastream_source\\$\\d+\\*", "DataStreamToTable")); // to 2.2
      operators.add(operator + " at " + node.get("parallelism").asInt());
    }
    return operators;
  }

  @Test
  void rowsTravelInBatchModeToo() throws Exception {
    StreamExecutionEnvironment environment =
        environment(Map.of("execution.runtime-mode", "batch", "parallelism.default", "2"));
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    TableStreams streams = new TableStreams(environment, tables);
    createEvents(tables);
    Table query =
        tables.sqlQuery("SELECT name, COUNT(*) AS c, MAX(ts) AS m FROM events GROUP BY name");
    Table returned =
        streams.toTable(
            Distribution.byHash(streams.toStream(query, 1), query, List.of("name"), "by-name"),
            query);
    assertThat(result(returned)).hasSize(3).containsExactlyInAnyOrderElementsOf(result(query));
  }

  private Table throughHashDistribution(Table query, List<String> columns) {
    return streams.toTable(
        Distribution.byHash(streams.toStream(query), query, columns, "by-" + columns), query);
  }

  private void createEvents() throws IOException {
    createEvents(tables);
  }

  /** 300 rows a second apart, every tenth of them three minutes late. */
  private void createEvents(StreamTableEnvironment tables) throws IOException {
    Path file = folder.resolve("events/rows.json");
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        IntStream.range(0, 300)
            .mapToObj(
                id ->
                    "{\"id\": %d, \"name\": \"n%d\", \"ts\": \"2024-01-01 00:%02d:%02d\"}%n"
                        .formatted(id, id % 3, (id / 60 + (id % 10 == 0 ? 10 : 13)), id % 60))
            .collect(Collectors.joining()));
    tables.executeSql(
        """
        CREATE TABLE events (id INT, name STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
        WITH ('connector' = 'filesystem', 'format' = 'json', 'path' = '%s')"""
            .formatted(file.toUri()));
    tables.executeSql(
        """
        CREATE TABLE patient_events (WATERMARK FOR ts AS ts - INTERVAL '5' MINUTE)
        LIKE events (OVERWRITING WATERMARKS)""");
    tables.executeSql("CREATE TABLE sink (id INT, name STRING) WITH ('connector' = 'blackhole')");
  }

  private static StreamExecutionEnvironment environment(Map<String, String> options) {
    Configuration configuration = Configuration.fromMap(options);
    // Watermarks with each row, so that which rows are late does not depend on the clock.
    configuration.setString("pipeline.auto-watermark-interval", "0 ms");
    return StreamExecutionEnvironment.getExecutionEnvironment(configuration);
  }

  /** The rows that remain after all changes. */
  private static List<Row> result(Table table) {
    List<Row> rows = new ArrayList<>();
    for (Row row : changes(table)) {
      boolean inserted = row.getKind() == RowKind.INSERT || row.getKind() == RowKind.UPDATE_AFTER;
      row.setKind(RowKind.INSERT);
      if (inserted) {
        rows.add(row);
      } else {
        assertThat(rows.remove(row)).as("a row to take back: %s", row).isTrue();
      }
    }
    return rows;
  }

  private static List<Row> changes(Table table) {
    List<Row> changes = new ArrayList<>();
    table.execute().collect().forEachRemaining(changes::add);
    return changes;
  }
}
