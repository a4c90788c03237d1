package io.hintflow.grammar;

import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Maps positions of a syntax tree to the script. Each statement is parsed alone, so lines and
 * columns of its tree count from the statement's first character; the parser takes a tab for one
 * column and ends lines where {@link SourceText} does.
 *
 * @param statement the span of the text that was parsed
 */
record Positions(SourceText text, Span statement) {

  /** The span of a position; that of the whole statement if the parser gave none. */
  Span span(SqlParserPos position) {
    if (position.getLineNum() <= 0) {
      return statement;
    }
    int start = offset(position.getLineNum(), position.getColumnNum());
    int end = offset(position.getEndLineNum(), position.getEndColumnNum() + 1);
    return new Span(start, Math.max(start, end));
  }

  private int offset(int line, int column) {
    int firstLine = text.lineOf(statement.start());
    int wanted = Math.min(firstLine + line - 1, text.lineCount());
    int lineStart = line == 1 ? statement.start() : text.lineStart(wanted);
    return Math.min(lineStart + column - 1, statement.end());
  }
}
