package io.hintflow.transpiler.state;

import io.hintflow.transpiler.plan.HeldState;
import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.plan.Secrets;
import io.hintflow.transpiler.plan.Stage;
import io.hintflow.transpiler.state.StageState.FoundBy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the stages of a job keep over a restart, as far as it can be told without Flink's planner:
 * the operators' own state, what the SQL of each stage makes Flink keep, how far tables have been
 * read and what has been written to them without being committed. Where rows have to be put in
 * order again before a table with a primary key, Flink keeps more than is told here.
 */
public final class JobState {
  /** Tables that are asked for single rows: there is no position in them. */
  private static final Set<String> LOOKED_UP = Set.of("redis", "jdbc", "hbase-1.4", "hbase-2.2");

  /** Sinks that have written a row once they have taken it. */
  private static final Set<String> WRITTEN_AT_ONCE = Set.of("print", "blackhole", "logger");

  /**
   * Options on which no position depends, besides secrets, those of a format and what is passed on
   * to Kafka's client: where reading begins without one, and how fast and by how many tasks.
   */
  private static final Set<String> OF_NO_POSITION =
      Set.of(
          "scan.startup.mode",
          "scan.startup.timestamp-millis",
          "scan.startup.specific-offsets",
          "scan.topic-partition-discovery.interval",
          "scan.parallelism",
          "sink.parallelism",
          "source.parallelism",
          "sink.delivery-guarantee",
          "rows-per-second");

  /** Beginnings of such options. */
  private static final List<String> PREFIXES_OF_NO_POSITION =
      List.of("properties.", "scan.watermark.", "sink.buffer-flush.");

  private final Map<String, List<StageState>> states = new LinkedHashMap<>();

  private JobState() {}

  public static JobState of(JobPlan plan) {
    JobState state = new JobState();
    if (!isBatch(plan)) {
      Set<String> read = new LinkedHashSet<>();
      Set<String> written = new LinkedHashSet<>();
      for (Stage stage : plan.stages()) {
        read.addAll(stage.reads());
        if (stage instanceof Stage.Insert insert) {
          written.add(insert.sink());
        }
      }
      for (Stage stage : plan.stages()) {
        state.states.put(stage.id(), of(stage, read, written));
      }
    }
    return state;
  }

  /** What a stage keeps; nothing if it is not one of the job's. */
  public List<StageState> of(String stageId) {
    return states.getOrDefault(stageId, List.of());
  }

  private static boolean isBatch(JobPlan plan) {
    return Optional.ofNullable(plan.configuration().get("execution.runtime-mode"))
        .filter("batch"::equalsIgnoreCase)
        .isPresent();
  }

  private static List<StageState> of(Stage stage, Set<String> read, Set<String> written) {
    List<StageState> states = new ArrayList<>();
    if (stage instanceof Stage.TableDefinition table) {
      String connector = table.options().getOrDefault("connector", "");
      if (read.contains(table.id()) && !LOOKED_UP.contains(connector)) {
        states.add(byPlace("how far it has been read", position(table)));
      }
      if (written.contains(table.id()) && !WRITTEN_AT_ONCE.contains(connector)) {
        states.add(byPlace("what is written and not yet committed", position(table)));
      }
      return List.copyOf(states);
    }
    if (stage instanceof Stage.Operators operators) {
      operators.state().forEach(held -> states.add(new StageState(FoundBy.ID, held)));
      operators.inputs().stream()
          .flatMap(input -> SqlState.of(input.sql()).stream())
          .forEach(what -> states.add(byPlace(what, Map.of())));
    } else if (stage instanceof Stage.Definition definition) {
      SqlState.of(definition.sql()).forEach(what -> states.add(byPlace(what, Map.of())));
    } else if (stage instanceof Stage.Insert insert) {
      SqlState.of(insert.sql()).forEach(what -> states.add(byPlace(what, Map.of())));
    } else if (stage instanceof Stage.Print print) {
      SqlState.of(print.sql()).forEach(what -> states.add(byPlace(what, Map.of())));
    }
    return List.copyOf(states);
  }

  private static StageState byPlace(String what, Map<String, String> dependsOn) {
    return new StageState(FoundBy.PLACE, new HeldState(what, List.of(), dependsOn));
  }

  /** The options that say what a position is one in. */
  private static Map<String, String> position(Stage.TableDefinition table) {
    List<String> prefixes =
        Stream.concat(PREFIXES_OF_NO_POSITION.stream(), formats(table)).toList();
    Map<String, String> options = new TreeMap<>(table.options());
    options
        .keySet()
        .removeIf(
            key ->
                OF_NO_POSITION.contains(key)
                    || prefixes.stream().anyMatch(key::startsWith)
                    || Secrets.isSecret(key));
    options.replaceAll(Secrets::masked);
    return options;
  }

  /** What the options of a table's formats begin with. */
  private static Stream<String> formats(Stage.TableDefinition table) {
    return Stream.of("", "key.", "value.")
        .flatMap(
            part ->
                Optional.ofNullable(table.options().get(part + "format")).stream()
                    .map(format -> part + format + "."));
  }
}
