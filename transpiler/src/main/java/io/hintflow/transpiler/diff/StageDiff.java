package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.plan.Origin;
import java.util.List;
import java.util.Optional;

/**
 * What is different in one stage.
 *
 * @param id in the new plan; in the old one if it is removed
 * @param formerId in the old plan, where that is another
 * @param kind in a word
 * @param before where it comes from in the old script; absent if it is added
 * @param after where it comes from in the new script; absent if it is removed
 * @param moved whether it stands in another order among the stages that both plans have
 * @param changes what is different in it
 * @param state what becomes of what it keeps, in a savepoint of the old job
 */
public record StageDiff(
    String id,
    Optional<String> formerId,
    String kind,
    Optional<Origin> before,
    Optional<Origin> after,
    boolean moved,
    List<Change> changes,
    List<StateVerdict> state) {

  public boolean isAdded() {
    return before.isEmpty();
  }

  public boolean isRemoved() {
    return after.isEmpty();
  }

  /** Whether nothing is different but what a savepoint is worth to it. */
  public boolean isUnchanged() {
    return !isAdded() && !isRemoved() && !moved && formerId.isEmpty() && changes.isEmpty();
  }

  /** Whether anything is different, apart from the lines that it stands on. */
  boolean differs() {
    return !isUnchanged()
        || state.stream().anyMatch(verdict -> verdict.fate() != StateVerdict.Fate.KEPT);
  }
}
