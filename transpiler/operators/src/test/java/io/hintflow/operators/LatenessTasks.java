package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.types.Row;
import org.apache.flink.util.OutputTag;

/**
 * The tasks of a split without a cluster. Rows have a time and a key; they go in one by one, and
 * come out in one of both outputs at once.
 */
final class LatenessTasks implements AutoCloseable {
  private static final int MAX_PARALLELISM = 16;

  private final EventTimeWindow window;
  private final Optional<ZoneId> zone;
  private final long allowedLateness;
  private final Duration retention;
  private final boolean alone;
  private final OutputTag<Row> late;
  private List<Task> tasks = List.of();
  private long lateRows;
  private long watermark = Long.MIN_VALUE;
  private long clock;

  /** What a row missed: the start and end of its window; empty for a row that is in none. */
  record Missed(Optional<LocalDateTime> start, Optional<LocalDateTime> end) {
    static Missed window(String start, String end) {
      return new Missed(
          Optional.of(LocalDateTime.parse(start)), Optional.of(LocalDateTime.parse(end)));
    }

    static Missed noWindow() {
      return new Missed(Optional.empty(), Optional.empty());
    }
  }

  /** A task with the split. */
  private final class Task {
    final TaskMetrics metrics = new TaskMetrics();
    final MockEnvironment environment;
    final AbstractStreamOperatorTestHarness<Row> harness;

    Task(int before, int parallelism, int index, OperatorSubtaskState state) throws Exception {
      environment =
          new MockEnvironmentBuilder()
              .setMetricGroup(metrics.group())
              .setMaxParallelism(MAX_PARALLELISM)
              .setParallelism(parallelism)
              .setSubtaskIndex(index)
              .build();
      harness = isKeyed() ? keyed() : unkeyed();
      setTime();
      harness.setup();
      // Of the state of all tasks, Flink picks the key groups of this one.
      harness.initializeState(
          AbstractStreamOperatorTestHarness.repartitionOperatorState(
              state, MAX_PARALLELISM, before, parallelism, index));
      harness.open();
    }

    private OneInputStreamOperatorTestHarness<Tuple2<Integer, Row>, Row> unkeyed()
        throws Exception {
      ProcessFunction<Tuple2<Integer, Row>, Row> split =
          window instanceof EventTimeWindow.Aligned aligned
              ? new AlignedLateness<>(aligned, allowedLateness, windowClock(), late)
              : new UnboundedOverLateness<>(late);
      return new OneInputStreamOperatorTestHarness<>(new ProcessOperator<>(split), environment);
    }

    private KeyedOneInputStreamOperatorTestHarness<Row, Row, Row> keyed() throws Exception {
      KeyedProcessFunction<Row, Row, Row> split =
          window instanceof EventTimeWindow.Session session
              ? new SessionLateness<>(session, windowClock(), late)
              : new BoundedOverLateness<>(
                  (EventTimeWindow.BoundedOver) window, retention, alone, late);
      return new KeyedOneInputStreamOperatorTestHarness<>(
          new KeyedProcessOperator<>(split),
          LatenessTasks::key,
          Types.ROW(Types.STRING),
          environment);
    }

    @SuppressWarnings("unchecked")
    void process(StreamRecord<Row> row) throws Exception {
      if (isKeyed()) {
        ((KeyedOneInputStreamOperatorTestHarness<Row, Row, Row>) harness).processElement(row);
      } else {
        ((OneInputStreamOperatorTestHarness<Tuple2<Integer, Row>, Row>) harness)
            .processElement(new StreamRecord<>(Tuple2.of(0, row.getValue()), row.getTimestamp()));
      }
    }

    void processWatermark() throws Exception {
      ((OneInputStreamOperatorTestHarness<?, Row>) harness).processWatermark(watermark);
      harness.getOutput().clear();
    }

    void setTime() throws Exception {
      harness.setProcessingTime(clock);
      harness.setStateTtlProcessingTime(clock);
    }

    void close() {
      try {
        harness.close();
        environment.close();
      } catch (Exception failure) {
        throw new IllegalStateException("A task of the test could not be closed.", failure);
      }
    }
  }

  /** Tasks of a rowtime of type TIMESTAMP. */
  static LatenessTasks of(EventTimeWindow window) throws Exception {
    return new LatenessTasks(window, Optional.empty(), 0, Duration.ZERO, 1);
  }

  /**
   * @param zone for a rowtime of type TIMESTAMP_LTZ; empty for TIMESTAMP
   * @param allowedLateness in milliseconds; for aligned windows only
   * @param retention for the bounded OVER only
   */
  LatenessTasks(
      EventTimeWindow window,
      Optional<ZoneId> zone,
      long allowedLateness,
      Duration retention,
      int parallelism)
      throws Exception {
    this(window, zone, allowedLateness, retention, parallelism, true);
  }

  /**
   * As above.
   *
   * @param alone whether the window behind sees the same watermarks; for the bounded OVER only
   */
  LatenessTasks(
      EventTimeWindow window,
      Optional<ZoneId> zone,
      long allowedLateness,
      Duration retention,
      int parallelism,
      boolean alone)
      throws Exception {
    this.window = window;
    this.zone = zone;
    this.allowedLateness = allowedLateness;
    this.retention = retention;
    this.alone = alone;
    TypeInformation<?> time = zone.isPresent() ? Types.INSTANT : Types.LOCAL_DATE_TIME;
    this.late = LateRow.tag(Types.ROW(time, Types.STRING));
    start(parallelism, parallelism, OperatorSubtaskState.builder().build());
  }

  private boolean isKeyed() {
    return window instanceof EventTimeWindow.Session
        || window instanceof EventTimeWindow.BoundedOver;
  }

  private WindowClock windowClock() {
    return WindowClock.of(zone.orElse(ZoneOffset.UTC));
  }

  private static Row key(Row row) {
    return Row.of(row.<Object>getField(1));
  }

  /** For the only key. */
  Optional<Missed> process(String time) throws Exception {
    return process(instant(time), Optional.of("a"));
  }

  Optional<Missed> process(String time, String key) throws Exception {
    return process(instant(time), Optional.of(key));
  }

  /**
   * @param time an instant, or without a zone the milliseconds of a TIMESTAMP
   * @param key NULL if empty
   * @return empty for a row that passes
   */
  Optional<Missed> process(long time, Optional<String> key) throws Exception {
    Instant instant = Instant.ofEpochMilli(time);
    Row row =
        Row.of(
            zone.isPresent() ? instant : LocalDateTime.ofInstant(instant, ZoneOffset.UTC),
            key.orElse(null));
    Task task =
        tasks.get(
            isKeyed()
                ? KeyGroupRangeAssignment.assignKeyToParallelOperator(
                    key(row), MAX_PARALLELISM, tasks.size())
                : Math.floorMod(time, tasks.size()));
    task.process(new StreamRecord<>(row, time));
    List<Row> passed = task.harness.extractOutputValues();
    task.harness.getOutput().clear();
    List<Row> missed = new ArrayList<>();
    var sideOutput = task.harness.getSideOutput(late);
    if (sideOutput != null) {
      sideOutput.forEach(record -> missed.add(record.getValue()));
      sideOutput.clear();
    }
    assertThat(passed.size() + missed.size()).as("in exactly one of both outputs").isOne();
    if (missed.isEmpty()) {
      assertThat(passed).containsExactly(row);
      return Optional.empty();
    }
    assertThat(LateRow.row(missed.get(0))).isEqualTo(row);
    return Optional.of(
        new Missed(
            Optional.ofNullable(missed.get(0).getFieldAs(1)),
            Optional.ofNullable(missed.get(0).getFieldAs(2))));
  }

  /** Lets all tasks see a watermark. */
  void processWatermark(long watermark) throws Exception {
    this.watermark = watermark;
    for (Task task : tasks) {
      task.processWatermark();
    }
  }

  void processWatermark(String watermark) throws Exception {
    processWatermark(instant(watermark));
  }

  /** Of a time with a zone, or without one for a TIMESTAMP. */
  private static long instant(String time) {
    return time.endsWith("Z")
        ? Instant.parse(time).toEpochMilli()
        : LocalDateTime.parse(time).toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  /** Takes a snapshot and goes on from it with another number of tasks, and the same watermark. */
  void rescale(int parallelism) throws Exception {
    OperatorSubtaskState[] states = new OperatorSubtaskState[tasks.size()];
    for (int task = 0; task < states.length; task++) {
      states[task] = tasks.get(task).harness.snapshot(1, 1);
    }
    close();
    start(states.length, parallelism, AbstractStreamOperatorTestHarness.repackageState(states));
    if (watermark > Long.MIN_VALUE) {
      processWatermark(watermark);
    }
  }

  /** As {@link #rescale}, but no watermark comes yet, as after a restart. */
  void restart(int parallelism) throws Exception {
    long before = watermark;
    watermark = Long.MIN_VALUE;
    rescale(parallelism);
    watermark = before;
  }

  /** Sets the clock by which idle keys expire. */
  void setClock(Duration clock) throws Exception {
    this.clock = clock.toMillis();
    for (Task task : tasks) {
      task.setTime();
    }
  }

  /** The counter of all tasks, from the beginning. */
  long lateRows() {
    return lateRows + tasks.stream().mapToLong(task -> task.metrics.count("lateRows")).sum();
  }

  /** How many entries there are in the state of all tasks, those with nothing in them included. */
  int stateEntries() {
    return tasks.stream().mapToInt(task -> keyed(task).numKeyedStateEntries()).sum();
  }

  int timers() {
    return tasks.stream().mapToInt(task -> keyed(task).numEventTimeTimers()).sum();
  }

  private static KeyedOneInputStreamOperatorTestHarness<?, ?, ?> keyed(Task task) {
    return (KeyedOneInputStreamOperatorTestHarness<?, ?, ?>) task.harness;
  }

  private void start(int before, int parallelism, OperatorSubtaskState state) throws Exception {
    tasks = new ArrayList<>();
    for (int index = 0; index < parallelism; index++) {
      tasks.add(new Task(before, parallelism, index, state));
    }
  }

  @Override
  public void close() {
    lateRows = lateRows();
    tasks.forEach(Task::close);
    tasks = List.of();
  }
}
