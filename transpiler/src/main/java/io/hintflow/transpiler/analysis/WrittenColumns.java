package io.hintflow.transpiler.analysis;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.validate.SqlValidatorUtil;

/**
 * The names of a block's columns as the script's text has them. Spares a fresh JVM the half second
 * that {@link ScriptAnalysis#analyze} takes the first time, but does not see whether the query is
 * valid.
 */
public final class WrittenColumns {
  private final ScriptAnalysis analysis;

  private WrittenColumns(ScriptAnalysis analysis) {
    this.analysis = analysis;
  }

  /** Empty if only analysis can tell, as for the star of a join. */
  public static Optional<List<String>> of(ScriptAnalysis analysis, Statement at, Block block) {
    try {
      return new WrittenColumns(analysis).names(at, block);
    } catch (StackOverflowError e) {
      // A chain of thousands of views.
      return Optional.empty();
    }
  }

  /**
   * The block that gives a query's columns their names; empty for VALUES and TABLE.
   *
   * @param blocks in which the query's own blocks are
   */
  public static Optional<Block> firstBranch(SqlNode query, List<Block> blocks) {
    SqlNode first = query;
    // A loop, because a chain of a few thousand UNIONs is a tree as deep.
    while (!(first instanceof SqlSelect)) {
      if (first instanceof SqlOrderBy ordered) {
        first = ordered.query;
      } else if (first instanceof SqlWith with) {
        first = with.body;
      } else if (SqlKind.SET_QUERY.contains(first.getKind())) {
        first = ((SqlCall) first).operand(0);
      } else {
        return Optional.empty();
      }
    }
    SqlNode select = first;
    return blocks.stream().filter(block -> block.select() == select).findFirst();
  }

  /** The parser leaves out parentheses that an item of a select list begins with. */
  public static Span withParentheses(Tokens tokens, Span parsed) {
    Span span = parsed;
    int before = tokens.indexAt(parsed.start()) - 1;
    while (tokens.isSymbol(before, "(")) {
      int closing = tokens.matching(before).orElse(before);
      span = span.cover(tokens.get(before).span()).cover(tokens.get(closing).span());
      before--;
    }
    return span;
  }

  private Optional<List<String>> names(Statement at, Block block) {
    List<String> names = new ArrayList<>();
    for (SqlNode item : block.select().getSelectList()) {
      if (item instanceof SqlIdentifier name && name.isStar()) {
        Optional<List<String>> columns = namesOfStar(at, block, name);
        if (columns.isEmpty()) {
          return Optional.empty();
        }
        names.addAll(columns.get());
      } else {
        names.add(SqlValidatorUtil.alias(item, names.size()));
      }
    }
    return Optional.of(names);
  }

  private Optional<List<String>> namesOfStar(Statement at, Block block, SqlIdentifier star) {
    SqlNode from = block.select().getFrom();
    // What stands before the star can be a column, whose fields are meant.
    if (from == null || star.names.size() > 1) {
      return Optional.empty();
    }
    if (from instanceof SqlCall call && call.getKind() == SqlKind.AS) {
      boolean renamesColumns = call.operandCount() > 2;
      return renamesColumns ? Optional.empty() : namesOfSource(at, block, call.operand(0));
    }
    return namesOfSource(at, block, from);
  }

  /**
   * @param source what a FROM reads, without its alias
   */
  private Optional<List<String>> namesOfSource(Statement at, Block block, SqlNode source) {
    if (!(source instanceof SqlIdentifier name)) {
      return firstBranch(source, block.inner()).flatMap(inner -> names(at, inner));
    }
    boolean commonTable = block.commonTable(block.tables().get(0)).isPresent();
    return commonTable ? Optional.empty() : analysis.resolve(at, name.names).flatMap(this::namesOf);
  }

  private Optional<List<String>> namesOf(Relation relation) {
    if (relation instanceof Relation.Table table) {
      return Optional.of(table.columns().stream().map(Column::name).toList());
    }
    Statement.CreateView view = ((Relation.View) relation).statement();
    SqlNodeList renamed = view.node().getFieldList();
    return renamed != null && !renamed.isEmpty()
        ? Optional.of(renamed.stream().map(SqlNode::toString).toList())
        : firstBranch(view.node().getQuery(), view.blocks()).flatMap(block -> names(view, block));
  }
}
