package io.hintflow.transpiler.broadcast;

import io.hintflow.transpiler.analysis.BlockScope;
import io.hintflow.transpiler.analysis.SqlTypeText;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** How the values of two expressions become comparable as they are, in Java. */
final class ComparedTypes {
  private ComparedTypes() {}

  /**
   * @param left the type that the left one is cast to in SQL; empty if it needs no cast
   * @param right the same of the right one
   * @param ordered whether one can be less than the other, or only equal
   */
  record Comparable(Optional<String> left, Optional<String> right, boolean ordered) {
    private static Comparable asTheyAre(boolean ordered) {
      return new Comparable(Optional.empty(), Optional.empty(), ordered);
    }
  }

  /** Empty if Flink would have to compare them. */
  static Optional<Comparable> of(BlockScope scope, SqlNode left, SqlNode right) {
    Optional<RelDataType> first = scope.typeOf(left);
    Optional<RelDataType> second = scope.typeOf(right);
    if (first.isEmpty() || second.isEmpty()) {
      return Optional.empty();
    }
    return of(scope, first.get(), second.get());
  }

  static Optional<Comparable> of(BlockScope scope, RelDataType left, RelDataType right) {
    if (areBoth(SqlTypeFamily.CHARACTER, left, right)
        || areBoth(SqlTypeFamily.BINARY, left, right)
        || areBoth(SqlTypeFamily.BOOLEAN, left, right)) {
      return Optional.of(Comparable.asTheyAre(true));
    }
    boolean scalar = isScalar(left) && isScalar(right);
    if (isSame(left, right)) {
      return Optional.of(Comparable.asTheyAre(scalar));
    }
    if (!scalar) {
      return Optional.empty();
    }
    Optional<RelDataType> common = scope.commonType(List.of(left, right));
    return common
        .flatMap(ComparedTypes::sql)
        .map(
            sql ->
                new Comparable(
                    cast(left, common.get(), sql), cast(right, common.get(), sql), true));
  }

  private static Optional<String> cast(RelDataType from, RelDataType to, String sql) {
    return isSame(from, to) ? Optional.empty() : Optional.of(sql);
  }

  private static boolean areBoth(SqlTypeFamily family, RelDataType left, RelDataType right) {
    return family.getTypeNames().contains(left.getSqlTypeName())
        && family.getTypeNames().contains(right.getSqlTypeName());
  }

  private static boolean isScalar(RelDataType type) {
    return SqlTypeUtil.isNumeric(type) || SqlTypeUtil.isDatetime(type);
  }

  private static boolean isSame(RelDataType left, RelDataType right) {
    return withoutNullability(left).equals(withoutNullability(right));
  }

  private static String withoutNullability(RelDataType type) {
    return type.getFullTypeString().replace(" NOT NULL", "");
  }

  private static Optional<String> sql(RelDataType type) {
    SqlTypeName name = type.getSqlTypeName();
    return switch (name) {
      case TINYINT, SMALLINT, INTEGER, BIGINT, FLOAT, DOUBLE, DATE -> Optional.of(name.getName());
      case REAL, DECIMAL, TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          Optional.of(SqlTypeText.of(type));
      default -> Optional.empty();
    };
  }
}
