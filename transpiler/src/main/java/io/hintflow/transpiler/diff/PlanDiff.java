package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.diff.StateVerdict.Fate;
import io.hintflow.transpiler.plan.JobPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is different between two plans, stage by stage, and what a savepoint of the old job is worth
 * to the new one. How the scripts are laid out, their names and the lines of their statements do
 * not count; secrets are masked on both sides.
 *
 * @param job what is different in the job as a whole: Flink's version, settings, dependencies
 * @param stages those in which something is different, in the order of the new plan, removed ones
 *     where they were
 */
public record PlanDiff(List<Change.Value> job, List<StageDiff> stages, Savepoint savepoint) {
  /** What the new job makes of a savepoint of the old one, by the worst that becomes of a state. */
  public enum Savepoint {
    /** Nothing is kept, so that it is not needed. */
    EMPTY,
    /** It is restored as a whole. */
    RESTORED,
    /** It is restored only with {@code --allowNonRestoredState}, and state is lost. */
    LOSES_STATE,
    /** It must not be restored. */
    UNUSABLE
  }

  public static PlanDiff between(JobPlan before, JobPlan after) {
    StagePairs pairs = StagePairs.of(before, after);
    StateComparison states = new StateComparison(before, after, pairs);
    List<StageDiff> all = new ArrayList<>();
    for (StagePairs.Pair pair : pairs.inOrder()) {
      all.add(
          new StageDiff(
              pair.stage().id(),
              pair.formerId(),
              StageContent.kind(pair.stage()),
              pair.before().map(stage -> stage.origin()),
              pair.after().map(stage -> stage.origin()),
              pair.moved(),
              pair.changes(),
              states.of(pair)));
    }
    return new PlanDiff(
        JobChanges.between(before, after),
        all.stream().filter(StageDiff::differs).toList(),
        savepoint(all.stream().flatMap(stage -> stage.state().stream()).map(StateVerdict::fate)));
  }

  private static Savepoint savepoint(Stream<Fate> fates) {
    Optional<Fate> worst = fates.filter(fate -> fate != Fate.NEW).max(Fate::compareTo);
    return worst
        .map(
            fate ->
                switch (fate) {
                  case KEPT, NEW -> Savepoint.RESTORED;
                  case DROPPED -> Savepoint.LOSES_STATE;
                  case INCOMPATIBLE -> Savepoint.UNUSABLE;
                })
        .orElse(Savepoint.EMPTY);
  }

  /** The stages that are different in themselves. */
  List<StageDiff> changed() {
    return stages.stream().filter(stage -> !stage.isUnchanged()).toList();
  }

  /** Whether nothing is different. */
  public boolean isEmpty() {
    return job.isEmpty() && stages.isEmpty();
  }
}
