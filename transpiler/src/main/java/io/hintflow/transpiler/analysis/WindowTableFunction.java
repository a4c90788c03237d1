package io.hintflow.transpiler.analysis;

import static org.apache.calcite.util.Static.RESOURCE;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlWindowTableFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandMetadata;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql2rel.SqlRexContext;

/**
 * TUMBLE, HOP, CUMULATE or SESSION as a table function. Its rows are those of its table with {@code
 * window_start}, {@code window_end} and {@code window_time} behind them. In a plan it is a call
 * over its input: the time column first, then the columns of PARTITION BY, then size, slide, gap
 * and offset as written.
 */
final class WindowTableFunction extends SqlWindowTableFunction {
  private static final Map<String, WindowTableFunction> BY_NAME =
      Map.of(
          "TUMBLE", new WindowTableFunction("TUMBLE", List.of("DATA", "TIMECOL", "SIZE", "OFFSET")),
          "HOP",
              new WindowTableFunction("HOP", List.of("DATA", "TIMECOL", "SLIDE", "SIZE", "OFFSET")),
          "CUMULATE",
              new WindowTableFunction(
                  "CUMULATE", List.of("DATA", "TIMECOL", "STEP", "SIZE", "OFFSET")),
          "SESSION", new WindowTableFunction("SESSION", List.of("DATA", "TIMECOL", "GAP")));

  private final List<String> parameters;

  private WindowTableFunction(String name, List<String> parameters) {
    super(name, new Operands(parameters));
    this.parameters = parameters;
  }

  static Optional<WindowTableFunction> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name.toUpperCase(Locale.ROOT)));
  }

  /**
   * The call in the one form that the rest of this class understands: arguments in order, and
   * {@code PARTITION BY} as a second descriptor, because Calcite's converter loses the input of a
   * table that is partitioned.
   */
  SqlCall call(SqlParserPos position, List<SqlNode> arguments) {
    SqlNode[] ordered = new SqlNode[parameters.size()];
    List<SqlNode> rest = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      SqlNode argument = arguments.get(i);
      int place = i;
      if (argument.getKind() == SqlKind.ARGUMENT_ASSIGNMENT) {
        SqlCall assignment = (SqlCall) argument;
        String name = assignment.operand(1).toString();
        place = parameters.indexOf(name.toUpperCase(Locale.ROOT));
        argument = assignment.operand(0);
      }
      if (place >= 0 && place < ordered.length && ordered[place] == null) {
        ordered[place] = argument;
      } else {
        rest.add(argument);
      }
    }
    List<SqlNode> keys = new ArrayList<>();
    if (ordered[0] != null && ordered[0].getKind() == SqlKind.SET_SEMANTICS_TABLE) {
      SqlCall partitioned = (SqlCall) ordered[0];
      ordered[0] = partitioned.operand(0);
      keys.addAll(((SqlNodeList) partitioned.operand(1)).getList());
    }
    List<SqlNode> operands = new ArrayList<>();
    Stream.of(ordered).filter(argument -> argument != null).forEach(operands::add);
    operands.addAll(rest);
    if (!keys.isEmpty()) {
      operands.add(
          Math.min(2, operands.size()), SqlStdOperatorTable.DESCRIPTOR.createCall(position, keys));
    }
    return createCall(position, operands);
  }

  @Override
  public SqlReturnTypeInference getRowTypeInference() {
    return WindowTableFunction::rowType;
  }

  /** Only the table: descriptors are no expressions, and {@link #rowType} looks them up. */
  @Override
  public void validateCall(
      SqlCall call,
      SqlValidator validator,
      SqlValidatorScope scope,
      SqlValidatorScope operandScope) {
    call.operand(0).validate(validator, scope);
  }

  private static RelDataType rowType(SqlOperatorBinding binding) {
    SqlCallBinding call = (SqlCallBinding) binding;
    RelDataType input = call.getOperandType(0);
    List<RelDataTypeField> described = described(call.getCall(), input, call.getValidator());
    RelDataTypeFactory factory = call.getTypeFactory();
    return factory
        .builder()
        .kind(input.getStructKind())
        .addAll(input.getFieldList())
        .add("window_start", SqlTypeName.TIMESTAMP, 3)
        .add("window_end", SqlTypeName.TIMESTAMP, 3)
        .add("window_time", factory.createTypeWithNullability(described.get(0).getType(), false))
        .build();
  }

  /** The input's columns that the descriptors name. */
  private static List<RelDataTypeField> described(
      SqlCall call, RelDataType input, SqlValidator validator) {
    List<RelDataTypeField> fields = new ArrayList<>();
    for (SqlNode operand : call.getOperandList()) {
      if (operand.getKind() != SqlKind.DESCRIPTOR) {
        continue;
      }
      for (SqlNode column : ((SqlCall) operand).getOperandList()) {
        String name = ((SqlIdentifier) column).getSimple();
        RelDataTypeField field = input.getField(name, true, false);
        if (field == null) {
          throw validator.newValidationError(column, RESOURCE.columnNotFound(name));
        }
        fields.add(field);
      }
    }
    return fields;
  }

  /** The call in a plan. */
  static RexNode convert(SqlRexContext context, SqlCall call) {
    SqlValidator validator = context.getValidator();
    RelDataType input = validator.getValidatedNodeType(call.operand(0));
    List<RexNode> operands = new ArrayList<>();
    for (RelDataTypeField field : described(call, input, validator)) {
      operands.add(context.getRexBuilder().makeInputRef(field.getType(), field.getIndex()));
    }
    for (SqlNode operand : call.getOperandList().subList(1, call.operandCount())) {
      if (operand.getKind() != SqlKind.DESCRIPTOR) {
        operands.add(context.convertExpression(operand));
      }
    }
    return context
        .getRexBuilder()
        .makeCall(validator.getValidatedNodeType(call), call.getOperator(), operands);
  }

  /** Accepts whatever the call holds: what Flink refuses here, Flink tells best. */
  private record Operands(List<String> paramNames) implements SqlOperandMetadata {
    @Override
    public List<RelDataType> paramTypes(RelDataTypeFactory typeFactory) {
      return paramNames.stream().map(name -> typeFactory.createSqlType(SqlTypeName.ANY)).toList();
    }

    @Override
    public boolean checkOperandTypes(SqlCallBinding callBinding, boolean throwOnFailure) {
      return true;
    }

    @Override
    public SqlOperandCountRange getOperandCountRange() {
      return SqlOperandCountRanges.between(2, paramNames.size() + 1);
    }

    @Override
    public String getAllowedSignatures(SqlOperator op, String opName) {
      return opName + "(" + String.join(", ", paramNames) + ")";
    }

    @Override
    public Consistency getConsistency() {
      return Consistency.NONE;
    }

    @Override
    public boolean isOptional(int i) {
      return i > 1;
    }
  }
}
