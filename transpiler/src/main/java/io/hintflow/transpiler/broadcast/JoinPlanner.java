package io.hintflow.transpiler.broadcast;

import io.hintflow.grammar.Span;
import io.hintflow.transpiler.analysis.BlockScope;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.analysis.SqlTypeText;
import io.hintflow.transpiler.analysis.TimeAttribute;
import io.hintflow.transpiler.lowering.ColumnUse;
import io.hintflow.transpiler.lowering.ColumnUses;
import io.hintflow.transpiler.lowering.Condition;
import io.hintflow.transpiler.lowering.FromText;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.lowering.WhereClause;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/** Makes the broadcast joins of a block: the queries of their sides, their keys and conditions. */
final class JoinPlanner {
  private final JoinedBlock block;
  private final ConditionAssignment assignment;
  private final ScriptContext script;
  private final BlockScope scope;
  private final JoinSides sides;
  private final FromText text;
  private final ColumnUses.Found uses;
  private final Map<From.Join, BroadcastJoinStage> stages = new IdentityHashMap<>();

  /** The queries of all sides; one that reads a join's view stands behind those of the join. */
  private final List<SideQuery> sideQueries = new ArrayList<>();

  /** Where an expression is worked out, by its place in the text. */
  private final Map<Span, SideQuery> workedOut = new LinkedHashMap<>();

  /** The view that has an item's columns, for the items in a broadcast join. */
  private final Map<From.Item, String> views = new IdentityHashMap<>();

  JoinPlanner(JoinedBlock block, ConditionAssignment assignment) {
    this.block = block;
    this.assignment = assignment;
    this.script = block.script();
    this.scope = block.scope();
    this.sides = block.sides();
    this.text = block.text();
    this.uses = block.uses();
  }

  /**
   * The joins, inner ones first.
   *
   * @param starred the columns that the select list's stars stand for
   */
  List<BroadcastJoinStage> plan(List<StarColumn> starred) {
    List<From.Join> joins = sides.broadcastJoins(block.from());
    joins.forEach(this::plan);
    chooseColumns(starred);
    return joins.stream().map(stages::get).toList();
  }

  /** The view that has an item's columns in the end, for the items in a broadcast join. */
  Map<From.Item, String> views() {
    return views;
  }

  private void plan(From.Join join) {
    From.Item smallItem = sides.smallOf(join);
    From bigFrom = sides.bigOf(join);
    boolean outer = !JoinedBlock.isInner(join);
    SideQuery small = side(smallItem, "small", outer);
    Optional<BroadcastJoinStage> previous =
        bigFrom instanceof From.Join below && stages.containsKey(below)
            ? Optional.of(stages.get(below)).filter(stage -> canGoOn(stage, join))
            : Optional.empty();
    List<SideQuery> big =
        previous
            .map(BroadcastJoinStage::sides)
            .orElseGet(() -> List.of(side(bigFrom, "big", false)));
    String alias = small.name();
    Optional<Placement> placement =
        previous.isPresent()
            ? Optional.empty()
            : Optional.of(
                Placement.of(script, block.statement(), block.block(), sides, big.get(0)));
    BroadcastJoinStage stage =
        new BroadcastJoinStage(
            join,
            placement,
            script.names().id(block.statement(), block.block(), "broadcast " + alias),
            script.names().view(block.statement(), block.block(), "joined"),
            previous,
            big,
            small);
    stages.put(join, stage);
    stage.remaining().addAll(assignment.leftToSql(join));
    addKeysOfUsing(stage);
    for (Condition condition : assignment.conditions(join)) {
      if (condition instanceof Condition.Comparison comparison
          && comparison.kind() == SqlKind.EQUALS
          && !assignment.isOfOneSide(comparison.range(), join)) {
        stage.keys().add(key(comparison, stage));
      } else {
        stage.and(pair(condition, stage, false));
      }
    }
    join.items().forEach(item -> views.put(item, stage.view()));
  }

  private SideQuery side(From from, String nameWithoutAlias, boolean unmatchedAsNull) {
    String name =
        from instanceof From.Item item && item.alias().isPresent()
            ? item.alias().get()
            : unlikeAliases(nameWithoutAlias);
    Map<From.Item, String> below = new IdentityHashMap<>();
    from.items().stream()
        .filter(views::containsKey)
        .forEach(item -> below.put(item, views.get(item)));
    SideQuery side = new SideQuery(from, name, unmatchedAsNull, block.names(), below);
    sideQueries.add(side);
    for (Condition filter : assignment.filters(from)) {
      side.filter(
          WhereClause.conjunct(
              block.script(),
              filter,
              block.render(text.span(filter.range()), side.views().keySet())));
      workedOut.put(text.span(filter.range()), side);
    }
    return side;
  }

  private String unlikeAliases(String name) {
    boolean taken =
        scope.from().items().stream()
            .anyMatch(item -> item.alias().filter(name::equals).isPresent());
    return taken ? unlikeAliases(name + "_side") : name;
  }

  /** Whether all that a join asks of its big side can be worked out before the join in front. */
  private boolean canGoOn(BroadcastJoinStage previous, From.Join join) {
    return previous.remaining().isEmpty()
        && assignment.conditions(join).stream()
            .allMatch(condition -> canBeWorkedOut(condition, previous, join));
  }

  private boolean canBeWorkedOut(Condition condition, BroadcastJoinStage previous, From.Join join) {
    if (assignment.isOfOneSide(condition.range(), join)) {
      return isHome(condition.node(), condition.range(), previous.sides(), join);
    }
    if (!condition.parts().isEmpty()) {
      return condition.parts().stream().allMatch(part -> canBeWorkedOut(part, previous, join));
    }
    Condition.Comparison comparison = (Condition.Comparison) condition;
    return Stream.of(comparison.left(), comparison.right())
        .allMatch(operand -> isHome(operand.node(), operand.range(), previous.sides(), join));
  }

  private boolean isHome(
      SqlNode node, FromText.Range range, List<SideQuery> bigSides, From.Join join) {
    Set<From.Item> items = block.items(range);
    if (Set.of(sides.smallOf(join)).containsAll(items)) {
      return true;
    }
    // A column of a row that nothing matched is NULL; what an expression makes of NULL only SQL
    // knows.
    return bigSides.stream()
        .filter(side -> side.from().items().containsAll(items))
        .anyMatch(side -> !side.unmatchedAsNull() || node instanceof SqlIdentifier);
  }

  private void addKeysOfUsing(BroadcastJoinStage stage) {
    From.Join join = stage.join();
    From bigFrom = sides.bigOf(join);
    From.Item smallItem = sides.smallOf(join);
    for (String column : ColumnUses.commonColumns(join)) {
      ColumnUses.Resolved big = ColumnUses.resolve(bigFrom, List.of(column)).orElseThrow();
      OutputColumn small = smallItem.column(column).orElseThrow();
      Optional<ComparedTypes.Comparable> types =
          ComparedTypes.of(scope, big.column().type(), small.type());
      stage
          .keys()
          .add(
              new BroadcastJoinStage.Key(
                  common(
                      home(List.of(big.item()), stage),
                      big.item(),
                      big.column(),
                      types.flatMap(ComparedTypes.Comparable::left)),
                  common(
                      stage.small(),
                      smallItem,
                      small,
                      types.flatMap(ComparedTypes.Comparable::right))));
    }
  }

  private List<String> common(
      SideQuery side, From.Item item, OutputColumn column, Optional<String> cast) {
    return qualified(
        side,
        cast.map(
                type ->
                    side.computed(
                        "key", "CAST(%s AS %s)".formatted(side.read(item, column), type), type))
            .orElseGet(() -> side.column(item, column)));
  }

  private BroadcastJoinStage.Key key(Condition.Comparison comparison, BroadcastJoinStage stage) {
    ComparedTypes.Comparable types =
        ComparedTypes.of(scope, comparison.left().node(), comparison.right().node()).orElseThrow();
    List<String> left = operand("key", comparison.left(), types.left(), stage);
    List<String> right = operand("key", comparison.right(), types.right(), stage);
    boolean smallOnRight =
        Set.of(sides.smallOf(stage.join())).containsAll(block.items(comparison.right().range()));
    return smallOnRight
        ? new BroadcastJoinStage.Key(left, right)
        : new BroadcastJoinStage.Key(right, left);
  }

  private PairCondition pair(Condition condition, BroadcastJoinStage stage, boolean negated) {
    if (assignment.isOfOneSide(condition.range(), stage.join())) {
      return PairCondition.of(PairCondition.Comparison.isTrue(truth(condition, stage, negated)));
    }
    if (condition instanceof Condition.Not not) {
      return pair(not.part(), stage, !negated);
    }
    if (condition instanceof Condition.All all) {
      return pairs(all.parts(), stage, negated, !negated);
    }
    if (condition instanceof Condition.Any any) {
      return pairs(any.parts(), stage, negated, negated);
    }
    Condition.Comparison comparison = (Condition.Comparison) condition;
    ComparedTypes.Comparable types =
        ComparedTypes.of(scope, comparison.left().node(), comparison.right().node()).orElseThrow();
    PairCondition.Operator operator = operator(comparison.kind());
    return PairCondition.of(
        new PairCondition.Comparison(
            operand("operand", comparison.left(), types.left(), stage),
            negated ? operator.negated() : operator,
            operand("operand", comparison.right(), types.right(), stage)));
  }

  private PairCondition pairs(
      List<Condition> parts, BroadcastJoinStage stage, boolean negated, boolean all) {
    PairCondition pairs = pair(parts.get(0), stage, negated);
    for (Condition part : parts.subList(1, parts.size())) {
      PairCondition next = pair(part, stage, negated);
      pairs = all ? pairs.and(next) : pairs.or(next);
    }
    return pairs;
  }

  private static PairCondition.Operator operator(SqlKind kind) {
    return switch (kind) {
      case EQUALS -> PairCondition.Operator.EQUAL;
      case NOT_EQUALS -> PairCondition.Operator.NOT_EQUAL;
      case LESS_THAN -> PairCondition.Operator.LESS_THAN;
      case LESS_THAN_OR_EQUAL -> PairCondition.Operator.LESS_OR_EQUAL;
      case GREATER_THAN -> PairCondition.Operator.GREATER_THAN;
      case GREATER_THAN_OR_EQUAL -> PairCondition.Operator.GREATER_OR_EQUAL;
      case IS_DISTINCT_FROM -> PairCondition.Operator.DISTINCT;
      case IS_NOT_DISTINCT_FROM -> PairCondition.Operator.NOT_DISTINCT;
      default -> throw new IllegalStateException("Not a comparison: " + kind);
    };
  }

  /** A BOOLEAN column that says whether a condition of one side holds. */
  private List<String> truth(Condition condition, BroadcastJoinStage stage, boolean negated) {
    Span span = text.span(condition.range());
    SideQuery side = home(block.items(condition.range()), stage);
    workedOut.put(span, side);
    String sql = block.render(span, side.views().keySet());
    return qualified(
        side, side.computed("matching", negated ? "NOT (" + sql + ")" : sql, "BOOLEAN"));
  }

  private List<String> operand(
      String purpose, Condition.Operand operand, Optional<String> cast, BroadcastJoinStage stage) {
    Span span = text.span(operand.range());
    SideQuery side = home(block.items(operand.range()), stage);
    workedOut.put(span, side);
    Optional<ColumnUse> column =
        uses.in(span).stream().filter(use -> use.span().equals(span)).findFirst();
    if (column.isPresent()
        && cast.isEmpty()
        && column.get().nested().isEmpty()
        && column.get().column().timeAttribute() != TimeAttribute.PROCTIME) {
      return qualified(side, side.column(column.get().item(), column.get().column()));
    }
    String sql = block.render(span, side.views().keySet());
    return qualified(
        side,
        side.computed(
            purpose,
            cast.map(type -> "CAST(%s AS %s)".formatted(sql, type)).orElse(sql),
            cast.or(() -> scope.typeOf(operand.node()).map(SqlTypeText::of)).orElse("")));
  }

  private static List<String> qualified(SideQuery side, String column) {
    return List.of(side.name(), column);
  }

  /** The query before the join that has some items, all of them. */
  private static SideQuery home(Collection<From.Item> items, BroadcastJoinStage stage) {
    return stage.sides().stream()
        .filter(side -> side.from().items().containsAll(items))
        .findFirst()
        .orElseThrow();
  }

  /** Every query gives the columns that something above it reads. */
  private void chooseColumns(List<StarColumn> starred) {
    for (SideQuery side : sideQueries) {
      Span own = text.span(side.from());
      for (ColumnUse use : uses.all()) {
        if (side.from().items().contains(use.item())
            && !own.contains(use.span())
            && !isWorkedOutUpTo(side, use)) {
          side.expose(use.item(), use.column());
        }
      }
      for (StarColumn column : starred) {
        if (side.from().items().contains(column.of().item())) {
          side.expose(column.of().item(), column.of().column());
        }
      }
    }
    for (int i = sideQueries.size() - 1; i > 0; i--) {
      for (SideQuery.Carried column : sideQueries.get(i).carried()) {
        sideQueries.subList(0, i).stream()
            .filter(below -> below.from().items().contains(column.item()))
            .forEach(below -> below.expose(column.item(), column.column()));
      }
    }
  }

  /** Whether a column is read for an expression that a query, or one before it, works out. */
  private boolean isWorkedOutUpTo(SideQuery side, ColumnUse use) {
    return workedOut.entrySet().stream()
        .filter(entry -> entry.getKey().contains(use.span()))
        .anyMatch(entry -> sideQueries.indexOf(entry.getValue()) <= sideQueries.indexOf(side));
  }
}
