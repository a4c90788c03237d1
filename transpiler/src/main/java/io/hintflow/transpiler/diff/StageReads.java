package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.plan.Stage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What the stages of a plan read, through views. */
final class StageReads {
  private final Map<String, Stage> stages = new LinkedHashMap<>();

  StageReads(JobPlan plan) {
    plan.stages().forEach(stage -> stages.put(stage.id(), stage));
  }

  Optional<Stage> stage(String id) {
    return Optional.ofNullable(stages.get(id));
  }

  /**
   * The ids of tables and of operators that are among some stages, or that these read; as often as
   * they are read.
   */
  List<String> sources(List<String> ids) {
    return ids.stream()
        .flatMap(
            id ->
                stages.get(id) instanceof Stage.Definition view
                    ? sources(view.reads()).stream()
                    : Stream.of(id))
        .toList();
  }

  /** Whether a stage reads another. */
  boolean reads(Stage stage, Stage other) {
    return times(stage, other) > 0;
  }

  /** How often a stage reads another. */
  int times(Stage stage, Stage other) {
    int times = 0;
    for (String id : stage.reads()) {
      if (id.equals(other.id())) {
        times++;
      } else if (stages.get(id) instanceof Stage.Definition view) {
        times += times(view, other);
      }
    }
    return times;
  }
}
