package io.hintflow.transpiler.redis;

import io.hintflow.transpiler.HintGuide;
import io.hintflow.transpiler.lowering.CarriedConnector;
import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.plan.Dependency;
import java.util.List;
import java.util.Set;

/** {@code 'connector' = 'redis'}: a table to be looked up. */
public final class RedisConnector implements CarriedConnector {
  /** The client: well kept, asynchronous, and it pipelines. */
  private static final String LETTUCE = "7.7.0.RELEASE";

  @Override
  public String name() {
    return RedisOptions.CONNECTOR;
  }

  @Override
  public String factory() {
    return "RedisTableFactory";
  }

  @Override
  public Set<String> operators() {
    return Set.of(
        "RedisAsyncLookup",
        "RedisBatchLookup",
        "RedisConnection",
        "RedisLookup",
        "RedisRows",
        "RedisServer",
        "RedisTable",
        "RedisTableFactory");
  }

  @Override
  public List<Dependency> dependencies(String reason) {
    return List.of(new Dependency("io.lettuce", "lettuce-core", LETTUCE, reason));
  }

  @Override
  public HintGuide guide() {
    return new HintGuide(
        "redis",
        "A table in Redis, looked up by its key: the job brings the connector along.",
        List.of(
            "CREATE TABLE t (…) WITH ('connector' = 'redis', 'hostname' = '…', 'format' = 'json', …)",
            "FROM s JOIN t FOR SYSTEM_TIME AS OF s.proctime ON s.c = t.key",
            "SET 'is.dim.batch.mode' = 'true'"),
        List.of(
            "On the right of a JOIN or LEFT JOIN with FOR SYSTEM_TIME AS OF a processing time."),
        List.of(
            "The key column is the primary key, or else the first column: a character string or a whole number. GET of"
                + " 'key-prefix' and the key gives the other columns, in the table's format.",
            "The server: 'hostname', 'port' (6379), 'username', 'password', 'database' (0), 'ssl' (false), 'timeout' (5 s).",
            "'lookup.max-retries' (3): how often a question is put again after a failure that may pass, with pauses from 0.1 s"
                + " to 5 s; then the job fails and says why.",
            "'lookup.async' (false): the task goes on while it waits for answers.",
            "'lookup.batch' (false, or what SET 'is.dim.batch.mode' says): the keys of up to 'lookup.batch.size' (30) rows make"
                + " one request, sent after 'lookup.batch.interval' (5 s) at the latest; with 'lookup.async', before the one in"
                + " front is answered.",
            "'lookup.cache.max-rows' (0, no cache), 'lookup.cache.ttl' (none), 'lookup.cache.caching-missing-key' (true).",
            "A duration is Flink's, '10 min', or a bare number of seconds."),
        """
        -- Needs a Redis server on this machine; keys that it does not have give NULL.
        CREATE TABLE clicks (
          user_id STRING,
          read_at AS PROCTIME()
        ) WITH (
          'connector' = 'datagen',
          'number-of-rows' = '20',
          'fields.user_id.length' = '1'
        );
        CREATE TABLE users (
          user_id STRING,
          age INT
        ) WITH (
          'connector' = 'redis',
          'hostname' = '127.0.0.1',
          'port' = '${REDIS_PORT:-6379}',
          'key-prefix' = 'user:',
          'format' = 'json',
          'lookup.cache.max-rows' = '1000',
          'lookup.cache.ttl' = '10 min'
        );
        SELECT c.user_id, u.age
        FROM clicks c LEFT JOIN users FOR SYSTEM_TIME AS OF c.read_at AS u ON c.user_id = u.user_id;
        """);
  }

  @Override
  public Lowering.BlockLowering begin(ScriptContext script) {
    if (!RedisOptions.ALL.isUsed(script)) {
      return block -> {};
    }
    RedisTables tables = new RedisTables(script);
    tables.check();
    return new BlockLookups(script, tables);
  }
}
