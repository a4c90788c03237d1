package io.hintflow.transpiler.analysis;

import io.hintflow.grammar.DiagnosticCode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * What Calcite has against a query, if it is certain that Flink would refuse the query too.
 *
 * @param name the name that is wrong, if the error is about one
 * @param table the table in which it was looked for, if the query says in which
 * @param message one sentence
 */
record QueryError(
    DiagnosticCode code,
    SqlParserPos position,
    Optional<String> name,
    Optional<String> table,
    String message) {

  /**
   * One of Calcite's messages.
   *
   * @param pattern its groups are the name and the table of the error, in this order
   * @param message what to say instead, the groups filled in
   */
  private record Rule(Pattern pattern, DiagnosticCode code, String message) {
    Rule(String pattern, DiagnosticCode code, String message) {
      this(Pattern.compile(pattern, Pattern.DOTALL), code, message);
    }

    Optional<QueryError> read(CalciteContextException thrown, String text) {
      Matcher matcher = pattern.matcher(text);
      if (!matcher.matches()) {
        return Optional.empty();
      }
      List<String> groups =
          IntStream.rangeClosed(1, matcher.groupCount()).mapToObj(matcher::group).toList();
      SqlParserPos position =
          new SqlParserPos(
              thrown.getPosLine(),
              thrown.getPosColumn(),
              thrown.getEndPosLine(),
              thrown.getEndPosColumn());
      String types =
          Optional.of(OPERAND_TYPES.matcher(text))
              .filter(Matcher::matches)
              .map(found -> ": " + readable(found.group(1)))
              .orElse("");
      return Optional.of(
          new QueryError(
              code,
              position,
              groups.stream().findFirst(),
              groups.stream().skip(1).findFirst(),
              message.formatted(groups.toArray()) + types));
    }
  }

  private static final List<Rule> RULES =
      List.of(
          new Rule(
              "Column '(.+?)' not found in any table.*",
              DiagnosticCode.UNKNOWN_COLUMN,
              "No table of the query has a column '%s'"),
          new Rule(
              "Column '(.+?)' not found in table '(.+?)'.*",
              DiagnosticCode.UNKNOWN_COLUMN,
              "'%2$s' has no column '%1$s'"),
          new Rule(
              "Unknown field '(.+?)'", DiagnosticCode.UNKNOWN_COLUMN, "There is no field '%s'"),
          new Rule(
              "Column '(.+?)' is ambiguous",
              DiagnosticCode.AMBIGUOUS_COLUMN,
              "More than one table of the query has a column '%s'"),
          new Rule(
              "(?:Table|Object) '(.+?)' not found.*",
              DiagnosticCode.UNKNOWN_TABLE,
              "There is no table or view '%s'"),
          new Rule(
              "Column count mismatch in (.+)",
              DiagnosticCode.INVALID_QUERY,
              "The branches of %s have different numbers of columns"),
          new Rule(
              "Duplicate relation name '(.+?)' in FROM clause",
              DiagnosticCode.INVALID_QUERY,
              "Two tables of one FROM are named '%s'"),
          new Rule(
              "List of column aliases must have same degree as table.*",
              DiagnosticCode.INVALID_QUERY,
              "The alias lists more or fewer columns than its table has"),
          new Rule(
              "Number of columns must match number of query columns",
              DiagnosticCode.INVALID_QUERY,
              "The list names more or fewer columns than its query has"),
          new Rule(
              "Aggregate expression is illegal in (.+?) clause",
              DiagnosticCode.INVALID_QUERY,
              "An aggregate function can't stand in %s"),
          new Rule(
              "(.+?) clause must be a condition",
              DiagnosticCode.TYPE_MISMATCH,
              "%s needs a condition that is true or false"),
          new Rule(
              "Expression '(.+?)' is not being grouped",
              DiagnosticCode.INVALID_QUERY,
              "'%s' is neither grouped by nor inside an aggregate function"),
          new Rule(
              "Cannot apply '(=|<>|<|<=|>|>=|\\+|-|\\*|/|AND|OR|NOT|LIKE)' to arguments of type .*",
              DiagnosticCode.TYPE_MISMATCH,
              "The operands of %s do not fit together"));

  private static final Pattern OPERAND_TYPES =
      Pattern.compile(
          "Cannot apply '.+?' to arguments of type '(.+?)'\\. Supported.*", Pattern.DOTALL);

  /** Types as Flink SQL writes them, without the brackets that Calcite puts around them. */
  private static String readable(String types) {
    return types
        .replace("VARCHAR(" + Integer.MAX_VALUE + ")", "STRING")
        .replaceAll("^NOT<", "NOT <")
        .replaceAll("<(?=[A-Z])([^<>]*)>", "$1");
  }

  /**
   * @param unknownFunctions whether the query calls functions that we don't know: each could be an
   *     aggregate function, so nothing is certain about grouping
   */
  static Optional<QueryError> of(RuntimeException thrown, boolean unknownFunctions) {
    if (!(thrown instanceof CalciteContextException located) || located.getPosLine() <= 0) {
      return Optional.empty();
    }
    String text = located.getCause() == null ? "" : String.valueOf(located.getCause().getMessage());
    boolean uncertain =
        unknownFunctions && text.contains("is not being grouped") || text.contains("<ANY");
    return uncertain
        ? Optional.empty()
        : RULES.stream().flatMap(rule -> rule.read(located, text).stream()).findFirst();
  }
}
