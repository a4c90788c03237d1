package io.hintflow.operators;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.format.DecodingFormat;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.lookup.AsyncLookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.PartialCachingAsyncLookupProvider;
import org.apache.flink.table.connector.source.lookup.PartialCachingLookupProvider;
import org.apache.flink.table.connector.source.lookup.cache.DefaultLookupCache;
import org.apache.flink.table.connector.source.lookup.cache.LookupCache;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * A table in Redis, to be looked up by its key column: {@code GET} of the prefix and the key gives
 * the other columns.
 */
final class RedisTable implements LookupTableSource {
  /** How a row is looked up. */
  sealed interface Mode {
    /** The task waits for each answer. */
    record OneByOne() implements Mode {}

    /** The task goes on while it waits. */
    record Async() implements Mode {}

    /** Several keys make one request. */
    record InBatches(RedisBatchLookup.Batching batching) implements Mode {}
  }

  private final RedisServer server;
  private final DecodingFormat<DeserializationSchema<RowData>> format;
  private final DataType rowType;
  private final int keyColumn;
  private final Mode mode;
  private final Optional<LookupCache> cache;

  /**
   * @param rowType of the table's physical columns
   * @param keyColumn its index among them
   */
  RedisTable(
      RedisServer server,
      DecodingFormat<DeserializationSchema<RowData>> format,
      DataType rowType,
      int keyColumn,
      Mode mode,
      Optional<LookupCache> cache) {
    this.server = server;
    this.format = format;
    this.rowType = rowType;
    this.keyColumn = keyColumn;
    this.mode = mode;
    this.cache = cache;
  }

  @Override
  public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
    RedisRows rows = rows(context);
    if (mode instanceof Mode.InBatches batches) {
      return AsyncLookupFunctionProvider.of(
          new RedisBatchLookup(
              server, rows, batches.batching(), cache.orElseGet(RedisTable::emptyCache)));
    }
    RedisAsyncLookup async = new RedisAsyncLookup(server, rows);
    if (mode instanceof Mode.Async) {
      return cache.isPresent()
          ? PartialCachingAsyncLookupProvider.of(async, cache.get())
          : AsyncLookupFunctionProvider.of(async);
    }
    RedisLookup oneByOne = new RedisLookup(async);
    return cache.isPresent()
        ? PartialCachingLookupProvider.of(oneByOne, cache.get())
        : LookupFunctionProvider.of(oneByOne);
  }

  private static LookupCache emptyCache() {
    return DefaultLookupCache.newBuilder().maximumSize(0).build();
  }

  private RedisRows rows(LookupContext context) {
    List<String> names = DataType.getFieldNames(rowType);
    List<LogicalType> types = rowType.getLogicalType().getChildren();
    int[] lookupColumns = Arrays.stream(context.getKeys()).mapToInt(path -> path[0]).toArray();
    if (Arrays.stream(lookupColumns).noneMatch(column -> column == keyColumn)) {
      throw new ValidationException(
          "A Redis table is looked up by its key column '%s', but the join compares only %s."
              .formatted(
                  names.get(keyColumn),
                  Arrays.stream(lookupColumns)
                      .mapToObj(names::get)
                      .collect(Collectors.joining(", "))));
    }
    for (int column : lookupColumns) {
      if (!types.get(column).getChildren().isEmpty()) {
        throw new ValidationException(
            "A look-up cannot compare the column '%s' of type %s."
                .formatted(names.get(column), types.get(column)));
      }
    }
    DataType valueType =
        DataTypes.ROW(
                IntStream.range(0, types.size())
                    .filter(column -> column != keyColumn)
                    .mapToObj(
                        column ->
                            DataTypes.FIELD(
                                names.get(column), DataType.getFieldDataTypes(rowType).get(column)))
                    .toArray(DataTypes.Field[]::new))
            .notNull();
    return new RedisRows(
        server, format.createRuntimeDecoder(context, valueType), types, keyColumn, lookupColumns);
  }

  @Override
  public DynamicTableSource copy() {
    return new RedisTable(server, format, rowType, keyColumn, mode, cache);
  }

  @Override
  public String asSummaryString() {
    return server.toString();
  }
}
