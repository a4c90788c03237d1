package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.plan.Dependency;
import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.plan.Secrets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is different between two jobs as a whole. */
final class JobChanges {
  private JobChanges() {}

  static List<Change.Value> between(JobPlan before, JobPlan after) {
    List<Change.Value> changes = new ArrayList<>();
    changes.addAll(
        StageContent.values(
            "Flink",
            Map.of("version", before.flinkVersion().label()),
            Map.of("version", after.flinkVersion().label())));
    changes.addAll(settings(before, after));
    changes.addAll(StageContent.values("dependency", dependencies(before), dependencies(after)));
    return List.copyOf(changes);
  }

  static List<Change.Value> settings(JobPlan before, JobPlan after) {
    return StageContent.values("setting", masked(before), masked(after));
  }

  private static Map<String, String> masked(JobPlan plan) {
    Map<String, String> settings = new LinkedHashMap<>();
    plan.configuration().forEach((key, value) -> settings.put(key, Secrets.masked(key, value)));
    return settings;
  }

  private static Map<String, String> dependencies(JobPlan plan) {
    Map<String, String> versions = new LinkedHashMap<>();
    for (Dependency dependency : plan.dependencies()) {
      versions.put(dependency.group() + ":" + dependency.artifact(), dependency.version());
    }
    return versions;
  }
}
