package io.hintflow.operators;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.runtime.dataview.StateDataViewStore;
import org.apache.flink.table.runtime.generated.AggsHandleFunction;
import org.apache.flink.table.runtime.generated.GeneratedAggsHandleFunction;
import org.apache.flink.table.runtime.generated.GeneratedNamespaceAggsHandleFunction;
import org.apache.flink.table.runtime.generated.NamespaceAggsHandleFunction;
import org.apache.flink.table.runtime.operators.aggregate.window.WindowAggOperatorBuilder;
import org.apache.flink.table.runtime.operators.over.RowTimeRangeBoundedPrecedingFunction;
import org.apache.flink.table.runtime.operators.over.RowTimeRangeUnboundedPrecedingFunction;
import org.apache.flink.table.runtime.operators.over.RowTimeRowsBoundedPrecedingFunction;
import org.apache.flink.table.runtime.operators.window.groupwindow.operator.WindowOperatorBuilder;
import org.apache.flink.table.runtime.operators.window.tvf.common.WindowAssigner;
import org.apache.flink.table.runtime.operators.window.tvf.slicing.SliceAssigners;
import org.apache.flink.table.runtime.operators.window.tvf.unslicing.UnsliceAssigners;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;

/** A task with an operator of Flink's own that counts rows of a time and a key in windows. */
final class StockWindowTask implements AutoCloseable {
  private static final LogicalType[] COLUMNS = {
    new TimestampType(3), new VarCharType(VarCharType.MAX_LENGTH)
  };
  private static final LogicalType[] KEY = {new VarCharType(VarCharType.MAX_LENGTH)};
  private static final LogicalType[] COUNT = {new BigIntType(false)};

  private final TaskMetrics metrics = new TaskMetrics();
  private final MockEnvironment environment =
      new MockEnvironmentBuilder().setMetricGroup(metrics.group()).build();
  private final RowDataSerializer rows = new RowDataSerializer(COLUMNS);
  private final KeyedOneInputStreamOperatorTestHarness<RowData, RowData, RowData> harness;

  private StockWindowTask(OneInputStreamOperator<RowData, RowData> operator, LogicalType... output)
      throws Exception {
    RowDataSerializer keys = new RowDataSerializer(KEY);
    harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            operator,
            row -> keys.toBinaryRow(GenericRowData.of(row.getString(1))).copy(),
            InternalTypeInfo.ofFields(KEY),
            environment);
    harness.setup(new RowDataSerializer(output));
    harness.open();
  }

  /** For TUMBLE of the same step and size, too. */
  static StockWindowTask hop(Duration slide, Duration size, Duration offset, Optional<ZoneId> zone)
      throws Exception {
    return windowFunction(
        slide.equals(size)
            ? SliceAssigners.tumbling(0, zone(zone), size).withOffset(offset)
            : SliceAssigners.hopping(0, zone(zone), size, slide).withOffset(offset),
        zone);
  }

  static StockWindowTask cumulate(Duration step, Duration maximum, Optional<ZoneId> zone)
      throws Exception {
    return windowFunction(SliceAssigners.cumulative(0, zone(zone), maximum, step), zone);
  }

  static StockWindowTask session(Duration gap, Optional<ZoneId> zone) throws Exception {
    return windowFunction(UnsliceAssigners.session(0, zone(zone), gap), zone);
  }

  private static StockWindowTask windowFunction(WindowAssigner windows, Optional<ZoneId> zone)
      throws Exception {
    return new StockWindowTask(
        WindowAggOperatorBuilder.builder()
            .inputSerializer(new RowDataSerializer(COLUMNS))
            .keySerializer(new RowDataSerializer(KEY))
            .shiftTimeZone(zone(zone))
            .assigner(windows)
            .aggregate(new WindowCountClass(), new RowDataSerializer(COUNT))
            .countStarIndex(0)
            .build(),
        KEY[0],
        COUNT[0]);
  }

  static StockWindowTask groupHop(
      Duration slide, Duration size, long allowedLateness, Optional<ZoneId> zone) throws Exception {
    return groupWindow(
        WindowOperatorBuilder.builder()
            .sliding(size, slide)
            .withAllowedLateness(Duration.ofMillis(allowedLateness)),
        zone);
  }

  static StockWindowTask groupSession(Duration gap, Optional<ZoneId> zone) throws Exception {
    return groupWindow(WindowOperatorBuilder.builder().session(gap), zone);
  }

  @SuppressWarnings("unchecked")
  private static StockWindowTask groupWindow(WindowOperatorBuilder window, Optional<ZoneId> zone)
      throws Exception {
    return new StockWindowTask(
        window
            .withInputFields(COLUMNS)
            .withShiftTimezone(zone(zone))
            .withEventTime(0)
            .aggregate(
                new RowCount(),
                (row, other) -> row.getLong(0) == other.getLong(0),
                COUNT,
                COUNT,
                new LogicalType[0])
            .build(),
        KEY[0],
        COUNT[0]);
  }

  static StockWindowTask over() throws Exception {
    return over(
        new RowTimeRangeUnboundedPrecedingFunction<>(
            0, 0, new OverCountClass(), COUNT, COLUMNS, 0));
  }

  static StockWindowTask overRows(Duration retention) throws Exception {
    // As Flink's planner reckons the longest time to keep an idle key.
    long longest = retention.toMillis() * 3 / 2;
    return over(
        new RowTimeRowsBoundedPrecedingFunction<>(
            retention.toMillis(), longest, new OverCountClass(), COUNT, COLUMNS, 2, 0));
  }

  static StockWindowTask overRange(Duration range) throws Exception {
    return over(
        new RowTimeRangeBoundedPrecedingFunction<>(
            new OverCountClass(), COUNT, COLUMNS, range.toMillis(), 0));
  }

  private static StockWindowTask over(KeyedProcessFunction<RowData, RowData, RowData> function)
      throws Exception {
    return new StockWindowTask(
        new KeyedProcessOperator<>(function), COLUMNS[0], COLUMNS[1], COUNT[0]);
  }

  private static ZoneId zone(Optional<ZoneId> zone) {
    return zone.orElse(ZoneId.of("UTC"));
  }

  /** Whether the row is dropped. */
  boolean drops(long time, Optional<String> key) throws Exception {
    long before = dropped();
    RowData row =
        GenericRowData.of(
            TimestampData.fromEpochMillis(time), key.map(StringData::fromString).orElse(null));
    harness.processElement(new StreamRecord<>(rows.toBinaryRow(row).copy(), time));
    return dropped() > before;
  }

  void processWatermark(long watermark) throws Exception {
    harness.processWatermark(watermark);
    harness.getOutput().clear();
  }

  void setClock(Duration clock) throws Exception {
    harness.setProcessingTime(clock.toMillis());
  }

  private long dropped() {
    return metrics.count("numLateRecordsDropped");
  }

  @Override
  public void close() {
    try {
      harness.close();
      environment.close();
    } catch (Exception failure) {
      throw new IllegalStateException("A task of the test could not be closed.", failure);
    }
  }

  /** COUNT(*), in place of code that Flink's planner writes. */
  private static final class RowCount
      implements AggsHandleFunction, NamespaceAggsHandleFunction<Object> {
    private static final long serialVersionUID = 1L;

    private long count;

    @Override
    public void open(StateDataViewStore store) {}

    @Override
    public void accumulate(RowData row) {
      count++;
    }

    @Override
    public void retract(RowData row) {
      count--;
    }

    @Override
    public void merge(RowData other) {
      count += other.getLong(0);
    }

    @Override
    public void merge(Object window, RowData other) {
      merge(other);
    }

    @Override
    public void setAccumulators(RowData accumulators) {
      count = accumulators.getLong(0);
    }

    @Override
    public void setAccumulators(Object window, RowData accumulators) {
      setAccumulators(accumulators);
    }

    @Override
    public void resetAccumulators() {
      count = 0;
    }

    @Override
    public RowData getAccumulators() {
      return GenericRowData.of(count);
    }

    @Override
    public RowData createAccumulators() {
      return GenericRowData.of(0L);
    }

    @Override
    public RowData getValue() {
      return getAccumulators();
    }

    @Override
    public RowData getValue(Object window) {
      return getAccumulators();
    }

    @Override
    public void setWindowSize(int size) {}

    @Override
    public void cleanup() {}

    @Override
    public void cleanup(Object window) {}

    @Override
    public void close() {}
  }

  private static final class OverCountClass extends GeneratedAggsHandleFunction {
    private static final long serialVersionUID = 1L;

    OverCountClass() {
      super("RowCount", "", new Object[0]);
    }

    @Override
    public AggsHandleFunction newInstance(ClassLoader loader) {
      return new RowCount();
    }
  }

  private static final class WindowCountClass extends GeneratedNamespaceAggsHandleFunction<Object> {
    private static final long serialVersionUID = 1L;

    WindowCountClass() {
      super("RowCount", "", new Object[0]);
    }

    @Override
    public NamespaceAggsHandleFunction<Object> newInstance(ClassLoader loader) {
      return new RowCount();
    }
  }
}
