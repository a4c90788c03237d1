package io.hintflow.operators;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.format.DecodingFormat;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.lookup.LookupOptions;
import org.apache.flink.table.connector.source.lookup.cache.DefaultLookupCache;
import org.apache.flink.table.connector.source.lookup.cache.LookupCache;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/**
 * {@code 'connector' = 'redis'}. The key column is the primary key, or else the first column; it is
 * a character string or a whole number. A duration is Flink's, or a bare number of seconds.
 */
public final class RedisTableFactory implements DynamicTableSourceFactory {
  private static final ConfigOption<String> HOSTNAME = required("hostname");
  private static final ConfigOption<Integer> PORT =
      ConfigOptions.key("port").intType().defaultValue(6379);
  private static final ConfigOption<String> USERNAME = text("username", "");
  private static final ConfigOption<String> PASSWORD = text("password", "");
  private static final ConfigOption<Integer> DATABASE =
      ConfigOptions.key("database").intType().defaultValue(0);
  private static final ConfigOption<Boolean> SSL =
      ConfigOptions.key("ssl").booleanType().defaultValue(false);
  private static final ConfigOption<String> KEY_PREFIX = text("key-prefix", "");
  private static final ConfigOption<String> TIMEOUT = text("timeout", "5 s");
  private static final ConfigOption<Boolean> ASYNC =
      ConfigOptions.key("lookup.async").booleanType().defaultValue(false);
  private static final ConfigOption<Long> CACHE_ROWS =
      ConfigOptions.key("lookup.cache.max-rows").longType().defaultValue(0L);
  private static final ConfigOption<String> CACHE_TIME =
      ConfigOptions.key("lookup.cache.ttl").stringType().noDefaultValue();
  private static final ConfigOption<Boolean> CACHE_MISSING =
      ConfigOptions.key("lookup.cache.caching-missing-key").booleanType().defaultValue(true);
  private static final ConfigOption<Boolean> BATCH =
      ConfigOptions.key("lookup.batch").booleanType().noDefaultValue();
  private static final ConfigOption<Integer> BATCH_SIZE =
      ConfigOptions.key("lookup.batch.size").intType().defaultValue(30);
  private static final ConfigOption<String> BATCH_INTERVAL = text("lookup.batch.interval", "5 s");

  /** A setting of the job: batches for all Redis tables that do not say otherwise. */
  private static final ConfigOption<Boolean> ALL_IN_BATCHES =
      ConfigOptions.key("is.dim.batch.mode").booleanType().defaultValue(false);

  private static final Set<LogicalTypeRoot> KEY_TYPES =
      Set.of(
          LogicalTypeRoot.CHAR,
          LogicalTypeRoot.VARCHAR,
          LogicalTypeRoot.TINYINT,
          LogicalTypeRoot.SMALLINT,
          LogicalTypeRoot.INTEGER,
          LogicalTypeRoot.BIGINT);

  private static ConfigOption<String> required(String key) {
    return ConfigOptions.key(key).stringType().noDefaultValue();
  }

  private static ConfigOption<String> text(String key, String fallback) {
    return ConfigOptions.key(key).stringType().defaultValue(fallback);
  }

  @Override
  public String factoryIdentifier() {
    return "redis";
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of(HOSTNAME, FactoryUtil.FORMAT);
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of(
        PORT,
        USERNAME,
        PASSWORD,
        DATABASE,
        SSL,
        KEY_PREFIX,
        TIMEOUT,
        LookupOptions.MAX_RETRIES,
        ASYNC,
        CACHE_ROWS,
        CACHE_TIME,
        CACHE_MISSING,
        BATCH,
        BATCH_SIZE,
        BATCH_INTERVAL);
  }

  @Override
  public DynamicTableSource createDynamicTableSource(Context context) {
    FactoryUtil.TableFactoryHelper helper = FactoryUtil.createTableFactoryHelper(this, context);
    DecodingFormat<DeserializationSchema<RowData>> format =
        helper.discoverDecodingFormat(DeserializationFormatFactory.class, FactoryUtil.FORMAT);
    helper.validate();
    if (!format.getChangelogMode().equals(ChangelogMode.insertOnly())) {
      throw new ValidationException(
          "A Redis table needs a format of plain rows, and '%s' is one of changes."
              .formatted(helper.getOptions().get(FactoryUtil.FORMAT)));
    }
    return new RedisTable(
        server(helper.getOptions()),
        format,
        context.getPhysicalRowDataType(),
        keyColumn(context),
        mode(helper.getOptions(), context.getConfiguration()),
        cache(helper.getOptions()));
  }

  private static int keyColumn(Context context) {
    DataType rowType = context.getPhysicalRowDataType();
    int[] primaryKey = context.getPrimaryKeyIndexes();
    if (primaryKey.length > 1) {
      throw new ValidationException("A Redis table has one key column, not several.");
    }
    int column = primaryKey.length == 1 ? primaryKey[0] : 0;
    LogicalType type = rowType.getLogicalType().getChildren().get(column);
    if (!KEY_TYPES.contains(type.getTypeRoot())) {
      throw new ValidationException(
          "The key column '%s' of a Redis table is a character string or a whole number, not %s."
              .formatted(DataType.getFieldNames(rowType).get(column), type));
    }
    return column;
  }

  private static RedisServer server(ReadableConfig options) {
    return new RedisServer(
        options.get(HOSTNAME),
        within(options, PORT, 1, 65_535),
        options.get(USERNAME),
        options.get(PASSWORD),
        within(options, DATABASE, 0, Integer.MAX_VALUE),
        options.get(SSL),
        options.get(KEY_PREFIX),
        duration(TIMEOUT, options.get(TIMEOUT)),
        within(options, LookupOptions.MAX_RETRIES, 0, Integer.MAX_VALUE));
  }

  private static RedisTable.Mode mode(ReadableConfig options, ReadableConfig job) {
    if (options.getOptional(BATCH).orElse(job.get(ALL_IN_BATCHES))) {
      return new RedisTable.Mode.InBatches(
          new RedisBatchLookup.Batching(
              within(options, BATCH_SIZE, 1, Integer.MAX_VALUE),
              interval(options, job),
              options.get(ASYNC),
              job.get(ExecutionConfigOptions.TABLE_EXEC_ASYNC_LOOKUP_BUFFER_CAPACITY)));
    }
    return options.get(ASYNC) ? new RedisTable.Mode.Async() : new RedisTable.Mode.OneByOne();
  }

  private static Duration interval(ReadableConfig options, ReadableConfig job) {
    Duration interval = duration(BATCH_INTERVAL, options.get(BATCH_INTERVAL));
    ConfigOption<Duration> patience = ExecutionConfigOptions.TABLE_EXEC_ASYNC_LOOKUP_TIMEOUT;
    if (interval.compareTo(job.get(patience)) >= 0) {
      throw new ValidationException(
          "Option '%s' is shorter than the job's '%s', after which Flink gives a row up."
              .formatted(BATCH_INTERVAL.key(), patience.key()));
    }
    return interval;
  }

  private static Optional<LookupCache> cache(ReadableConfig options) {
    long rows = options.get(CACHE_ROWS);
    if (rows < 0) {
      throw new ValidationException(
          "Option '%s' is a number of rows, 0 for no cache.".formatted(CACHE_ROWS.key()));
    }
    if (rows == 0) {
      if (options.getOptional(CACHE_TIME).isPresent()
          && options.getOptional(CACHE_ROWS).isEmpty()) {
        throw new ValidationException(
            "Option '%s' needs '%s': without it, nothing is cached."
                .formatted(CACHE_TIME.key(), CACHE_ROWS.key()));
      }
      return Optional.empty();
    }
    DefaultLookupCache.Builder cache =
        DefaultLookupCache.newBuilder()
            .maximumSize(rows)
            .cacheMissingKey(options.get(CACHE_MISSING));
    options
        .getOptional(CACHE_TIME)
        .ifPresent(time -> cache.expireAfterWrite(duration(CACHE_TIME, time)));
    return Optional.of(cache.build());
  }

  private static int within(
      ReadableConfig options, ConfigOption<Integer> option, int least, int most) {
    int value = options.get(option);
    if (value < least || value > most) {
      throw new ValidationException(
          most == Integer.MAX_VALUE
              ? "Option '%s' is a whole number of at least %d.".formatted(option.key(), least)
              : "Option '%s' is a whole number from %d to %d."
                  .formatted(option.key(), least, most));
    }
    return value;
  }

  private static Duration duration(ConfigOption<String> option, String text) {
    Duration duration;
    try {
      duration =
          text.matches("\\d+")
              ? Duration.ofSeconds(Long.parseLong(text))
              : Configuration.fromMap(Map.of(option.key(), text))
                  .get(ConfigOptions.key(option.key()).durationType().noDefaultValue());
    } catch (IllegalArgumentException malformed) {
      duration = Duration.ZERO;
    }
    if (duration.isZero() || duration.isNegative()) {
      throw new ValidationException(
          "Option '%s' is a duration as '10 min', or a number of seconds, and longer than nothing."
              .formatted(option.key()));
    }
    return duration;
  }
}
