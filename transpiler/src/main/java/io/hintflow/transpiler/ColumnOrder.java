package io.hintflow.transpiler;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.analysis.QueryAnalysis;
import io.hintflow.transpiler.analysis.WrittenColumns;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.lowering.SqlNames;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNodeList;

/**
 * Warns of an INSERT whose query has just the columns that it fills, but in another order: SQL goes
 * by position, so that values land in columns of other names.
 */
final class ColumnOrder {
  private static final int MOST_SHOWN = 3;

  private final ScriptContext script;
  private final Statement.Insert insert;

  /** The block that gives the query's columns their names. */
  private final Block block;

  /** The names of the columns that the query fills, in order. */
  private final List<String> filled;

  private ColumnOrder(
      ScriptContext script, Statement.Insert insert, Block block, List<String> filled) {
    this.script = script;
    this.insert = insert;
    this.block = block;
    this.filled = filled;
  }

  /** Says nothing where the sink or the query's columns are not known. */
  static void check(ScriptContext script, Statement.Insert insert) {
    List<String> filled =
        script
            .analysis()
            .resolveTable(insert, insert.target())
            .map(sink -> sink.filledBy(insert))
            .orElse(List.of());
    if (filled.size() > 1) {
      WrittenColumns.firstBranch(insert.node().getSource(), insert.blocks())
          .ifPresent(block -> new ColumnOrder(script, insert, block, filled).check());
    }
  }

  private void check() {
    boolean canBeReordered =
        WrittenColumns.of(script.analysis(), insert, block).map(this::isReordered).orElse(true);
    if (canBeReordered) {
      QueryAnalysis query = script.analysis().analyze(insert);
      List<String> given =
          query.block(block).stream()
              .flatMap(analysis -> analysis.output().stream())
              .map(OutputColumn::name)
              .toList();
      if (isReordered(given)) {
        List<Diagnostic> refused =
            query.diagnostics().stream()
                .filter(found -> found.code() == DiagnosticCode.SINK_TYPE)
                .toList();
        // Flink itself tells of the order where the types do not fit.
        if (refused.isEmpty()) {
          report(given);
        } else {
          script.report(refused);
        }
      }
    }
  }

  /** Whether these are the columns to fill, but in another order. */
  private boolean isReordered(List<String> given) {
    boolean sameNames =
        given.size() == filled.size() && Set.copyOf(given).equals(Set.copyOf(filled));
    boolean distinct = Set.copyOf(given).size() == given.size();
    return sameNames && distinct && !given.equals(filled);
  }

  private void report(List<String> given) {
    List<Integer> moved =
        IntStream.range(0, filled.size())
            .filter(i -> !given.get(i).equals(filled.get(i)))
            .boxed()
            .toList();
    String moves =
        moved.stream()
            .limit(MOST_SHOWN)
            .map(i -> filled.get(i) + " gets " + given.get(i))
            .collect(Collectors.joining(", "));
    String sink = script.script().text().text(insert.targetSpan());
    script.report(
        DiagnosticCode.COLUMN_ORDER,
        item(moved.get(0)),
        "The query gives the columns of %s in another order, but INSERT goes by position, not by name"
            .formatted(sink),
        moves + (moved.size() > MOST_SHOWN ? ", …: " : ": ") + remedy(given, sink));
  }

  private String remedy(List<String> given, String sink) {
    if (insert.node().getTargetColumnList() != null) {
      return "put the columns in the order of the list behind " + sink;
    }
    if (!stars().isEmpty()) {
      return "write out the columns in the order of " + sink;
    }
    return "put the columns in the order of %s, or name them: INSERT %s %s (%s)"
        .formatted(
            sink,
            insert.node().isOverwrite() ? "OVERWRITE" : "INTO",
            sink,
            given.stream().map(SqlNames::identifier).collect(Collectors.joining(", ")));
  }

  /** Where a column of the query is written: its item of the select list, or the star it is in. */
  private Span item(int column) {
    SqlNodeList items = block.select().getSelectList();
    List<Integer> stars = stars();
    int index = column;
    if (!stars.isEmpty() && column >= stars.get(0)) {
      int countedFromEnd = items.size() - filled.size() + column;
      boolean behindStars = countedFromEnd > stars.get(stars.size() - 1);
      index = behindStars ? countedFromEnd : stars.get(0);
    }
    return WrittenColumns.withParentheses(
        script.tokens(), script.script().span(insert, items.get(index).getParserPosition()));
  }

  /** The places of stars in the select list. */
  private List<Integer> stars() {
    SqlNodeList items = block.select().getSelectList();
    return IntStream.range(0, items.size())
        .filter(i -> items.get(i) instanceof SqlIdentifier name && name.isStar())
        .boxed()
        .toList();
  }
}
