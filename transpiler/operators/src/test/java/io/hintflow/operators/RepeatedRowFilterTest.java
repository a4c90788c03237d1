package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.runtime.typeutils.ExternalTypeInfo;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepeatedRowFilterTest {
  private static final TypeInformation<Row> TYPE = Types.ROW(Types.INT, Types.STRING);

  private static RepeatedRowTasks tasks(String backend, Duration retention) throws Exception {
    return tasks(TYPE, backend, retention, 2);
  }

  /** Rows that are equal in their first column share the key of their state. */
  private static RepeatedRowTasks tasks(
      TypeInformation<Row> type, String backend, Duration retention, int parallelism)
      throws Exception {
    return new RepeatedRowTasks(
        type, row -> (long) RowHash.hash(row.getField(0)), false, retention, backend, parallelism);
  }

  private static Row row(RowKind kind, Object... values) {
    return Row.ofKind(kind, values);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hashmap", "rocksdb"})
  void theFirstRowPassesAndTheLastDeletion(String backend) throws Exception {
    try (RepeatedRowTasks tasks = tasks(backend, Duration.ZERO)) {
      assertThat(tasks.process(Row.of(1, "a"))).containsExactly(Row.of(1, "a"));
      assertThat(tasks.process(Row.of(1, "a"))).isEmpty();
      assertThat(tasks.process(Row.of(1, "a"))).isEmpty();
      assertThat(tasks.process(Row.of(1, "b"))).containsExactly(Row.of(1, "b"));
      assertThat(tasks.process(Row.of(1, null))).containsExactly(Row.of(1, null));
      assertThat(tasks.process(Row.of(2, "a"))).containsExactly(Row.of(2, "a"));
      assertThat(tasks.suppressedDuplicates()).isEqualTo(2);

      assertThat(tasks.process(row(RowKind.DELETE, 1, "a"))).isEmpty();
      assertThat(tasks.process(row(RowKind.DELETE, 1, "a"))).isEmpty();
      assertThat(tasks.process(row(RowKind.DELETE, 1, "a")))
          .containsExactly(row(RowKind.DELETE, 1, "a"));
      assertThat(tasks.process(row(RowKind.DELETE, 1, null)))
          .containsExactly(row(RowKind.DELETE, 1, null));
      assertThat(tasks.process(Row.of(1, "a"))).as("it is new").containsExactly(Row.of(1, "a"));
      assertThat(tasks.suppressedDuplicates()).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hashmap", "rocksdb"})
  void theKindDoesNotTellRowsApart(String backend) throws Exception {
    try (RepeatedRowTasks tasks = tasks(backend, Duration.ZERO)) {
      assertThat(tasks.process(row(RowKind.UPDATE_AFTER, 1, "a")))
          .containsExactly(row(RowKind.INSERT, 1, "a"));
      assertThat(tasks.process(row(RowKind.INSERT, 1, "a"))).isEmpty();
      assertThat(tasks.process(row(RowKind.UPDATE_AFTER, 1, "a"))).isEmpty();
      assertThat(tasks.process(row(RowKind.DELETE, 1, "a"))).isEmpty();
      assertThat(tasks.process(row(RowKind.UPDATE_BEFORE, 1, "a"))).isEmpty();
      assertThat(tasks.process(row(RowKind.UPDATE_BEFORE, 1, "a")))
          .containsExactly(row(RowKind.DELETE, 1, "a"));
      assertThat(tasks.suppressedDuplicates()).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @CsvSource({"hashmap, DELETE", "hashmap, UPDATE_BEFORE", "rocksdb, DELETE"})
  void takingBackARowThatIsNotThereDoesNothing(String backend, RowKind kind) throws Exception {
    try (RepeatedRowTasks tasks = tasks(backend, Duration.ZERO)) {
      tasks.process(Row.of(1, "b"));
      assertThat(tasks.process(row(kind, 1, "a"))).isEmpty();
      assertThat(tasks.process(row(kind, 1, "a"))).isEmpty();
      assertThat(tasks.suppressedDuplicates()).isEqualTo(2);
      assertThat(tasks.process(Row.of(1, "a")))
          .as("no deletion waits for it")
          .containsExactly(Row.of(1, "a"));
      assertThat(tasks.process(row(kind, 1, "a"))).containsExactly(row(RowKind.DELETE, 1, "a"));
      assertThat(tasks.process(row(kind, 1, "b"))).containsExactly(row(RowKind.DELETE, 1, "b"));
    }
  }

  @Test
  void nothingIsKeptOfARowThatIsGone() throws Exception {
    try (RepeatedRowTasks tasks = tasks("hashmap", Duration.ZERO)) {
      tasks.process(Row.of(1, "a"));
      tasks.process(Row.of(1, "a"));
      tasks.process(Row.of(2, "a"));
      tasks.process(row(RowKind.DELETE, 3, "a"));
      assertThat(tasks.stateKeys()).isEqualTo(2);
      tasks.process(row(RowKind.DELETE, 1, "a"));
      tasks.process(row(RowKind.DELETE, 1, "a"));
      assertThat(tasks.stateKeys()).isOne();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hashmap", "rocksdb"})
  void aRowExpiresAfterTheLastChangeOfOneLikeIt(String backend) throws Exception {
    try (RepeatedRowTasks tasks = tasks(backend, Duration.ofMillis(100))) {
      tasks.setTime(1);
      tasks.process(Row.of(1, "once"));
      tasks.process(Row.of(1, "repeated"));
      tasks.process(Row.of(1, "taken back"));
      tasks.process(Row.of(1, "taken back"));
      tasks.setTime(100);
      assertThat(tasks.process(Row.of(1, "repeated")))
          .as("what is behind must not forget it")
          .isEqualTo(updateOfItself(1, "repeated"));
      assertThat(tasks.process(row(RowKind.DELETE, 1, "taken back"))).isEmpty();

      tasks.setTime(101);
      assertThat(tasks.process(Row.of(1, "once")))
          .as("expired, so it is new")
          .containsExactly(Row.of(1, "once"));
      tasks.setTime(199);
      assertThat(tasks.process(Row.of(1, "repeated"))).isEqualTo(updateOfItself(1, "repeated"));
      assertThat(tasks.process(row(RowKind.DELETE, 1, "taken back")))
          .containsExactly(row(RowKind.DELETE, 1, "taken back"));

      tasks.rescale(1);
      tasks.setTime(298);
      assertThat(tasks.process(row(RowKind.DELETE, 1, "once"))).as("expired").isEmpty();
      assertThat(tasks.process(row(RowKind.DELETE, 1, "repeated")))
          .as("not expired, and there three times")
          .isEmpty();
      assertThat(tasks.process(Row.of(1, "repeated"))).isEqualTo(updateOfItself(1, "repeated"));
      tasks.setTime(398);
      assertThat(tasks.process(Row.of(1, "repeated"))).containsExactly(Row.of(1, "repeated"));
    }
  }

  private static List<Row> updateOfItself(Object... values) {
    return List.of(row(RowKind.UPDATE_BEFORE, values), row(RowKind.UPDATE_AFTER, values));
  }

  @Test
  void aRowThatRepeatsComesOutAgainAfterATenthOfTheRetention() throws Exception {
    try (RepeatedRowTasks tasks = tasks("hashmap", Duration.ofMillis(100))) {
      tasks.setTime(1);
      tasks.process(Row.of(1, "a"));
      tasks.setTime(10);
      assertThat(tasks.process(Row.of(1, "a"))).isEmpty();
      tasks.setTime(11);
      assertThat(tasks.process(Row.of(1, "a"))).isEqualTo(updateOfItself(1, "a"));
      tasks.setTime(20);
      assertThat(tasks.process(row(RowKind.UPDATE_AFTER, 1, "a"))).isEmpty();
      assertThat(tasks.process(row(RowKind.DELETE, 1, "a"))).isEmpty();
      tasks.setTime(21);
      assertThat(tasks.process(row(RowKind.UPDATE_AFTER, 1, "a")))
          .isEqualTo(updateOfItself(1, "a"));
      assertThat(tasks.suppressedDuplicates()).isEqualTo(3);
    }
  }

  /** An update of itself would not do, and a second insertion only once the first is forgotten. */
  @Test
  void amongInsertionsARowComesOutAgainAfterTheRetention() throws Exception {
    try (RepeatedRowTasks tasks =
        new RepeatedRowTasks(TYPE, row -> 1L, true, Duration.ofMillis(100), "hashmap", 1)) {
      tasks.setTime(1);
      tasks.process(Row.of(1, "a"));
      tasks.setTime(100);
      assertThat(tasks.process(Row.of(1, "a"))).isEmpty();
      tasks.setTime(101);
      assertThat(tasks.process(Row.of(1, "a"))).containsExactly(Row.of(1, "a"));
      tasks.setTime(200);
      assertThat(tasks.process(Row.of(1, "a"))).isEmpty();
      assertThat(tasks.suppressedDuplicates()).isEqualTo(2);
    }
  }

  @Test
  void withoutARetentionRowsNeverExpire() throws Exception {
    try (RepeatedRowTasks tasks = tasks("hashmap", Duration.ZERO)) {
      tasks.process(Row.of(1, "a"));
      tasks.setTime(Duration.ofDays(10_000).toMillis());
      assertThat(tasks.process(Row.of(1, "a"))).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hashmap", "rocksdb"})
  void countsMoveWithTheirRowsToOtherTasks(String backend) throws Exception {
    int keys = 40;
    List<Row> output = new ArrayList<>();
    try (RepeatedRowTasks tasks = tasks(TYPE, backend, Duration.ZERO, 2)) {
      for (int key = 0; key < keys; key++) {
        assertThat(tasks.process(Row.of(key, "a"))).hasSize(1);
        assertThat(tasks.process(Row.of(key, "a"))).isEmpty();
        assertThat(tasks.process(Row.of(key, "b"))).hasSize(1);
      }
      tasks.rescale(4);
      for (int key = 0; key < keys; key++) {
        assertThat(tasks.process(row(RowKind.UPDATE_BEFORE, key, "a"))).isEmpty();
        assertThat(tasks.process(row(RowKind.UPDATE_AFTER, key, "b"))).isEmpty();
      }
      tasks.rescale(1);
      for (int key = 0; key < keys; key++) {
        output.addAll(tasks.process(row(RowKind.DELETE, key, "a")));
        output.addAll(tasks.process(row(RowKind.DELETE, key, "b")));
      }
      assertThat(output).hasSize(keys).allMatch(row -> row.getField(1).equals("a"));
      tasks.rescale(2);
      output.clear();
      for (int key = 0; key < keys; key++) {
        output.addAll(tasks.process(row(RowKind.DELETE, key, "b")));
      }
      assertThat(output).hasSize(keys).allMatch(row -> row.getKind() == RowKind.DELETE);
      assertThat(tasks.suppressedDuplicates()).isEqualTo(keys * 4);
    }
  }

  /**
   * Rows of which the DataStream API knows all types, and others: state holds these in two forms.
   */
  static Stream<Arguments> backendsAndTypes() {
    TypeInformation<Row> plain =
        Types.ROW(
            Types.INT,
            Types.BIG_DEC,
            Types.PRIMITIVE_ARRAY(Types.BYTE),
            Types.ROW(Types.STRING, Types.DOUBLE));
    TypeInformation<Row> internal =
        ExternalTypeInfo.of(
            DataTypes.ROW(
                DataTypes.INT(),
                DataTypes.DECIMAL(9, 2),
                DataTypes.ARRAY(DataTypes.BYTES()),
                DataTypes.MAP(DataTypes.STRING(), DataTypes.ROW(DataTypes.INT()))));
    Row plainRow = Row.of(1, new BigDecimal("1.50"), new byte[] {1}, Row.of("中文", Double.NaN));
    Row internalRow =
        Row.of(
            1,
            new BigDecimal("1.50"),
            new byte[][] {{1}, null},
            // Rows count as equal only if maps have one order; that is so as Flink hands them over.
            new HashMap<>(Map.of("a", Row.of(5), "b", Row.of((Object) null))));
    return Stream.of("hashmap", "rocksdb")
        .flatMap(
            backend ->
                Stream.of(
                    Arguments.of(backend, plain, plainRow),
                    Arguments.of(backend, internal, internalRow)));
  }

  @ParameterizedTest
  @MethodSource("backendsAndTypes")
  void valuesAreComparedByWhatTheyHold(String backend, TypeInformation<Row> type, Row full)
      throws Exception {
    try (RepeatedRowTasks tasks = tasks(type, backend, Duration.ZERO, 2)) {
      assertThat(tasks.process(full)).containsExactly(full);
      List<Row> others = new ArrayList<>();
      for (int field = 1; field < full.getArity(); field++) {
        Row other = Row.copy(full);
        other.setField(field, null);
        others.add(other);
        assertThat(tasks.process(other)).containsExactly(other);
      }
      tasks.rescale(4);
      // A copy holds other objects, which are equal.
      Row equal = type.createSerializer(new SerializerConfigImpl()).copy(full);
      assertThat(tasks.process(equal)).isEmpty();
      for (Row other : others) {
        assertThat(tasks.process(other)).isEmpty();
      }
      equal.setKind(RowKind.DELETE);
      assertThat(tasks.process(equal)).isEmpty();
      assertThat(tasks.process(equal)).containsExactly(equal);
    }
  }
}
