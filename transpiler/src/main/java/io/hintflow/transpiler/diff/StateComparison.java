package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.diff.StagePairs.Pair;
import io.hintflow.transpiler.diff.StateVerdict.Fate;
import io.hintflow.transpiler.plan.HeldState;
import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.plan.Stage;
import io.hintflow.transpiler.plan.StateColumn;
import io.hintflow.transpiler.state.JobState;
import io.hintflow.transpiler.state.StageState;
import io.hintflow.transpiler.state.StageState.FoundBy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What becomes of the state of each stage when the new job starts from a savepoint of the old one.
 * What cannot be told without Flink's planner is taken for lost.
 */
final class StateComparison {
  private final JobState before;
  private final JobState after;
  private final StatePlaces placesBefore;
  private final StatePlaces placesAfter;
  private final Map<String, Stage> stagesBefore = new LinkedHashMap<>();

  /** By the id in the new job. */
  private final Map<String, Pair> pairsAfter = new LinkedHashMap<>();

  /** Why nothing of a savepoint can be read; absent if it can. */
  private final Optional<String> unreadable;

  /** Why Flink's numbers of SQL operators are others; absent if they are the same. */
  private final Optional<String> renumbered;

  /** Why rows in the state of SQL can not be read; absent if they can. */
  private final Optional<String> expiry;

  StateComparison(JobPlan before, JobPlan after, StagePairs pairs) {
    this.before = JobState.of(before);
    this.after = JobState.of(after);
    this.placesBefore = new StatePlaces(before, this.before);
    this.placesAfter = new StatePlaces(after, this.after);
    before.stages().forEach(stage -> stagesBefore.put(stage.id(), stage));
    pairs.inOrder().stream()
        .filter(pair -> pair.after().isPresent())
        .forEach(pair -> pairsAfter.put(pair.stage().id(), pair));
    JobGraphComparison graphs = new JobGraphComparison(before, after, pairs);
    this.unreadable = graphs.unreadable();
    this.renumbered = graphs.renumbered();
    this.expiry = graphs.expiry();
  }

  List<StateVerdict> of(Pair pair) {
    if (pair.after().isEmpty()) {
      return before.of(pair.stage().id()).stream()
          .map(state -> dropped(state, "the new job has no such stage"))
          .toList();
    }
    List<StateVerdict> verdicts = new ArrayList<>();
    verdicts.addAll(foundById(pair));
    verdicts.addAll(foundByPlace(pair));
    return List.copyOf(verdicts);
  }

  private static List<StageState> of(JobState state, String id, FoundBy foundBy) {
    return state.of(id).stream().filter(one -> one.foundBy() == foundBy).toList();
  }

  /** By the id in the new job, whatever stage of the old one had it. */
  private List<StateVerdict> foundById(Pair pair) {
    String id = pair.stage().id();
    List<StageState> now = of(after, id, FoundBy.ID);
    boolean isItsOwn = pair.before().filter(stage -> stage.id().equals(id)).isPresent();
    List<StageState> old = stagesBefore.containsKey(id) ? of(before, id, FoundBy.ID) : List.of();
    List<StateVerdict> verdicts = new ArrayList<>();
    for (int i = 0; i < now.size(); i++) {
      HeldState held = now.get(i).held();
      if (i >= old.size()) {
        verdicts.add(
            pair.formerId().isPresent()
                ? new StateVerdict(
                    held.what(),
                    Fate.DROPPED,
                    "the savepoint has it under " + pair.formerId().get())
                : new StateVerdict(held.what(), Fate.NEW, "it begins empty"));
      } else if (!isItsOwn) {
        verdicts.add(
            incompatible(
                now.get(i), "the savepoint has what another stage kept under the id " + id));
      } else {
        verdicts.add(compared(old.get(i), now.get(i), pair));
      }
    }
    for (int i = now.size(); i < old.size() && isItsOwn; i++) {
      verdicts.add(dropped(old.get(i), "the stage keeps no such thing any more"));
    }
    return verdicts;
  }

  private StateVerdict compared(StageState old, StageState now, Pair pair) {
    HeldState before = old.held();
    HeldState after = now.held();
    if (unreadable.isPresent()) {
      return incompatible(now, unreadable.get());
    }
    if (!StateColumns.areReadable(before.columns(), after.columns())) {
      return incompatible(
          now,
          "its rows were %s and are %s".formatted(text(before.columns()), text(after.columns())));
    }
    for (String name : after.dependsOn().keySet()) {
      String was = before.dependsOn().getOrDefault(name, "not there");
      if (!was.equals(after.dependsOn().get(name))) {
        return incompatible(
            now, "%s: it was %s and is %s".formatted(name, was, after.dependsOn().get(name)));
      }
    }
    return new StateVerdict(
        after.what(),
        Fate.KEPT,
        "it is found by the stage's id, and can be read"
            + (pair.sameText() ? "" : "; what it got from the old query stays in it"));
  }

  private static String text(List<StateColumn> columns) {
    return columns.stream().map(StateColumn::toString).collect(Collectors.joining(", ", "(", ")"));
  }

  /** By the number that Flink gives the operator in the whole job. */
  private List<StateVerdict> foundByPlace(Pair pair) {
    List<StageState> now = of(after, pair.stage().id(), FoundBy.PLACE);
    if (pair.before().isEmpty()) {
      return now.stream().map(state -> beginning(state, pair)).toList();
    }
    Map<String, StageState> old = new LinkedHashMap<>();
    of(before, pair.before().get().id(), FoundBy.PLACE)
        .forEach(state -> old.put(state.held().what(), state));
    List<StateVerdict> verdicts = new ArrayList<>();
    for (StageState state : now) {
      Optional<StageState> former = Optional.ofNullable(old.remove(state.held().what()));
      verdicts.add(
          former
              .map(was -> comparedByPlace(was, state, pair))
              .orElseGet(() -> beginning(state, pair)));
    }
    old.values()
        .forEach(state -> verdicts.add(dropped(state, "the stage keeps no such thing any more")));
    return verdicts;
  }

  /** Of something that the old job has nothing of, unless Flink takes something else for it. */
  private StateVerdict beginning(StageState state, Pair pair) {
    return takenFrom(pair, state)
        .map(reason -> incompatible(state, reason))
        .orElseGet(() -> new StateVerdict(state.held().what(), Fate.NEW, "it begins empty"));
  }

  /** Why Flink may take the state of something else for it, in a clause; absent if not. */
  private Optional<String> takenFrom(Pair pair, StageState now) {
    return renumbered
        .flatMap(
            reason ->
                placesBefore.takenFrom(
                    placesAfter,
                    pair.stage().id(),
                    pair.before().map(Stage::id),
                    now.held().what()))
        .map(
            "Flink goes by its place in the job alone, and may find there what %s kept"::formatted);
  }

  private StateVerdict comparedByPlace(StageState old, StageState now, Pair pair) {
    if (unreadable.isPresent()) {
      return incompatible(now, unreadable.get());
    }
    Optional<String> other =
        pair.stage() instanceof Stage.TableDefinition
            ? otherTable(old.held(), now.held(), pair)
            : otherSql(pair).or(() -> expiry);
    other = other.or(() -> takenFrom(pair, now));
    if (other.isPresent()) {
      return incompatible(now, other.get());
    }
    return renumbered
        .map(
            reason ->
                dropped(
                    now, "Flink finds it by its place in the job, which may be another: " + reason))
        .orElseGet(
            () ->
                new StateVerdict(now.held().what(), Fate.KEPT, "its place in the job is the same"));
  }

  /** Why a position in a table is of no use, in a clause; absent if it is. */
  private Optional<String> otherTable(HeldState old, HeldState now, Pair table) {
    Set<String> names = new TreeSet<>(old.dependsOn().keySet());
    names.addAll(now.dependsOn().keySet());
    return names.stream()
        .filter(name -> !Objects.equals(old.dependsOn().get(name), now.dependsOn().get(name)))
        .map("it is of another table: '%s' is not what it was"::formatted)
        .findFirst()
        .or(
            () ->
                likeTable(table)
                    .filter(
                        base -> base.changes().stream().anyMatch(Change.Value.class::isInstance))
                    .map(base -> "it takes over options of %s".formatted(base.stage().id()))
                    .map(clause -> clause + ", which are others"));
  }

  private Optional<Pair> likeTable(Pair table) {
    return table.contentAfter().flatMap(StageContent::likeTable).map(pairsAfter::get);
  }

  /** Why Flink would take the state of SQL for something else, in a clause; absent if not. */
  private Optional<String> otherSql(Pair pair) {
    if (!pair.sameText()) {
      return Optional.of("it was made by other SQL, and Flink goes by its place in the job alone");
    }
    Set<Pair> read = new LinkedHashSet<>();
    addRead(pair, read);
    List<StageContent> readers =
        Stream.concat(Stream.of(pair), read.stream())
            .filter(stage -> !(stage.stage() instanceof Stage.TableDefinition))
            .map(stage -> stage.contentAfter().orElseThrow())
            .toList();
    return read.stream()
        .filter(stage -> givesOtherRows(stage, readers))
        .map(
            stage ->
                "it was made from what %s was, and Flink goes by its place in the job alone"
                    .formatted(stage.stage().id()))
        .findFirst();
  }

  private static boolean givesOtherRows(Pair pair, List<StageContent> readers) {
    return pair.contentBefore()
        .map(
            before ->
                !pair.sameText()
                    && before.givesOtherRows(pair.contentAfter().orElseThrow(), readers))
        .orElse(true);
  }

  /** Adds what a stage reads, near and far. */
  private void addRead(Pair reader, Set<Pair> read) {
    Stream.concat(reader.stage().reads().stream().map(pairsAfter::get), likeTable(reader).stream())
        .filter(Objects::nonNull)
        .filter(read::add)
        .forEach(pair -> addRead(pair, read));
  }

  private static StateVerdict dropped(StageState state, String reason) {
    return new StateVerdict(state.held().what(), Fate.DROPPED, reason);
  }

  private static StateVerdict incompatible(StageState state, String reason) {
    return new StateVerdict(state.held().what(), Fate.INCOMPATIBLE, reason);
  }
}
