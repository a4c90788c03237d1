package io.hintflow.grammar;

import java.util.List;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * A script that has been read.
 *
 * @param original the text as the user wrote it: what diagnostics show
 * @param text the repaired text, of the same length and line structure, so that every span fits
 *     both; what is emitted
 */
public record Script(SourceText original, SourceText text, List<Statement> statements) {

  /**
   * The place of a node of a statement's syntax tree. A tree's own positions count from its
   * statement's first character.
   *
   * <p>The parser is exact for names, literals, select lists and whole SELECTs without their ORDER
   * BY; not for joins, WHERE, parenthesised queries, LATERAL and ORDER BY, whose ends are to be
   * looked for in {@link Tokens}.
   */
  public Span span(Statement statement, SqlParserPos position) {
    return new Positions(text, statement.span()).span(position);
  }
}
