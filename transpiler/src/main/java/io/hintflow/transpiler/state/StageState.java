package io.hintflow.transpiler.state;

import io.hintflow.transpiler.plan.HeldState;

/**
 * Something that a stage keeps over a restart.
 *
 * @param foundBy how a restored job finds it in a savepoint
 */
public record StageState(FoundBy foundBy, HeldState held) {
  /** How Flink matches state with the operators of a job. */
  public enum FoundBy {
    /** By the stage's id, which its operators bear: whatever else changes. */
    ID("id"),
    /**
     * By the place of the operator in the whole job's graph: Flink numbers the operators of SQL
     * through, and a further one anywhere changes the numbers of others.
     */
    PLACE("place");

    private final String label;

    FoundBy(String label) {
      this.label = label;
    }

    /** The word for it in plan.json. */
    public String label() {
      return label;
    }
  }
}
