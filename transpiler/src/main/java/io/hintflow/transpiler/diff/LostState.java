package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.diff.StateVerdict.Fate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What stages that are the same in both plans lose for one reason. Told together: a difference in
 * one place can cost the state of all others.
 *
 * @param stages what is lost, by the stage's id
 */
record LostState(Fate fate, String reason, Map<String, List<String>> stages) {

  static List<LostState> of(PlanDiff diff) {
    Map<List<Object>, LostState> lost = new LinkedHashMap<>();
    for (StageDiff stage : diff.stages()) {
      if (!stage.isUnchanged()) {
        continue;
      }
      for (StateVerdict verdict : stage.state()) {
        if (verdict.fate() != Fate.KEPT) {
          lost.computeIfAbsent(
                  List.of(verdict.fate(), verdict.reason()),
                  key -> new LostState(verdict.fate(), verdict.reason(), new LinkedHashMap<>()))
              .stages
              .computeIfAbsent(stage.id(), id -> new ArrayList<>())
              .add(verdict.what());
        }
      }
    }
    return List.copyOf(lost.values());
  }
}
