package io.hintflow.transpiler.analysis;

/** Whether a column carries a notion of time that Flink's operators can work with. */
public enum TimeAttribute {
  NONE,
  /** Event time: record timestamps and watermarks travel with the column. */
  ROWTIME,
  /** Processing time: the clock of the task that reads the column. */
  PROCTIME
}
