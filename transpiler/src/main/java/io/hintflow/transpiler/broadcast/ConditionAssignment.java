package io.hintflow.transpiler.broadcast;

import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.lowering.ColumnUses;
import io.hintflow.transpiler.lowering.Condition;
import io.hintflow.transpiler.lowering.FromText;
import io.hintflow.transpiler.lowering.WhereClause;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;

/**
 * Decides where each part of a block's conditions goes: to the innermost place where its columns
 * are to be had. That is the query of a side, a broadcast join, or where it stands.
 */
final class ConditionAssignment {
  private final JoinedBlock block;
  private final JoinSides sides;
  private final FromText text;

  /** The parts that WHERE is made of. */
  private final WhereClause where;

  /** Those of them that have gone elsewhere. */
  private final Set<Condition> moved = Collections.newSetFromMap(new IdentityHashMap<>());

  /** The parts that hold for the pairs of a join. */
  private final Map<From.Join, List<Condition>> conditions = new IdentityHashMap<>();

  /** The parts that hold for the rows of a side, before it is joined. */
  private final Map<From, List<Condition>> filters = new IdentityHashMap<>();

  /** The parts of a join's ON that only SQL behind it can work out. */
  private final Map<From.Join, List<Condition>> leftToSql = new IdentityHashMap<>();

  /** Throws if an outer join asks for what only SQL can work out. */
  ConditionAssignment(JoinedBlock block) throws UnsupportedJoin {
    this.block = block;
    this.sides = block.sides();
    this.text = block.text();
    this.where = WhereClause.of(block.script(), block.block(), block.from(), text);
    where.conjuncts().stream().filter(part -> assign(part, block.from())).forEach(moved::add);
    for (From.Join join : sides.broadcastJoins(block.from())) {
      for (Condition condition : onConjuncts(join)) {
        assignOn(condition, join);
      }
    }
  }

  WhereClause where() {
    return where;
  }

  Set<Condition> moved() {
    return moved;
  }

  List<Condition> conditions(From.Join join) {
    return conditions.getOrDefault(join, List.of());
  }

  List<Condition> filters(From side) {
    return filters.getOrDefault(side, List.of());
  }

  List<Condition> leftToSql(From.Join join) {
    return leftToSql.getOrDefault(join, List.of());
  }

  private List<Condition> onConjuncts(From.Join join) {
    return Condition.on(block.script().tokens(), join, text);
  }

  /**
   * Moves a condition from where it stands, at a part of FROM, to the innermost broadcast join or
   * side that can work it out.
   *
   * @return false if there is none, so that the condition stays
   */
  private boolean assign(Condition condition, From standsAt) {
    Set<From.Item> items = block.items(condition.range());
    if (items.isEmpty() || ColumnUses.hasQuery(condition.node())) {
      return false;
    }
    From at = standsAt;
    Optional<From> side = Optional.empty();
    Optional<From> next = Optional.of(at);
    while (next.isPresent()) {
      boolean ofBroadcastJoin = sides.isBroadcast(at);
      at = next.get();
      if (at != standsAt && ofBroadcastJoin && !sides.isBroadcast(at)) {
        side = Optional.of(at);
      }
      next = at instanceof From.Join join ? sideOf(join, items) : Optional.empty();
    }
    if (at instanceof From.Join join && sides.isBroadcast(join)) {
      if (JoinedBlock.isInner(join) && isPairCondition(condition, join)) {
        conditions.computeIfAbsent(join, of -> new ArrayList<>()).add(condition);
        return true;
      }
      return false;
    }
    side.ifPresent(of -> filters.computeIfAbsent(of, key -> new ArrayList<>()).add(condition));
    return side.isPresent();
  }

  /** The input of a join that has all of the items, if the join keeps each of its rows. */
  private static Optional<From> sideOf(From.Join join, Set<From.Item> items) {
    boolean left = join.left().items().containsAll(items);
    boolean right = join.right().items().containsAll(items);
    return switch (join.node().getJoinType()) {
      case INNER, CROSS, COMMA ->
          left ? Optional.of(join.left()) : right ? Optional.of(join.right()) : Optional.empty();
      case LEFT -> left ? Optional.of(join.left()) : Optional.empty();
      case RIGHT -> right ? Optional.of(join.right()) : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** Moves a part of a broadcast join's ON into the join or below it. */
  private void assignOn(Condition condition, From.Join join) throws UnsupportedJoin {
    if (isTrue(condition.node())) {
      return;
    }
    if (JoinedBlock.isInner(join)) {
      if (!assign(condition, join)) {
        leftToSql.computeIfAbsent(join, of -> new ArrayList<>()).add(condition);
      }
      return;
    }
    From.Item small = sides.smallOf(join);
    if (ColumnUses.hasQuery(condition.node())) {
      throw unsupportedCondition(condition);
    }
    if (Set.of(small).containsAll(block.items(condition.range()))) {
      filters.computeIfAbsent(small, of -> new ArrayList<>()).add(condition);
    } else if (isPairCondition(condition, join)) {
      conditions.computeIfAbsent(join, of -> new ArrayList<>()).add(condition);
    } else {
      throw unsupportedCondition(condition);
    }
  }

  private UnsupportedJoin unsupportedCondition(Condition condition) {
    return new UnsupportedJoin(
        text.span(condition.range()),
        "In an outer join, a broadcast join can compare values of the two sides with =, <>, <, <=, >, >= and IS [NOT] DISTINCT FROM, but it can't work this out",
        "Compute a value of each side in a subquery and compare the two");
  }

  private static boolean isTrue(SqlNode condition) {
    return condition instanceof SqlLiteral literal && Boolean.TRUE.equals(literal.getValue());
  }

  /** Whether a condition is made of comparisons across the sides, and of parts of one side each. */
  private boolean isPairCondition(Condition condition, From.Join join) {
    if (isOfOneSide(condition.range(), join)) {
      return true;
    }
    if (!condition.parts().isEmpty()) {
      return condition.parts().stream().allMatch(part -> isPairCondition(part, join));
    }
    return condition instanceof Condition.Comparison comparison && isAcross(comparison, join);
  }

  boolean isOfOneSide(FromText.Range range, From.Join join) {
    Set<From.Item> items = block.items(range);
    return join.left().items().containsAll(items) || join.right().items().containsAll(items);
  }

  private boolean isAcross(Condition.Comparison comparison, From.Join join) {
    if (!isOfOneSide(comparison.left().range(), join)
        || !isOfOneSide(comparison.right().range(), join)) {
      return false;
    }
    Optional<ComparedTypes.Comparable> types =
        ComparedTypes.of(block.scope(), comparison.left().node(), comparison.right().node());
    return switch (comparison.kind()) {
      case EQUALS, NOT_EQUALS, IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM -> types.isPresent();
      default -> types.filter(ComparedTypes.Comparable::ordered).isPresent();
    };
  }
}
