package io.hintflow.transpiler.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.Script;
import io.hintflow.grammar.ScriptReader;
import io.hintflow.grammar.Severity;
import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A script of a test, analysed.
 *
 * @param mark what stood between ⟦ and ⟧ in the text that the test wrote
 */
record Marked(Script script, ScriptAnalysis analysis, Optional<Span> mark) {

  /** Reads a script that has no errors but those that the analysis is to find. */
  static Marked read(String text) {
    int start = text.indexOf('⟦');
    Optional<Span> mark =
        start < 0 ? Optional.empty() : Optional.of(new Span(start, text.indexOf('⟧') - 1));
    String sql = text.replace("⟦", "").replace("⟧", "");
    ScriptReader.Result result = ScriptReader.read(new SourceText("test.sql", sql));
    assertThat(result.diagnostics())
        .filteredOn(diagnostic -> diagnostic.severity() == Severity.ERROR)
        .isEmpty();
    return new Marked(result.script(), ScriptAnalysis.of(result.script()), mark);
  }

  Statement last() {
    return script.statements().get(script.statements().size() - 1);
  }

  /** What the last statement's outermost block means; the statement has no errors. */
  BlockAnalysis block() {
    QueryAnalysis query = analysis.analyze(last());
    assertThat(query.diagnostics()).isEmpty();
    return query.block(last().blocks().get(0)).orElseThrow();
  }

  /** What the block with a path means. */
  BlockAnalysis block(String... path) {
    return analysis
        .analyze(last())
        .block(
            last().blocks().stream()
                .flatMap(Marked::withInner)
                .filter(block -> block.path().equals(List.of(path)))
                .findFirst()
                .orElseThrow())
        .orElseThrow();
  }

  private static Stream<Block> withInner(Block block) {
    return Stream.concat(Stream.of(block), block.inner().stream().flatMap(Marked::withInner));
  }

  /** Everything that is wrong with declarations and queries, once each. */
  List<Diagnostic> findings() {
    Set<Diagnostic> all = new LinkedHashSet<>(analysis.diagnostics());
    script.statements().forEach(statement -> all.addAll(analysis.analyze(statement).diagnostics()));
    return List.copyOf(all);
  }

  Relation.Table table(String... path) {
    return (Relation.Table) analysis.resolve(last(), List.of(path)).orElseThrow();
  }
}
