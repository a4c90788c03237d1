package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.runtime.typeutils.ExternalTypeInfo;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BroadcastJoinOperatorTest {
  private static final KeySelector<Row, Long> BY_SECOND_FIELD =
      row -> (long) RowHash.hash(row.getField(1));

  /** Of two INT columns each; joined by the first. */
  private static BroadcastJoinOperator.Side side(boolean big, Duration retention) {
    return side(big, Types.ROW(Types.INT, Types.INT), 0, retention);
  }

  private static BroadcastJoinOperator.Side side(
      boolean big, TypeInformation<Row> type, int keyField, Duration retention) {
    return new BroadcastJoinOperator.Side(
        type,
        new JoinKey(
            List.of(new JoinColumn("key", big, JoinColumn.ONLY_TABLE, keyField, new IntType()))),
        retention);
  }

  private static JoinTasks tasks(boolean outer, Duration bigRetention, Duration smallRetention)
      throws Exception {
    return tasks(outer, side(true, bigRetention), side(false, smallRetention), "hashmap", 2);
  }

  private static JoinTasks tasks(
      boolean outer,
      BroadcastJoinOperator.Side big,
      BroadcastJoinOperator.Side small,
      String backend,
      int parallelism)
      throws Exception {
    return new JoinTasks(List.of(join(outer, big, small)), BY_SECOND_FIELD, backend, parallelism);
  }

  private static JoinTasks.Join join(
      boolean outer, BroadcastJoinOperator.Side big, BroadcastJoinOperator.Side small) {
    return new JoinTasks.Join(
        () ->
            new BroadcastJoinOperator(
                big,
                small,
                (bigRow, smallRow) -> true,
                BroadcastJoinOperator.GroupChoice.of(BY_SECOND_FIELD),
                new BroadcastJoinOperator.Result(outer, 0, List.of(), false)),
        Types.ROW(big.type(), small.type()));
  }

  private static Row pair(RowKind kind, Row big, Row small) {
    return Row.ofKind(kind, big, small);
  }

  @Test
  void anInnerJoinKeepsTheKindOfTheRowThatComes() throws Exception {
    try (JoinTasks tasks = tasks(false, Duration.ZERO, Duration.ZERO)) {
      Row big = Row.of(1, 10);
      Row small = Row.of(1, 20);
      assertThat(tasks.big(big)).isEmpty();
      assertThat(tasks.small(small)).containsExactly(pair(RowKind.INSERT, big, small));
      assertThat(tasks.small(Row.ofKind(RowKind.UPDATE_BEFORE, 1, 20)))
          .containsExactly(pair(RowKind.UPDATE_BEFORE, big, small));
      assertThat(tasks.small(Row.ofKind(RowKind.UPDATE_AFTER, 1, 21)))
          .containsExactly(pair(RowKind.UPDATE_AFTER, big, Row.of(1, 21)));
      assertThat(tasks.big(Row.ofKind(RowKind.UPDATE_BEFORE, 1, 10)))
          .containsExactly(pair(RowKind.UPDATE_BEFORE, big, Row.of(1, 21)));
      assertThat(tasks.big(Row.ofKind(RowKind.UPDATE_AFTER, 1, 11)))
          .containsExactly(pair(RowKind.UPDATE_AFTER, Row.of(1, 11), Row.of(1, 21)));
      assertThat(tasks.big(Row.ofKind(RowKind.DELETE, 1, 11)))
          .containsExactly(pair(RowKind.DELETE, Row.of(1, 11), Row.of(1, 21)));
      assertThat(tasks.small(Row.ofKind(RowKind.DELETE, 1, 21))).isEmpty();
    }
  }

  @Test
  void anOuterJoinReplacesTheRowWithoutPartner() throws Exception {
    try (JoinTasks tasks = tasks(true, Duration.ZERO, Duration.ZERO)) {
      Row big = Row.of(1, 10);
      assertThat(tasks.big(Row.ofKind(RowKind.UPDATE_AFTER, 1, 10)))
          .containsExactly(pair(RowKind.INSERT, big, null));
      assertThat(tasks.small(Row.of(1, 20)))
          .containsExactly(
              pair(RowKind.DELETE, big, null), pair(RowKind.INSERT, big, Row.of(1, 20)));
      assertThat(tasks.small(Row.ofKind(RowKind.UPDATE_AFTER, 1, 21)))
          .containsExactly(pair(RowKind.INSERT, big, Row.of(1, 21)));
      assertThat(tasks.small(Row.ofKind(RowKind.UPDATE_BEFORE, 1, 20)))
          .containsExactly(pair(RowKind.DELETE, big, Row.of(1, 20)));
      assertThat(tasks.small(Row.ofKind(RowKind.DELETE, 1, 21)))
          .containsExactly(
              pair(RowKind.DELETE, big, Row.of(1, 21)), pair(RowKind.INSERT, big, null));
      assertThat(tasks.big(Row.ofKind(RowKind.UPDATE_BEFORE, 1, 10)))
          .containsExactly(pair(RowKind.DELETE, big, null));
    }
  }

  @Test
  void rowsWithoutAKeyAreNotKept() throws Exception {
    try (JoinTasks inner = tasks(false, Duration.ZERO, Duration.ZERO);
        JoinTasks outer = tasks(true, Duration.ZERO, Duration.ZERO)) {
      Row withoutKey = Row.of(null, 10);
      assertThat(inner.big(withoutKey)).isEmpty();
      assertThat(inner.small(withoutKey)).isEmpty();
      assertThat(outer.big(withoutKey)).containsExactly(pair(RowKind.INSERT, withoutKey, null));
      assertThat(outer.small(withoutKey)).isEmpty();
      assertThat(outer.big(Row.ofKind(RowKind.DELETE, null, 10)))
          .containsExactly(pair(RowKind.DELETE, withoutKey, null));
      inner.big(Row.of(1, 11));
      assertThat(inner.stateKeys()).isOne();
      assertThat(outer.stateKeys()).isZero();
    }
  }

  /** A row may have expired before it is taken back: its pairs have to go all the same. */
  @Test
  void takingBackARowThatIsNotThereTakesBackItsPairs() throws Exception {
    try (JoinTasks tasks = tasks(false, Duration.ZERO, Duration.ZERO)) {
      tasks.small(Row.of(1, 20));
      assertThat(tasks.big(Row.ofKind(RowKind.DELETE, 1, 10)))
          .containsExactly(pair(RowKind.DELETE, Row.of(1, 10), Row.of(1, 20)));
      tasks.big(Row.of(1, 11));
      assertThat(tasks.small(Row.ofKind(RowKind.DELETE, 1, 21)))
          .containsExactly(pair(RowKind.DELETE, Row.of(1, 11), Row.of(1, 21)));
      assertThat(tasks.big(Row.of(1, 12)))
          .containsExactly(pair(RowKind.INSERT, Row.of(1, 12), Row.of(1, 20)));
    }
  }

  @Test
  void rowsOfEitherSideExpireOnTheirOwn() throws Exception {
    try (JoinTasks tasks = tasks(true, Duration.ofMillis(100), Duration.ofMillis(1_000))) {
      tasks.setTime(1);
      tasks.big(Row.of(1, 10));
      tasks.small(Row.of(2, 20));
      tasks.setTime(90);
      tasks.big(Row.of(1, 11));
      tasks.setTime(150);
      assertThat(tasks.small(Row.of(1, 20)))
          .as("of the big rows the second is still there")
          .containsExactly(
              pair(RowKind.DELETE, Row.of(1, 11), null),
              pair(RowKind.INSERT, Row.of(1, 11), Row.of(1, 20)));
      tasks.setTime(1_000);
      assertThat(tasks.big(Row.of(2, 12)))
          .containsExactly(pair(RowKind.INSERT, Row.of(2, 12), Row.of(2, 20)));
      tasks.setTime(1_001);
      assertThat(tasks.big(Row.of(2, 13)))
          .containsExactly(pair(RowKind.INSERT, Row.of(2, 13), null));
      TypeInformation<Row> type = Types.ROW(Types.INT, Types.INT);
      assertThat(tasks.smallRows(type)).containsExactly(2, 2);
      tasks.rescale(1);
      assertThat(tasks.smallRows(type))
          .as("expired rows are dropped with a snapshot")
          .containsExactly(1);
      assertThat(tasks.big(Row.of(1, 14)))
          .containsExactly(pair(RowKind.INSERT, Row.of(1, 14), Row.of(1, 20)));
    }
  }

  private static final TypeInformation<Row> MANY_TYPES =
      Types.ROW(
          Types.INT,
          Types.STRING,
          Types.BOOLEAN,
          Types.BYTE,
          Types.SHORT,
          Types.LONG,
          Types.FLOAT,
          Types.DOUBLE,
          Types.BIG_DEC,
          Types.PRIMITIVE_ARRAY(Types.BYTE),
          Types.LOCAL_DATE,
          Types.LOCAL_TIME,
          Types.LOCAL_DATE_TIME,
          Types.INSTANT,
          Types.ROW_NAMED(new String[] {"a", "b"}, Types.INT, Types.STRING));

  private static final Row MANY_VALUES =
      Row.of(
          1,
          "中文 \uD83D\uDE00",
          true,
          (byte) -1,
          (short) -2,
          Long.MIN_VALUE,
          -0.0f,
          Double.NaN,
          new BigDecimal("123456789012345678901234567890.00"),
          new byte[] {0, -1},
          LocalDate.of(2024, 2, 29),
          LocalTime.of(12, 34, 56, 789_000_000),
          LocalDateTime.of(2024, 2, 29, 12, 34, 56, 123_456_789),
          Instant.ofEpochSecond(-1, 999_999_999),
          Row.of(7, null));

  /** What no type of the DataStream API holds is written in Flink's internal form. */
  private static final TypeInformation<Row> INTERNAL_TYPES =
      ExternalTypeInfo.of(
          DataTypes.ROW(
              DataTypes.INT(),
              DataTypes.STRING(),
              DataTypes.ARRAY(DataTypes.INT()),
              DataTypes.MAP(DataTypes.STRING(), DataTypes.ARRAY(DataTypes.BYTES())),
              DataTypes.MULTISET(DataTypes.INT()),
              DataTypes.INTERVAL(DataTypes.DAY()),
              DataTypes.INTERVAL(DataTypes.MONTH())));

  private static final Row INTERNAL_VALUES =
      Row.of(
          1,
          "x",
          new Integer[] {1, null},
          Map.of("a", new byte[][] {{1}, {}}),
          Map.of(5, 2),
          Duration.ofDays(3),
          Period.ofMonths(14));

  static Stream<Arguments> backendsAndRows() {
    return Stream.of("hashmap", "rocksdb")
        .flatMap(
            backend ->
                Stream.of(
                    Arguments.of(backend, MANY_TYPES, MANY_VALUES),
                    Arguments.of(backend, INTERNAL_TYPES, INTERNAL_VALUES)));
  }

  @ParameterizedTest
  @MethodSource("backendsAndRows")
  void everyTypePassesThroughState(String backend, TypeInformation<Row> type, Row full)
      throws Exception {
    Row empty = Row.withPositions(full.getArity());
    empty.setField(0, 1);
    BroadcastJoinOperator.Side big = side(true, type, 0, Duration.ZERO);
    BroadcastJoinOperator.Side small = side(false, type, 0, Duration.ZERO);

    try (JoinTasks tasks = tasks(false, big, small, backend, 2)) {
      tasks.big(full);
      tasks.big(empty);
      tasks.rescale(4);
      assertThat(tasks.small(full))
          .containsExactlyInAnyOrder(
              pair(RowKind.INSERT, full, full), pair(RowKind.INSERT, empty, full));
      tasks.rescale(1);
      assertThat(tasks.small(empty))
          .containsExactlyInAnyOrder(
              pair(RowKind.INSERT, full, empty), pair(RowKind.INSERT, empty, empty));
      assertThat(tasks.big(removed(full)))
          .containsExactlyInAnyOrder(
              pair(RowKind.DELETE, full, full), pair(RowKind.DELETE, full, empty));
      assertThat(tasks.small(removed(full))).containsExactly(pair(RowKind.DELETE, empty, full));
    }
  }

  private static Row removed(Row row) {
    Row removed = Row.copy(row);
    removed.setKind(RowKind.DELETE);
    return removed;
  }

  /**
   * A savepoint that this operator has once written. If it cannot be restored any more, neither can
   * the jobs of users: the change has to be undone, or to read both forms.
   *
   * <p>To write one for a further form of the state, in addition, take {@code savepoint(tasks)} of
   * tasks that have got the rows below, run on the oldest supported Flink, and put it into
   * src/test/resources/savepoints with OperatorSnapshotUtil.writeStateHandle, which is what the
   * test does if it is run with -Dhintflow.golden=rewrite.
   */
  @ParameterizedTest
  @ValueSource(strings = {"hashmap", "rocksdb"})
  void aSavepointOfAnEarlierVersionIsRestored(String backend) throws Exception {
    BroadcastJoinOperator.Side big = side(true, MANY_TYPES, 0, Duration.ZERO);
    BroadcastJoinOperator.Side small = side(false, MANY_TYPES, 0, Duration.ZERO);
    Path savepoint = Path.of("src/test/resources/savepoints/broadcast-join");
    if (System.getProperty("hintflow.golden", "").equals("rewrite")) {
      try (JoinTasks tasks = tasks(true, big, small, backend, 1)) {
        tasks.big(MANY_VALUES);
        tasks.big(MANY_VALUES);
        tasks.small(MANY_VALUES);
        Files.createDirectories(savepoint.getParent());
        OperatorSnapshotUtil.writeStateHandle(tasks.savepoint(), savepoint.toString());
      }
    }

    try (JoinTasks tasks =
        new JoinTasks(
            List.of(join(true, big, small)),
            BY_SECOND_FIELD,
            backend,
            2,
            List.<OperatorSubtaskState[]>of(
                new OperatorSubtaskState[] {
                  OperatorSnapshotUtil.readStateHandle(savepoint.toString())
                }))) {
      assertThat(tasks.small(removed(MANY_VALUES)))
          .containsExactly(
              pair(RowKind.DELETE, MANY_VALUES, MANY_VALUES),
              pair(RowKind.INSERT, MANY_VALUES, null),
              pair(RowKind.DELETE, MANY_VALUES, MANY_VALUES),
              pair(RowKind.INSERT, MANY_VALUES, null));
      assertThat(tasks.big(removed(MANY_VALUES)))
          .containsExactly(pair(RowKind.DELETE, MANY_VALUES, null));
    }
  }

  @Test
  void aSmallRowLooksUpItsPartnersHoweverManyOtherRowsThereAre() throws Exception {
    double ratio = Double.MAX_VALUE;
    // A scan would take a hundred times as long, every time. A busy machine, or one with little
    // memory near its processor, can make measurements longer, but not all of them that much.
    for (int attempt = 0; attempt < 5 && ratio > 20; attempt++) {
      double amongFew = nanosecondsOfASmallRow(10_000, 1_000);
      ratio = Math.min(ratio, nanosecondsOfASmallRow(1_000_000, 100_000) / amongFew);
    }
    assertThat(ratio).as("time among a million rows, against ten thousand").isLessThanOrEqualTo(20);
  }

  /** The median, with ten big rows to each key. */
  private static long nanosecondsOfASmallRow(int bigRows, int keys) throws Exception {
    try (JoinTasks tasks =
        tasks(false, side(true, Duration.ZERO), side(false, Duration.ZERO), "hashmap", 1)) {
      for (int index = 0; index < bigRows; index++) {
        tasks.big(Row.of(index % keys, index));
      }
      List<Object> visitedKeys = tasks.watchKeys();
      List<Long> nanoseconds = new ArrayList<>();
      for (int key = 0; key < 1_000; key++) {
        long start = System.nanoTime();
        List<Row> pairs = tasks.small(Row.of(key, key));
        nanoseconds.add(System.nanoTime() - start);
        assertThat(pairs).hasSize(10);
      }
      assertThat(visitedKeys).hasSize(1_000 * JoinTasks.MAX_PARALLELISM);
      Collections.sort(nanoseconds);
      return nanoseconds.get(nanoseconds.size() / 2);
    }
  }
}
