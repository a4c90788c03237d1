package io.hintflow.transpiler.analysis;

import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;

/** Types as Flink SQL writes them. */
public final class SqlTypeText {
  private SqlTypeText() {}

  /** A type without NOT NULL, its own and that of types in it. */
  public static String of(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case ROW, STRUCTURED ->
          type.getFieldList().stream()
              .map(field -> field.getName() + " " + of(field.getType()))
              .collect(Collectors.joining(", ", "ROW<", ">"));
      case ARRAY -> "ARRAY<" + of(type.getComponentType()) + ">";
      case MULTISET -> "MULTISET<" + of(type.getComponentType()) + ">";
      case MAP -> "MAP<" + of(type.getKeyType()) + ", " + of(type.getValueType()) + ">";
      case INTEGER -> "INT";
      case REAL -> "FLOAT";
      case DECIMAL -> "DECIMAL(%d, %d)".formatted(type.getPrecision(), type.getScale());
      case VARCHAR, VARBINARY -> varying(type);
      case CHAR, BINARY, TIME, TIMESTAMP -> withPrecision(type, type.getSqlTypeName().getName());
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> withPrecision(type, "TIMESTAMP_LTZ");
      default -> type.getFullTypeString().replace(" NOT NULL", "");
    };
  }

  private static String varying(RelDataType type) {
    boolean isText = type.getSqlTypeName() == SqlTypeName.VARCHAR;
    if (type.getPrecision() == Integer.MAX_VALUE || type.getPrecision() < 0) {
      return isText ? "STRING" : "BYTES";
    }
    return withPrecision(type, type.getSqlTypeName().getName());
  }

  private static String withPrecision(RelDataType type, String name) {
    return "%s(%d)".formatted(name, type.getPrecision());
  }
}
