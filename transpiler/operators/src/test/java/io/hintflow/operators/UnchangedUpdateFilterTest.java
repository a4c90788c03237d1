package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.runtime.typeutils.ExternalTypeInfo;
import org.apache.flink.table.types.DataType;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class UnchangedUpdateFilterTest {
  private static final TypeInformation<Row> TYPE = Types.ROW(Types.INT, Types.STRING);

  private static Row before(Object... values) {
    return Row.ofKind(RowKind.UPDATE_BEFORE, values);
  }

  private static Row after(Object... values) {
    return Row.ofKind(RowKind.UPDATE_AFTER, values);
  }

  @Test
  void anUpdateThatChangesNothingIsDropped() throws Exception {
    try (UnchangedUpdateTask task = new UnchangedUpdateTask(TYPE)) {
      task.process(Row.of(1, "a"));
      task.process(before(1, "a"), after(1, "a"));
      task.process(before(1, "a"), after(1, "a"));

      assertThat(task.output()).containsExactly(Row.of(1, "a"));
      assertThat(task.suppressedUpdates()).isEqualTo(2);
    }
  }

  @Test
  void anyOtherChangeStaysAsItIs() throws Exception {
    Row[] changes = {
      Row.of(1, "a"),
      before(1, "a"),
      after(1, "b"),
      before(1, "b"),
      after(2, "b"),
      Row.ofKind(RowKind.DELETE, 2, "b"),
      Row.of(2, "b"),
      Row.ofKind(RowKind.DELETE, 2, "b"),
      after(2, "b")
    };

    try (UnchangedUpdateTask task = new UnchangedUpdateTask(TYPE)) {
      task.process(Stream.of(changes).map(Row::copy).toArray(Row[]::new));

      assertThat(task.output()).containsExactly((Object[]) changes);
      assertThat(task.suppressedUpdates()).isZero();
    }
  }

  /** An update is its two rows, one behind the other; what else looks like it is none. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UPDATE_AFTER")
  void aRowOfAnyOtherKindLetsTheRowBeforeGo(RowKind kind) throws Exception {
    try (UnchangedUpdateTask task = new UnchangedUpdateTask(TYPE)) {
      task.process(before(1, "a"));
      assertThat(task.output()).isEmpty();
      // In the end another row before is held back, and is let go by the last row.
      task.process(Row.ofKind(kind, 1, "a"), Row.of(3, "c"));

      assertThat(task.output())
          .containsExactly(before(1, "a"), Row.ofKind(kind, 1, "a"), Row.of(3, "c"));
      assertThat(task.suppressedUpdates()).isZero();
    }
  }

  @Test
  void ofTwoRowsBeforeTheSecondCanBeThatOfAnUnchangedUpdate() throws Exception {
    try (UnchangedUpdateTask task = new UnchangedUpdateTask(TYPE)) {
      task.process(before(1, "a"), before(2, "b"), after(2, "b"), after(1, "c"));

      assertThat(task.output()).containsExactly(before(1, "a"), after(1, "c"));
      assertThat(task.suppressedUpdates()).isOne();
    }
  }

  @Test
  void onlyARowBeforeIsHeldBack() throws Exception {
    try (UnchangedUpdateTask task = new UnchangedUpdateTask(TYPE)) {
      for (RowKind kind : List.of(RowKind.DELETE, RowKind.INSERT, RowKind.UPDATE_AFTER)) {
        task.process(Row.ofKind(kind, 1, "a"));
        assertThat(task.output()).containsExactly(Row.ofKind(kind, 1, "a"));
      }
      task.process(before(1, "a"));
      assertThat(task.output()).isEmpty();
    }
  }

  /** What follows a row before that is held back, other than a row. */
  private enum Event {
    WATERMARK,
    IDLENESS,
    BARRIER,
    END_OF_INPUT;

    void happenTo(UnchangedUpdateTask task) throws Exception {
      switch (this) {
        case WATERMARK -> task.processWatermark(5);
        case IDLENESS -> task.processStatus(WatermarkStatus.IDLE);
        case BARRIER -> task.processBarrier();
        case END_OF_INPUT -> task.finish();
      }
    }

    List<Object> output() {
      return switch (this) {
        case WATERMARK -> List.of(new Watermark(5));
        case IDLENESS -> List.of(WatermarkStatus.IDLE);
        case BARRIER, END_OF_INPUT -> List.of();
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void theRowBeforeComesOutAheadOfWhatFollows(Event event) throws Exception {
    List<Object> expected = new ArrayList<>(List.of(before(1, "a")));
    expected.addAll(event.output());

    try (UnchangedUpdateTask task = new UnchangedUpdateTask(TYPE)) {
      task.process(before(1, "a"));
      event.happenTo(task);
      assertThat(task.output()).isEqualTo(expected);

      event.happenTo(task);
      assertThat(task.output()).as("not once more").doesNotContain(before(1, "a"));
      task.process(after(1, "a"));
      assertThat(task.output()).as("the row after, without one before").contains(after(1, "a"));
      assertThat(task.suppressedUpdates()).isZero();
    }
  }

  @Test
  void bothRowsOfAnUpdateComeOutOnceThoughASnapshotIsTakenBetweenThem() throws Exception {
    List<Object> output = new ArrayList<>();
    OperatorSubtaskState snapshot;
    try (UnchangedUpdateTask task = new UnchangedUpdateTask(TYPE)) {
      task.process(before(1, "a"));
      task.processBarrier();
      snapshot = task.snapshot();
      output.addAll(task.output());
    }
    try (UnchangedUpdateTask task = new UnchangedUpdateTask(TYPE, Optional.of(snapshot))) {
      task.process(after(1, "a"));
      task.process(before(1, "a"), after(1, "a"));
      task.finish();
      output.addAll(task.output());
      assertThat(task.suppressedUpdates()).isOne();
    }

    assertThat(output).containsExactly(before(1, "a"), after(1, "a"));
  }

  @Test
  void recordTimestampsStay() throws Exception {
    try (UnchangedUpdateTask task = new UnchangedUpdateTask(TYPE)) {
      // As Flink does, with one object for all rows.
      StreamRecord<Row> record = new StreamRecord<>(null);
      task.process(record.replace(before(1, "a"), 7));
      task.process(record.replace(after(1, "b"), 8));
      record.eraseTimestamp();
      task.process(record.replace(before(1, "b")));
      task.process(record.replace(Row.of(2, "c"), 9));

      assertThat(task.outputWithTimestamps())
          .containsExactly(
              new StreamRecord<>(before(1, "a"), 7),
              new StreamRecord<>(after(1, "b"), 8),
              new StreamRecord<>(before(1, "b")),
              new StreamRecord<>(Row.of(2, "c"), 9));
    }
  }

  /** Pairs of one column's values: equal ones, which are not the same object, and others. */
  static Stream<Arguments> values() {
    return Stream.of(
        Arguments.of(DataTypes.INT(), 1000, Integer.valueOf("1000"), 1001),
        Arguments.of(DataTypes.INT(), null, null, 0),
        Arguments.of(DataTypes.STRING(), "ab", "a".concat("b"), ""),
        Arguments.of(DataTypes.STRING(), "", "", null),
        Arguments.of(
            DataTypes.DECIMAL(9, 2),
            new BigDecimal("1.50"),
            new BigDecimal("1.50"),
            new BigDecimal("1.51")),
        Arguments.of(DataTypes.DOUBLE(), Double.NaN, Double.NaN, 0.0),
        Arguments.of(DataTypes.BYTES(), new byte[] {1, 2}, new byte[] {1, 2}, new byte[] {1}),
        Arguments.of(
            DataTypes.ROW(DataTypes.INT(), DataTypes.ROW(DataTypes.BYTES())),
            Row.of(1, Row.of(new byte[] {1})),
            Row.of(1, Row.of(new byte[] {1})),
            Row.of(1, Row.of((Object) null))),
        Arguments.of(
            DataTypes.ARRAY(DataTypes.ARRAY(DataTypes.INT())),
            new Integer[][] {{1, null}, {}},
            new Integer[][] {{1, null}, {}},
            new Integer[][] {{1}, {}}),
        Arguments.of(
            DataTypes.MAP(DataTypes.STRING(), DataTypes.BYTES()),
            Map.of("a", new byte[] {1}, "b", new byte[] {}),
            Map.of("b", new byte[] {}, "a", new byte[] {1}),
            Map.of("a", new byte[] {1})));
  }

  @ParameterizedTest
  @MethodSource("values")
  void valuesAreComparedByWhatTheyHold(DataType type, Object value, Object equal, Object other)
      throws Exception {
    try (UnchangedUpdateTask task =
        new UnchangedUpdateTask(ExternalTypeInfo.of(DataTypes.ROW(type)))) {
      task.process(before(value), after(equal));
      assertThat(task.output()).isEmpty();
      assertThat(task.suppressedUpdates()).isOne();

      task.process(before(value), after(other));
      task.process(before(other), after(value));
      assertThat(task.output())
          .containsExactly(before(value), after(other), before(other), after(value));
      assertThat(task.suppressedUpdates()).isOne();
    }
  }
}
