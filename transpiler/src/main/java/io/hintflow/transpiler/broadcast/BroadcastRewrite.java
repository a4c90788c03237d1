package io.hintflow.transpiler.broadcast;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.Tokens;
import io.hintflow.transpiler.analysis.BlockAnalysis;
import io.hintflow.transpiler.analysis.BlockScope;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.analysis.TimeAttribute;
import io.hintflow.transpiler.lowering.ColumnUse;
import io.hintflow.transpiler.lowering.ColumnUses;
import io.hintflow.transpiler.lowering.CommonTableClosure;
import io.hintflow.transpiler.lowering.Condition;
import io.hintflow.transpiler.lowering.FromText;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.lowering.SqlNames;
import io.hintflow.transpiler.plan.Distribution;
import io.hintflow.transpiler.plan.Stage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/**
 * Takes the broadcast joins out of one block's FROM: each becomes a stage that is fed by queries of
 * its two sides, and the rest of the block reads the stage's view.
 *
 * <p>Every part of a condition goes to the innermost place where its columns are to be had: into
 * the query of a side, into a join as a key or a comparison, or it stays where it stands.
 */
final class BroadcastRewrite {
  private final ScriptContext script;
  private final Statement statement;
  private final Block block;
  private final BlockAnalysis analysis;
  private final BlockScope scope;
  private final JoinSides sides;
  private final StateRetention retention;
  private final String hint;
  private final Span hintSpan;
  private final FromText text;
  private final ColumnUses.Found uses;
  private final FlatNames names;
  private final Tokens tokens;

  /** The parts of conditions that hold for the pairs of a join, its own ON left aside. */
  private final Map<From.Join, List<Condition>> conditions = new IdentityHashMap<>();

  /** The parts of conditions that hold for the rows of a side, before it is joined. */
  private final Map<From, List<Condition>> filters = new IdentityHashMap<>();

  /** The parts of a join's ON that only SQL behind it can work out. */
  private final Map<From.Join, List<Condition>> leftToSql = new IdentityHashMap<>();

  private final Map<From.Join, BroadcastJoinStage> stages = new IdentityHashMap<>();

  /** The queries of all sides; one that reads a join's view stands behind those of the join. */
  private final List<SideQuery> sideQueries = new ArrayList<>();

  /** Where an expression is worked out, by its place in the text. */
  private final Map<Span, SideQuery> workedOut = new LinkedHashMap<>();

  /** The view that has an item's columns, for the items in a broadcast join. */
  private final Map<From.Item, String> views = new IdentityHashMap<>();

  private final List<Starred> starred;

  BroadcastRewrite(
      ScriptContext script,
      Statement statement,
      Block block,
      BlockAnalysis analysis,
      BlockScope scope,
      JoinSides sides,
      StateRetention retention,
      String hint,
      Span hintSpan)
      throws Unsupported {
    this.script = script;
    this.statement = statement;
    this.block = block;
    this.analysis = analysis;
    this.scope = scope;
    this.sides = sides;
    this.retention = retention;
    this.hint = hint;
    this.hintSpan = hintSpan;
    this.text = FromText.of(script, statement, block, scope.from());
    this.uses = ColumnUses.of(script, statement, block, scope);
    this.names = new FlatNames(scope.from());
    this.tokens = script.tokens();
    this.starred = readStars();
  }

  /** Thrown when something in the block can't be carried over to the join's stage. */
  static final class Unsupported extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Span span;
    private final String help;

    Unsupported(Span span, String message, String help) {
      super(message, null, false, false);
      this.span = span;
      this.help = help;
    }

    Span span() {
      return span;
    }

    String help() {
      return help;
    }
  }

  /** The names of the tables that are no longer in the block's FROM. */
  List<String> joinedTables() {
    return views.keySet().stream().flatMap(item -> item.alias().stream()).toList();
  }

  /** Decides everything, and only then edits anything: a refusal leaves the script as it is. */
  void rewrite() throws Unsupported {
    List<Condition> where = whereConjuncts();
    Set<Condition> moved = Collections.newSetFromMap(new IdentityHashMap<>());
    where.stream().filter(part -> assign(part, scope.from())).forEach(moved::add);
    List<From.Join> joins = sides.broadcastJoins(scope.from());
    for (From.Join join : joins) {
      for (Condition condition : onConjuncts(join)) {
        assignOn(condition, join);
      }
    }
    joins.forEach(this::plan);
    chooseColumns();
    for (From.Join join : joins) {
      emit(stages.get(join));
    }
    editNames(moved);
    removeFromWhere(where, moved);
    editStars();
  }

  // ---------------------------------------------------------------- where conditions go

  private List<Condition> whereConjuncts() {
    SqlNode where = block.select().getWhere();
    return where == null || text.where().isEmpty()
        ? List.of()
        : Condition.of(tokens, where, text.where().get()).conjuncts();
  }

  private List<Condition> onConjuncts(From.Join join) {
    return text.condition(join)
        .map(range -> Condition.of(tokens, join.node().getCondition(), range).conjuncts())
        .orElse(List.of());
  }

  /**
   * Moves a condition from where it stands, at a part of FROM, to the innermost broadcast join or
   * side that can work it out.
   *
   * @return false if there is none, so that the condition stays
   */
  private boolean assign(Condition condition, From standsAt) {
    Set<From.Item> items = items(condition.range());
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
      if (isInner(join) && isPairCondition(condition, join)) {
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
  private void assignOn(Condition condition, From.Join join) throws Unsupported {
    if (isTrue(condition.node())) {
      return;
    }
    if (isInner(join)) {
      if (!assign(condition, join)) {
        leftToSql.computeIfAbsent(join, of -> new ArrayList<>()).add(condition);
      }
      return;
    }
    From.Item small = sides.smallOf(join);
    if (ColumnUses.hasQuery(condition.node())) {
      throw unsupportedCondition(condition);
    }
    if (Set.of(small).containsAll(items(condition.range()))) {
      filters.computeIfAbsent(small, of -> new ArrayList<>()).add(condition);
    } else if (isPairCondition(condition, join)) {
      conditions.computeIfAbsent(join, of -> new ArrayList<>()).add(condition);
    } else {
      throw unsupportedCondition(condition);
    }
  }

  private Unsupported unsupportedCondition(Condition condition) {
    return new Unsupported(
        text.span(condition.range()),
        "In an outer join, a broadcast join can compare values of the two sides with =, <>, <, <=, >, >= and IS [NOT] DISTINCT FROM, but it can't work this out",
        "Compute a value of each side in a subquery and compare the two");
  }

  private static boolean isTrue(SqlNode condition) {
    return condition instanceof SqlLiteral literal && Boolean.TRUE.equals(literal.getValue());
  }

  private static boolean isInner(From.Join join) {
    return switch (join.node().getJoinType()) {
      case INNER, CROSS, COMMA -> true;
      default -> false;
    };
  }

  private Set<From.Item> items(FromText.Range range) {
    Set<From.Item> items = Collections.newSetFromMap(new IdentityHashMap<>());
    uses.in(text.span(range)).forEach(use -> items.add(use.item()));
    return items;
  }

  /** Whether a condition is made of comparisons across the sides, and of parts of one side each. */
  private boolean isPairCondition(Condition condition, From.Join join) {
    if (isOfOneSide(condition.range(), join)) {
      return true;
    }
    if (condition instanceof Condition.All all) {
      return all.parts().stream().allMatch(part -> isPairCondition(part, join));
    }
    if (condition instanceof Condition.Any any) {
      return any.parts().stream().allMatch(part -> isPairCondition(part, join));
    }
    if (condition instanceof Condition.Not not) {
      return isPairCondition(not.part(), join);
    }
    return condition instanceof Condition.Comparison comparison && isAcross(comparison, join);
  }

  private boolean isOfOneSide(FromText.Range range, From.Join join) {
    Set<From.Item> items = items(range);
    return join.left().items().containsAll(items) || join.right().items().containsAll(items);
  }

  private boolean isAcross(Condition.Comparison comparison, From.Join join) {
    if (!isOfOneSide(comparison.left().range(), join)
        || !isOfOneSide(comparison.right().range(), join)) {
      return false;
    }
    Optional<ComparedTypes.Comparable> types =
        ComparedTypes.of(scope, comparison.left().node(), comparison.right().node());
    return switch (comparison.kind()) {
      case EQUALS, NOT_EQUALS, IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM -> types.isPresent();
      default -> types.filter(ComparedTypes.Comparable::ordered).isPresent();
    };
  }

  // ---------------------------------------------------------------- stages

  private void plan(From.Join join) {
    From.Item smallItem = sides.smallOf(join);
    From bigFrom = sides.bigOf(join);
    boolean outer = !isInner(join);
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
            : Optional.of(Placement.of(script, statement, block, sides, big.get(0)));
    BroadcastJoinStage stage =
        new BroadcastJoinStage(
            join,
            placement,
            script.names().id(statement, block, "broadcast " + alias),
            script.names().view(statement, block, "joined"),
            previous,
            big,
            small);
    stages.put(join, stage);
    stage.remaining().addAll(leftToSql.getOrDefault(join, List.of()));
    addKeysOfUsing(stage);
    for (Condition condition : conditions.getOrDefault(join, List.of())) {
      if (condition instanceof Condition.Comparison comparison
          && comparison.kind() == SqlKind.EQUALS
          && !isOfOneSide(comparison.range(), join)) {
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
    SideQuery side = new SideQuery(from, name, unmatchedAsNull, names, below);
    sideQueries.add(side);
    for (Condition filter : filters.getOrDefault(from, List.of())) {
      side.filter(enclosed(filter, render(text.span(filter.range()), side)));
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

  /** A disjunction in parentheses, unless it has them. */
  private String enclosed(Condition condition, String sql) {
    boolean bare =
        condition instanceof Condition.Any && !tokens.isSymbol(condition.range().from(), "(");
    return bare ? "(" + sql + ")" : sql;
  }

  /** Whether all that a join asks of its big side can be worked out before the join in front. */
  private boolean canGoOn(BroadcastJoinStage previous, From.Join join) {
    return previous.remaining().isEmpty()
        && conditions.getOrDefault(join, List.of()).stream()
            .allMatch(condition -> canBeWorkedOut(condition, previous, join));
  }

  private boolean canBeWorkedOut(Condition condition, BroadcastJoinStage previous, From.Join join) {
    if (isOfOneSide(condition.range(), join)) {
      return isHome(condition.node(), condition.range(), previous.sides(), join);
    }
    if (condition instanceof Condition.All all) {
      return all.parts().stream().allMatch(part -> canBeWorkedOut(part, previous, join));
    }
    if (condition instanceof Condition.Any any) {
      return any.parts().stream().allMatch(part -> canBeWorkedOut(part, previous, join));
    }
    if (condition instanceof Condition.Not not) {
      return canBeWorkedOut(not.part(), previous, join);
    }
    Condition.Comparison comparison = (Condition.Comparison) condition;
    return Stream.of(comparison.left(), comparison.right())
        .allMatch(operand -> isHome(operand.node(), operand.range(), previous.sides(), join));
  }

  private boolean isHome(
      SqlNode node, FromText.Range range, List<SideQuery> bigSides, From.Join join) {
    Set<From.Item> items = items(range);
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
    for (String column : commonColumns(join)) {
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
                    side.computed("key", "CAST(%s AS %s)".formatted(side.read(item, column), type)))
            .orElseGet(() -> side.column(item, column)));
  }

  /** The columns that USING or NATURAL makes one. */
  static List<String> commonColumns(From.Join join) {
    if (join.node().isNatural()) {
      return join.left().items().stream()
          .flatMap(item -> item.columns().stream())
          .map(OutputColumn::name)
          .filter(name -> ColumnUses.resolve(join.right(), List.of(name)).isPresent())
          .distinct()
          .toList();
    }
    if (join.node().getConditionType() == JoinConditionType.USING) {
      return ((SqlNodeList) join.node().getCondition())
          .stream().map(name -> ((SqlIdentifier) name).getSimple()).toList();
    }
    return List.of();
  }

  private BroadcastJoinStage.Key key(Condition.Comparison comparison, BroadcastJoinStage stage) {
    ComparedTypes.Comparable types =
        ComparedTypes.of(scope, comparison.left().node(), comparison.right().node()).orElseThrow();
    List<String> left = operand("key", comparison.left(), types.left(), stage);
    List<String> right = operand("key", comparison.right(), types.right(), stage);
    boolean smallOnRight =
        Set.of(sides.smallOf(stage.join())).containsAll(items(comparison.right().range()));
    return smallOnRight
        ? new BroadcastJoinStage.Key(left, right)
        : new BroadcastJoinStage.Key(right, left);
  }

  private PairCondition pair(Condition condition, BroadcastJoinStage stage, boolean negated) {
    if (isOfOneSide(condition.range(), stage.join())) {
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
    SideQuery side = home(items(condition.range()), stage);
    workedOut.put(span, side);
    String sql = render(span, side);
    return qualified(side, side.computed("matching", negated ? "NOT (" + sql + ")" : sql));
  }

  private List<String> operand(
      String purpose, Condition.Operand operand, Optional<String> cast, BroadcastJoinStage stage) {
    Span span = text.span(operand.range());
    SideQuery side = home(items(operand.range()), stage);
    workedOut.put(span, side);
    Optional<ColumnUse> column =
        uses.in(span).stream().filter(use -> use.span().equals(span)).findFirst();
    if (column.isPresent()
        && cast.isEmpty()
        && column.get().nested().isEmpty()
        && column.get().column().timeAttribute() != TimeAttribute.PROCTIME) {
      return qualified(side, side.column(column.get().item(), column.get().column()));
    }
    String sql = render(span, side);
    return qualified(
        side,
        side.computed(
            purpose, cast.map(type -> "CAST(%s AS %s)".formatted(sql, type)).orElse(sql)));
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

  /** The script's text of an expression, as a side's query can have it. */
  private String render(Span span, SideQuery side) {
    StringBuilder rendered = new StringBuilder();
    int position = span.start();
    for (ColumnUse use : uses.in(span)) {
      if (side.views().containsKey(use.item())) {
        rendered.append(script.edits().render(new Span(position, use.span().start())));
        rendered.append(flat(use));
        position = use.span().end();
      }
    }
    return rendered.append(script.edits().render(new Span(position, span.end()))).toString();
  }

  private String flat(ColumnUse use) {
    List<String> path = new ArrayList<>();
    path.add(names.of(use.item(), use.column()));
    path.addAll(use.nested());
    return SqlNames.path(path);
  }

  // ---------------------------------------------------------------- columns

  /** Every query gives the columns that something above it reads. */
  private void chooseColumns() {
    for (SideQuery side : sideQueries) {
      Span own = text.span(side.from());
      for (ColumnUse use : uses.all()) {
        if (side.from().items().contains(use.item())
            && !own.contains(use.span())
            && !isWorkedOutUpTo(side, use)) {
          side.expose(use.item(), use.column());
        }
      }
      for (Starred column : starred) {
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

  // ---------------------------------------------------------------- output

  private void emit(BroadcastJoinStage stage) {
    List<Stage.Input> inputs = new ArrayList<>();
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    From.Join join = stage.join();
    parameters.put(BroadcastLowering.JOIN, List.of(isInner(join) ? "inner" : "outer"));
    if (stage.previous().isPresent()) {
      BroadcastJoinStage previous = stage.previous().get();
      parameters.put(BroadcastLowering.PREVIOUS, List.of(previous.view()));
      inputs.add(
          new Stage.Input(
              "",
              List.of(previous.id()),
              Optional.empty(),
              new Distribution.Kept(),
              "the join in front has put them where this one needs them"));
    } else {
      Placement placement = stage.placement().orElseThrow();
      placement.note(script, hintSpan, stage.big().name());
      parameters.put(BroadcastLowering.BIG, List.of(stage.big().name()));
      if (placement.isWholeRow()) {
        parameters.put(BroadcastLowering.WHOLE_ROW, List.of("true"));
      }
      inputs.add(
          input(
              stage.big(), placement.parallelism(), placement.distribution(), placement.reason()));
    }
    parameters.put(BroadcastLowering.SMALL, List.of(stage.small().name()));
    inputs.add(
        input(
            stage.small(),
            Optional.empty(),
            new Distribution.Broadcast(),
            "every task joins with all rows of " + stage.small().name()));
    if (!stage.keys().isEmpty()) {
      parameters.put(BroadcastLowering.KEYS, stage.keys().stream().map(JoinText::key).toList());
    }
    if (stage.previous().isEmpty()) {
      retention
          .of(stage.big().from())
          .ifPresent(time -> parameters.put(BroadcastLowering.BIG_RETENTION, milliseconds(time)));
    }
    retention
        .of(stage.small().from())
        .ifPresent(time -> parameters.put(BroadcastLowering.SMALL_RETENTION, milliseconds(time)));
    if (!stage.condition().clauses().isEmpty()) {
      parameters.put(
          BroadcastLowering.CONDITION,
          stage.condition().clauses().stream().map(JoinText::clause).toList());
    }
    if (!stage.goesOn()) {
      parameters.put(BroadcastLowering.COLUMNS, columns(stage));
    }
    script.add(
        new Stage.Operators(
            stage.id(),
            script.origin(hintSpan),
            BroadcastLowering.STAGE_KIND,
            hint,
            inputs,
            parameters,
            stage.view(),
            analysis.plan().map(RelOptUtil::toString).stream().flatMap(String::lines).toList()));
    if (!stage.goesOn()) {
      replaceByView(stage);
    }
  }

  private static List<String> milliseconds(long time) {
    return List.of(time + " ms");
  }

  private Stage.Input input(
      SideQuery side, Optional<Integer> parallelism, Distribution distribution, String reason) {
    Span span = text.span(side.from());
    for (ColumnUse use : uses.in(span)) {
      if (side.views().containsKey(use.item()) && !script.edits().isReplaced(use.span())) {
        script.edits().replace(use.span(), flat(use));
      }
    }
    return new Stage.Input(
        CommonTableClosure.clause(script, block, span) + side.sql(script.edits().render(span)),
        script.reads(statement, span),
        parallelism,
        distribution,
        reason);
  }

  /** The columns that come out, with their names behind the join. */
  private List<String> columns(BroadcastJoinStage stage) {
    return stage.sides().stream()
        .flatMap(side -> side.exposed().stream().map(column -> column(side, column)))
        .toList();
  }

  /** A proctime column does not travel: the join gives it anew, beside the rows of the tables. */
  private String column(SideQuery side, SideQuery.Carried column) {
    List<String> path =
        column.isProctime()
            ? List.of(side.name() + "_" + column.name())
            : List.of(side.name(), column.name());
    return JoinText.column(path, names.of(column.item(), column.column()));
  }

  private void replaceByView(BroadcastJoinStage stage) {
    String view = SqlNames.identifier(stage.view());
    String replacement = view;
    if (!stage.remaining().isEmpty()) {
      String conditions =
          stage.remaining().stream()
              .map(part -> enclosed(part, renderFlat(text.span(part.range()), stage.join())))
              .collect(Collectors.joining(" AND "));
      replacement = "(SELECT * FROM %s WHERE %s) AS %s".formatted(view, conditions, view);
    }
    script.edits().replace(text.span(stage.join()), replacement, List.of(stage.view()));
  }

  /** The script's text of an expression, as a query that reads a join's view can have it. */
  private String renderFlat(Span span, From.Join join) {
    StringBuilder rendered = new StringBuilder();
    int position = span.start();
    for (ColumnUse use : uses.in(span)) {
      if (join.items().contains(use.item())) {
        rendered.append(script.edits().render(new Span(position, use.span().start())));
        rendered.append(flat(use));
        position = use.span().end();
      }
    }
    return rendered.append(script.edits().render(new Span(position, span.end()))).toString();
  }

  /** Outside of the joins, columns go by the names that they have behind them. */
  private void editNames(Collection<Condition> moved) {
    List<Span> gone = moved.stream().map(part -> text.span(part.range())).toList();
    for (ColumnUse use : uses.all()) {
      if (!views.containsKey(use.item())
          || script.edits().isReplaced(use.span())
          || gone.stream().anyMatch(span -> span.contains(use.span()))) {
        continue;
      }
      String name = flat(use);
      if (use.place() == ColumnUse.Place.SUBQUERY
          || use.place() == ColumnUse.Place.ORDER && isOutput(name)) {
        name = SqlNames.identifier(views.get(use.item())) + "." + name;
      }
      String written =
          use.nested().isEmpty() ? use.column().name() : use.nested().get(use.nested().size() - 1);
      boolean renamed =
          use.nested().isEmpty() && !names.of(use.item(), use.column()).equals(written);
      if (use.place() == ColumnUse.Place.SELECTED && renamed) {
        name += " AS " + SqlNames.identifier(written);
      }
      if (!name.equals(script.script().text().text(use.span()))) {
        script.edits().replace(use.span(), name);
      }
    }
  }

  private boolean isOutput(String name) {
    return analysis.output().stream()
        .anyMatch(column -> SqlNames.identifier(column.name()).equals(name));
  }

  private void editStars() {
    for (SqlIdentifier star : uses.stars()) {
      List<String> items = new ArrayList<>();
      for (Starred column : starred) {
        if (column.star() == star) {
          items.add(starred(column));
        }
      }
      script
          .edits()
          .replace(
              script.script().span(statement, star.getParserPosition()), String.join(", ", items));
    }
  }

  private String starred(Starred column) {
    From.Item item = column.of().item();
    String own = column.of().column().name();
    String source;
    if (views.containsKey(item)) {
      own = names.of(item, column.of().column());
      source = SqlNames.identifier(own);
    } else {
      source =
          item.alias().map(alias -> SqlNames.identifier(alias) + ".").orElse("")
              + SqlNames.identifier(own);
    }
    return own.equals(column.name())
        ? source
        : source + " AS " + SqlNames.identifier(column.name());
  }

  /** The columns that the stars of the select list stand for. */
  private List<Starred> readStars() throws Unsupported {
    for (SqlIdentifier star : uses.stars()) {
      if (star.names.size() > 2) {
        throw new Unsupported(
            script.script().span(statement, star.getParserPosition()),
            "The fields of a nested row can't be followed through the join as a star",
            "Name the fields one by one");
      }
    }
    List<Starred> columns = new ArrayList<>();
    SqlNodeList written = block.select().getSelectList();
    SqlNodeList expanded = scope.expandedSelectList();
    int position = 0;
    for (SqlNode item : written) {
      if (item instanceof SqlIdentifier star && star.isStar()) {
        int end = position + width(star, written, expanded);
        for (; position < end; position++) {
          columns.add(starred(star, expanded.get(position), position));
        }
      } else {
        position++;
      }
    }
    return columns;
  }

  private Starred starred(SqlIdentifier star, SqlNode expanded, int position) {
    String name = analysis.output().get(position).name();
    List<String> path =
        withoutAlias(expanded) instanceof SqlIdentifier column ? column.names : List.of(name);
    return new Starred(star, ColumnUses.resolve(scope.from(), path).orElseThrow(), name);
  }

  /** How many columns a star stands for. */
  private int width(SqlIdentifier star, SqlNodeList written, SqlNodeList expanded) {
    if (star.names.size() > 1) {
      String table = star.names.get(star.names.size() - 2);
      return scope.from().items().stream()
          .filter(item -> item.alias().filter(table::equals).isPresent())
          .findFirst()
          .orElseThrow()
          .columns()
          .size();
    }
    int others = 0;
    int bareStars = 0;
    for (SqlNode item : written) {
      boolean isStar = item instanceof SqlIdentifier name && name.isStar();
      if (isStar && ((SqlIdentifier) item).names.size() == 1) {
        bareStars++;
      } else {
        others += isStar ? width((SqlIdentifier) item, written, expanded) : 1;
      }
    }
    return (expanded.size() - others) / bareStars;
  }

  private static SqlNode withoutAlias(SqlNode item) {
    return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
  }

  /** A column that a star stands for, and its name in the block's output. */
  private record Starred(SqlIdentifier star, ColumnUses.Resolved of, String name) {}

  /** Takes out of WHERE what has moved into the joins. */
  private void removeFromWhere(List<Condition> all, Set<Condition> moved) {
    if (moved.isEmpty()) {
      return;
    }
    Span where = text.span(text.where().orElseThrow());
    List<Condition> kept = all.stream().filter(part -> !moved.contains(part)).toList();
    if (kept.isEmpty()) {
      script.edits().remove(new Span(text.span(scope.from()).end(), where.end()));
      return;
    }
    boolean flat =
        all.stream().allMatch(part -> part == all.get(0) || isAnd(part.range().from() - 1));
    if (!flat) {
      script
          .edits()
          .replace(
              where,
              kept.stream()
                  .map(part -> enclosed(part, script.edits().render(text.span(part.range()))))
                  .collect(Collectors.joining(" AND ")));
      return;
    }
    boolean keptBefore = false;
    for (int i = 0; i < all.size(); i++) {
      Span part = text.span(all.get(i).range());
      if (!moved.contains(all.get(i))) {
        keptBefore = true;
      } else if (keptBefore) {
        script.edits().remove(new Span(text.span(all.get(i - 1).range()).end(), part.end()));
      } else {
        script.edits().remove(new Span(part.start(), text.span(all.get(i + 1).range()).start()));
      }
    }
  }

  private boolean isAnd(int index) {
    return tokens.isWord(index, "AND");
  }
}
