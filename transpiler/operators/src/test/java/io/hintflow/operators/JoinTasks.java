package io.hintflow.operators;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateBackendLoader;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.types.Row;

/**
 * The tasks of a broadcast join, or of several in a row, without a cluster: rows go in one by one,
 * and come out at once.
 */
final class JoinTasks implements AutoCloseable {
  static final int MAX_PARALLELISM = 16;

  /**
   * One of the joins.
   *
   * @param operator makes it for one task
   * @param type of what it lets out
   */
  record Join(Supplier<BroadcastJoinOperator> operator, TypeInformation<Row> type) {}

  /** A task with one operator of the join. */
  private static final class Task
      extends KeyedTwoInputStreamOperatorTestHarness<Long, Row, Row, Row> {
    Task(BroadcastJoinOperator operator, int parallelism, int index) throws Exception {
      super(operator, row -> 0L, null, Types.LONG, MAX_PARALLELISM, parallelism, index);
    }

    @Override
    public void close() {
      try {
        super.close();
      } catch (Exception failure) {
        throw new IllegalStateException("A task of the test could not be closed.", failure);
      }
    }
  }

  private final List<Join> joins;
  private final KeySelector<Row, Long> distribution;
  private final String backend;
  private List<List<Task>> tasksOfJoins;
  private long time = 1;

  /**
   * @param joins each but the first gets the rows of the one before, on the same task
   * @param distribution the key by which Flink would choose the task of a big row
   * @param backend hashmap or rocksdb
   */
  JoinTasks(List<Join> joins, KeySelector<Row, Long> distribution, String backend, int parallelism)
      throws Exception {
    this(
        joins,
        distribution,
        backend,
        parallelism,
        joins.stream().map(join -> new OperatorSubtaskState[] {}).toList());
  }

  /**
   * @param states of each join, those of the tasks that it had
   */
  JoinTasks(
      List<Join> joins,
      KeySelector<Row, Long> distribution,
      String backend,
      int parallelism,
      List<OperatorSubtaskState[]> states)
      throws Exception {
    this.joins = joins;
    this.distribution = distribution;
    this.backend = backend;
    start(parallelism, states);
  }

  /** What the last join lets out for a big row of the first. */
  List<Row> big(Row row) throws Exception {
    int task =
        KeyGroupRangeAssignment.assignKeyToParallelOperator(
            distribution.getKey(row), MAX_PARALLELISM, tasksOfJoins.get(0).size());
    tasksOfJoins.get(0).get(task).processElement1(new StreamRecord<>(Row.copy(row)));
    return output(0);
  }

  /** What the last join lets out for a small row of the first, which goes to each task. */
  List<Row> small(Row row) throws Exception {
    return small(0, row);
  }

  List<Row> small(int join, Row row) throws Exception {
    for (Task task : tasksOfJoins.get(join)) {
      task.processElement2(new StreamRecord<>(Row.copy(row)));
    }
    return output(join);
  }

  /** Takes a snapshot and goes on from it with another number of tasks. */
  void rescale(int parallelism) throws Exception {
    List<OperatorSubtaskState[]> states = new ArrayList<>();
    for (List<Task> tasks : tasksOfJoins) {
      OperatorSubtaskState[] statesOfTasks = new OperatorSubtaskState[tasks.size()];
      for (int task = 0; task < statesOfTasks.length; task++) {
        statesOfTasks[task] = tasks.get(task).snapshot(time, time);
      }
      states.add(statesOfTasks);
    }
    close();
    start(parallelism, states);
  }

  /** A savepoint of the only task of the only join, in the form that every state backend reads. */
  OperatorSubtaskState savepoint() throws Exception {
    return tasksOfJoins
        .get(0)
        .get(0)
        .snapshotWithLocalState(time, time, SavepointType.savepoint(SavepointFormatType.CANONICAL))
        .getJobManagerOwnedState();
  }

  /** Sets the clock by which rows expire, in milliseconds. */
  void setTime(long time) throws Exception {
    this.time = time;
    for (List<Task> tasks : tasksOfJoins) {
      for (Task task : tasks) {
        setTime(task);
      }
    }
  }

  /** How many keys the big rows of the first join have, in the state in memory of all tasks. */
  int stateKeys() {
    return tasksOfJoins.get(0).stream().mapToInt(Task::numKeyedStateEntries).sum();
  }

  /** How many small rows are in the state of each task of the first join. */
  List<Integer> smallRows(TypeInformation<Row> type) throws Exception {
    List<Integer> rows = new ArrayList<>();
    for (Task task : tasksOfJoins.get(0)) {
      int[] count = {0};
      task.getOperator()
          .getOperatorStateBackend()
          .getBroadcastState(
              new MapStateDescriptor<>("small-rows", type, Types.TUPLE(Types.INT, Types.LONG)))
          .entries()
          .forEach(row -> count[0]++);
      rows.add(count[0]);
    }
    return rows;
  }

  /** The keys under which the first join of each task looks for state, in order, from now on. */
  List<Object> watchKeys() {
    List<Object> keys = new ArrayList<>();
    for (Task task : tasksOfJoins.get(0)) {
      task.getOperator().getKeyedStateBackend().registerKeySelectionListener(keys::add);
    }
    return keys;
  }

  @Override
  public void close() {
    tasksOfJoins.forEach(tasks -> tasks.forEach(Task::close));
    tasksOfJoins = List.of();
  }

  private void start(int parallelism, List<OperatorSubtaskState[]> states) throws Exception {
    tasksOfJoins = new ArrayList<>();
    for (int join = 0; join < joins.size(); join++) {
      List<Task> tasks = new ArrayList<>();
      tasksOfJoins.add(tasks);
      OperatorSubtaskState[] statesBefore = states.get(join);
      for (int index = 0; index < parallelism; index++) {
        Task task = new Task(joins.get(join).operator.get(), parallelism, index);
        tasks.add(task);
        task.setStateBackend(
            StateBackendLoader.loadStateBackendFromConfig(
                Configuration.fromMap(Map.of("state.backend.type", backend)),
                JoinTasks.class.getClassLoader(),
                null));
        setTime(task);
        task.setup(
            joins.get(join).type.createSerializer(task.getExecutionConfig().getSerializerConfig()));
        if (statesBefore.length > 0) {
          task.initializeState(
              AbstractStreamOperatorTestHarness.repartitionOperatorState(
                  AbstractStreamOperatorTestHarness.repackageState(statesBefore),
                  MAX_PARALLELISM,
                  statesBefore.length,
                  parallelism,
                  index));
        }
        task.open();
      }
    }
  }

  private void setTime(Task task) throws Exception {
    task.setProcessingTime(time);
    task.setStateTtlProcessingTime(time);
  }

  /** Leads what a join has let out through the joins behind it. */
  private List<Row> output(int join) throws Exception {
    List<Row> rows = new ArrayList<>();
    List<Task> tasks = tasksOfJoins.get(join);
    for (int index = 0; index < tasks.size(); index++) {
      for (Row row : tasks.get(index).extractOutputValues()) {
        if (join + 1 < joins.size()) {
          tasksOfJoins.get(join + 1).get(index).processElement1(new StreamRecord<>(Row.copy(row)));
        } else {
          rows.add(row);
        }
      }
      tasks.get(index).getOutput().clear();
    }
    return join + 1 < joins.size() ? output(join + 1) : rows;
  }
}
