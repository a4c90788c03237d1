package io.hintflow.transpiler.latedata;

import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Hint;
import io.hintflow.transpiler.analysis.BlockAnalysis;
import io.hintflow.transpiler.analysis.BlockScope;
import io.hintflow.transpiler.lowering.BlockContext;
import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.lowering.ScriptContext;
import java.util.List;
import java.util.Optional;

/** Checks the LATE_DATA_SINK of one script's blocks, and has it carried out. */
final class BlockLateData implements Lowering.BlockLowering {
  private final ScriptContext script;

  BlockLateData(ScriptContext script) {
    this.script = script;
  }

  @Override
  public void lower(BlockContext context) {
    context.hint(Hint.LateDataSink.class).ifPresent(hint -> lower(context, hint));
  }

  private void lower(BlockContext context, Hint.LateDataSink hint) {
    if (script.isBatch()) {
      context.removeHint(hint);
      script.note(
          "%s: LATE_DATA_SINK is left out, because in batch mode no row comes late"
              .formatted(script.origin(hint.span())));
      return;
    }
    script.requireJavaJob(hint.span(), "LATE_DATA_SINK");
    Optional<LateSink> sink = LateSink.of(script, context.statement(), hint);
    if (context.hasErrors()) {
      context.analysis();
      return;
    }
    try {
      BlockAnalysis analysis = requireKnown(context, hint);
      BlockScope scope = analysis.scope().orElseThrow();
      List<SplitWindow> windows = new WindowReader(context, hint, analysis, scope.from()).read();
      if (sink.isPresent() && fit(sink.get(), windows)) {
        new LateDataRewrite(context, analysis, scope, hint, sink.get()).rewrite(windows);
      }
    } catch (Unsplittable refusal) {
      script.report(refusal.code(), refusal.span(), refusal.getMessage(), refusal.help());
    }
  }

  private boolean fit(LateSink sink, List<SplitWindow> windows) {
    boolean fit = true;
    for (SplitWindow window : windows) {
      fit &= sink.fits(script, window);
    }
    return fit;
  }

  private static BlockAnalysis requireKnown(BlockContext context, Hint.LateDataSink hint)
      throws Unsplittable {
    if (context.block().select().getFrom() == null) {
      throw WindowReader.noWindow(hint);
    }
    Optional<BlockAnalysis> analysis =
        context.analysis().filter(known -> known.scope().isPresent());
    if (analysis.isEmpty()) {
      throw new Unsplittable(
          DiagnosticCode.UNSPLITTABLE_WINDOW,
          hint.span(),
          "What columns the tables of this SELECT have is not known here, so which of its rows come late can't be told",
          "Declare the tables that it reads in the script");
    }
    if (analysis.get().correlated()) {
      throw new Unsplittable(
          DiagnosticCode.CORRELATED_BLOCK,
          hint.span(),
          "This subquery reads columns of the query around it, so the rows of its window can't be split by themselves",
          "Put the window into the outer SELECT, or write the subquery as a join");
    }
    return analysis.get();
  }
}
