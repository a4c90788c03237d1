package io.hintflow.transpiler.analysis;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Script;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.Util;
import org.apache.flink.sql.parser.ddl.SqlCreateFunction;
import org.apache.flink.sql.parser.ddl.SqlUseModules;

/**
 * Tells of columns of a query whose type the column of the sink at the same place does not take.
 * Says nothing of a type that Flink may derive differently.
 */
final class SinkTypes {
  private final Script script;
  private final CertainTypes certainTypes;

  /** Whether a name may stand for another function than Flink's own. */
  private final boolean overridesFunctions;

  /** Read when there is something to tell. */
  private Optional<Tokens> tokens = Optional.empty();

  SinkTypes(Script script, FlinkTypeFactory factory) {
    this.script = script;
    this.certainTypes = new CertainTypes(factory);
    this.overridesFunctions = script.statements().stream().anyMatch(SinkTypes::overridesFunction);
  }

  private static boolean overridesFunction(Statement statement) {
    if (!(statement instanceof Statement.Other other)) {
      return false;
    }
    return other.node() instanceof SqlUseModules
        || other.node() instanceof SqlCreateFunction create
            && FlinkOperators.isKnown(Util.last(create.getName().names));
  }

  /**
   * What is wrong with an INSERT whose query gives as many columns as it fills.
   *
   * @param rowType of the query
   * @param plan of the query
   */
  List<Diagnostic> check(
      Statement.Insert insert, Relation.Table sink, RelDataType rowType, RelNode plan) {
    if (overridesFunctions) {
      return List.of();
    }
    List<String> filled = sink.filledBy(insert);
    ImmutableBitSet certain = certainTypes.columns(plan);
    List<Diagnostic> found = new ArrayList<>();
    for (RelDataTypeField field : rowType.getFieldList()) {
      int position = field.getIndex();
      Optional<Column> column =
          sink.writableColumns().stream()
              .filter(candidate -> candidate.name().equals(filled.get(position)))
              .filter(Column::certain)
              .filter(candidate -> !AssignableTypes.isAssignable(field.getType(), candidate.type()))
              .findFirst();
      if (column.isPresent() && certain.get(position)) {
        found.add(mismatch(insert, rowType, field, column.get()));
      }
    }
    return List.copyOf(found);
  }

  private Diagnostic mismatch(
      Statement.Insert insert, RelDataType rowType, RelDataTypeField field, Column column) {
    Optional<SqlNode> item = item(insert, field.getIndex());
    String name =
        item.map(written -> SqlValidatorUtil.alias(written, field.getIndex()))
            .orElse(field.getName());
    String message =
        "Column %d of the query%s is %s, but '%s' of the sink takes %s"
            .formatted(
                field.getIndex() + 1,
                isGenerated(name) ? "" : ", '" + name + "',",
                withArticle(field.getType()),
                column.name(),
                withArticle(column.type()));
    return new Diagnostic(
        DiagnosticCode.SINK_TYPE,
        script.original(),
        item.map(written -> span(insert, written)).orElse(insert.targetSpan()),
        message,
        help(rowType, field, column, item.map(SinkTypes::expression)));
  }

  /**
   * The item of the select list that gives a column; empty if the query does not begin with a
   * SELECT, or a star stands before the column.
   */
  private static Optional<SqlNode> item(Statement.Insert insert, int position) {
    return WrittenColumns.firstBranch(insert.node().getSource(), insert.blocks())
        .map(block -> block.select().getSelectList().getList())
        .filter(items -> items.stream().limit(position + 1L).noneMatch(SinkTypes::isStar))
        .map(items -> items.get(position));
  }

  private static boolean isStar(SqlNode item) {
    return item instanceof SqlIdentifier name && name.isStar();
  }

  private Span span(Statement statement, SqlNode item) {
    if (tokens.isEmpty()) {
      tokens = Optional.of(Tokens.of(script.text()));
    }
    return WrittenColumns.withParentheses(
        tokens.orElseThrow(), script.span(statement, item.getParserPosition()));
  }

  private static SqlNode expression(SqlNode item) {
    return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
  }

  /** Whether Calcite made up a name for an expression that has none. */
  private static boolean isGenerated(String name) {
    return name.startsWith("EXPR$");
  }

  private static String withArticle(RelDataType type) {
    String text = SqlTypeText.of(type);
    return ("AEIOU".indexOf(text.charAt(0)) < 0 ? "a " : "an ") + text;
  }

  /**
   * @param expression what gives the column, if that is written
   */
  private static Optional<String> help(
      RelDataType rowType, RelDataTypeField field, Column column, Optional<SqlNode> expression) {
    boolean named =
        rowType.getFieldList().stream()
            .anyMatch(
                other ->
                    other.getName().equals(column.name())
                        && AssignableTypes.isAssignable(other.getType(), column.type()));
    if (named) {
      return Optional.of(
          "INSERT goes by position, not by name: put '%s' in place %d of the query"
              .formatted(column.name(), field.getIndex() + 1));
    }
    if (!AssignableTypes.isCastable(field.getType(), column.type())) {
      return Optional.empty();
    }
    String cast =
        "Write CAST(%s AS %s)"
            .formatted(
                expression
                    .filter(SqlIdentifier.class::isInstance)
                    .map(SqlNode::toString)
                    .orElse("…"),
                SqlTypeText.of(column.type()));
    return Optional.of(
        rowType.getFieldCount() > 1 ? cast + ", or change the order of the columns" : cast);
  }
}
