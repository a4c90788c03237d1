package io.hintflow.transpiler.plan;

import io.hintflow.transpiler.FlinkVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The job as data: everything that is emitted is a function of it. Immutable; every collection is
 * in the order of the script.
 *
 * @param configuration what the script's SET statements say, last value of each key
 * @param carriedOperators the simple names of the operator classes that the job carries as source
 * @param factories those of them that Flink finds as connectors through the job's service file
 * @param notes what a reviewer should know, one sentence each
 * @param files the paths of all files of the project, sorted
 */
public record JobPlan(
    String jobName,
    FlinkVersion flinkVersion,
    String packageName,
    String mainClass,
    List<String> scripts,
    Map<String, String> configuration,
    List<Stage> stages,
    List<Dependency> dependencies,
    List<String> carriedOperators,
    List<String> factories,
    List<String> notes,
    List<String> files) {

  /** Every way that rows take between stages, in the order of the stages that they lead to. */
  public List<Edge> edges() {
    List<Edge> edges = new ArrayList<>();
    for (Stage stage : stages) {
      if (stage instanceof Stage.Operators operators) {
        for (Stage.Input input : operators.inputs()) {
          for (String from : input.reads()) {
            edges.add(new Edge(from, stage.id(), input.distribution(), input.reason()));
          }
        }
      } else {
        stage.reads().forEach(from -> edges.add(planned(from, stage.id())));
      }
      if (stage instanceof Stage.Insert insert) {
        edges.add(planned(insert.id(), insert.sink()));
      }
    }
    return List.copyOf(edges);
  }

  private static Edge planned(String from, String to) {
    return new Edge(from, to, new Distribution.Planned(), "as Flink's planner decides");
  }

  /**
   * The version of the plan's JSON form. Grows when a reader of the old form would misread the new
   * one.
   */
  public static final int FORMAT_VERSION = 2;
}
