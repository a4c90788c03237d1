package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.lookup.AsyncLookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.PartialCachingAsyncLookupProvider;
import org.apache.flink.table.connector.source.lookup.PartialCachingLookupProvider;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.functions.AsyncLookupFunction;
import org.apache.flink.table.functions.LookupFunction;
import org.apache.flink.table.runtime.functions.table.lookup.CachingAsyncLookupFunction;
import org.apache.flink.table.runtime.functions.table.lookup.CachingLookupFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.embedded.RedisServer;

/** Look-ups on a real server, as Flink's join makes them. */
class RedisLookupsTest {
  private static final String PASSWORD = "open-sesame";

  /** Less than the two minutes after which a batch is sent that nothing else makes due. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** The client tells of every attempt to reach a server that a test has stopped. */
  private static final Logger CLIENT_LOG = Logger.getLogger("io.lettuce");

  private static int port;
  private static RedisServer server;
  private static RedisClient client;
  private static StatefulRedisConnection<String, String> connection;

  @BeforeAll
  static void startServer() throws IOException {
    port = freePort();
    CLIENT_LOG.setLevel(Level.OFF);
    server = server();
    server.start();
    client = RedisClient.create("redis://:%s@127.0.0.1:%d".formatted(PASSWORD, port));
    connection = client.connect();
  }

  /**
   * Below the ports that systems give to connections: one of those could be taken while the server
   * is away, even by a client that tries to reach it.
   */
  private static int freePort() throws IOException {
    Random random = new Random();
    while (true) {
      int candidate = 20_000 + random.nextInt(10_000);
      try (ServerSocket socket =
          new ServerSocket(candidate, 1, InetAddress.getByName("127.0.0.1"))) {
        return socket.getLocalPort();
      } catch (BindException taken) {
        // Another one may be free.
      }
    }
  }

  private static RedisServer server() throws IOException {
    return RedisServer.newRedisServer()
        .port(port)
        .bind("127.0.0.1")
        .setting("save \"\"")
        .setting("requirepass " + PASSWORD)
        .onShutdownForceStop(true)
        .build();
  }

  @AfterAll
  static void stopServer() throws IOException {
    client.shutdown();
    server.stop();
  }

  @BeforeEach
  void fill() {
    commands().flushall();
    for (int user = 0; user < 100; user++) {
      commands().set("user:" + user, "{\"age\": %d, \"name\": \"n%d\"}".formatted(user + 20, user));
    }
    commands().configResetstat();
  }

  private static RedisCommands<String, String> commands() {
    return connection.sync();
  }

  /** How many GETs the server has seen since the last reset. */
  private static int gets() {
    return commands()
        .info("commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_get:calls="))
        .map(line -> Integer.parseInt(line.replaceAll(".*?calls=(\\d+).*", "$1")))
        .findFirst()
        .orElse(0);
  }

  // ---------------------------------------------------------------------------- one by one

  @Test
  void givesTheRowOfAKeyAndNothingForAMissingOne() throws Exception {
    try (Sync lookup = sync(Map.of())) {
      assertThat(lookup.of("7")).containsExactly(row("7", 27, "n7"));
      assertThat(lookup.of("none")).isEmpty();
      assertThat(lookup.of(null)).as("NULL equals no key").isEmpty();
    }
    assertThat(gets()).isEqualTo(2);
  }

  @Test
  void aValueThatTheFormatIsToldToPassOverIsNoRow() throws Exception {
    commands().set("user:1", "nobody");
    try (Sync lookup = sync(Map.of("json.ignore-parse-errors", "true"))) {
      assertThat(lookup.of("1")).isEmpty();
    }
  }

  @Test
  void fillsTheKeyColumnFromTheKeyWhateverTheValueSays() throws Exception {
    commands().set("user:1", "{\"id\": \"other\", \"age\": 5}");
    try (Sync lookup = sync(Map.of())) {
      assertThat(lookup.of("1")).containsExactly(row("1", 5, null));
    }
  }

  @Test
  void furtherColumnsOfALookupOnlySayWhetherTheRowIsWanted() throws Exception {
    try (Sync lookup = new Sync(table(Map.of()), new int[][] {{0}, {1}})) {
      assertThat(lookup.lookup(GenericRowData.of(text("7"), 27)))
          .containsExactly(row("7", 27, "n7"));
      assertThat(lookup.lookup(GenericRowData.of(text("7"), 28))).isEmpty();
      assertThat(lookup.lookup(GenericRowData.of(text("7"), null))).isEmpty();
    }
  }

  @Test
  void aLookupWithoutTheKeyColumnIsRefused() throws Exception {
    assertThatThrownBy(() -> new Sync(table(Map.of()), new int[][] {{1}}))
        .hasMessage(
            "A Redis table is looked up by its key column 'id', but the join compares only age.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"age\": ", "nobody", "{\"age\": \"old\"}"})
  void aValueThatTheFormatCannotReadFailsAndNamesItsKey(String value) throws Exception {
    commands().set("user:1", value);
    try (Sync lookup = sync(Map.of())) {
      assertThatThrownBy(() -> lookup.of("1"))
          .hasMessageStartingWith(
              "Redis at 127.0.0.1:%d, keys 'user:*': the value of key '1' cannot be read with the table's format: "
                  .formatted(port));
    }
  }

  @Test
  void aKeyOfAnotherTypeFailsAtOnce() throws Exception {
    commands().del("user:1");
    commands().rpush("user:1", "a", "b");
    try (Sync lookup = sync(Map.of("lookup.max-retries", "1000"))) {
      assertThatThrownBy(() -> lookup.of("1"))
          .hasMessageContaining("did not answer after 0 retries")
          .hasMessageContaining("WRONGTYPE");
    }
  }

  @Test
  void valuesOfOtherFormatsAreRead() throws Exception {
    commands().set("user:1", "33,ann");
    try (Sync lookup = sync(Map.of("format", "csv"))) {
      assertThat(lookup.of("1")).containsExactly(row("1", 33, "ann"));
    }
  }

  // ---------------------------------------------------------------------------- failures

  @Test
  void aServerThatIsAwayAtTheStartIsWaitedFor() throws Exception {
    server.stop();
    CompletableFuture<Void> restart = startLater();
    try (Sync lookup = sync(Map.of("lookup.max-retries", "30"))) {
      restart.get();
      commands().set("user:7", "{\"age\": 1}");
      assertThat(lookup.of("7")).containsExactly(row("7", 1, null));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"async", "batch"})
  void aServerThatDiesAndComesBackIsAskedAgain(String mode) throws Exception {
    Map<String, String> options =
        mode.equals("batch")
            ? Map.of("lookup.batch", "true", "lookup.batch.size", "2", "lookup.max-retries", "30")
            : Map.of("lookup.async", "true", "lookup.max-retries", "30");
    try (Async lookup = async(options)) {
      server.stop();
      List<CompletableFuture<Collection<RowData>>> found =
          IntStream.range(0, 10).mapToObj(i -> lookup.of("user" + i)).toList();
      startLater().get();
      commands().ping();
      for (CompletableFuture<Collection<RowData>> one : found) {
        assertThat(one.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
            .as("the server came back empty")
            .isEmpty();
      }
    }
  }

  @Test
  void aServerThatStaysAwayFailsTheJobAndSaysWhereItWas() throws Exception {
    try (Sync lookup = sync(Map.of("lookup.max-retries", "2"))) {
      server.stop();
      try {
        assertThatThrownBy(() -> lookup.of("7"))
            .hasMessageMatching(
                "Redis at 127\\.0\\.0\\.1:%d, keys 'user:\\*': the server did not answer after 2 retries: .*"
                    .formatted(port))
            .hasMessageNotContaining(PASSWORD);
        assertThatThrownBy(() -> sync(Map.of("lookup.max-retries", "1")))
            .hasMessageContaining("the server cannot be reached after 1 retries")
            .hasMessageNotContaining(PASSWORD);
      } finally {
        startLater().get();
      }
    }
  }

  @Test
  void aWrongPasswordFailsAtOnceAndIsNotTold() {
    assertThatThrownBy(() -> sync(Map.of("password", "guess", "lookup.max-retries", "1000")))
        .hasMessageContaining("cannot be reached after 0 retries")
        .hasMessageContaining("WRONGPASS")
        .hasMessageNotContaining("guess");
  }

  @Test
  void anAnswerThatTakesTooLongIsAskedForAgain() throws Exception {
    try (Sync lookup = sync(Map.of("timeout", "200 ms", "lookup.max-retries", "100"))) {
      long start = System.nanoTime();
      commands().clientPause(600);
      assertThat(lookup.of("7")).containsExactly(row("7", 27, "n7"));
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(595));
    }
  }

  /** As a server that a machine's supervisor restarts. */
  private static CompletableFuture<Void> startLater() {
    return CompletableFuture.runAsync(
        () -> {
          try {
            server = server();
            server.start();
          } catch (IOException failure) {
            throw new IllegalStateException(failure);
          }
        },
        CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS));
  }

  // ---------------------------------------------------------------------------- caches

  @Test
  void aCachedRowIsNotAskedForAgain() throws Exception {
    try (Sync lookup = sync(Map.of("lookup.cache.max-rows", "1000"))) {
      for (int round = 0; round < 3; round++) {
        for (int user = 0; user < 100; user++) {
          assertThat(lookup.of(String.valueOf(user))).hasSize(1);
        }
        lookup.of("none");
      }
    }
    assertThat(gets()).as("misses").isEqualTo(101);
  }

  @Test
  void missingKeysAreCachedOnlyIfWanted() throws Exception {
    try (Sync lookup =
        sync(Map.of("lookup.cache.max-rows", "10", "lookup.cache.caching-missing-key", "false"))) {
      lookup.of("none");
      lookup.of("none");
      lookup.of("7");
      lookup.of("7");
    }
    assertThat(gets()).isEqualTo(3);
  }

  @Test
  void moreRowsThanTheCacheHoldsDriveOthersOut() throws Exception {
    try (Sync lookup = sync(Map.of("lookup.cache.max-rows", "10"))) {
      for (int round = 0; round < 2; round++) {
        for (int user = 0; user < 100; user++) {
          lookup.of(String.valueOf(user));
        }
      }
    }
    assertThat(gets()).as("of 200 look-ups, at most 10 found in a cache of 10").isBetween(190, 200);
  }

  @Test
  void aRowIsAskedForAgainWhenItsTimeIsOver() throws Exception {
    try (Sync lookup = sync(Map.of("lookup.cache.max-rows", "10", "lookup.cache.ttl", "100 ms"))) {
      lookup.of("7");
      commands().set("user:7", "{\"age\": 1}");
      Collection<RowData> found = lookup.of("7");
      long start = System.nanoTime();
      while (found.contains(row("7", 27, "n7"))) {
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PATIENCE);
        found = lookup.of("7");
      }
      assertThat(found).containsExactly(row("7", 1, null));
    }
    assertThat(gets()).isEqualTo(2);
  }

  @Test
  void aCacheOfNoRowsIsNone() throws Exception {
    try (Sync lookup = sync(Map.of("lookup.cache.max-rows", "0"))) {
      lookup.of("7");
      lookup.of("7");
    }
    assertThat(gets()).isEqualTo(2);
  }

  // ---------------------------------------------------------------------------- batches

  @Test
  void aBatchAsksForEqualKeysOnceAndGivesEachRowItsOwnResult() throws Exception {
    try (Async lookup = async(Map.of("lookup.batch", "true", "lookup.batch.interval", "2 min"))) {
      List<CompletableFuture<Collection<RowData>>> found = new ArrayList<>();
      for (int i = 0; i < 28; i++) {
        found.add(lookup.of(String.valueOf(i / 2)));
      }
      found.add(lookup.of("none"));
      assertThat(found).noneMatch(CompletableFuture::isDone);
      assertThat(gets()).isZero();

      found.add(lookup.of("none"));

      for (int i = 0; i < 28; i++) {
        assertThat(found.get(i).get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
            .containsExactly(row(String.valueOf(i / 2), i / 2 + 20, "n" + i / 2));
      }
      assertThat(found.get(28).get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEmpty();
      assertThat(found.get(29).get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEmpty();
    }
    assertThat(gets()).as("of 30 rows, 15 keys").isEqualTo(15);
  }

  @Test
  void aBatchIsSentWhenItsIntervalIsOver() throws Exception {
    try (Async lookup = async(Map.of("lookup.batch", "true", "lookup.batch.interval", "300 ms"))) {
      long start = System.nanoTime();
      CompletableFuture<Collection<RowData>> first = lookup.of("1");
      CompletableFuture<Collection<RowData>> second = lookup.of("2");
      assertThat(first.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).hasSize(1);
      assertThat(second.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).hasSize(1);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(295));
      // The next batch has an interval of its own.
      assertThat(lookup.of("3").get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).hasSize(1);
    }
  }

  @Test
  void oneBatchIsInFlightAtATimeUnlessTheyMayOverlap() throws Exception {
    for (boolean overlapping : List.of(false, true)) {
      commands().configResetstat();
      try (Async lookup =
          async(
              Map.of(
                  "lookup.batch", "true",
                  "lookup.batch.size", "10",
                  "lookup.batch.interval", "2 min",
                  "lookup.async", String.valueOf(overlapping)))) {
        commands().clientPause(300);
        List<CompletableFuture<Collection<RowData>>> found =
            IntStream.range(0, 40).mapToObj(i -> lookup.of(String.valueOf(i))).toList();
        for (int i = 0; i < 40; i++) {
          assertThat(found.get(i).get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
              .containsExactly(row(String.valueOf(i), i + 20, "n" + i));
        }
      }
      assertThat(gets()).isEqualTo(40);
    }
  }

  @Test
  void theCacheOfABatchIsUsedAndFilled() throws Exception {
    try (Async lookup =
        async(
            Map.of(
                "lookup.batch", "true",
                "lookup.batch.size", "10",
                "lookup.batch.interval", "2 min",
                "lookup.cache.max-rows", "1000"))) {
      for (int round = 0; round < 3; round++) {
        List<CompletableFuture<Collection<RowData>>> found =
            IntStream.range(0, 20).mapToObj(i -> lookup.of(String.valueOf(i))).toList();
        for (int i = 0; i < 20; i++) {
          assertThat(found.get(i).get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
              .containsExactly(row(String.valueOf(i), i + 20, "n" + i));
        }
      }
    }
    assertThat(gets()).isEqualTo(20);
  }

  /** Flink takes in no more rows than its buffer holds: a batch must not wait for more. */
  @Test
  void rowsFoundInTheCacheMakeABatchDueTooWhenTheyFillTheBuffer() throws Exception {
    Map<String, String> options =
        Map.of(
            "lookup.batch", "true",
            "lookup.batch.size", "2",
            "lookup.batch.interval", "2 min",
            "lookup.cache.max-rows", "1000");
    try (Async lookup = async(options, Map.of("table.exec.async-lookup.buffer-capacity", "20"))) {
      lookup.of("1");
      lookup.of("2").get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      CompletableFuture<Collection<RowData>> waiting = lookup.of("3");
      for (int i = 0; i < 9; i++) {
        assertThat(lookup.of("1")).isDone();
      }
      assertThat(waiting).isNotDone();
      lookup.of("1");
      assertThat(waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .containsExactly(row("3", 23, "n3"));
    }
  }

  @Test
  void aBatchWithAKeyOfAnotherTypeFails() throws Exception {
    commands().del("user:1");
    commands().rpush("user:1", "a");
    try (Async lookup = async(Map.of("lookup.batch", "true", "lookup.batch.size", "2"))) {
      CompletableFuture<Collection<RowData>> first = lookup.of("1");
      lookup.of("2");
      assertThatThrownBy(() -> first.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .hasMessageContaining("WRONGTYPE");
    }
  }

  // ---------------------------------------------------------------------------- the table

  private static RowData row(String id, Integer age, String name) {
    return GenericRowData.of(text(id), age, name == null ? null : text(name));
  }

  private static StringData text(String value) {
    return StringData.fromString(value);
  }

  private static LookupTableSource table(Map<String, String> options) {
    return table(options, Map.of());
  }

  /** What Flink makes of CREATE TABLE (id STRING, age INT, name STRING) WITH (…). */
  private static LookupTableSource table(
      Map<String, String> options, Map<String, String> configuration) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("connector", "redis");
    all.put("hostname", "127.0.0.1");
    all.put("port", String.valueOf(port));
    all.put("password", PASSWORD);
    all.put("key-prefix", "user:");
    all.put("format", "json");
    all.putAll(options);
    return RedisTables.create(
        ResolvedSchema.of(
            Column.physical("id", DataTypes.STRING()),
            Column.physical("age", DataTypes.INT()),
            Column.physical("name", DataTypes.STRING())),
        all,
        configuration);
  }

  private static Sync sync(Map<String, String> options) throws Exception {
    return new Sync(table(options), new int[][] {{0}});
  }

  private static Async async(Map<String, String> options) throws Exception {
    return async(options, Map.of());
  }

  private static Async async(Map<String, String> options, Map<String, String> configuration)
      throws Exception {
    return new Async(table(options, configuration));
  }

  /** A look-up that waits, behind the cache that Flink puts in front of it. */
  private static final class Sync implements AutoCloseable {
    private final LookupFunction function;

    Sync(LookupTableSource table, int[][] keys) throws Exception {
      LookupFunctionProvider provider =
          (LookupFunctionProvider) table.getLookupRuntimeProvider(RedisTables.context(keys));
      LookupFunction lookup = provider.createLookupFunction();
      function =
          provider instanceof PartialCachingLookupProvider caching
              ? new CachingLookupFunction(caching.getCache(), lookup)
              : lookup;
      function.open(RedisTables.functionContext());
    }

    Collection<RowData> of(String key) throws IOException {
      return lookup(GenericRowData.of(key == null ? null : text(key)));
    }

    Collection<RowData> lookup(RowData key) throws IOException {
      return function.lookup(key);
    }

    @Override
    public void close() {
      assertThatCode(function::close).doesNotThrowAnyException();
    }
  }

  /** One that does not wait. */
  private static final class Async implements AutoCloseable {
    private final AsyncLookupFunction function;

    Async(LookupTableSource table) throws Exception {
      AsyncLookupFunctionProvider provider =
          (AsyncLookupFunctionProvider)
              table.getLookupRuntimeProvider(RedisTables.context(new int[][] {{0}}));
      AsyncLookupFunction lookup = provider.createAsyncLookupFunction();
      function =
          provider instanceof PartialCachingAsyncLookupProvider caching
              ? new CachingAsyncLookupFunction(caching.getCache(), lookup)
              : lookup;
      function.open(RedisTables.functionContext());
    }

    CompletableFuture<Collection<RowData>> of(String key) {
      return function.asyncLookup(GenericRowData.of(text(key)));
    }

    @Override
    public void close() {
      assertThatCode(function::close).doesNotThrowAnyException();
    }
  }
}
