package io.hintflow.operators;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateBackendLoader;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.types.Row;

/** The tasks of a broadcast join without a cluster: rows go in one by one, and come out at once. */
final class JoinTasks implements AutoCloseable {
  static final int MAX_PARALLELISM = 16;

  /** Makes the operator of one task. */
  interface Operators {
    BroadcastJoinOperator create();
  }

  private final Operators operators;
  private final KeySelector<Row, Long> distribution;
  private final String backend;
  private final List<KeyedTwoInputStreamOperatorTestHarness<Long, Row, Row, Row>> tasks =
      new ArrayList<>();
  private long time = 1;

  /**
   * @param distribution the key by which Flink would choose the task of a big row
   * @param backend hashmap or rocksdb
   */
  JoinTasks(
      Operators operators, KeySelector<Row, Long> distribution, String backend, int parallelism)
      throws Exception {
    this.operators = operators;
    this.distribution = distribution;
    this.backend = backend;
    for (int task = 0; task < parallelism; task++) {
      start(task(task, parallelism));
    }
  }

  /** What the join lets out for a big row. */
  List<Row> big(Row row) throws Exception {
    int task =
        KeyGroupRangeAssignment.assignKeyToParallelOperator(
            distribution.getKey(row), MAX_PARALLELISM, tasks.size());
    tasks.get(task).processElement1(new StreamRecord<>(Row.copy(row)));
    return output();
  }

  /** What the join lets out for a small row, which goes to each task. */
  List<Row> small(Row row) throws Exception {
    for (KeyedTwoInputStreamOperatorTestHarness<Long, Row, Row, Row> task : tasks) {
      task.processElement2(new StreamRecord<>(Row.copy(row)));
    }
    return output();
  }

  /** Takes a snapshot and goes on from it with another number of tasks. */
  void rescale(int parallelism) throws Exception {
    OperatorSubtaskState[] states = new OperatorSubtaskState[tasks.size()];
    for (int task = 0; task < states.length; task++) {
      states[task] = tasks.get(task).snapshot(time, time);
    }
    close();
    OperatorSubtaskState state = AbstractStreamOperatorTestHarness.repackageState(states);
    for (int task = 0; task < parallelism; task++) {
      KeyedTwoInputStreamOperatorTestHarness<Long, Row, Row, Row> restored =
          task(task, parallelism);
      restored.initializeState(
          AbstractStreamOperatorTestHarness.repartitionOperatorState(
              state, MAX_PARALLELISM, states.length, parallelism, task));
      start(restored);
    }
  }

  /** Sets the clock by which rows expire, in milliseconds. */
  void setTime(long time) throws Exception {
    this.time = time;
    for (KeyedTwoInputStreamOperatorTestHarness<Long, Row, Row, Row> task : tasks) {
      setTime(task);
    }
  }

  @Override
  public void close() {
    for (KeyedTwoInputStreamOperatorTestHarness<Long, Row, Row, Row> task : tasks) {
      try {
        task.close();
      } catch (Exception failure) {
        throw new IllegalStateException("A task of the test could not be closed.", failure);
      }
    }
    tasks.clear();
  }

  private KeyedTwoInputStreamOperatorTestHarness<Long, Row, Row, Row> task(
      int index, int parallelism) throws Exception {
    KeyedTwoInputStreamOperatorTestHarness<Long, Row, Row, Row> task =
        new KeyedTwoInputStreamOperatorTestHarness<>(
            operators.create(),
            distribution,
            null,
            Types.LONG,
            MAX_PARALLELISM,
            parallelism,
            index);
    task.setStateBackend(
        StateBackendLoader.loadStateBackendFromConfig(
            Configuration.fromMap(Map.of("state.backend.type", backend)),
            JoinTasks.class.getClassLoader(),
            null));
    setTime(task);
    task.setup();
    return task;
  }

  private void start(KeyedTwoInputStreamOperatorTestHarness<Long, Row, Row, Row> task)
      throws Exception {
    task.open();
    tasks.add(task);
  }

  private void setTime(KeyedTwoInputStreamOperatorTestHarness<Long, Row, Row, Row> task)
      throws Exception {
    task.setProcessingTime(time);
    task.setStateTtlProcessingTime(time);
  }

  private List<Row> output() {
    List<Row> rows = new ArrayList<>();
    for (KeyedTwoInputStreamOperatorTestHarness<Long, Row, Row, Row> task : tasks) {
      rows.addAll(task.extractOutputValues());
      task.getOutput().clear();
    }
    return rows;
  }
}
