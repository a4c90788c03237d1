package io.hintflow.transpiler.analysis;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.SqlTableFunction;
import org.apache.calcite.sql.fun.SqlBasicAggFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * Flink's functions, and every other: a name that we don't know is taken for a user's function that
 * accepts anything and gives a value of unknown type, because a false error would be worse than a
 * missed one.
 */
final class FlinkOperators implements SqlOperatorTable {
  static final SqlReturnTypeInference UNKNOWN_TYPE =
      binding ->
          binding
              .getTypeFactory()
              .createTypeWithNullability(
                  binding.getTypeFactory().createSqlType(SqlTypeName.ANY), true);

  private static final SqlReturnTypeInference STRING =
      nullable(ReturnTypes.explicit(SqlTypeName.VARCHAR));
  private static final SqlReturnTypeInference TIMESTAMP =
      ReturnTypes.explicit(SqlTypeName.TIMESTAMP, 3);
  private static final SqlReturnTypeInference TIMESTAMP_LTZ =
      ReturnTypes.explicit(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, 3);

  static final SqlFunction PROCTIME = function("PROCTIME", TIMESTAMP_LTZ);

  /**
   * The event time of a legacy group window, of its start: what TUMBLE_ROWTIME and its like give.
   */
  static final SqlFunction GROUP_ROWTIME = function("GROUP_ROWTIME", ReturnTypes.ARG0);

  /** As {@link #GROUP_ROWTIME}, in processing time. */
  static final SqlFunction GROUP_PROCTIME = function("GROUP_PROCTIME", TIMESTAMP_LTZ);

  static final SqlFunction MATCH_ROWTIME = function("MATCH_ROWTIME", TIMESTAMP);
  static final SqlFunction MATCH_PROCTIME = function("MATCH_PROCTIME", TIMESTAMP_LTZ);

  static final SqlFunction TRY_CAST =
      function("TRY_CAST", nullable(SqlStdOperatorTable.CAST.getReturnTypeInference()));

  private static final Map<String, SqlOperator> BY_NAME = new HashMap<>();

  private boolean unknownFunctions;

  static {
    List.of(PROCTIME, GROUP_ROWTIME, GROUP_PROCTIME, MATCH_ROWTIME, MATCH_PROCTIME, TRY_CAST)
        .forEach(FlinkOperators::add);
    addAll(STRING, "BIN", "BTRIM", "CHR", "CONCAT", "CONCAT_WS", "CONVERT_TZ", "DATE_FORMAT");
    addAll(STRING, "DECODE", "ELT", "FROM_BASE64", "FROM_UNIXTIME", "HEX", "JSON_QUOTE");
    addAll(STRING, "JSON_STRING", "JSON_UNQUOTE", "LEFT", "LPAD", "LTRIM", "MD5", "PARSE_URL");
    addAll(STRING, "PRINTF", "REGEXP_EXTRACT", "REGEXP_REPLACE", "REGEXP_SUBSTR", "REPEAT");
    addAll(STRING, "REPLACE", "REVERSE", "RIGHT", "RPAD", "RTRIM", "SHA1", "SHA2", "SHA224");
    addAll(STRING, "SHA256", "SHA384", "SHA512", "SPLIT_INDEX", "SUBSTR", "SUBSTRING");
    addAll(STRING, "TO_BASE64", "TRANSLATE", "TYPEOF", "URL_DECODE", "URL_ENCODE", "UUID");
    addAll(ReturnTypes.INTEGER_NULLABLE, "ASCII", "HASH_CODE", "INSTR", "LOCATE", "RAND_INTEGER");
    addAll(ReturnTypes.INTEGER_NULLABLE, "REGEXP_COUNT", "REGEXP_INSTR");
    addAll(ReturnTypes.BOOLEAN_NULLABLE, "IS_ALPHA", "IS_DECIMAL", "IS_DIGIT", "REGEXP");
    addAll(ReturnTypes.BOOLEAN_NULLABLE, "ARRAY_CONTAINS", "ENDSWITH", "STARTSWITH");
    addAll(ReturnTypes.DOUBLE_NULLABLE, "COSH", "E", "LOG", "LOG2", "RAND", "SINH", "TANH");
    addAll(nullable(ReturnTypes.explicit(SqlTypeName.VARBINARY)), "ENCODE", "UNHEX");
    addAll(nullable(ReturnTypes.explicit(SqlTypeName.BIGINT)), "UNIX_TIMESTAMP");
    addAll(nullable(ReturnTypes.explicit(SqlTypeName.DATE)), "TO_DATE");
    addAll(nullable(TIMESTAMP), "TO_TIMESTAMP");
    addAll(nullable(TIMESTAMP_LTZ), "TO_TIMESTAMP_LTZ");
    addAll(TIMESTAMP, "SOURCE_WATERMARK");
    addAll(TIMESTAMP_LTZ, "CURRENT_ROW_TIMESTAMP", "NOW");
    addAll(ReturnTypes.ARG0_FORCE_NULLABLE, "CURRENT_WATERMARK");
    addAll(ReturnTypes.ARG0_NULLABLE, "ROUND", "TRUNCATE");
    addAll(FlinkOperators::commonType, "GREATEST", "IFNULL", "LEAST");
    addAll(FlinkOperators::commonTypeOfBranches, "IF");
    // Their types depend on their arguments; what matters is that they are no aggregate functions.
    addAll(UNKNOWN_TYPE, "ARRAY_APPEND", "ARRAY_CONCAT", "ARRAY_DISTINCT", "ARRAY_EXCEPT");
    addAll(UNKNOWN_TYPE, "ARRAY_INTERSECT", "ARRAY_JOIN", "ARRAY_MAX", "ARRAY_MIN");
    addAll(UNKNOWN_TYPE, "ARRAY_POSITION", "ARRAY_PREPEND", "ARRAY_REMOVE", "ARRAY_REVERSE");
    addAll(UNKNOWN_TYPE, "ARRAY_SLICE", "ARRAY_SORT", "ARRAY_UNION", "CURRENT_DATABASE", "JSON");
    addAll(UNKNOWN_TYPE, "MAP_ENTRIES", "MAP_FROM_ARRAYS", "MAP_FROM_ENTRIES", "MAP_KEYS");
    addAll(UNKNOWN_TYPE, "MAP_UNION", "MAP_VALUES", "OBJECT_OF", "OBJECT_UPDATE", "PARSE_JSON");
    addAll(UNKNOWN_TYPE, "REGEXP_EXTRACT_ALL", "SPLIT", "STR_TO_MAP", "TRY_PARSE_JSON");
    add(constant("CURRENT_TIMESTAMP", TIMESTAMP_LTZ));
    add(constant("LOCALTIMESTAMP", TIMESTAMP));
    add(constant("CURRENT_TIME", ReturnTypes.TIME));
    add(constant("LOCALTIME", ReturnTypes.TIME));
    add(aggregate("LISTAGG", SqlKind.LISTAGG, STRING));
    add(aggregate("FIRST_VALUE", SqlKind.FIRST_VALUE, ReturnTypes.ARG0_NULLABLE_IF_EMPTY));
    add(aggregate("LAST_VALUE", SqlKind.LAST_VALUE, ReturnTypes.ARG0_NULLABLE_IF_EMPTY));
    add(aggregate("ARRAY_AGG", SqlKind.ARRAY_AGG, nullable(ReturnTypes.TO_ARRAY)));
    add(aggregate("PERCENTILE", SqlKind.OTHER_FUNCTION, UNKNOWN_TYPE));
  }

  @Override
  public void lookupOperatorOverloads(
      SqlIdentifier name,
      SqlFunctionCategory category,
      SqlSyntax syntax,
      List<SqlOperator> found,
      SqlNameMatcher nameMatcher) {
    boolean function = syntax == SqlSyntax.FUNCTION || syntax == SqlSyntax.FUNCTION_ID;
    if (function && name.isSimple()) {
      String simple = name.getSimple().toUpperCase(Locale.ROOT);
      Optional<? extends SqlOperator> known =
          WindowTableFunction.named(simple).isPresent()
              ? WindowTableFunction.named(simple)
              : Optional.ofNullable(BY_NAME.get(simple));
      if (known.isPresent()) {
        found.add(known.get());
        return;
      }
    }
    SqlStdOperatorTable.instance()
        .lookupOperatorOverloads(name, category, syntax, found, nameMatcher);
    // Without a category the validator asks whether a column's name could be a call without
    // parentheses.
    if (found.isEmpty() && syntax == SqlSyntax.FUNCTION && category != null) {
      found.add(new UnknownFunction(name.toString()));
      unknownFunctions = true;
    }
  }

  /** Whether a query used a function that we don't know; it could be an aggregate function. */
  boolean unknownFunctions() {
    return unknownFunctions;
  }

  /** Whether Flink or Calcite has a function of this name, in any case. */
  static boolean isKnown(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return BY_NAME.containsKey(upper)
        || SqlStdOperatorTable.instance().getOperatorList().stream()
            .anyMatch(operator -> operator.getName().equals(upper));
  }

  @Override
  public List<SqlOperator> getOperatorList() {
    return SqlStdOperatorTable.instance().getOperatorList();
  }

  /** A function that we don't know: a user's, a catalog's, or one that came after this program. */
  static final class UnknownFunction extends SqlFunction {
    UnknownFunction(String name) {
      super(
          name,
          SqlKind.OTHER_FUNCTION,
          UNKNOWN_TYPE,
          null,
          OperandTypes.VARIADIC,
          SqlFunctionCategory.USER_DEFINED_FUNCTION);
    }
  }

  /** A table function of which we know only how many columns the query expects of it. */
  static final class UnknownTableFunction extends SqlFunction implements SqlTableFunction {
    private final int columns;

    UnknownTableFunction(String name, int columns) {
      super(
          name,
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.CURSOR,
          null,
          OperandTypes.VARIADIC,
          SqlFunctionCategory.USER_DEFINED_TABLE_FUNCTION);
      this.columns = columns;
    }

    /** Overridden because the super class would look the function up again by its name. */
    @Override
    public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
      for (SqlNode operand : call.getOperandList()) {
        validator.deriveType(scope, operand);
      }
      return validator.getTypeFactory().createSqlType(SqlTypeName.CURSOR);
    }

    @Override
    public SqlReturnTypeInference getRowTypeInference() {
      return binding -> {
        RelDataTypeFactory.Builder row = binding.getTypeFactory().builder();
        for (int i = 0; i < columns; i++) {
          row.add("f" + i, UNKNOWN_TYPE.inferReturnType(binding));
        }
        return row.build();
      };
    }
  }

  private static void add(SqlOperator operator) {
    BY_NAME.put(operator.getName(), operator);
  }

  private static void addAll(SqlReturnTypeInference type, String... names) {
    for (String name : names) {
      add(function(name, type));
    }
  }

  private static SqlReturnTypeInference nullable(SqlReturnTypeInference type) {
    return type.andThen(SqlTypeTransforms.FORCE_NULLABLE);
  }

  private static SqlFunction function(String name, SqlReturnTypeInference type) {
    return SqlBasicFunction.create(name, type, OperandTypes.VARIADIC);
  }

  /** A function that is called without parentheses. */
  private static SqlFunction constant(String name, SqlReturnTypeInference type) {
    return SqlBasicFunction.create(name, type, OperandTypes.VARIADIC)
        .withSyntax(SqlSyntax.FUNCTION_ID);
  }

  private static SqlOperator aggregate(String name, SqlKind kind, SqlReturnTypeInference type) {
    return SqlBasicAggFunction.create(name, kind, type, OperandTypes.VARIADIC)
        .withAllowsNullTreatment(true);
  }

  private static RelDataType commonType(SqlOperatorBinding binding) {
    return commonType(binding, binding.collectOperandTypes());
  }

  private static RelDataType commonTypeOfBranches(SqlOperatorBinding binding) {
    List<RelDataType> types = binding.collectOperandTypes();
    return commonType(binding, types.subList(Math.min(1, types.size()), types.size()));
  }

  private static RelDataType commonType(SqlOperatorBinding binding, List<RelDataType> types) {
    RelDataType common = types.isEmpty() ? null : binding.getTypeFactory().leastRestrictive(types);
    return common == null
        ? UNKNOWN_TYPE.inferReturnType(binding)
        : binding.getTypeFactory().createTypeWithNullability(common, true);
  }
}
