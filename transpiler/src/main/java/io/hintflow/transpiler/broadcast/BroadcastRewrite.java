package io.hintflow.transpiler.broadcast;

import io.hintflow.grammar.Span;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.lowering.ColumnUse;
import io.hintflow.transpiler.lowering.ColumnUses;
import io.hintflow.transpiler.lowering.CommonTableClosure;
import io.hintflow.transpiler.lowering.Condition;
import io.hintflow.transpiler.lowering.FromText;
import io.hintflow.transpiler.lowering.HeldStates;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.lowering.SqlNames;
import io.hintflow.transpiler.lowering.StateRetention;
import io.hintflow.transpiler.lowering.WhereClause;
import io.hintflow.transpiler.plan.Distribution;
import io.hintflow.transpiler.plan.HeldState;
import io.hintflow.transpiler.plan.Stage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlIdentifier;

/**
 * Takes the broadcast joins out of one block's FROM: each becomes a stage that is fed by queries of
 * its two sides, and the rest of the block reads the stage's view.
 */
final class BroadcastRewrite {
  private final JoinedBlock block;
  private final StateRetention retention;
  private final String hint;
  private final Span hintSpan;
  private final ScriptContext script;
  private final JoinSides sides;
  private final FromText text;
  private final ColumnUses.Found uses;
  private final FlatNames names;
  private Map<From.Item, String> views = Map.of();

  /**
   * @param hint the hints as the user wrote them
   */
  BroadcastRewrite(JoinedBlock block, StateRetention retention, String hint, Span hintSpan) {
    this.block = block;
    this.retention = retention;
    this.hint = hint;
    this.hintSpan = hintSpan;
    this.script = block.script();
    this.sides = block.sides();
    this.text = block.text();
    this.uses = block.uses();
    this.names = block.names();
  }

  /**
   * Decides everything, and only then edits anything: a refusal leaves the script as it is.
   *
   * @return the names of the tables that are no longer in the block's FROM
   */
  List<String> rewrite() throws UnsupportedJoin {
    ConditionAssignment assignment = new ConditionAssignment(block);
    List<StarColumn> starred = StarColumn.of(block);
    requireNoNaturalJoinAbove(block.from());
    JoinPlanner planner = new JoinPlanner(block, assignment);
    List<BroadcastJoinStage> stages = planner.plan(starred);
    views = planner.views();
    replaceUsingAbove(block.from());
    stages.forEach(this::emit);
    editNames(assignment.moved());
    assignment.where().remove(assignment.moved());
    editStars(starred);
    return views.keySet().stream().flatMap(item -> item.alias().stream()).toList();
  }

  private void emit(BroadcastJoinStage stage) {
    List<Stage.Input> inputs = new ArrayList<>();
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    From.Join join = stage.join();
    parameters.put(BroadcastLowering.JOIN, List.of(JoinedBlock.isInner(join) ? "inner" : "outer"));
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
          .ifPresent(time -> parameters.put(BroadcastLowering.BIG_RETENTION, List.of(time)));
    }
    retention
        .of(stage.small().from())
        .ifPresent(time -> parameters.put(BroadcastLowering.SMALL_RETENTION, List.of(time)));
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
            state(stage),
            stage.view(),
            block.analysis().planLines()));
    if (!stage.goesOn()) {
      replaceByView(stage);
    }
  }

  /** Keyed by what both sides must be equal in, so that other keys would find other rows. */
  private List<HeldState> state(BroadcastJoinStage stage) {
    String keys =
        stage.keys().isEmpty()
            ? "none"
            : stage.keys().stream()
                .map(key -> stateKey(stage, key))
                .collect(Collectors.joining(", "));
    Map<String, String> big = new LinkedHashMap<>();
    big.put("join key", keys);
    big.put(
        "placement", HeldStates.placement(origin(stage).placement().orElseThrow().distribution()));
    HeldStates.addExpiry(
        stage.previous().isEmpty() ? retention.of(stage.big().from()) : Optional.empty(),
        script,
        big);
    return List.of(
        new HeldState(
            stage.previous().isEmpty()
                ? "rows of " + stage.big().name()
                : "rows that the join in front lets out",
            stage.bigSides().stream().flatMap(side -> side.stateColumns().stream()).toList(),
            big),
        new HeldState(
            "rows of %s, all of them in every task".formatted(stage.small().name()),
            stage.small().stateColumns(),
            Map.of()));
  }

  /** Without the aliases of the tables, which can change. */
  private static String stateKey(BroadcastJoinStage stage, BroadcastJoinStage.Key key) {
    List<String> sides = stage.bigSides().stream().map(SideQuery::name).toList();
    String side = sides.size() == 1 ? "" : (sides.indexOf(key.big().get(0)) + 1) + ".";
    return side + key.big().get(1) + " = " + key.small().get(1);
  }

  /** The first of the joins that a row passes without changing its task. */
  private static BroadcastJoinStage origin(BroadcastJoinStage stage) {
    return stage.previous().map(BroadcastRewrite::origin).orElse(stage);
  }

  private Stage.Input input(
      SideQuery side, Optional<Integer> parallelism, Distribution distribution, String reason) {
    Span span = text.span(side.from());
    for (ColumnUse use : uses.in(span)) {
      if (side.views().containsKey(use.item()) && !script.edits().isReplaced(use.span())) {
        script.edits().replace(use.span(), block.flat(use));
      }
    }
    return new Stage.Input(
        CommonTableClosure.clause(script, block.block(), span)
            + side.sql(script.edits().render(span)),
        script.reads(block.statement(), span),
        parallelism,
        distribution,
        reason);
  }

  /** The columns that come out, with their names behind the join. */
  private List<String> columns(BroadcastJoinStage stage) {
    return stage.sides().stream()
        .flatMap(
            side ->
                side.exposed().stream()
                    .map(
                        column ->
                            JoinText.column(
                                List.of(side.name(), column.name()),
                                names.of(column.item(), column.column()))))
        .toList();
  }

  private void replaceByView(BroadcastJoinStage stage) {
    String view = SqlNames.identifier(stage.view());
    String replacement = view;
    if (!stage.remaining().isEmpty()) {
      String conditions =
          stage.remaining().stream()
              .map(
                  part ->
                      WhereClause.conjunct(
                          script,
                          part,
                          block.render(text.span(part.range()), stage.join().items())))
              .collect(Collectors.joining(" AND "));
      replacement = "(SELECT * FROM %s WHERE %s) AS %s".formatted(view, conditions, view);
    }
    script.edits().replace(text.span(stage.join()), replacement, List.of(stage.view()));
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
      String name = block.flat(use);
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

  private void requireNoNaturalJoinAbove(From from) throws UnsupportedJoin {
    if (from instanceof From.Join join) {
      if (isPlainAboveBroadcast(join) && join.node().isNatural()) {
        throw new UnsupportedJoin(
            text.span(join.right()),
            "NATURAL finds columns by their names, which are others behind a broadcast join",
            "Write the join with ON or USING");
      }
      requireNoNaturalJoinAbove(join.left());
      requireNoNaturalJoinAbove(join.right());
    }
  }

  /** Behind a broadcast join, columns have names that USING would not find. */
  private void replaceUsingAbove(From from) {
    if (!(from instanceof From.Join join)) {
      return;
    }
    if (isPlainAboveBroadcast(join) && text.using(join).isPresent()) {
      script
          .edits()
          .replace(
              text.span(text.using(join).get()),
              ColumnUses.commonColumns(join).stream()
                  .map(
                      column ->
                          commonColumn(join.left(), column)
                              + " = "
                              + commonColumn(join.right(), column))
                  .collect(Collectors.joining(" AND ", "ON ", "")));
    }
    replaceUsingAbove(join.left());
    replaceUsingAbove(join.right());
  }

  private boolean isPlainAboveBroadcast(From.Join join) {
    return !sides.isBroadcast(join) && !sides.broadcastJoins(join).isEmpty();
  }

  private String commonColumn(From side, String name) {
    ColumnUses.Resolved column = ColumnUses.resolve(side, List.of(name)).orElseThrow();
    boolean behindJoin =
        sides.broadcastJoins(side).stream().anyMatch(join -> join.items().contains(column.item()));
    return behindJoin
        ? SqlNames.identifier(names.of(column.item(), column.column()))
        : column.item().alias().map(alias -> SqlNames.identifier(alias) + ".").orElse("")
            + SqlNames.identifier(name);
  }

  private boolean isOutput(String name) {
    return block.analysis().output().stream()
        .anyMatch(column -> SqlNames.identifier(column.name()).equals(name));
  }

  private void editStars(List<StarColumn> starred) {
    for (SqlIdentifier star : uses.stars()) {
      List<String> items = new ArrayList<>();
      for (StarColumn column : starred) {
        if (column.star() == star) {
          items.add(starred(column));
        }
      }
      script
          .edits()
          .replace(
              script.script().span(block.statement(), star.getParserPosition()),
              String.join(", ", items));
    }
  }

  private String starred(StarColumn column) {
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
}
