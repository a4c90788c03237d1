package io.hintflow.transpiler.analysis;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelRecordType;
import org.apache.calcite.rel.type.StructKind;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/** Makes Flink's types. */
final class FlinkTypeFactory extends SqlTypeFactoryImpl {
  FlinkTypeFactory() {
    super(new FlinkTypeSystem());
  }

  /** Any text may stand in a literal; Calcite's own default, ISO-8859-1, refuses most of it. */
  @Override
  public Charset getDefaultCharset() {
    return StandardCharsets.UTF_8;
  }

  /**
   * In Flink a row can be null while its fields can't; Calcite would make the fields nullable
   * instead.
   */
  @Override
  public RelDataType createTypeWithNullability(RelDataType type, boolean nullable) {
    if (type instanceof RelRecordType && type.isNullable() != nullable) {
      return canonize(new RelRecordType(type.getStructKind(), type.getFieldList(), nullable));
    }
    return super.createTypeWithNullability(type, nullable);
  }

  /**
   * The type of a row as a CAST makes it, whose fields can be named without its table: {@code
   * row.field}. Calcite would ask for {@code table.row.field}.
   */
  @Override
  public RelDataType createStructType(List<RelDataType> types, List<String> names) {
    return createStructType(StructKind.PEEK_FIELDS_NO_EXPAND, types, names);
  }

  /** The type of what we know nothing about, such as the result of a user's function. */
  RelDataType unknown() {
    return createTypeWithNullability(createSqlType(SqlTypeName.ANY), true);
  }

  /** The type of PROCTIME(). */
  RelDataType proctime() {
    return createSqlType(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, 3);
  }
}
