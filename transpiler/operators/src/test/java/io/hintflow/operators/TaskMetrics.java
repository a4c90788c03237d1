package io.hintflow.operators;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.metrics.groups.TaskManagerMetricGroup;
import org.apache.flink.runtime.metrics.groups.TaskMetricGroup;
import org.apache.flink.runtime.metrics.util.TestingMetricRegistry;

/** The metrics of a task without a cluster. */
final class TaskMetrics {
  private final Map<String, Metric> metrics = new HashMap<>();
  private final TaskMetricGroup group =
      TaskManagerMetricGroup.createTaskManagerMetricGroup(
              TestingMetricRegistry.builder()
                  .setRegisterConsumer((metric, name, owner) -> metrics.put(name, metric))
                  .build(),
              "localhost",
              ResourceID.generate())
          .addJob(new JobID(), "job")
          .addTask(ExecutionAttemptID.randomId(), "task");

  /** For the environment of the task. */
  TaskMetricGroup group() {
    return group;
  }

  /** How far a counter that the operator of the task has registered has come. */
  long count(String counter) {
    return ((Counter) metrics.get(counter)).getCount();
  }
}
