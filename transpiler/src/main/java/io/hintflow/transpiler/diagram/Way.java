package io.hintflow.transpiler.diagram;

import io.hintflow.transpiler.plan.Distribution;

/** The ways in which rows travel that a picture tells apart. */
enum Way {
  PLANNED("planned", "as Flink's planner decides"),
  HASH("hash", "equal rows meet on one task"),
  BROADCAST("broadcast", "every task gets every row"),
  ROUND_ROBIN("round robin", "to the tasks in turn"),
  KEPT("stay", "rows stay on their task");

  private final String title;
  private final String meaning;

  Way(String title, String meaning) {
    this.title = title;
    this.meaning = meaning;
  }

  static Way of(Distribution distribution) {
    if (distribution instanceof Distribution.Hash) {
      return HASH;
    }
    if (distribution instanceof Distribution.Broadcast) {
      return BROADCAST;
    }
    if (distribution instanceof Distribution.RoundRobin) {
      return ROUND_ROBIN;
    }
    return distribution instanceof Distribution.Kept ? KEPT : PLANNED;
  }

  /** What a legend calls it. */
  String title() {
    return title;
  }

  /** What a legend says of it. */
  String meaning() {
    return meaning;
  }
}
