package io.hintflow.transpiler.redis;

import io.hintflow.transpiler.lowering.ConnectorOptions;
import io.hintflow.transpiler.lowering.ConnectorOptions.Kind;
import java.util.Map;
import java.util.Set;

/** The options of {@code 'connector' = 'redis'}, and the defaults that a plan speaks of. */
final class RedisOptions {
  static final String CONNECTOR = "redis";
  static final String ASYNC = "lookup.async";
  static final String BATCH = "lookup.batch";
  static final String BATCH_SIZE = "lookup.batch.size";
  static final String BATCH_INTERVAL = "lookup.batch.interval";
  static final String CACHE_ROWS = "lookup.cache.max-rows";
  static final String CACHE_TIME = "lookup.cache.ttl";

  static final int DEFAULT_BATCH_SIZE = 30;
  static final String DEFAULT_BATCH_INTERVAL = "5 s";

  /** A setting: batches for all Redis tables that do not say otherwise. */
  static final String ALL_IN_BATCHES = "is.dim.batch.mode";

  static final ConnectorOptions ALL =
      new ConnectorOptions(
          CONNECTOR,
          Set.of("hostname", "format"),
          Map.ofEntries(
              Map.entry("hostname", Kind.TEXT),
              Map.entry("port", Kind.PORT),
              Map.entry("username", Kind.TEXT),
              Map.entry("password", Kind.TEXT),
              Map.entry("database", Kind.NATURAL),
              Map.entry("ssl", Kind.BOOLEAN),
              Map.entry("key-prefix", Kind.TEXT),
              Map.entry("format", Kind.TEXT),
              Map.entry("timeout", Kind.DURATION),
              Map.entry("lookup.max-retries", Kind.NATURAL),
              Map.entry(ASYNC, Kind.BOOLEAN),
              Map.entry(CACHE_ROWS, Kind.NATURAL),
              Map.entry(CACHE_TIME, Kind.DURATION),
              Map.entry("lookup.cache.caching-missing-key", Kind.BOOLEAN),
              Map.entry(BATCH, Kind.BOOLEAN),
              Map.entry(BATCH_SIZE, Kind.POSITIVE),
              Map.entry(BATCH_INTERVAL, Kind.DURATION)));

  private RedisOptions() {}
}
