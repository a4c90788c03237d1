package io.hintflow.transpiler.analysis;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Which values an INSERT takes for a column as they are, as Flink's LogicalTypeCasts has it. Where
 * in doubt, yes: Flink looks again when the job starts.
 */
public final class AssignableTypes {
  /** Each takes the values of those before it. */
  private static final List<SqlTypeName> INTEGERS =
      List.of(SqlTypeName.TINYINT, SqlTypeName.SMALLINT, SqlTypeName.INTEGER, SqlTypeName.BIGINT);

  private AssignableTypes() {}

  /** Whether a value of one type fits a column of another; NULL is looked at when it comes. */
  public static boolean isAssignable(RelDataType from, RelDataType to) {
    SqlTypeName target = to.getSqlTypeName();
    SqlTypeName source = from.getSqlTypeName();
    if (isOpaque(source) || isOpaque(target)) {
      return true;
    }
    if (SqlTypeUtil.isNumeric(to)) {
      return SqlTypeUtil.isNumeric(from) && isWidening(source, target);
    }
    if (isTimestamp(target)) {
      return isTimestamp(source);
    }
    return switch (target) {
      case DATE, TIME -> source == target || source == SqlTypeName.TIMESTAMP;
      case VARCHAR -> source == SqlTypeName.CHAR || source == target;
      case VARBINARY -> source == SqlTypeName.BINARY || source == target;
      case ROW -> from.isStruct() && areFieldsAssignable(from.getFieldList(), to.getFieldList());
      case ARRAY, MULTISET ->
          source == target && isAssignable(from.getComponentType(), to.getComponentType());
      case MAP ->
          source == target
              && isAssignable(from.getKeyType(), to.getKeyType())
              && isAssignable(from.getValueType(), to.getValueType());
      default -> source == target;
    };
  }

  /**
   * Whether Flink has a CAST from one type to another. Does not know all: of those that keep only a
   * part of a value, none.
   */
  public static boolean isCastable(RelDataType from, RelDataType to) {
    if (isOpaque(from.getSqlTypeName())) {
      return false;
    }
    if (SqlTypeUtil.isNumeric(to) || to.getSqlTypeName() == SqlTypeName.BOOLEAN) {
      return SqlTypeUtil.isNumeric(from)
          || SqlTypeUtil.isCharacter(from)
          || SqlTypeUtil.isBoolean(from);
    }
    boolean temporal = isTimestamp(to) || to.getSqlTypeName() == SqlTypeName.DATE;
    return SqlTypeUtil.isCharacter(to)
        || temporal && (SqlTypeUtil.isCharacter(from) || isTimestamp(from));
  }

  private static boolean isOpaque(SqlTypeName type) {
    return switch (type) {
      case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, FLOAT, REAL, DOUBLE -> false;
      case CHAR, VARCHAR, BINARY, VARBINARY -> false;
      case DATE, TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> false;
      case ARRAY, MULTISET, MAP, ROW -> false;
      default -> true;
    };
  }

  private static boolean isWidening(SqlTypeName from, SqlTypeName to) {
    if (INTEGERS.contains(to)) {
      return INTEGERS.contains(from) && INTEGERS.indexOf(from) <= INTEGERS.indexOf(to);
    }
    boolean toSingle = to == SqlTypeName.FLOAT || to == SqlTypeName.REAL;
    return !toSingle || from != SqlTypeName.DOUBLE;
  }

  public static boolean isTimestamp(RelDataType type) {
    return isTimestamp(type.getSqlTypeName());
  }

  private static boolean isTimestamp(SqlTypeName type) {
    return type == SqlTypeName.TIMESTAMP || type == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
  }

  private static boolean areFieldsAssignable(
      List<RelDataTypeField> from, List<RelDataTypeField> to) {
    boolean assignable = from.size() == to.size();
    for (int i = 0; assignable && i < to.size(); i++) {
      assignable = isAssignable(from.get(i).getType(), to.get(i).getType());
    }
    return assignable;
  }
}
