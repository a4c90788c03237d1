package io.hintflow.transpiler.broadcast;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Hint;
import io.hintflow.grammar.Name;
import io.hintflow.grammar.NearestName;
import io.hintflow.grammar.Replacement;
import io.hintflow.transpiler.analysis.BlockAnalysis;
import io.hintflow.transpiler.analysis.BlockScope;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.analysis.TimeAttribute;
import io.hintflow.transpiler.lowering.BlockContext;
import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.lowering.StateRetention;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks the hints BROADCAST and HASH_BY_KEY of one script's blocks, and has them carried out. */
final class BlockBroadcast implements Lowering.BlockLowering {
  private final ScriptContext script;

  BlockBroadcast(ScriptContext script) {
    this.script = script;
  }

  @Override
  public void lower(BlockContext context) {
    Optional<Hint.Broadcast> broadcast = context.hint(Hint.Broadcast.class);
    Optional<Hint.HashByKey> hashByKey = context.hint(Hint.HashByKey.class);
    if (broadcast.isEmpty() && hashByKey.isEmpty()) {
      return;
    }
    if (script.isBatch()) {
      hashByKey.ifPresent(hint -> leaveOutInBatch(context, hint));
      return;
    }
    if (broadcast.isEmpty()) {
      script.report(
          DiagnosticCode.NOT_JOINED,
          hashByKey.get().span(),
          "HASH_BY_KEY says how the big side of a broadcast join is spread, and this SELECT has no BROADCAST",
          "Name the small table: BROADCAST(small)");
      return;
    }
    script.requireJavaJob(broadcast.get().span(), "BROADCAST");
    hashByKey.ifPresent(hint -> script.requireJavaJob(hint.span(), "HASH_BY_KEY"));
    Stream.concat(
            broadcast.get().tables().stream(),
            hashByKey.stream()
                .flatMap(hint -> hint.tables().stream())
                .map(Hint.TableColumns::table))
        .forEach(name -> requireUnambiguous(name, context.block()));
    if (context.hasErrors()) {
      context.analysis();
      return;
    }
    Optional<BlockAnalysis> analysis = context.analysis();
    Optional<BlockScope> scope = analysis.flatMap(BlockAnalysis::scope);
    if (scope.isEmpty()) {
      script.report(
          DiagnosticCode.UNKNOWN_JOIN_COLUMNS,
          broadcast.get().span(),
          "What columns the tables of this SELECT have is not known here, so its joins can't be told apart",
          "Declare the tables that it reads in the script");
      return;
    }
    if (analysis.get().correlated()) {
      script.report(
          DiagnosticCode.CORRELATED_BLOCK,
          broadcast.get().span(),
          "This subquery reads columns of the query around it, so its joins can't run by themselves",
          "Put the join into the outer SELECT, or write the subquery as a join");
      return;
    }
    Optional<JoinSides> sides = sides(broadcast.get(), hashByKey, scope.get().from());
    if (sides.isPresent()) {
      rewrite(context, analysis.get(), scope.get(), sides.get(), broadcast.get(), hashByKey);
    }
  }

  /**
   * In batch mode BROADCAST is Flink's own hint; HASH_BY_KEY is for changes, which batch has not.
   */
  private void leaveOutInBatch(BlockContext context, Hint.HashByKey hint) {
    context.removeHint(hint);
    script.note(
        "%s: %s is left out, because in batch mode rows do not change and have no order to keep"
            .formatted(script.origin(hint.span()), script.script().text().text(hint.span())));
  }

  private void rewrite(
      BlockContext context,
      BlockAnalysis analysis,
      BlockScope scope,
      JoinSides sides,
      Hint.Broadcast broadcast,
      Optional<Hint.HashByKey> hashByKey) {
    String written =
        Stream.concat(Stream.of(broadcast), hashByKey.stream())
            .map(hint -> script.script().text().text(hint.span()))
            .collect(Collectors.joining(", "));
    StateRetention retention = StateRetention.of(context);
    try {
      JoinedBlock block = JoinedBlock.of(context, analysis, scope, sides);
      List<String> joined =
          new BroadcastRewrite(block, retention, written, broadcast.span()).rewrite();
      context.removeHint(broadcast);
      hashByKey.ifPresent(context::removeHint);
      retention.remove(context, joined);
    } catch (UnsupportedJoin unsupported) {
      script.report(
          DiagnosticCode.BROADCAST_CONDITION,
          unsupported.span(),
          unsupported.getMessage(),
          unsupported.help());
    }
  }

  // ---------------------------------------------------------------- names

  /** What the hints name; empty if something was wrong with them, which has then been reported. */
  private Optional<JoinSides> sides(
      Hint.Broadcast broadcast, Optional<Hint.HashByKey> hashByKey, From from) {
    JoinSides sides = JoinSides.none();
    boolean right = true;
    for (Name name : broadcast.tables()) {
      Optional<From.Item> item = find(name, from);
      item.ifPresent(sides.small()::add);
      right &= item.isPresent();
    }
    if (!right) {
      return Optional.empty();
    }
    for (Name name : broadcast.tables()) {
      right &= isBroadcastable(name, find(name, from).orElseThrow(), from, sides);
    }
    if (!right) {
      return Optional.empty();
    }
    for (Hint.TableColumns table : hashByKey.map(Hint.HashByKey::tables).orElse(List.of())) {
      right &= addHashed(table, from, sides);
    }
    return right ? Optional.of(sides) : Optional.empty();
  }

  /** Two tables of one name are an error of the query too, which tells nothing of the hint. */
  private void requireUnambiguous(Name name, Block block) {
    long count =
        block.tables().stream().filter(table -> table.exposedName().equals(name.text())).count();
    if (count > 1) {
      script.report(
          DiagnosticCode.AMBIGUOUS_JOIN_TABLE,
          name.span(),
          "'%s' names %d tables of this SELECT's FROM".formatted(name.text(), count),
          "Give each an alias and name that; FROM has "
              + block.tables().stream()
                  .map(table -> String.join(".", table.path()))
                  .collect(Collectors.joining(", ")));
    }
  }

  private Optional<From.Item> find(Name name, From from) {
    List<From.Item> found =
        from.items().stream()
            .filter(item -> item.alias().filter(name.text()::equals).isPresent())
            .toList();
    if (!found.isEmpty()) {
      return Optional.of(found.get(0));
    }
    List<String> names =
        from.items().stream().map(From.Item::alias).flatMap(Optional::stream).toList();
    String candidates = "FROM has " + String.join(", ", names);
    Optional<String> nearest = NearestName.of(name.text(), names);
    script.report(
        DiagnosticCode.UNKNOWN_JOIN_TABLE,
        name.span(),
        "'%s' is not a table of this SELECT's FROM".formatted(name.text()),
        nearest
            .map(meant -> "Did you mean '%s'? %s".formatted(meant, candidates))
            .orElse(candidates),
        script.otherName(name.span(), nearest));
    return Optional.empty();
  }

  private boolean addHashed(Hint.TableColumns table, From from, JoinSides sides) {
    Optional<From.Item> item = find(table.table(), from);
    if (item.isEmpty()) {
      return false;
    }
    if (sides.small().contains(item.get())) {
      script.report(
          DiagnosticCode.HASHED_BROADCAST,
          table.table().span(),
          "'%s' is broadcast, so every task has all of its rows and none are hashed"
              .formatted(table.table().text()),
          "Name the big table of the join");
      return false;
    }
    boolean onBigSide =
        sides.broadcastJoins(from).stream()
            .anyMatch(join -> sides.bigOf(join).items().contains(item.get()));
    if (!onBigSide) {
      script.report(
          DiagnosticCode.NOT_JOINED,
          table.table().span(),
          "'%s' is not joined with a table that is broadcast, so its rows go as Flink plans"
              .formatted(table.table().text()),
          "Name the big table of a join whose small one BROADCAST names");
      return false;
    }
    boolean right = true;
    List<Name> columns = new ArrayList<>();
    for (Name column : table.columns()) {
      right &= isHashable(column, table.table(), item.get());
      columns.add(column);
    }
    sides.hashed().put(item.get(), columns);
    return right;
  }

  private boolean isHashable(Name name, Name table, From.Item item) {
    Optional<OutputColumn> column = item.column(name.text());
    if (column.isEmpty()) {
      List<String> names = item.columns().stream().map(OutputColumn::name).toList();
      Optional<String> nearest = NearestName.of(name.text(), names);
      script.report(
          DiagnosticCode.UNKNOWN_HASH_COLUMN,
          name.span(),
          "'%s' is not a column of %s".formatted(name.text(), table.text()),
          nearest
              .map("Did you mean '%s'? The columns are "::formatted)
              .orElse("The columns are ")
              .concat(String.join(", ", names)),
          // It stands within a literal.
          nearest
              .map(meant -> List.of(new Replacement(name.span(), meant.replace("'", "''"))))
              .orElse(List.of()));
      return false;
    }
    if (column.get().timeAttribute() == TimeAttribute.PROCTIME) {
      script.report(
          DiagnosticCode.UNHASHABLE_COLUMN,
          name.span(),
          "'%s' is processing time, which has no value before it is read".formatted(name.text()),
          "Name a column with a value of its own");
      return false;
    }
    return true;
  }

  // ---------------------------------------------------------------- joins

  private boolean isBroadcastable(Name name, From.Item item, From from, JoinSides sides) {
    Optional<From.Join> join = from.joinOf(item);
    if (join.isEmpty()) {
      script.report(
          DiagnosticCode.NOT_JOINED,
          name.span(),
          "'%s' is not joined with anything in this SELECT".formatted(name.text()),
          "Take the hint out, or put it on the SELECT that joins the table");
      return false;
    }
    return refusal(name.text(), item, join.get(), sides)
        .map(
            refusal -> {
              script.report(refusal.code(), name.span(), refusal.message(), refusal.help());
              return false;
            })
        .orElse(true);
  }

  private record Refusal(DiagnosticCode code, String message, String help) {}

  private Optional<Refusal> refusal(String name, From.Item item, From.Join join, JoinSides sides) {
    From other = join.left() == item ? join.right() : join.left();
    boolean onLeft = join.left() == item;
    if (sides.isSmall(other) && !onLeft) {
      return Optional.of(
          new Refusal(
              DiagnosticCode.BOTH_SIDES_BROADCAST,
              "Both sides of this join are broadcast, so every task would give out every pair",
              "Name the smaller of %s and %s only"
                  .formatted(name, ((From.Item) other).alias().orElse("the other"))));
    }
    boolean temporal =
        item.kind() == From.Item.Kind.TEMPORAL
            || other instanceof From.Item right && right.kind() == From.Item.Kind.TEMPORAL;
    if (temporal) {
      return Optional.of(
          new Refusal(
              DiagnosticCode.BROADCAST_IN_TIMED_JOIN,
              "'%s' is in a join FOR SYSTEM_TIME AS OF, which asks for single rows and keeps no big side to spread"
                  .formatted(name),
              "Take the hint out, or join the table without FOR SYSTEM_TIME AS OF"));
    }
    boolean lateral =
        item.kind() == From.Item.Kind.LATERAL
            || other.items().stream().anyMatch(part -> part.kind() == From.Item.Kind.LATERAL)
                && other == join.right();
    if (lateral) {
      return Optional.of(
          new Refusal(
              DiagnosticCode.BROADCAST_IN_TIMED_JOIN,
              "'%s' is joined with rows that are computed from each row of the left, so there are no two sides to spread"
                  .formatted(name),
              "Take the hint out, or put it on a join of two tables"));
    }
    if (join.kind() != From.Join.Kind.REGULAR) {
      return Optional.of(
          new Refusal(
              DiagnosticCode.BROADCAST_IN_TIMED_JOIN,
              "'%s' is in an interval or window join, whose state expires as time goes on; that of a broadcast join does not"
                  .formatted(name),
              "Take the hint out, or cast the time columns to TIMESTAMP to join without time bounds"));
    }
    return switch (join.node().getJoinType()) {
      case INNER, CROSS, COMMA -> Optional.empty();
      case LEFT -> onLeft ? Optional.of(keptSide("LEFT", name, "left")) : Optional.empty();
      case RIGHT -> onLeft ? Optional.empty() : Optional.of(keptSide("RIGHT", name, "right"));
      default ->
          Optional.of(
              new Refusal(
                  DiagnosticCode.BROADCAST_OF_KEPT_SIDE,
                  "A FULL JOIN keeps the rows of '%s' that match nothing, and every task would give out its own copy of them"
                      .formatted(name),
                  "Take the hint out, or write an outer join that keeps the rows of the big table only"));
    };
  }

  private static Refusal keptSide(String kind, String name, String side) {
    return new Refusal(
        DiagnosticCode.BROADCAST_OF_KEPT_SIDE,
        "A %s JOIN keeps the rows of '%s', its %s side, that match nothing, and every task would give out its own copy of them"
            .formatted(kind, name, side),
        "Broadcast the other side if it is the small one, or take the hint out");
  }
}
