package io.hintflow.transpiler.plan;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One step of the job's main, in the order in which it is taken. */
public sealed interface Stage {
  /** Stable while the rest of the script changes, unique in the plan. */
  String id();

  Origin origin();

  /** The ids of the stages that it reads rows from, in the order in which its SQL names them. */
  List<String> reads();

  /** A statement that is handed to Flink as it is: views and other DDL, USE, ADD JAR and so on. */
  record Definition(String id, Origin origin, String sql, List<String> reads) implements Stage {
    /** Whether it defines a view; the others are statements such as USE and ALTER. */
    public boolean isView() {
      return id.startsWith("view/");
    }
  }

  /**
   * A CREATE TABLE; apart from {@link Definition} because the job's configuration can replace its
   * options.
   *
   * @param table its name as the script writes it, parts joined by dots
   */
  record TableDefinition(
      String id, Origin origin, String sql, String table, Map<String, String> options)
      implements Stage {
    @Override
    public List<String> reads() {
      return List.of();
    }
  }

  /**
   * Queries whose rows go through operators that SQL does not have and come back as a temporary
   * view.
   *
   * @param kind which lowering made it and knows how to write it as Java
   * @param hint the hint that asked for it, as the user wrote it
   * @param inputs the queries whose rows go in
   * @param parameters what the operators are told; the kind defines the keys
   * @param state what the operators keep; see {@link io.hintflow.transpiler.state.JobState} for all
   *     of a stage's state
   * @param view the name by which later SQL reads what comes out
   * @param logicalPlan the block's relational plan, one operator a line; empty if it is not known
   */
  record Operators(
      String id,
      Origin origin,
      String kind,
      String hint,
      List<Input> inputs,
      Map<String, List<String>> parameters,
      List<HeldState> state,
      String view,
      List<String> logicalPlan)
      implements Stage {

    @Override
    public List<String> reads() {
      return inputs.stream().flatMap(input -> input.reads().stream()).distinct().toList();
    }

    /** The values of a parameter; empty if the stage does not have it. */
    public List<String> parameter(String key) {
      return parameters.getOrDefault(key, List.of());
    }
  }

  /**
   * A query that feeds an operator.
   *
   * @param sql empty if the rows come straight from the operators of the stage that it reads
   * @param parallelism of everything from its sources to the operator, where it is not the job's
   * @param distribution how its rows travel to the operator
   * @param reason why they travel so, in one sentence
   */
  record Input(
      String sql,
      List<String> reads,
      Optional<Integer> parallelism,
      Distribution distribution,
      String reason) {}

  /**
   * An INSERT; all of them run as one job.
   *
   * @param sink the id of the stage that declares the table, or {@code table/NAME} if the script
   *     does not declare it
   */
  record Insert(String id, Origin origin, String sql, List<String> reads, String sink)
      implements Stage {}

  /** A query that stands alone: its changelog is printed. */
  record Print(String id, Origin origin, String sql, List<String> reads) implements Stage {}

  /** EXPLAIN, SHOW, DESCRIBE: what Flink answers is printed when the job starts. */
  record Inspection(String id, Origin origin, String sql, List<String> reads) implements Stage {}
}
