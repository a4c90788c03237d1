package io.hintflow.transpiler.broadcast;

import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.lowering.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A broadcast join while it is put together. */
final class BroadcastJoinStage {
  private final From.Join join;
  private final Optional<Placement> placement;
  private final String view;
  private final String id;
  private final Optional<BroadcastJoinStage> previous;
  private final List<SideQuery> bigSides;
  private final SideQuery small;
  private final List<Key> keys = new ArrayList<>();
  private final List<Condition> remaining = new ArrayList<>();
  private PairCondition condition = PairCondition.TRUE;
  private boolean goesOn;

  /** Two columns that must be equal: table and column of each. */
  record Key(List<String> big, List<String> small) {}

  /**
   * @param placement where the rows of the big side's query go; empty behind a previous join
   * @param previous the join whose rows are the big side and stay on their tasks; empty if a query
   *     gives the big side
   * @param bigSides the query that gives the big side, or the queries of the previous join
   */
  BroadcastJoinStage(
      From.Join join,
      Optional<Placement> placement,
      String id,
      String view,
      Optional<BroadcastJoinStage> previous,
      List<SideQuery> bigSides,
      SideQuery small) {
    this.join = join;
    this.placement = placement;
    this.id = id;
    this.view = view;
    this.previous = previous;
    this.bigSides = List.copyOf(bigSides);
    this.small = small;
    previous.ifPresent(stage -> stage.goesOn = true);
  }

  From.Join join() {
    return join;
  }

  Optional<Placement> placement() {
    return placement;
  }

  String id() {
    return id;
  }

  String view() {
    return view;
  }

  Optional<BroadcastJoinStage> previous() {
    return previous;
  }

  SideQuery small() {
    return small;
  }

  /** The query of the big side, if there is no previous join. */
  SideQuery big() {
    return bigSides.get(0);
  }

  List<SideQuery> bigSides() {
    return bigSides;
  }

  /** All queries whose columns come out, in the order in which the joins take them in. */
  List<SideQuery> sides() {
    List<SideQuery> sides = new ArrayList<>(bigSides);
    sides.add(small);
    return sides;
  }

  List<Key> keys() {
    return keys;
  }

  PairCondition condition() {
    return condition;
  }

  void and(PairCondition other) {
    condition = condition.and(other);
  }

  /** The parts of its condition that are left to SQL behind it. */
  List<Condition> remaining() {
    return remaining;
  }

  /** Whether the next join takes its rows as they are, so that nothing reads them as a view. */
  boolean goesOn() {
    return goesOn;
  }
}
