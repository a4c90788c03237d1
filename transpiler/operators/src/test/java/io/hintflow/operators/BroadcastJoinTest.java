package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.types.DataType;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BroadcastJoinTest {
  @RegisterExtension
  static final MiniClusterExtension CLUSTER =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder().setNumberSlotsPerTaskManager(8).build());

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
        CAST((id, ('x', id)) AS ROW<a INT, b ROW<c STRING, d INT>>) AS a_row
      FROM (VALUES (0), (1), (2)) AS numbers(id)
      """;

  private static final String OTHER_TYPES =
      """
      SELECT id,
        CASE WHEN id > 0 THEN INTERVAL '3' DAY END AS an_interval,
        CASE WHEN id > 0 THEN INTERVAL '3' MONTH END AS some_months,
        CASE WHEN id > 0 THEN ARRAY[1, id] END AS an_array,
        CASE WHEN id > 0 THEN MAP['a', ARRAY[1, 2], 'b', ARRAY[id]] END AS a_map,
        CAST((id, ('x', id)) AS ROW<a INT, b ROW<c STRING, d INT>>) AS a_row
      FROM (VALUES (0), (1), (2)) AS numbers(id)
      """;

  private StreamExecutionEnvironment environment;
  private StreamTableEnvironment tables;
  private TableStreams streams;
  private Table orders;
  private Table users;

  /** Not with the object: it is made before the cluster is the one that jobs go to. */
  @BeforeEach
  void createEnvironments() {
    environment =
        StreamExecutionEnvironment.getExecutionEnvironment(
            Configuration.fromMap(Map.of("parallelism.default", "2")));
    tables = StreamTableEnvironment.create(environment);
    streams = new TableStreams(environment, tables);
    orders =
        tables.sqlQuery(
            """
            SELECT * FROM (VALUES (1, 'a', 5), (2, 'b', 6), (3, 'a', 7), (3, 'a', 7), (4, CAST(NULL AS STRING), 8))
              AS t(id, name, amount)""");
    users =
        tables.sqlQuery(
            "SELECT * FROM (VALUES ('a', 6), ('c', 1), ('a', 6), (CAST(NULL AS STRING), 2)) AS t(name, minimum)");
  }

  @Test
  void anInnerJoinLetsOutPairs() {
    Table joined =
        BroadcastJoin.inner(streams, "join")
            .big("o", orders, Placement.inTurn())
            .small("u", users)
            .on("o.name", "u.name")
            .toTable();

    assertThat(joined.getResolvedSchema().getColumnDataTypes().toString())
        .isEqualTo(
            "[ROW<`id` INT NOT NULL, `name` STRING, `amount` INT NOT NULL> NOT NULL,"
                + " ROW<`name` STRING, `minimum` INT NOT NULL> NOT NULL]");
    assertThat(result(joined))
        .containsExactlyInAnyOrderElementsOf(
            result(
                tables.sqlQuery(
                    "SELECT (o.id, o.name, o.amount) AS o, (u.name, u.minimum) AS u FROM %s o JOIN %s u ON o.name = u.name"
                        .formatted(orders, users))))
        .hasSize(6);
  }

  @Test
  void anOuterJoinKeepsBigRowsWithoutPartner() {
    Table joined =
        BroadcastJoin.outer(streams, "join")
            .big("o", orders, Placement.byHash("id"))
            .small("u", users)
            .on("o.name", "u.name")
            .where(JoinCondition.greaterOrEqual("o.amount", "u.minimum"))
            .toTable();

    assertThat(joined.getResolvedSchema().getColumnDataTypes().get(1).toString())
        .isEqualTo("ROW<`name` STRING, `minimum` INT NOT NULL>");
    assertThat(result(joined))
        .containsExactlyInAnyOrder(
            Row.of(Row.of(1, "a", 5), null),
            Row.of(Row.of(2, "b", 6), null),
            Row.of(Row.of(3, "a", 7), Row.of("a", 6)),
            Row.of(Row.of(3, "a", 7), Row.of("a", 6)),
            Row.of(Row.of(3, "a", 7), Row.of("a", 6)),
            Row.of(Row.of(3, "a", 7), Row.of("a", 6)),
            Row.of(Row.of(4, null, 8), null));
  }

  private static Row change(RowKind kind, Object... values) {
    return Row.ofKind(kind, values);
  }

  private Table changes(String[] names, TypeInformation<?>[] types, Row... rows) {
    Schema.Builder schema = Schema.newBuilder();
    for (int index = 0; index < names.length; index++) {
      schema.column(names[index], DataTypes.of(types[index]));
    }
    return tables.fromChangelogStream(
        environment.fromData(List.of(rows), Types.ROW_NAMED(names, types)).setParallelism(1),
        schema.build(),
        ChangelogMode.all());
  }

  private Table updatedOrders() {
    return changes(
        new String[] {"id", "name", "amount"},
        new TypeInformation<?>[] {Types.INT, Types.STRING, Types.INT},
        change(RowKind.INSERT, 1, "a", 5),
        change(RowKind.INSERT, 2, "b", 6),
        change(RowKind.UPDATE_BEFORE, 1, "a", 5),
        change(RowKind.UPDATE_AFTER, 1, "b", 5),
        change(RowKind.INSERT, 3, "a", 7),
        change(RowKind.INSERT, 4, null, 7),
        change(RowKind.DELETE, 2, "b", 6),
        change(RowKind.INSERT, 5, "c", 9));
  }

  private Table updatedUsers() {
    return changes(
        new String[] {"name", "minimum"},
        new TypeInformation<?>[] {Types.STRING, Types.INT},
        change(RowKind.INSERT, "a", 1),
        change(RowKind.INSERT, "a", 2),
        change(RowKind.INSERT, "b", 3),
        change(RowKind.DELETE, "a", 1),
        change(RowKind.INSERT, null, 3),
        change(RowKind.UPDATE_BEFORE, "b", 3),
        change(RowKind.UPDATE_AFTER, "b", 4),
        change(RowKind.INSERT, "c", 3),
        change(RowKind.DELETE, "c", 3));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void changesOfEitherSideAreFollowed(boolean byHash) {
    Placement placement = byHash ? Placement.byHash("id") : Placement.byWholeRow();

    assertThat(
            result(
                BroadcastJoin.inner(streams, "inner")
                    .big("o", updatedOrders(), placement)
                    .small("u", updatedUsers())
                    .on("o.name", "u.name")
                    .toTable()))
        .containsExactlyInAnyOrder(
            Row.of(Row.of(1, "b", 5), Row.of("b", 4)), Row.of(Row.of(3, "a", 7), Row.of("a", 2)));
    assertThat(
            result(
                BroadcastJoin.outer(streams, "outer")
                    .big("o", updatedOrders(), placement)
                    .small("u", updatedUsers())
                    .on("o.name", "u.name")
                    .toTable()))
        .containsExactlyInAnyOrder(
            Row.of(Row.of(1, "b", 5), Row.of("b", 4)),
            Row.of(Row.of(3, "a", 7), Row.of("a", 2)),
            Row.of(Row.of(4, null, 7), null),
            Row.of(Row.of(5, "c", 9), null));
  }

  @Test
  void furtherSmallTablesJoinWithoutAnotherShuffle() throws Exception {
    Table levels =
        changes(
            new String[] {"minimum", "level"},
            new TypeInformation<?>[] {Types.INT, Types.STRING},
            change(RowKind.INSERT, 4, "four"),
            change(RowKind.INSERT, 2, "two"),
            change(RowKind.DELETE, 2, "two"));
    Table joined =
        BroadcastJoin.inner(streams, "third")
            .big(
                BroadcastJoin.outer(streams, "second")
                    .big(
                        BroadcastJoin.outer(streams, "first")
                            .big("o", updatedOrders(), Placement.byHash("id"))
                            .small("u", updatedUsers())
                            .on("o.name", "u.name"))
                    .small("l", levels)
                    .on("u.minimum", "l.minimum"))
            .small("x", users)
            .where(JoinCondition.notDistinct("x.name", "o.name"))
            .toTable();

    assertThat(joined.getResolvedSchema().getColumnNames()).containsExactly("o", "u", "l", "x");
    assertThat(inputsOfJoins(joined))
        .containsExactly(
            "Broadcast join of o with u: HASH, BROADCAST",
            "Broadcast join of o, u with l: FORWARD, BROADCAST",
            "Broadcast join of o, u, l with x: FORWARD, BROADCAST");
    assertThat(result(joined))
        .containsExactlyInAnyOrder(
            Row.of(Row.of(3, "a", 7), Row.of("a", 2), null, Row.of("a", 6)),
            Row.of(Row.of(3, "a", 7), Row.of("a", 2), null, Row.of("a", 6)),
            Row.of(Row.of(4, null, 7), null, null, Row.of(null, 2)),
            Row.of(Row.of(5, "c", 9), null, null, Row.of("c", 1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {ALL_TYPES, OTHER_TYPES})
  void everyTypeSurvives(String everyType) {
    Table query = tables.sqlQuery(everyType);

    Table inner =
        BroadcastJoin.inner(streams, "inner")
            .big("l", query, Placement.byWholeRow())
            .small("s", query)
            .on("l.id", "s.id")
            .toTable();
    Table outer =
        BroadcastJoin.outer(streams, "outer")
            .big("l", query, Placement.byWholeRow())
            .small("s", query)
            .on("l.id", "s.id")
            .where(JoinCondition.distinct("l.id", "s.id"))
            .toTable();

    DataType row =
        DataTypes.ROW(
            query.getResolvedSchema().getColumns().stream()
                .map(column -> DataTypes.FIELD(column.getName(), column.getDataType()))
                .toArray(DataTypes.Field[]::new));
    assertThat(inner.getResolvedSchema().getColumnDataTypes())
        .containsExactly(row.notNull(), row.notNull());
    assertThat(outer.getResolvedSchema().getColumnDataTypes())
        .containsExactly(row.notNull(), row.nullable());
    List<Row> rows = result(query);
    assertThat(result(inner))
        .hasSize(3)
        .containsExactlyInAnyOrderElementsOf(rows.stream().map(all -> Row.of(all, all)).toList());
    assertThat(result(outer))
        .hasSize(3)
        .containsExactlyInAnyOrderElementsOf(rows.stream().map(all -> Row.of(all, null)).toList());
  }

  @Test
  void rowsInTurnMakeTasksEqualThoughTheyAllAreOfOneKey() throws Exception {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(
            Configuration.fromMap(Map.of("parallelism.default", "8")));
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    TableStreams streams = new TableStreams(environment, tables);
    Table numbers =
        tables.sqlQuery(
            "SELECT 1 AS id FROM %s"
                .formatted(
                    tables.fromDataStream(environment.fromSequence(1, 4_000).setParallelism(1))));
    Table joined =
        BroadcastJoin.inner(streams, "join")
            .big("l", numbers, Placement.inTurn(), 1)
            .small("s", tables.sqlQuery("SELECT 1 AS id"))
            .on("l.id", "s.id")
            .toTable();

    Map<Integer, Integer> rowsOfTasks = new TreeMap<>();
    streams
        .toStream(joined)
        .map(new TaskOfRow())
        .executeAndCollect()
        .forEachRemaining(task -> rowsOfTasks.merge(task, 1, Integer::sum));

    assertThat(rowsOfTasks).hasSize(8);
    assertThat(rowsOfTasks.values()).allMatch(rows -> rows <= 4_000 / 8 * 1.05);
  }

  private static final class TaskOfRow extends RichMapFunction<Row, Integer> {
    private static final long serialVersionUID = 1L;

    @Override
    public Integer map(Row row) {
      return getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }
  }

  @Test
  void timeAttributesBecomePlainTimestampsOrColumnsOfTheirOwn() {
    tables.executeSql(
        """
        CREATE TABLE events (id INT, ts TIMESTAMP(3), p AS PROCTIME(), WATERMARK FOR ts AS ts)
        WITH ('connector' = 'datagen', 'number-of-rows' = '1')""");

    Table joined =
        BroadcastJoin.outer(streams, "join")
            .big("l", tables.from("events"), Placement.inTurn())
            .small("s", tables.from("events"))
            .on("l.id", "s.id")
            .toTable();

    assertThat(joined.getResolvedSchema().getColumns().toString())
        .isEqualTo(
            "[`l` ROW<`id` INT, `ts` TIMESTAMP(3)> NOT NULL, `s` ROW<`id` INT, `ts` TIMESTAMP(3)>,"
                + " `l_p` TIMESTAMP_LTZ(3) NOT NULL *PROCTIME* AS PROCTIME(),"
                + " `s_p` TIMESTAMP_LTZ(3) NOT NULL *PROCTIME* AS PROCTIME()]");
  }

  @Test
  void onlyAnInnerJoinOfInsertionsIsInsertOnly() {
    tables.executeSql(
        "CREATE TABLE sink (id INT) WITH ('connector' = 'filesystem', 'format' = 'json', 'path' = '/unused')");
    Table updated =
        tables.sqlQuery(
            "SELECT name, MAX(minimum) AS minimum FROM %s GROUP BY name".formatted(users));

    tables.createTemporaryView("inserted", join(BroadcastJoin.inner(streams, "a"), users));
    tables.createTemporaryView("padded", join(BroadcastJoin.outer(streams, "b"), users));
    tables.createTemporaryView("updated", join(BroadcastJoin.inner(streams, "c"), updated));

    assertThat(tables.explainSql("INSERT INTO sink SELECT o.id FROM inserted")).contains("Sink(");
    assertThatThrownBy(() -> tables.explainSql("INSERT INTO sink SELECT o.id FROM padded"))
        .hasMessageContaining("doesn't support consuming update");
    assertThatThrownBy(() -> tables.explainSql("INSERT INTO sink SELECT o.id FROM updated"))
        .hasMessageContaining("doesn't support consuming update");
  }

  private Table join(BroadcastJoin join, Table small) {
    return join.big("o", orders, Placement.inTurn())
        .small("u", small)
        .on("o.name", "u.name")
        .toTable();
  }

  @Test
  void updatedRowsCannotGoToTheTasksInTurn() {
    assertThatThrownBy(
            () ->
                BroadcastJoin.inner(streams, "join")
                    .big("o", updatedOrders(), Placement.inTurn())
                    .small("u", users)
                    .toTable())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Rows of table 'o' are updated or deleted, and a change")
        .hasMessageContaining("transpile the script again");
  }

  @Test
  void batchModeIsRefused() {
    tables.getConfig().set("execution.runtime-mode", "batch");

    assertThatThrownBy(() -> join(BroadcastJoin.inner(streams, "join"), users))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("batch");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "o.absent | u.name | There is no column 'o.absent' to join by. The columns are: o.id, o.name, o.amount, u.name, u.minimum.",
        "u.name | o.name | Column 'u.name' is not of the big side",
        "o.name | o.name | Column 'o.name' is not of the small side",
        "o.name | u.minimum | Columns 'o.name' of type STRING and 'u.minimum' of type INT NOT NULL cannot be compared",
      })
  void aWrongKeyIsRefused(String bigColumn, String smallColumn, String message) {
    BroadcastJoin join =
        BroadcastJoin.inner(streams, "join")
            .big("o", orders, Placement.inTurn())
            .small("u", users)
            .on(bigColumn, smallColumn);

    assertThatThrownBy(join::toTable)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void tablesOfOneNameAreRefused() {
    BroadcastJoin join =
        BroadcastJoin.inner(streams, "join").big("o", orders, Placement.inTurn()).small("o", users);

    assertThatThrownBy(join::toTable)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Two tables of a broadcast join are named 'o': give each another name.");
  }

  @Test
  void aJoinNeedsBothSidesOnce() {
    assertThatThrownBy(() -> BroadcastJoin.inner(streams, "a").small("u", users).toTable())
        .hasMessage("A broadcast join needs a big side: call big(...).");
    assertThatThrownBy(
            () -> BroadcastJoin.inner(streams, "b").big("o", orders, Placement.inTurn()).toTable())
        .hasMessage("A broadcast join needs a small side: call small(...).");
    assertThatThrownBy(() -> BroadcastJoin.inner(streams, "c").small("u", users).small("v", users))
        .hasMessageContaining("one small side");
  }

  /** How rows come to each broadcast join. */
  private List<String> inputsOfJoins(Table joined) throws IOException {
    List<String> joins = new ArrayList<>();
    tables.toChangelogStream(joined);
    for (JsonNode node : new ObjectMapper().readTree(environment.getExecutionPlan()).get("nodes")) {
      String name = node.get("type").asText();
      if (name.startsWith("Broadcast join")) {
        List<String> inputs = new ArrayList<>();
        node.get("predecessors").forEach(input -> inputs.add(input.get("ship_strategy").asText()));
        joins.add(name + ": " + String.join(", ", inputs));
      }
    }
    return joins;
  }

  /** The rows that remain after all changes. */
  private static List<Row> result(Table table) {
    List<Row> rows = new ArrayList<>();
    table
        .execute()
        .collect()
        .forEachRemaining(
            row -> {
              boolean inserted =
                  row.getKind() == RowKind.INSERT || row.getKind() == RowKind.UPDATE_AFTER;
              row.setKind(RowKind.INSERT);
              if (inserted) {
                rows.add(row);
              } else {
                assertThat(rows.remove(row)).as("a row to take back: %s", row).isTrue();
              }
            });
    return rows;
  }
}
