package io.hintflow.grammar;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.config.Lex;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.flink.sql.parser.impl.FlinkSqlParserImpl;
import org.apache.flink.sql.parser.validate.FlinkSqlConformance;

/** Flink's own parser, with the settings of Flink's planner, for one statement at a time. */
final class StatementParser {
  private static final SqlParser.Config CONFIG =
      SqlParser.config()
          .withParserFactory(FlinkSqlParserImpl.FACTORY)
          .withConformance(FlinkSqlConformance.DEFAULT)
          .withLex(Lex.JAVA)
          .withIdentifierMaxLength(256);

  /**
   * Parentheses deeper than this are refused before they are parsed: the parser looks ahead at each
   * of them, which takes time that grows with the square of the depth or worse, and a stack frame
   * or more for each grammar rule.
   */
  static final int MAXIMUM_DEPTH = 100;

  private final Findings findings;

  StatementParser(Findings findings) {
    this.findings = findings;
  }

  /**
   * Parses a statement, or reports why it cannot be.
   *
   * @param sql the statement's text, hints and placeholders blanked
   * @param visible the tokens of that text, at least one
   */
  Optional<SqlNode> parse(String sql, List<Token> visible, Positions positions) {
    Optional<Token> tooDeep = firstTooDeep(visible);
    if (tooDeep.isPresent()) {
      tooDeeplyNested(tooDeep.get().span());
      return Optional.empty();
    }
    try {
      return Optional.of(SqlParser.create(sql, CONFIG).parseStmt());
    } catch (SqlParseException e) {
      if (e.getCause() instanceof StackOverflowError) {
        tooDeeplyNested(visible.get(0).span());
      } else {
        SyntaxError.report(e, visible, positions, findings);
      }
      return Optional.empty();
    }
  }

  void tooDeeplyNested(Span span) {
    findings.add(
        DiagnosticCode.NESTED_TOO_DEEPLY,
        span,
        "The statement is nested too deeply to be read",
        "Move inner queries into views");
  }

  private static Optional<Token> firstTooDeep(List<Token> tokens) {
    int depth = 0;
    for (Token token : tokens) {
      if (token.isSymbol("(")) {
        depth++;
        if (depth > MAXIMUM_DEPTH) {
          return Optional.of(token);
        }
      } else if (token.isSymbol(")")) {
        depth--;
      }
    }
    return Optional.empty();
  }
}
