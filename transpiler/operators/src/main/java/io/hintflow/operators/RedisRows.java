package io.hintflow.operators;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.util.Collector;
import org.apache.flink.util.UserCodeClassLoader;

/**
 * The rows of a Redis table: the value of a key holds all columns but the key column.
 *
 * <p>A look-up may ask for more than the key, where the query compares further columns with
 * something; those only say whether the row that the key leads to is wanted.
 */
final class RedisRows implements Serializable {
  private final RedisServer server;
  private final DeserializationSchema<RowData> format;
  private final List<LogicalType> types;
  private final int keyColumn;
  private final int[] lookupColumns;
  private final RowData.FieldGetter[] lookedUp;

  /** Of a value's columns, in the order of the table without the key column. */
  private final RowData.FieldGetter[] values;

  /**
   * @param server for messages
   * @param format reads a value
   * @param types of the table's columns
   * @param keyColumn the index of the key column
   * @param lookupColumns the indexes of the columns whose values a look-up is given, the key column
   *     among them
   */
  RedisRows(
      RedisServer server,
      DeserializationSchema<RowData> format,
      List<LogicalType> types,
      int keyColumn,
      int[] lookupColumns) {
    this.server = server;
    this.format = format;
    this.types = List.copyOf(types);
    this.keyColumn = keyColumn;
    this.lookupColumns = lookupColumns;
    this.lookedUp = new RowData.FieldGetter[lookupColumns.length];
    for (int i = 0; i < lookupColumns.length; i++) {
      lookedUp[i] = RowData.createFieldGetter(types.get(lookupColumns[i]), i);
    }
    this.values = new RowData.FieldGetter[types.size()];
    for (int column = 0, position = 0; column < types.size(); column++) {
      if (column != keyColumn) {
        values[column] = RowData.createFieldGetter(types.get(column), position++);
      }
    }
  }

  void open(FunctionContext context) throws Exception {
    format.open(
        new DeserializationSchema.InitializationContext() {
          @Override
          public MetricGroup getMetricGroup() {
            return context.getMetricGroup();
          }

          @Override
          public UserCodeClassLoader getUserCodeClassLoader() {
            return new UserCodeClassLoader() {
              @Override
              public ClassLoader asClassLoader() {
                return Thread.currentThread().getContextClassLoader();
              }

              /** Classes of the job live as long as its tasks here: there is nothing to release. */
              @Override
              public void registerReleaseHookIfAbsent(String name, Runnable hook) {}
            };
          }
        });
  }

  /** The key that a look-up asks for, without the prefix; empty for NULL, which no key equals. */
  Optional<String> key(RowData lookup) {
    for (int i = 0; i < lookupColumns.length; i++) {
      if (lookupColumns[i] == keyColumn) {
        return Optional.ofNullable(lookedUp[i].getFieldOrNull(lookup)).map(Object::toString);
      }
    }
    throw new IllegalStateException("A look-up without the key column was not refused.");
  }

  /**
   * The row that answers a look-up.
   *
   * @throws IllegalStateException if the format cannot read the value, or finds more than one row
   */
  Collection<RowData> rows(RowData lookup, Optional<byte[]> value) {
    if (value.isEmpty()) {
      return List.of();
    }
    List<RowData> read = read(lookup, value.get());
    if (read.isEmpty()) {
      return List.of();
    }
    GenericRowData row = new GenericRowData(types.size());
    for (int column = 0; column < types.size(); column++) {
      if (column != keyColumn) {
        row.setField(column, values[column].getFieldOrNull(read.get(0)));
      }
    }
    for (int i = 0; i < lookupColumns.length; i++) {
      Object wanted = lookedUp[i].getFieldOrNull(lookup);
      if (lookupColumns[i] == keyColumn) {
        row.setField(keyColumn, wanted);
      } else if (wanted == null || !Objects.deepEquals(wanted, row.getField(lookupColumns[i]))) {
        return List.of();
      }
    }
    return List.of(row);
  }

  /** Answers come in on several threads, and formats are not made for that. */
  private synchronized List<RowData> read(RowData lookup, byte[] value) {
    List<RowData> read = new ArrayList<>(1);
    try {
      format.deserialize(
          value,
          new Collector<RowData>() {
            @Override
            public void collect(RowData row) {
              // What a format may make of a value that it is told to pass over.
              if (row != null) {
                read.add(row);
              }
            }

            @Override
            public void close() {}
          });
    } catch (IOException | RuntimeException failure) {
      throw new IllegalStateException(
          "%s: the value of key '%s' cannot be read with the table's format: %s"
              .formatted(server, key(lookup).orElseThrow(), failure.getMessage()),
          failure);
    }
    if (read.size() > 1) {
      throw new IllegalStateException(
          "%s: the value of key '%s' holds %d rows instead of one"
              .formatted(server, key(lookup).orElseThrow(), read.size()));
    }
    return read;
  }
}
