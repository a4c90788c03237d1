package io.hintflow.transpiler.diff;

/**
 * What becomes of something that a stage keeps when the new job is started from a savepoint of the
 * old one.
 *
 * @param what it is, as {@link io.hintflow.transpiler.plan.HeldState#what}
 * @param reason one clause, without a full stop
 */
public record StateVerdict(String what, Fate fate, String reason) {
  /** Ordered by what it costs. */
  public enum Fate {
    /** The new job has it. */
    KEPT,
    /** It begins empty, for the old job has nothing of the kind. */
    NEW,
    /** The new job starts only if it may leave it behind ({@code --allowNonRestoredState}). */
    DROPPED,
    /**
     * The new job finds it and cannot use it: Flink refuses the savepoint, or takes what is in it
     * for something else.
     */
    INCOMPATIBLE
  }
}
