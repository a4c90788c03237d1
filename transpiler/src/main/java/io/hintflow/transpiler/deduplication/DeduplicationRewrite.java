package io.hintflow.transpiler.deduplication;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Hint;
import io.hintflow.grammar.Name;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.transpiler.analysis.BlockAnalysis;
import io.hintflow.transpiler.analysis.BlockScope;
import io.hintflow.transpiler.analysis.Changelog;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.lowering.BlockContext;
import io.hintflow.transpiler.lowering.ColumnUses;
import io.hintflow.transpiler.lowering.CommonTableClosure;
import io.hintflow.transpiler.lowering.FromText;
import io.hintflow.transpiler.lowering.HeldStates;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.lowering.SelectText;
import io.hintflow.transpiler.lowering.StagedItem;
import io.hintflow.transpiler.lowering.StateRetention;
import io.hintflow.transpiler.plan.Distribution;
import io.hintflow.transpiler.plan.HeldState;
import io.hintflow.transpiler.plan.Origin;
import io.hintflow.transpiler.plan.Stage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Puts a stage in front of items of one block's FROM: it reads the columns that the block uses, and
 * the block reads what it lets out.
 */
final class DeduplicationRewrite {
  private final BlockContext context;
  private final ScriptContext script;
  private final Statement statement;
  private final Block block;
  private final BlockAnalysis analysis;
  private final From from;
  private final FromText text;
  private final ColumnUses.Found uses;

  /** What HASH_BY_KEY says, by table. */
  private final Map<String, List<String>> hashed;

  /** What BROADCAST names. */
  private final List<String> broadcast;

  private final StateRetention retention;

  DeduplicationRewrite(BlockContext context, BlockAnalysis analysis, BlockScope scope) {
    this.context = context;
    this.script = context.script();
    this.statement = context.statement();
    this.block = context.block();
    this.analysis = analysis;
    this.from = scope.from();
    this.text = FromText.of(script, statement, block, from);
    this.uses = ColumnUses.of(script, statement, block, scope);
    this.hashed = hashed(context);
    this.broadcast = broadcast(context);
    this.retention = StateRetention.of(context);
  }

  /**
   * @param items with where it is asked for
   */
  void rewrite(Map<From.Item, List<Span>> items) {
    JoinKeys keys = new JoinKeys(script, block, from, text, uses);
    items.forEach((item, options) -> rewrite(item, options, keys));
  }

  private void rewrite(From.Item item, List<Span> options, JoinKeys keys) {
    Origin origin = script.origin(options.get(0));
    StagedItem staged = new StagedItem(script, block, from, text, uses, item);
    List<OutputColumn> columns = staged.usedColumns(hashedColumns(item));
    List<String> names = columns.stream().map(OutputColumn::name).toList();
    Optional<List<String>> key = item.keys().stream().filter(names::containsAll).findFirst();
    String name = item.alias().orElse("subquery " + (from.items().indexOf(item) + 1));
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    parameters.put(DeduplicationLowering.TABLE, List.of(name));
    List<HeldState> state = new ArrayList<>();
    Distribution distribution;
    String reason;
    // Rows that are only inserted have a key that nobody has checked.
    if (key.isPresent() && item.changelog() != Changelog.INSERT_ONLY) {
      distribution = new Distribution.Kept();
      reason = "%s has a key, so no two of its rows are equal".formatted(name);
    } else {
      List<String> hashed = placement(item, keys);
      if (hashed.isEmpty()) {
        parameters.put(DeduplicationLowering.WHOLE_ROW, List.of("true"));
        distribution = new Distribution.Hash(List.of("the whole row"));
        reason =
            isSpread(item)
                ? "equal rows meet, and a frequent key does not pile up"
                : "equal rows meet, and the join has no column of %s to go by".formatted(name);
        noteLostOrder(item, origin, name);
      } else {
        distribution = new Distribution.Hash(hashed);
        reason = "equal rows meet, and those of one key stay in order";
      }
      script.note(
          "%s: rows of %s that are equal in %s count once, as in SELECT DISTINCT"
              .formatted(origin, name, names.isEmpty() ? "no column" : String.join(", ", names)));
      Optional<String> kept = retention.of(item);
      kept.ifPresent(time -> parameters.put(DeduplicationLowering.RETENTION, List.of(time)));
      Map<String, String> dependsOn = new LinkedHashMap<>();
      dependsOn.put("placement", HeldStates.placement(distribution));
      HeldStates.addExpiry(kept, script, dependsOn);
      state.add(
          new HeldState(
              "the different rows of %s, and how many there are of each".formatted(name),
              HeldStates.columns(columns),
              dependsOn));
    }
    key.filter(of -> isNotNull(of, item))
        .ifPresent(of -> parameters.put(DeduplicationLowering.PRIMARY_KEY, of));
    Span span = text.span(item);
    String view = script.names().view(List.of(staged.subject()), "deduplicated");
    script.add(
        new Stage.Operators(
            script.names().id(statement, block, "deduplication " + name),
            origin,
            DeduplicationLowering.STAGE_KIND,
            options.stream()
                .map(script.script().text()::text)
                .distinct()
                .collect(Collectors.joining(", ")),
            List.of(
                new Stage.Input(
                    CommonTableClosure.clause(script, block, span)
                        + SelectText.of(staged.selected(columns), script.edits().render(span)),
                    script.reads(statement, span),
                    parallelism(item),
                    distribution,
                    reason)),
            parameters,
            state,
            view,
            analysis.planLines()));
    staged.readFrom(view);
    script.readThroughStage(item, names);
  }

  private static Map<String, List<String>> hashed(BlockContext context) {
    Map<String, List<String>> hashed = new LinkedHashMap<>();
    context.hint(Hint.HashByKey.class).map(Hint.HashByKey::tables).orElse(List.of()).stream()
        .forEach(
            table ->
                hashed.put(
                    table.table().text(), table.columns().stream().map(Name::text).toList()));
    return hashed;
  }

  private Set<String> hashedColumns(From.Item item) {
    return Set.copyOf(
        item.alias().map(alias -> hashed.getOrDefault(alias, List.of())).orElse(List.of()));
  }

  private static List<String> broadcast(BlockContext context) {
    return context.hint(Hint.Broadcast.class).map(Hint.Broadcast::tables).orElse(List.of()).stream()
        .map(Name::text)
        .toList();
  }

  /**
   * The columns by whose hash equal rows meet; none for all of them. Before a join that hashes its
   * rows, its own key keeps rows in that order in which it would get them; a broadcast join goes by
   * what HASH_BY_KEY says, and else must not see a frequent key pile up.
   */
  private List<String> placement(From.Item item, JoinKeys keys) {
    if (item.alias().filter(hashed::containsKey).isPresent()) {
      return hashed.get(item.alias().get());
    }
    return isSpread(item) ? List.of() : keys.of(item);
  }

  /** Whether an item is the big side of a broadcast join, or a part of it. */
  private boolean isSpread(From.Item item) {
    return !isBroadcast(item) && isSpread(item, from);
  }

  private boolean isSpread(From.Item item, From in) {
    if (!(in instanceof From.Join join) || !join.items().contains(item)) {
      return false;
    }
    return isBroadcast(join.left())
        || isBroadcast(join.right())
        || isSpread(item, join.left())
        || isSpread(item, join.right());
  }

  private boolean isBroadcast(From side) {
    return side instanceof From.Item item && item.alias().filter(broadcast::contains).isPresent();
  }

  private void noteLostOrder(From.Item item, Origin origin, String name) {
    if (item.changelog() != Changelog.INSERT_ONLY) {
      script.note(
          "%s: rows of %s go by the hash of the whole row, so updates of one row can overtake each other"
              .formatted(origin, name));
    }
  }

  private static boolean isNotNull(List<String> columns, From.Item item) {
    return columns.stream()
        .allMatch(column -> !item.column(column).orElseThrow().type().isNullable());
  }

  /** Only where nothing else has spread the rows of its source over the job's tasks. */
  private Optional<Integer> parallelism(From.Item item) {
    return block.tables().stream()
        .filter(table -> text.span(item).contains(table.nameSpan()))
        .filter(table -> script.sourceParallelism().isReadByStage(statement, block, table))
        .findFirst()
        .flatMap(table -> script.sourceParallelism().ofReference(statement, table));
  }
}
