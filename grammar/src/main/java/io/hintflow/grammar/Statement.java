package io.hintflow.grammar;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlNode;
import org.apache.flink.sql.parser.ddl.table.SqlCreateTable;
import org.apache.flink.sql.parser.ddl.view.SqlCreateView;
import org.apache.flink.sql.parser.dml.RichSqlInsert;

/**
 * One statement of a script. An {@code EXECUTE STATEMENT SET} or {@code BEGIN STATEMENT SET} is
 * read as the INSERTs inside it.
 */
public sealed interface Statement {
  /** From its first word to its last, without comments around it and without the semicolon. */
  Span span();

  /** As {@link #span}, with the comments that stand before it. */
  Span commentedSpan();

  /** Its outermost query blocks in the order written; empty if it holds no query. */
  List<Block> blocks();

  /** {@code SET 'key' = 'value'}. */
  record Set(Span span, Span commentedSpan, Name key, Name value) implements Statement {
    @Override
    public List<Block> blocks() {
      return List.of();
    }
  }

  /** {@code RESET 'key'}, or RESET of everything. */
  record Reset(Span span, Span commentedSpan, Optional<Name> key) implements Statement {
    @Override
    public List<Block> blocks() {
      return List.of();
    }
  }

  /**
   * A CREATE [TEMPORARY] TABLE, CREATE TABLE AS and REPLACE TABLE AS included (the only ones that
   * have blocks).
   *
   * @param path the parts of its name
   * @param options the pairs of its WITH clause, in the order written
   * @param hints those of the options that are hints of ours
   */
  record CreateTable(
      Span span,
      Span commentedSpan,
      SqlCreateTable node,
      List<String> path,
      Span nameSpan,
      List<TableOption> options,
      List<Hint> hints,
      List<Block> blocks)
      implements Statement {}

  /**
   * A CREATE [TEMPORARY] VIEW.
   *
   * @param query the text after AS
   */
  record CreateView(
      Span span,
      Span commentedSpan,
      SqlCreateView node,
      List<String> path,
      Span nameSpan,
      Span query,
      List<Block> blocks)
      implements Statement {}

  /**
   * An INSERT INTO or INSERT OVERWRITE.
   *
   * @param target the parts of the sink's name
   * @param query the source query's text
   */
  record Insert(
      Span span,
      Span commentedSpan,
      RichSqlInsert node,
      List<String> target,
      Span targetSpan,
      Span query,
      List<Block> blocks)
      implements Statement {}

  /** A query that stands by itself: SELECT, WITH, VALUES, a set operation. */
  record Query(Span span, Span commentedSpan, SqlNode node, List<Block> blocks)
      implements Statement {}

  /** EXPLAIN, SHOW, DESCRIBE: a statement whose result is for reading. */
  record Inspection(Span span, Span commentedSpan, SqlNode node, List<Block> blocks)
      implements Statement {}

  /** Anything else that Flink's parser accepts; it passes through. */
  record Other(Span span, Span commentedSpan, SqlNode node, List<Block> blocks)
      implements Statement {}
}
