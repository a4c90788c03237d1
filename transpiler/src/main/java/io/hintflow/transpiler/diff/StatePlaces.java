package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.plan.Stage;
import io.hintflow.transpiler.state.JobState;
import io.hintflow.transpiler.state.StageState;
import io.hintflow.transpiler.state.StageState.FoundBy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who stands where in a job. Flink numbers sources by their order, and the operators behind them by
 * theirs: of two jobs in which other tables or statements stand in the same order, the new one gets
 * what is not its own, and nothing tells if it is of the same kind.
 */
final class StatePlaces {
  /**
   * Where the state of a statement is.
   *
   * @param sources the places of the tables that it reads
   */
  private record Place(String what, Set<Integer> sources) {}

  private final JobState state;
  private final StageReads reads;

  /** The ids of the tables that are read, in the order of their operators. */
  private final List<String> sources = new ArrayList<>();

  /** The ids of the stages that keep something in a place, in the order of their operators. */
  private final Map<Place, List<String>> keepers = new LinkedHashMap<>();

  StatePlaces(JobPlan plan, JobState state) {
    this.state = state;
    this.reads = new StageReads(plan);
    addSources(plan);
    for (Stage stage : plan.stages()) {
      if (!(stage instanceof Stage.TableDefinition)) {
        state.of(stage.id()).stream()
            .filter(kept -> kept.foundBy() == FoundBy.PLACE)
            .map(kept -> place(stage, kept))
            .forEach(
                place -> keepers.computeIfAbsent(place, any -> new ArrayList<>()).add(stage.id()));
      }
    }
  }

  /** Each input of operators reads its tables for itself; all the INSERTs read them once. */
  private void addSources(JobPlan plan) {
    Set<String> ofInserts = new LinkedHashSet<>();
    for (Stage stage : plan.stages()) {
      if (stage instanceof Stage.Operators operators) {
        operators.inputs().forEach(input -> sources.addAll(tables(input.reads())));
      } else if (stage instanceof Stage.Insert || stage instanceof Stage.Print) {
        ofInserts.addAll(tables(stage.reads()));
      }
    }
    sources.addAll(ofInserts);
  }

  /** The tables among some stages, and those that are read through views. */
  private Set<String> tables(List<String> ids) {
    Set<String> tables = new LinkedHashSet<>(reads.sources(ids));
    tables.removeIf(id -> reads.stage(id).filter(Stage.Operators.class::isInstance).isPresent());
    return tables;
  }

  private Place place(Stage stage, StageState kept) {
    Set<Integer> places = new TreeSet<>();
    tables(stage.reads()).forEach(table -> places.add(sources.indexOf(table)));
    return new Place(kept.held().what(), places);
  }

  /**
   * Whose state a stage of the new job may get instead of its own.
   *
   * @param id in the new job
   * @param formerId in this, the old one; empty if it was not there
   * @return the id of another stage of this job; empty if there is none
   */
  Optional<String> takenFrom(StatePlaces now, String id, Optional<String> formerId, String what) {
    if (now.reads.stage(id).orElseThrow() instanceof Stage.TableDefinition table) {
      return sourceTakenFrom(now, table, formerId);
    }
    // With another number of sources, all operators behind them have other numbers.
    if (sources.size() != now.sources.size()) {
      return Optional.empty();
    }
    for (Map.Entry<Place, List<String>> kept : now.keepers.entrySet()) {
      int order = kept.getValue().indexOf(id);
      List<String> before = keepers.getOrDefault(kept.getKey(), List.of());
      if (kept.getKey().what().equals(what) && order >= 0 && order < before.size()) {
        return Optional.of(before.get(order)).filter(other -> !isOf(formerId, other));
      }
    }
    return Optional.empty();
  }

  private Optional<String> sourceTakenFrom(
      StatePlaces now, Stage.TableDefinition table, Optional<String> formerId) {
    for (int i = 0; i < Math.min(sources.size(), now.sources.size()); i++) {
      String other = sources.get(i);
      if (now.sources.get(i).equals(table.id())
          && !isOf(formerId, other)
          && reads.stage(other).filter(before -> haveAlikePositions(before, table)).isPresent()
          && !state.of(other).equals(now.state.of(table.id()))) {
        return Optional.of(other);
      }
    }
    return Optional.empty();
  }

  private static boolean isOf(Optional<String> formerId, String other) {
    return formerId.filter(other::equals).isPresent();
  }

  private static boolean haveAlikePositions(Stage before, Stage.TableDefinition now) {
    return before instanceof Stage.TableDefinition table && positions(table).equals(positions(now));
  }

  /** What kind of positions a table has. */
  private static String positions(Stage.TableDefinition table) {
    String connector = table.options().getOrDefault("connector", "");
    return switch (connector) {
      case "upsert-kafka" -> "kafka";
      // Random values know no position.
      case "datagen" ->
          table.options().containsValue("sequence") ? connector : connector + table.id();
      default -> connector;
    };
  }
}
