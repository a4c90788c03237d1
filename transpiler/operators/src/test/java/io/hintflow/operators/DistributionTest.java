package io.hintflow.operators;

import static org.apache.flink.table.api.Expressions.$;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistributionTest {
  @RegisterExtension
  static final MiniClusterExtension CLUSTER =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder().setNumberSlotsPerTaskManager(3).build());

  private StreamExecutionEnvironment environment;
  private StreamTableEnvironment tables;
  private TableStreams streams;

  /** Not with the object: it is made before the cluster is the one that jobs go to. */
  @BeforeEach
  void createEnvironments() {
    environment =
        StreamExecutionEnvironment.getExecutionEnvironment(
            Configuration.fromMap(Map.of("parallelism.default", "3")));
    tables = StreamTableEnvironment.create(environment);
    streams = new TableStreams(environment, tables);
  }

  @Test
  void equalValuesMeetAtOneTaskInOrder() throws Exception {
    Table query = numbers();
    DataStream<Row> distributed =
        Distribution.byHash(streams.toStream(query, 1), query, List.of("remainder"), "by-hash");

    Map<Long, Set<Integer>> tasks = new LinkedHashMap<>();
    Map<Long, List<Long>> numbers = new LinkedHashMap<>();
    for (Row row : withTask(distributed)) {
      tasks.computeIfAbsent(row.getFieldAs(1), key -> new HashSet<>()).add(row.getFieldAs(2));
      numbers.computeIfAbsent(row.getFieldAs(1), key -> new ArrayList<>()).add(row.getFieldAs(0));
    }

    assertThat(tasks).hasSize(20).allSatisfy((key, task) -> assertThat(task).hasSize(1));
    assertThat(tasks.values()).contains(Set.of(0), Set.of(1), Set.of(2));
    assertThat(numbers)
        .allSatisfy(
            (key, values) ->
                assertThat(values)
                    .containsExactlyElementsOf(
                        LongStream.range(0, 50).mapToObj(round -> round * 20 + key).toList()));
  }

  @Test
  void rowsInTurnMakeTasksEqual() throws Exception {
    DataStream<Row> distributed =
        Distribution.rebalance(streams.toStream(numbers(), 1), "rebalance");

    List<Row> rows = withTask(distributed);

    assertThat(rows).hasSize(1_000);
    assertThat(IntStream.range(0, 3))
        .allSatisfy(
            task ->
                assertThat(rows.stream().filter(row -> row.getField(2).equals(task)).count())
                    .isBetween(333L, 334L));
  }

  @Test
  void allChangesOfARowMeetAtOneTaskInOrder() throws Exception {
    numbers();
    Table query =
        tables.sqlQuery(
            "SELECT remainder, COUNT(*) AS rows_so_far, PROCTIME() AS p FROM numbers GROUP BY remainder");
    DataStream<Row> distributed =
        Distribution.byWholeRow(streams.toStream(query, 1), query, "by-row");

    Map<List<Object>, Set<Integer>> tasks = new LinkedHashMap<>();
    Map<List<Object>, List<RowKind>> kinds = new LinkedHashMap<>();
    for (Row row : withTask(distributed)) {
      List<Object> values = List.of(row.getField(0), row.getField(1));
      tasks.computeIfAbsent(values, key -> new HashSet<>()).add(row.getFieldAs(2));
      kinds.computeIfAbsent(values, key -> new ArrayList<>()).add(row.getKind());
    }

    assertThat(tasks).hasSize(1_000).allSatisfy((row, task) -> assertThat(task).hasSize(1));
    assertThat(kinds.values())
        .containsOnly(
            List.of(RowKind.INSERT, RowKind.UPDATE_BEFORE),
            List.of(RowKind.UPDATE_AFTER, RowKind.UPDATE_BEFORE),
            List.of(RowKind.UPDATE_AFTER));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "absent | There is no column 'absent' to distribute rows by. The columns are: id, p.",
        "ID | There is no column 'ID' to distribute rows by. The columns are: id, p.",
        "p | Rows cannot be distributed by column 'p'",
      })
  void aColumnThatHasNoHashIsRefused(String column, String message) {
    Table query = tables.sqlQuery("SELECT id, PROCTIME() AS p FROM (VALUES (1)) AS t(id)");
    DataStream<Row> stream = streams.toStream(query);

    assertThatThrownBy(() -> Distribution.byHash(stream, query, List.of("id", column), "by-hash"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void noColumnIsRefused() {
    Table query = tables.sqlQuery("SELECT 1 AS id");
    DataStream<Row> stream = streams.toStream(query);

    assertThatThrownBy(() -> Distribution.byHash(stream, query, List.of(), "by-hash"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A distribution by hash needs at least one column.");
  }

  @Test
  void operatorsHaveTheUidThatSavepointsNeed() {
    Table query = tables.sqlQuery("SELECT 1 AS id");
    DataStream<Row> stream = streams.toStream(query);

    assertThat(
            Distribution.byHash(stream, query, List.of("id"), "by-hash")
                .getTransformation()
                .getUid())
        .isEqualTo("by-hash");
    assertThat(Distribution.rebalance(stream, "in-turn").getTransformation().getUid())
        .isEqualTo("in-turn");
  }

  private Table numbers() {
    DataStream<Long> ids =
        environment.fromSequence(0, 999).setParallelism(1).map(id -> id).setParallelism(1);
    tables.createTemporaryView(
        "numbers",
        tables
            .fromDataStream(ids)
            .as("id")
            .select($("id"), $("id").mod(20L))
            .as("id", "remainder"));
    return tables.from("numbers");
  }

  /**
   * The first two fields of the rows and the task, for each task in the order in which it got them.
   */
  private static List<Row> withTask(DataStream<Row> stream) throws Exception {
    List<Row> rows = new ArrayList<>();
    stream
        .map(new TaskOfRow())
        .returns(Types.ROW(Types.LONG, Types.LONG, Types.INT))
        .executeAndCollect()
        .forEachRemaining(rows::add);
    return rows;
  }

  private static final class TaskOfRow extends RichMapFunction<Row, Row> {
    private static final long serialVersionUID = 1L;

    @Override
    public Row map(Row row) {
      return Row.ofKind(
          row.getKind(),
          row.getField(0),
          row.getField(1),
          getRuntimeContext().getTaskInfo().getIndexOfThisSubtask());
    }
  }
}
