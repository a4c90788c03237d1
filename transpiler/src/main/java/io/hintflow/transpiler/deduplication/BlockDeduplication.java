package io.hintflow.transpiler.deduplication;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.TableReference;
import io.hintflow.transpiler.analysis.BlockAnalysis;
import io.hintflow.transpiler.analysis.BlockScope;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.lowering.BlockContext;
import io.hintflow.transpiler.lowering.DuplicateOptions;
import io.hintflow.transpiler.lowering.DuplicateOptions.Input;
import io.hintflow.transpiler.lowering.DuplicateOptions.Option;
import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.lowering.ScriptContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks the options duplicate.left and duplicate.right of one script's blocks, and has them
 * carried out.
 */
final class BlockDeduplication implements Lowering.BlockLowering {
  private final ScriptContext script;

  BlockDeduplication(ScriptContext script) {
    this.script = script;
  }

  @Override
  public void lower(BlockContext context) {
    Block block = context.block();
    List<TableReference> hinted =
        block.tables().stream().filter(table -> !DuplicateOptions.of(table).isEmpty()).toList();
    if (hinted.isEmpty()) {
      return;
    }
    hinted.stream()
        .flatMap(table -> DuplicateOptions.of(table).stream())
        .filter(Option::enabled)
        .forEach(option -> script.requireJavaJob(option.span(), text(option)));
    if (context.hasErrors()) {
      context.analysis();
      return;
    }
    Optional<BlockAnalysis> analysis = context.analysis();
    Optional<BlockScope> scope = analysis.flatMap(BlockAnalysis::scope);
    Span first = DuplicateOptions.of(hinted.get(0)).get(0).span();
    if (scope.isEmpty()) {
      script.report(
          DiagnosticCode.UNKNOWN_JOIN_COLUMNS,
          first,
          "What columns the tables of this SELECT have is not known here, so which changes it can't see can't be told",
          "Declare the tables that it reads in the script");
      return;
    }
    if (analysis.get().correlated()) {
      script.report(
          DiagnosticCode.CORRELATED_BLOCK,
          first,
          "This subquery reads columns of the query around it, so its joins can't run by themselves",
          "Put the join into the outer SELECT, or write the subquery as a join");
      return;
    }
    DuplicateOptions options =
        script.duplicateOptions(context.statement(), block, scope.get().from());
    if (!isPossible(options)) {
      return;
    }
    options.inputs().values().forEach(this::warnOfOverruled);
    hinted.stream()
        .filter(table -> !script.edits().isReplaced(table.nameSpan()))
        .forEach(script.optionsHints()::removeHints);
    Map<From.Item, List<Span>> items = options.items();
    if (!items.isEmpty()) {
      new DeduplicationRewrite(context, analysis.get(), scope.get()).rewrite(items);
    }
  }

  private String text(Option option) {
    return script.script().text().text(option.span());
  }

  private boolean isPossible(DuplicateOptions options) {
    options.outsideOfJoins().forEach(this::reportNotJoined);
    boolean possible = options.outsideOfJoins().isEmpty();
    for (Map.Entry<Input, List<Option>> input : options.inputs().entrySet()) {
      Option last = DuplicateOptions.last(input.getValue());
      Optional<String> refusal = last.enabled() ? refusal(input.getKey().join()) : Optional.empty();
      refusal.ifPresent(
          reason ->
              script.report(
                  DiagnosticCode.DEDUPLICATION_BY_TIME,
                  last.span(),
                  reason,
                  "Take the option out: the join is done as stock Flink does it"));
      possible &= refusal.isEmpty();
    }
    return possible;
  }

  private void reportNotJoined(TableReference table) {
    for (Option option : DuplicateOptions.of(table)) {
      script.report(
          DiagnosticCode.NOT_JOINED,
          option.span(),
          "%s asks for something of a join, and '%s' is not an input of one in this SELECT"
              .formatted(text(option), table.exposedName()),
          "Take the option out, or put it on a table of the FROM that joins");
    }
  }

  private void warnOfOverruled(List<Option> options) {
    Option last = DuplicateOptions.last(options);
    options.stream()
        .filter(option -> option.enabled() != last.enabled())
        .forEach(
            option ->
                script.report(
                    DiagnosticCode.OVERRULED_DEDUPLICATION,
                    option.span(),
                    "This is overruled by %s, which stands later and speaks of the same input of the join"
                        .formatted(text(last)),
                    "Keep one of the two"));
  }

  /** Why nothing can be dropped before a join, if so. */
  private static Optional<String> refusal(From.Join join) {
    if (join.items().stream().anyMatch(item -> item.kind() == From.Item.Kind.TEMPORAL)) {
      return Optional.of(
          "In a join FOR SYSTEM_TIME AS OF, each row is joined as of its own time, so none repeats another");
    }
    if (join.items().stream().anyMatch(item -> item.kind() == From.Item.Kind.LATERAL)) {
      return Optional.of(
          "This join computes its right side from each row of its left, so it has no two inputs of their own");
    }
    return hasWindowJoin(join)
        ? Optional.of(
            "This is a window join, and rows that come back from an operator belong to no window any more")
        : Optional.empty();
  }

  private static boolean hasWindowJoin(From from) {
    return from instanceof From.Join join
        && (join.kind() == From.Join.Kind.WINDOW
            || hasWindowJoin(join.left())
            || hasWindowJoin(join.right()));
  }
}
