package io.hintflow.transpiler.plan;

import java.util.List;

/** How rows travel over an edge. */
public sealed interface Distribution {
  /** As Flink's planner decides: nothing here forces an exchange. */
  record Planned() implements Distribution {}

  /** Rows equal in these columns meet on one task, in order. */
  record Hash(List<String> columns) implements Distribution {}

  /** Rows go to the tasks in turn. */
  record RoundRobin() implements Distribution {}

  /** Every task receives every row. */
  record Broadcast() implements Distribution {}

  /** Rows stay with the task that has them. */
  record Kept() implements Distribution {}
}
