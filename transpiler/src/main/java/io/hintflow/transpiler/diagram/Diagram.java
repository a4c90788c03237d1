package io.hintflow.transpiler.diagram;

import io.hintflow.transpiler.emission.Distributions;
import io.hintflow.transpiler.emission.PlanText;
import io.hintflow.transpiler.plan.Edge;
import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.plan.Origin;
import io.hintflow.transpiler.plan.Secrets;
import io.hintflow.transpiler.plan.Stage;
import io.hintflow.transpiler.state.JobState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a picture of a job shows, whatever it is drawn with. Its texts are whole, one line each, and
 * without secrets; nothing in them is escaped, and whoever draws them clips them.
 *
 * @param title the job and what it is for
 * @param boxes the stages, in the order of the plan; behind them, tables that no stage declares
 */
record Diagram(String title, List<Box> boxes, List<Arrow> arrows) {
  /** What a box is, as far as its shape tells. */
  enum Kind {
    TABLE,
    VIEW,
    OPERATORS,
    INSERT,
    QUERY,
    STATEMENT
  }

  /**
   * @param name the stage's id
   * @param what its kind, in words
   * @param lines what it does
   * @param state what it keeps over a restart
   */
  record Box(
      String name,
      Kind kind,
      String what,
      Optional<Origin> origin,
      List<String> lines,
      List<String> state) {
    /** All of it, for those who point at the box. */
    String tooltip() {
      List<String> all = new ArrayList<>();
      all.add(name);
      all.add(what + origin.map(place -> ", " + place).orElse(""));
      all.addAll(lines);
      all.addAll(state);
      return String.join("\n", all);
    }
  }

  /**
   * Rows on their way.
   *
   * @param from the index of a box
   * @param to the index of a box
   * @param label empty where Flink's planner decides
   */
  record Arrow(int from, int to, Way way, String label, String reason) {}

  /** Of the parameters of operators, those that come first tell most. */
  private static final int SHOWN_PARAMETERS = 6;

  static Diagram of(JobPlan plan) {
    return of(plan, JobState.of(plan));
  }

  /** As above, with the plan's state, which takes some reading. */
  static Diagram of(JobPlan plan, JobState state) {
    Map<String, Integer> indexes = new LinkedHashMap<>();
    List<Box> boxes = new ArrayList<>();
    for (Stage stage : plan.stages()) {
      indexes.put(stage.id(), boxes.size());
      boxes.add(box(stage, state));
    }
    List<Arrow> arrows = new ArrayList<>();
    for (Edge edge : plan.edges()) {
      for (String end : List.of(edge.from(), edge.to())) {
        if (!indexes.containsKey(end)) {
          indexes.put(end, boxes.size());
          boxes.add(declaredElsewhere(end));
        }
      }
      arrows.add(
          new Arrow(
              indexes.get(edge.from()),
              indexes.get(edge.to()),
              Way.of(edge.distribution()),
              label(edge),
              edge.reason()));
    }
    return new Diagram(title(plan), List.copyOf(boxes), List.copyOf(arrows));
  }

  private static String title(JobPlan plan) {
    return "%s for Flink %s".formatted(plan.jobName(), plan.flinkVersion().label());
  }

  private static String label(Edge edge) {
    return Way.of(edge.distribution()) == Way.PLANNED
        ? ""
        : Distributions.describe(edge.distribution());
  }

  private static Box declaredElsewhere(String name) {
    return new Box(
        name, Kind.TABLE, "table, declared elsewhere", Optional.empty(), List.of(), List.of());
  }

  private static Box box(Stage stage, JobState state) {
    Kind kind = kind(stage);
    return new Box(
        stage.id(),
        kind,
        what(stage, kind),
        Optional.of(stage.origin()),
        lines(stage, kind),
        state.of(stage.id()).stream().map(kept -> "keeps " + kept.held().what()).toList());
  }

  private static Kind kind(Stage stage) {
    if (stage instanceof Stage.TableDefinition) {
      return Kind.TABLE;
    }
    if (stage instanceof Stage.Operators) {
      return Kind.OPERATORS;
    }
    if (stage instanceof Stage.Insert) {
      return Kind.INSERT;
    }
    if (stage instanceof Stage.Print) {
      return Kind.QUERY;
    }
    return stage instanceof Stage.Definition definition && definition.isView()
        ? Kind.VIEW
        : Kind.STATEMENT;
  }

  private static String what(Stage stage, Kind kind) {
    if (stage instanceof Stage.TableDefinition table) {
      return table.options().containsKey("connector")
          ? "table: " + table.options().get("connector")
          : "table";
    }
    if (stage instanceof Stage.Operators operators) {
      return "operators: " + operators.kind().replace('-', ' ');
    }
    return switch (kind) {
      case VIEW -> "view";
      case INSERT -> "insert";
      case QUERY -> "query, printed";
      default -> "statement";
    };
  }

  private static List<String> lines(Stage stage, Kind kind) {
    if (stage instanceof Stage.Operators operators) {
      List<String> lines = new ArrayList<>();
      lines.add(oneLine(operators.hint()));
      operators.parameters().entrySet().stream()
          .limit(SHOWN_PARAMETERS)
          .forEach(
              parameter ->
                  lines.add(parameter.getKey() + ": " + String.join(", ", parameter.getValue())));
      int more = operators.parameters().size() - SHOWN_PARAMETERS;
      if (more > 0) {
        lines.add("and " + more + " more");
      }
      return List.copyOf(lines);
    }
    // Of the others, the name says it already.
    return kind == Kind.QUERY || kind == Kind.STATEMENT
        ? firstLine(PlanText.sql(stage)).stream().toList()
        : List.of();
  }

  private static Optional<String> firstLine(String sql) {
    return Secrets.masked(sql)
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("--"))
        .findFirst();
  }

  private static String oneLine(String sql) {
    return Secrets.masked(sql).strip().replaceAll("\\s+", " ");
  }
}
