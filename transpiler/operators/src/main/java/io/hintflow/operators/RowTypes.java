package io.hintflow.operators;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.Row;

/**
 * How the rows of a query are written to state and copied between operators.
 *
 * <p>The type that Flink gives to the stream of a query serves every type of column, but turns each
 * row into Flink's internal form and back to write or only to copy it. Where each column has a type
 * of the DataStream API that holds the same values, a row of those is much cheaper.
 */
final class RowTypes {
  private RowTypes() {}

  /**
   * The type of the rows of a query.
   *
   * @param stream what {@link TableStreams#toStream} made of the query
   */
  static TypeInformation<Row> of(Table query, DataStream<Row> stream) {
    return row((RowType) TableStreams.rowType(query).getLogicalType()).orElse(stream.getType());
  }

  private static Optional<TypeInformation<Row>> row(RowType type) {
    return of(type.getFieldNames(), type.getChildren());
  }

  /** The type of rows of such columns; empty if one of them has none by itself. */
  static Optional<TypeInformation<Row>> of(List<String> names, List<LogicalType> types) {
    List<TypeInformation<?>> fields = new ArrayList<>();
    for (LogicalType field : types) {
      Optional<? extends TypeInformation<?>> value = value(field);
      if (value.isEmpty()) {
        return Optional.empty();
      }
      fields.add(value.get());
    }
    return Optional.of(
        Types.ROW_NAMED(names.toArray(String[]::new), fields.toArray(TypeInformation<?>[]::new)));
  }

  // State of running jobs is written in these types: a further type may be added only together with
  // a way to read the rows that are in the stream's own type so far.
  private static Optional<? extends TypeInformation<?>> value(LogicalType type) {
    return switch (type.getTypeRoot()) {
      case CHAR, VARCHAR -> Optional.of(Types.STRING);
      case BOOLEAN -> Optional.of(Types.BOOLEAN);
      case BINARY, VARBINARY -> Optional.of(Types.PRIMITIVE_ARRAY(Types.BYTE));
      case DECIMAL -> Optional.of(Types.BIG_DEC);
      case TINYINT -> Optional.of(Types.BYTE);
      case SMALLINT -> Optional.of(Types.SHORT);
      case INTEGER -> Optional.of(Types.INT);
      case BIGINT -> Optional.of(Types.LONG);
      case FLOAT -> Optional.of(Types.FLOAT);
      case DOUBLE -> Optional.of(Types.DOUBLE);
      case DATE -> Optional.of(Types.LOCAL_DATE);
      case TIME_WITHOUT_TIME_ZONE -> Optional.of(Types.LOCAL_TIME);
      case TIMESTAMP_WITHOUT_TIME_ZONE -> Optional.of(Types.LOCAL_DATE_TIME);
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> Optional.of(Types.INSTANT);
      case ROW -> row((RowType) type);
      default -> Optional.empty();
    };
  }
}
