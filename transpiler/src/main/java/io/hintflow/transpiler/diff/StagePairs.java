package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.plan.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which stage of the new plan is which of the old one: the one with its id and content; else the
 * first one of its content, for ids of statements that fill one table are numbered, and a further
 * one shifts them; else the one with its id.
 */
final class StagePairs {
  private final List<Pair> inOrder;

  private StagePairs(List<Pair> inOrder) {
    this.inOrder = List.copyOf(inOrder);
  }

  /** A stage with its content, which takes some reading. */
  private record Read(Stage stage, StageContent content) {
    static List<Read> of(JobPlan plan) {
      return plan.stages().stream().map(stage -> new Read(stage, StageContent.of(stage))).toList();
    }

    String id() {
      return stage.id();
    }
  }

  /**
   * A stage in one plan or both.
   *
   * @param changes what is different in it
   * @param sameText whether its SQL means the same in both
   * @param moved whether it stands in another order among the stages of both
   */
  record Pair(
      Optional<Stage> before,
      Optional<Stage> after,
      Optional<StageContent> contentBefore,
      Optional<StageContent> contentAfter,
      List<Change> changes,
      boolean sameText,
      boolean moved) {

    private static Pair of(Read before, Read after, boolean moved) {
      return new Pair(
          Optional.of(before.stage),
          Optional.of(after.stage),
          Optional.of(before.content),
          Optional.of(after.content),
          before.content.changesTo(after.content),
          before.content.hasTheTextOf(after.content),
          moved);
    }

    private static Pair added(Read after) {
      return new Pair(
          Optional.empty(),
          Optional.of(after.stage),
          Optional.empty(),
          Optional.of(after.content),
          after.content.whole(WordEdit.Kind.ADDED),
          false,
          false);
    }

    private static Pair removed(Read before) {
      return new Pair(
          Optional.of(before.stage),
          Optional.empty(),
          Optional.of(before.content),
          Optional.empty(),
          before.content.whole(WordEdit.Kind.REMOVED),
          false,
          false);
    }

    Stage stage() {
      return after.or(() -> before).orElseThrow();
    }

    Optional<String> formerId() {
      return after.isPresent()
          ? before.map(Stage::id).filter(id -> !id.equals(stage().id()))
          : Optional.empty();
    }
  }

  /** In the order of the new plan; a removed stage behind the one that it stood behind. */
  List<Pair> inOrder() {
    return inOrder;
  }

  static StagePairs of(JobPlan before, JobPlan after) {
    List<Read> old = Read.of(before);
    List<Read> now = Read.of(after);
    Map<String, Read> partners = partners(old, now);
    Set<String> inPlace = inPlace(old, now, partners);
    Map<String, Integer> former = new HashMap<>();
    for (int i = 0; i < old.size(); i++) {
      Read partner = partners.get(old.get(i).id());
      if (partner != null) {
        former.put(partner.id(), i);
      }
    }
    List<Pair> pairs = new ArrayList<>();
    addRemoved(old, 0, partners, pairs);
    for (Read stage : now) {
      if (former.containsKey(stage.id())) {
        int place = former.get(stage.id());
        Read partner = old.get(place);
        pairs.add(Pair.of(partner, stage, !inPlace.contains(partner.id())));
        addRemoved(old, place + 1, partners, pairs);
      } else {
        pairs.add(Pair.added(stage));
      }
    }
    return new StagePairs(pairs);
  }

  /** Adds the removed stages that follow from a place on. */
  private static void addRemoved(
      List<Read> old, int place, Map<String, Read> partners, List<Pair> pairs) {
    for (int i = place; i < old.size() && !partners.containsKey(old.get(i).id()); i++) {
      pairs.add(Pair.removed(old.get(i)));
    }
  }

  /** The new stage of each old one that has one, by the old one's id. */
  private static Map<String, Read> partners(List<Read> old, List<Read> now) {
    Map<String, Read> byId = new LinkedHashMap<>();
    now.forEach(stage -> byId.put(stage.id(), stage));
    Map<String, Read> partners = new HashMap<>();
    for (Read stage : old) {
      Optional.ofNullable(byId.get(stage.id()))
          .filter(same -> stage.content.equalsContentOf(same.content))
          .ifPresent(
              same -> {
                partners.put(stage.id(), same);
                byId.remove(stage.id());
              });
    }
    Map<StageContent.Text, List<Read>> byText = new HashMap<>();
    byId.values()
        .forEach(
            stage ->
                byText.computeIfAbsent(stage.content.text(), text -> new ArrayList<>()).add(stage));
    for (Read stage : old) {
      if (!partners.containsKey(stage.id())) {
        List<Read> alike = byText.getOrDefault(stage.content.text(), new ArrayList<>());
        alike.stream()
            .filter(other -> stage.content.equalsContentOf(other.content))
            .findFirst()
            .ifPresent(
                other -> {
                  partners.put(stage.id(), other);
                  byId.remove(other.id());
                  alike.remove(other);
                });
      }
    }
    for (Read stage : old) {
      if (!partners.containsKey(stage.id())) {
        Optional.ofNullable(byId.get(stage.id()))
            .filter(same -> same.stage.getClass() == stage.stage.getClass())
            .ifPresent(same -> partners.put(stage.id(), same));
      }
    }
    return partners;
  }

  /** The ids of the old stages of the longest sequence that both plans have in the same order. */
  private static Set<String> inPlace(
      List<Read> before, List<Read> now, Map<String, Read> partners) {
    Map<String, Integer> placeNow = new HashMap<>();
    for (int i = 0; i < now.size(); i++) {
      placeNow.put(now.get(i).id(), i);
    }
    List<String> old = before.stream().map(Read::id).filter(partners::containsKey).toList();
    int[] places = old.stream().mapToInt(id -> placeNow.get(partners.get(id).id())).toArray();
    int[] length = new int[places.length];
    int[] previous = new int[places.length];
    int last = -1;
    for (int i = 0; i < places.length; i++) {
      length[i] = 1;
      previous[i] = -1;
      for (int j = 0; j < i; j++) {
        if (places[j] < places[i] && length[j] + 1 > length[i]) {
          length[i] = length[j] + 1;
          previous[i] = j;
        }
      }
      last = last < 0 || length[i] > length[last] ? i : last;
    }
    Set<String> inPlace = new HashSet<>();
    for (int i = last; i >= 0; i = previous[i]) {
      inPlace.add(old.get(i));
    }
    return inPlace;
  }
}
