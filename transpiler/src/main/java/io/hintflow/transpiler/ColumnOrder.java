package io.hintflow.transpiler;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.Tokens;
import io.hintflow.transpiler.analysis.Column;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.analysis.Relation;
import io.hintflow.transpiler.analysis.WrittenColumns;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.lowering.SqlNames;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.flink.sql.parser.SqlProperty;

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
    List<String> filled = filled(script, insert);
    if (filled.size() > 1) {
      WrittenColumns.firstBranch(insert.node().getSource(), insert.blocks())
          .ifPresent(block -> new ColumnOrder(script, insert, block, filled).check());
    }
  }

  /** The names of the columns that the query fills, in order; none if the sink is not known. */
  private static List<String> filled(ScriptContext script, Statement.Insert insert) {
    Optional<Relation.Table> table = script.analysis().resolveTable(insert, insert.target());
    if (table.isEmpty()) {
      return List.of();
    }
    SqlNodeList listed = insert.node().getTargetColumnList();
    if (listed != null) {
      return listed.stream().map(SqlNode::toString).toList();
    }
    Set<String> fixed =
        insert.node().getStaticPartitions().stream()
            .map(partition -> ((SqlProperty) partition).getKey().getSimple())
            .collect(Collectors.toSet());
    return table.get().writableColumns().stream()
        .map(Column::name)
        .filter(name -> !fixed.contains(name))
        .toList();
  }

  private void check() {
    boolean canBeReordered =
        WrittenColumns.of(script.analysis(), insert, block).map(this::isReordered).orElse(true);
    if (canBeReordered) {
      List<String> given =
          script.analysis().analyze(insert).block(block).stream()
              .flatMap(analysis -> analysis.output().stream())
              .map(OutputColumn::name)
              .toList();
      if (isReordered(given)) {
        report(given);
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
    return withParentheses(script.script().span(insert, items.get(index).getParserPosition()));
  }

  /** The parser leaves out parentheses that an item of a select list begins with. */
  private Span withParentheses(Span parsed) {
    Tokens tokens = script.tokens();
    Span span = parsed;
    int before = tokens.indexAt(parsed.start()) - 1;
    while (tokens.isSymbol(before, "(")) {
      int closing = tokens.matching(before).orElse(before);
      span = span.cover(tokens.get(before).span()).cover(tokens.get(closing).span());
      before--;
    }
    return span;
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
