package io.hintflow.transpiler.analysis;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** The limits and result types of Flink SQL, where they differ from Calcite's. */
final class FlinkTypeSystem extends RelDataTypeSystemImpl {
  private static final int MAX_DECIMAL_PRECISION = 38;
  private static final int MIN_DERIVED_SCALE = 6;
  private static final int MAX_TIMESTAMP_PRECISION = 9;
  private static final int DEFAULT_TIMESTAMP_PRECISION = 6;

  /**
   * Precision and scale that an operation on two decimals gives, before the precision is capped.
   */
  private interface DecimalRule {
    int[] apply(int precision1, int scale1, int precision2, int scale2);
  }

  @Override
  public int getMaxNumericPrecision() {
    return MAX_DECIMAL_PRECISION;
  }

  @Override
  public int getMaxNumericScale() {
    return MAX_DECIMAL_PRECISION;
  }

  @Override
  public int getDefaultPrecision(SqlTypeName typeName) {
    return switch (typeName) {
      case VARCHAR, VARBINARY -> Integer.MAX_VALUE;
      case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> DEFAULT_TIMESTAMP_PRECISION;
      default -> super.getDefaultPrecision(typeName);
    };
  }

  @Override
  public int getMaxPrecision(SqlTypeName typeName) {
    return switch (typeName) {
      case VARCHAR, CHAR, VARBINARY, BINARY -> Integer.MAX_VALUE;
      case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> MAX_TIMESTAMP_PRECISION;
      default -> super.getMaxPrecision(typeName);
    };
  }

  @Override
  public boolean shouldConvertRaggedUnionTypesToVarying() {
    return true;
  }

  @Override
  public RelDataType deriveSumType(RelDataTypeFactory factory, RelDataType argument) {
    return SqlTypeUtil.isDecimal(argument)
        ? decimal(factory, MAX_DECIMAL_PRECISION, argument.getScale(), argument.isNullable())
        : argument;
  }

  @Override
  public RelDataType deriveAvgAggType(RelDataTypeFactory factory, RelDataType argument) {
    return SqlTypeUtil.isDecimal(argument)
        ? decimal(
            factory,
            MAX_DECIMAL_PRECISION,
            Math.max(MIN_DERIVED_SCALE, argument.getScale()),
            argument.isNullable())
        : argument;
  }

  @Override
  public RelDataType deriveDecimalPlusType(
      RelDataTypeFactory factory, RelDataType type1, RelDataType type2) {
    return derive(
        factory,
        type1,
        type2,
        (p1, s1, p2, s2) -> {
          int scale = Math.max(s1, s2);
          return new int[] {Math.max(p1 - s1, p2 - s2) + scale + 1, scale};
        });
  }

  @Override
  public RelDataType deriveDecimalMultiplyType(
      RelDataTypeFactory factory, RelDataType type1, RelDataType type2) {
    return derive(factory, type1, type2, (p1, s1, p2, s2) -> new int[] {p1 + p2 + 1, s1 + s2});
  }

  @Override
  public RelDataType deriveDecimalDivideType(
      RelDataTypeFactory factory, RelDataType type1, RelDataType type2) {
    return derive(
        factory,
        type1,
        type2,
        (p1, s1, p2, s2) -> {
          int scale = Math.max(MIN_DERIVED_SCALE, s1 + p2 + 1);
          return new int[] {p1 - s1 + s2 + scale, scale};
        });
  }

  @Override
  public RelDataType deriveDecimalModType(
      RelDataTypeFactory factory, RelDataType type1, RelDataType type2) {
    return derive(
        factory,
        type1,
        type2,
        (p1, s1, p2, s2) -> {
          int scale = Math.max(s1, s2);
          return new int[] {Math.min(p1 - s1, p2 - s2) + scale, scale};
        });
  }

  /** Null, as the super class has it, if the operation is not one on decimals. */
  private static RelDataType derive(
      RelDataTypeFactory factory, RelDataType type1, RelDataType type2, DecimalRule rule) {
    boolean decimals =
        SqlTypeUtil.isExactNumeric(type1)
            && SqlTypeUtil.isExactNumeric(type2)
            && (SqlTypeUtil.isDecimal(type1) || SqlTypeUtil.isDecimal(type2));
    if (!decimals) {
      return null;
    }
    int[] derived =
        rule.apply(type1.getPrecision(), type1.getScale(), type2.getPrecision(), type2.getScale());
    int precision = derived[0];
    int scale = derived[1];
    if (precision > MAX_DECIMAL_PRECISION) {
      int integerDigits = precision - scale;
      scale = Math.max(MAX_DECIMAL_PRECISION - integerDigits, Math.min(scale, MIN_DERIVED_SCALE));
      precision = MAX_DECIMAL_PRECISION;
    }
    return decimal(factory, precision, scale, type1.isNullable() || type2.isNullable());
  }

  private static RelDataType decimal(
      RelDataTypeFactory factory, int precision, int scale, boolean nullable) {
    return factory.createTypeWithNullability(
        factory.createSqlType(SqlTypeName.DECIMAL, precision, scale), nullable);
  }
}
