package io.hintflow.transpiler.distribution;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Hint;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.analysis.BlockAnalysis;
import io.hintflow.transpiler.analysis.BlockScope;
import io.hintflow.transpiler.analysis.Changelog;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.analysis.TimeAttribute;
import io.hintflow.transpiler.lowering.BlockContext;
import io.hintflow.transpiler.lowering.ColumnUse;
import io.hintflow.transpiler.lowering.ColumnUses;
import io.hintflow.transpiler.lowering.CommonTableClosure;
import io.hintflow.transpiler.lowering.FromText;
import io.hintflow.transpiler.lowering.LookupKeys;
import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.lowering.SelectText;
import io.hintflow.transpiler.lowering.StagedItem;
import io.hintflow.transpiler.plan.Distribution;
import io.hintflow.transpiler.plan.Stage;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * {@code LOOKUP('table'='t', 'shuffle'='true')} for Flink 1.20, which does not know the second key
 * and ignores it: the rows of the other side are hashed by the key before the look-up. Later
 * versions do it themselves.
 */
final class LookupDistribution implements Lowering.BlockLowering {
  private final ScriptContext script;

  LookupDistribution(ScriptContext script) {
    this.script = script;
  }

  @Override
  public void lower(BlockContext context) {
    if (script.flinkVersion() != FlinkVersion.V1_20) {
      return;
    }
    List<Hint.Lookup> hints =
        context.block().hints().stream()
            .filter(Hint.Lookup.class::isInstance)
            .map(Hint.Lookup.class::cast)
            .filter(Hint.Lookup::shuffle)
            .toList();
    if (hints.isEmpty()) {
      return;
    }
    Optional<BlockAnalysis> analysis = context.analysis();
    if (!context.hasErrors()) {
      Map<From.Item, List<String>> distributed = new IdentityHashMap<>();
      hints.forEach(hint -> lower(context, hint, analysis, distributed));
    }
  }

  private void lower(
      BlockContext context,
      Hint.Lookup hint,
      Optional<BlockAnalysis> analysis,
      Map<From.Item, List<String>> distributed) {
    if (context.statement() instanceof Statement.CreateTable) {
      warn(hint, "a CREATE TABLE AS runs as a job of its own, into which no operator can be put");
      return;
    }
    Optional<BlockScope> scope = analysis.flatMap(BlockAnalysis::scope);
    if (scope.isEmpty()) {
      warn(hint, "the columns of the tables that this SELECT reads are not known here");
      return;
    }
    if (analysis.get().correlated()) {
      warn(hint, "this subquery reads columns of the query around it");
      return;
    }
    From from = scope.get().from();
    Optional<From.Join> join =
        from.items().stream()
            .filter(item -> item.kind() == From.Item.Kind.TEMPORAL && isNamed(item, hint))
            .findFirst()
            .flatMap(from::joinOf);
    if (join.isEmpty()) {
      // Flink tells of a table that is not there.
      return;
    }
    Optional<From.Item> probe = probe(join.get().left());
    if (probe.isEmpty()) {
      warn(hint, "its other side is a join, whose rows come in an order and place of their own");
      return;
    }
    Statement statement = context.statement();
    Block block = context.block();
    FromText text = FromText.of(script, statement, block, from);
    ColumnUses.Found uses = ColumnUses.of(script, statement, block, scope.get());
    List<ColumnUse> values =
        new LookupKeys(script, statement, block, scope.get(), text, uses)
            .of(join.get()).stream().flatMap(key -> key.values().stream()).toList();
    boolean hashable =
        !values.isEmpty()
            && values.stream()
                .allMatch(
                    use ->
                        use.item() == probe.get()
                            && use.column().timeAttribute() != TimeAttribute.PROCTIME);
    if (!hashable) {
      warn(hint, "its key is not made of columns of the first table of FROM");
      return;
    }
    List<String> columns = values.stream().map(use -> use.column().name()).distinct().toList();
    if (!distributed.containsKey(probe.get())) {
      distributed.put(probe.get(), columns);
      StagedItem staged = new StagedItem(script, block, from, text, uses, probe.get());
      distribute(context, hint, analysis.get(), staged, probe.get(), columns);
    } else if (!distributed.get(probe.get()).equals(columns)) {
      warn(hint, "the rows go by the key of another look-up of this SELECT");
    }
  }

  private static boolean isNamed(From.Item item, Hint.Lookup hint) {
    String name = hint.table().text();
    return item.alias().filter(name::equals).isPresent()
        || item.name()
            .filter(path -> path.names.get(path.names.size() - 1).equals(name))
            .isPresent();
  }

  /** Look-ups leave the rows of their left where they are. */
  private static Optional<From.Item> probe(From left) {
    if (left instanceof From.Item item) {
      return Optional.of(item);
    }
    From.Join join = (From.Join) left;
    boolean isLookup =
        join.right() instanceof From.Item item && item.kind() == From.Item.Kind.TEMPORAL;
    return isLookup ? probe(join.left()) : Optional.empty();
  }

  private void warn(Hint.Lookup hint, String reason) {
    script.report(
        DiagnosticCode.LOOKUP_NOT_SHUFFLED,
        hint.span(),
        "Rows of one key go to any task here: Flink 1.20 does not know 'shuffle', and " + reason,
        "Put what the look-up is joined with into a subquery that gives its key as a column, or use Flink 2");
  }

  private void distribute(
      BlockContext context,
      Hint.Lookup hint,
      BlockAnalysis analysis,
      StagedItem staged,
      From.Item probe,
      List<String> columns) {
    script.requireJavaJob(hint.span(), "'shuffle' of LOOKUP");
    Statement statement = context.statement();
    Block block = context.block();
    List<OutputColumn> used = staged.usedColumns(Set.copyOf(columns));
    Span span = staged.span();
    String view = script.names().view(List.of(staged.subject()), "distributed");
    script.add(
        new Stage.Operators(
            script.names().id(statement, block, "lookup distribution"),
            script.origin(hint.span()),
            DistributionLowering.STAGE_KIND,
            script.script().text().text(hint.span()),
            List.of(
                new Stage.Input(
                    CommonTableClosure.clause(script, block, span)
                        + SelectText.of(staged.selected(used), script.edits().render(span)),
                    script.reads(statement, span),
                    Optional.empty(),
                    new Distribution.Hash(columns),
                    "LOOKUP asks for it")),
            Map.of(DistributionLowering.COLUMNS, columns),
            List.of(),
            view,
            analysis.planLines()));
    staged.readFrom(view);
    script.readThroughStage(probe, used.stream().map(OutputColumn::name).toList());
    noteLostOrder(hint, probe, columns);
  }

  private void noteLostOrder(Hint.Lookup hint, From.Item probe, List<String> columns) {
    boolean ofKey = probe.keys().stream().anyMatch(key -> key.containsAll(columns));
    if (probe.changelog() != Changelog.INSERT_ONLY && !ofKey) {
      script.note(
          "%s: rows go by the hash of %s, so updates of one row can overtake each other"
              .formatted(script.origin(hint.span()), String.join(", ", columns)));
    }
  }
}
