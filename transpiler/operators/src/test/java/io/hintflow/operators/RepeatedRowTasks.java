package io.hintflow.operators;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateBackendLoader;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.types.Row;

/**
 * The tasks of a filter of repeated rows, without a cluster: rows go in one by one, and come out at
 * once.
 */
final class RepeatedRowTasks implements AutoCloseable {
  private static final int MAX_PARALLELISM = 16;

  private final TypeInformation<Row> type;
  private final KeySelector<Row, Long> placement;
  private final boolean insertOnly;
  private final Duration retention;
  private final String backend;
  private List<Task> tasks = List.of();
  private long suppressedDuplicates;
  private long time = 1;

  /** A task with the filter. */
  private final class Task {
    final TaskMetrics metrics = new TaskMetrics();
    final MockEnvironment environment;
    final KeyedOneInputStreamOperatorTestHarness<Long, Row, Row> harness;

    Task(int parallelism, int index) throws Exception {
      environment =
          new MockEnvironmentBuilder()
              .setMetricGroup(metrics.group())
              .setMaxParallelism(MAX_PARALLELISM)
              .setParallelism(parallelism)
              .setSubtaskIndex(index)
              .build();
      harness =
          new KeyedOneInputStreamOperatorTestHarness<>(
              new KeyedProcessOperator<>(new RepeatedRowFilter(type, insertOnly, retention)),
              placement,
              Types.LONG,
              environment);
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

  /**
   * @param type of the rows
   * @param placement the key by which Flink chooses the task of a row
   * @param insertOnly whether rows are never taken back
   * @param retention how long to keep a row; zero for ever
   * @param backend hashmap or rocksdb
   */
  RepeatedRowTasks(
      TypeInformation<Row> type,
      KeySelector<Row, Long> placement,
      boolean insertOnly,
      Duration retention,
      String backend,
      int parallelism)
      throws Exception {
    this.type = type;
    this.placement = placement;
    this.insertOnly = insertOnly;
    this.retention = retention;
    this.backend = backend;
    start(parallelism, OperatorSubtaskState.builder().build());
  }

  /** What the filter lets out for a row. */
  List<Row> process(Row row) throws Exception {
    Task task =
        tasks.get(
            KeyGroupRangeAssignment.assignKeyToParallelOperator(
                placement.getKey(row), MAX_PARALLELISM, tasks.size()));
    // The filter makes an insertion or a deletion of the row that it gets.
    task.harness.processElement(new StreamRecord<>(Row.copy(row)));
    List<Row> output = task.harness.extractOutputValues();
    task.harness.getOutput().clear();
    return output;
  }

  /** Takes a snapshot and goes on from it with another number of tasks. */
  void rescale(int parallelism) throws Exception {
    OperatorSubtaskState[] states = new OperatorSubtaskState[tasks.size()];
    for (int task = 0; task < states.length; task++) {
      states[task] = tasks.get(task).harness.snapshot(time, time);
    }
    close();
    start(parallelism, AbstractStreamOperatorTestHarness.repackageState(states));
  }

  /** Sets the clock by which rows expire, in milliseconds. */
  void setTime(long time) throws Exception {
    this.time = time;
    for (Task task : tasks) {
      setTime(task);
    }
  }

  /** The counter of all tasks, from the beginning. */
  long suppressedDuplicates() {
    return suppressedDuplicates
        + tasks.stream().mapToLong(task -> task.metrics.count("suppressedDuplicates")).sum();
  }

  /** How many keys there are in the state of all tasks; in memory only. */
  int stateKeys() {
    return tasks.stream().mapToInt(task -> task.harness.numKeyedStateEntries()).sum();
  }

  @Override
  public void close() {
    suppressedDuplicates = suppressedDuplicates();
    tasks.forEach(Task::close);
    tasks = List.of();
  }

  private void start(int parallelism, OperatorSubtaskState state) throws Exception {
    tasks = new ArrayList<>();
    for (int index = 0; index < parallelism; index++) {
      Task task = new Task(parallelism, index);
      tasks.add(task);
      task.harness.setStateBackend(
          StateBackendLoader.loadStateBackendFromConfig(
              Configuration.fromMap(Map.of("state.backend.type", backend)),
              RepeatedRowTasks.class.getClassLoader(),
              null));
      setTime(task);
      task.harness.setup(
          type.createSerializer(task.harness.getExecutionConfig().getSerializerConfig()));
      // Of the state of all tasks, Flink picks the key groups of this one.
      task.harness.initializeState(
          AbstractStreamOperatorTestHarness.repartitionOperatorState(
              state, MAX_PARALLELISM, parallelism, parallelism, index));
      task.harness.open();
    }
  }

  private void setTime(Task task) throws Exception {
    task.harness.setProcessingTime(time);
    task.harness.setStateTtlProcessingTime(time);
  }
}
