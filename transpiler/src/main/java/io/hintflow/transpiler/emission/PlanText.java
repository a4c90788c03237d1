package io.hintflow.transpiler.emission;

import io.hintflow.transpiler.plan.Distribution;
import io.hintflow.transpiler.plan.Edge;
import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.plan.Secrets;
import io.hintflow.transpiler.plan.Stage;
import io.hintflow.transpiler.plan.StateColumn;
import io.hintflow.transpiler.state.JobState;
import io.hintflow.transpiler.state.StageState;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The plan for people: {@code plan.txt}. */
public final class PlanText {
  private final StringBuilder text = new StringBuilder();

  /** The stages whose rows the next stage takes as they are. */
  private final Set<String> keptRows = new HashSet<>();

  private final JobState state;

  private PlanText(JobState state) {
    this.state = state;
  }

  public static String of(JobPlan plan) {
    return of(plan, JobState.of(plan));
  }

  /** As above, with the plan's state, which takes some reading. */
  static String of(JobPlan plan, JobState state) {
    PlanText writer = new PlanText(state);
    for (Edge edge : plan.edges()) {
      if (edge.distribution() instanceof Distribution.Kept) {
        writer.keptRows.add(edge.from());
      }
    }
    writer.write(plan);
    return writer.text.toString();
  }

  private void write(JobPlan plan) {
    line(0, "Job %s for Flink %s".formatted(plan.jobName(), plan.flinkVersion().label()));
    line(0, "From " + String.join(", ", plan.scripts()));
    if (!plan.configuration().isEmpty()) {
      heading("Settings");
      plan.configuration()
          .forEach((key, value) -> line(2, key + " = " + Secrets.masked(key, value)));
    }
    heading("Stages");
    plan.stages().forEach(this::stage);
    heading("How rows travel");
    plan.edges().forEach(this::edge);
    if (!plan.notes().isEmpty()) {
      heading("Notes");
      plan.notes().forEach(note -> line(2, note));
    }
    if (!plan.dependencies().isEmpty()) {
      heading("Packaged with");
      plan.dependencies()
          .forEach(
              dependency ->
                  line(
                      2,
                      "%s:%s:%s for %s"
                          .formatted(
                              dependency.group(),
                              dependency.artifact(),
                              dependency.version(),
                              dependency.reason())));
    }
  }

  private void stage(Stage stage) {
    stageItself(stage);
    for (StageState kept : state.of(stage.id())) {
      String columns =
          kept.held().columns().stream()
              .map(StateColumn::toString)
              .collect(Collectors.joining(", "));
      line(4, "keeps " + kept.held().what() + (columns.isEmpty() ? "" : ": " + columns));
    }
  }

  private void stageItself(Stage stage) {
    if (stage instanceof Stage.Operators operators) {
      line(2, "%s  (%s: %s)".formatted(stage.id(), stage.origin(), operators.hint()));
      for (Stage.Input input : operators.inputs()) {
        quoted(input.sql());
        input.parallelism().ifPresent(tasks -> line(4, "planned with " + tasks + " tasks"));
        line(
            4, "-> %s: %s".formatted(Distributions.describe(input.distribution()), input.reason()));
      }
      operators
          .parameters()
          .forEach((key, values) -> line(4, key + ": " + String.join(", ", values)));
      if (!keptRows.contains(stage.id())) {
        line(4, "read as view " + operators.view());
      }
      if (!operators.logicalPlan().isEmpty()) {
        line(4, "logical plan");
        operators.logicalPlan().forEach(node -> line(6, node));
      }
    } else {
      line(2, "%s  (%s)".formatted(stage.id(), stage.origin()));
      quoted(sql(stage));
    }
  }

  /**
   * The SQL of a stage as it stands in the script, or that of all its inputs; secrets are in it.
   */
  public static String sql(Stage stage) {
    if (stage instanceof Stage.Definition definition) {
      return definition.sql();
    }
    if (stage instanceof Stage.TableDefinition table) {
      return table.sql();
    }
    if (stage instanceof Stage.Insert insert) {
      return insert.sql();
    }
    if (stage instanceof Stage.Print print) {
      return print.sql();
    }
    if (stage instanceof Stage.Inspection inspection) {
      return inspection.sql();
    }
    return String.join(
        "\n", ((Stage.Operators) stage).inputs().stream().map(Stage.Input::sql).toList());
  }

  private void edge(Edge edge) {
    line(
        2,
        "%s -> %s  %s: %s"
            .formatted(
                edge.from(),
                edge.to(),
                Distributions.describe(edge.distribution()),
                edge.reason()));
  }

  private void quoted(String sql) {
    List<String> lines = Secrets.masked(sql).replace("\r\n", "\n").lines().toList();
    lines.forEach(line -> line(4, "| " + line));
  }

  private void heading(String heading) {
    text.append('\n');
    line(0, heading);
  }

  private void line(int indentation, String content) {
    text.append(" ".repeat(indentation))
        .append(VisibleText.inOneLine(content.stripTrailing()))
        .append('\n');
  }
}
