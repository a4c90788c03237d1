package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.transpiler.testing.ChangelogLines;
import io.hintflow.transpiler.testing.ChangelogLines.Change;
import io.hintflow.transpiler.testing.EmittedJob;
import io.hintflow.transpiler.testing.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Emitted jobs that look rows up in a real Redis server. */
class RedisJobTest {
  private static final int USERS = 2_000;

  private static RedisProcess redis;

  @BeforeAll
  static void startServer() throws IOException {
    redis = RedisProcess.start();
  }

  @AfterAll
  static void stopServer() {
    redis.close();
  }

  /** All users but every seventh. */
  @BeforeEach
  void fill() {
    redis.commands().flushall();
    Map<String, String> users = new LinkedHashMap<>();
    for (int user = 0; user < USERS; user++) {
      if (user % 7 != 0) {
        users.put("user:" + user, "{\"age\": %d}".formatted(age(user)));
      }
    }
    redis.fill(users);
    redis.commands().configResetstat();
  }

  private static int age(int user) {
    return 18 + user % 61;
  }

  /** Each mode has a table of its own, so that one job goes through all of them. */
  private static final Map<String, String> MODES = new LinkedHashMap<>();

  static {
    MODES.put("plain", "");
    MODES.put("async", ", 'lookup.async' = 'true'");
    MODES.put("cached", ", 'lookup.cache.max-rows' = '500', 'lookup.cache.ttl' = '3600'");
    MODES.put("batch", ", 'lookup.batch' = 'true', 'lookup.batch.interval' = '200 ms'");
    MODES.put(
        "batch_cached",
        ", 'lookup.batch' = 'true', 'lookup.batch.interval' = '200 ms', 'lookup.async' = 'true',"
            + " 'lookup.cache.max-rows' = '500'");
    MODES.put("bucketed", ", 'lookup.cache.max-rows' = '500'");
  }

  private static String script(Path data) {
    String tables =
        """
        CREATE TABLE visits (id INT, user_id STRING, seen AS PROCTIME()) WITH (
          'connector' = 'filesystem', 'path' = '%s', 'format' = 'csv'
        );
        """
            .formatted(data);
    return MODES.entrySet().stream()
        .map(
            mode ->
                """
                CREATE TABLE users_%1$s (user_id STRING, age INT) WITH (
                  'connector' = 'redis', 'hostname' = '127.0.0.1', 'port' = '%2$d', 'format' = 'json',
                  'key-prefix' = 'user:', 'timeout' = '500 ms', 'lookup.max-retries' = '50'%3$s
                );
                CREATE TABLE seen_%1$s (id INT, user_id STRING, age INT) WITH (
                  'connector' = 'print', 'print-identifier' = '%1$s'
                );
                INSERT INTO seen_%1$s
                SELECT %4$s v.id, v.user_id, u.age
                FROM visits v LEFT JOIN users_%1$s FOR SYSTEM_TIME AS OF v.seen AS u ON v.user_id = u.user_id;
                """
                    .formatted(
                        mode.getKey(),
                        redis.port(),
                        mode.getValue(),
                        mode.getKey().equals("bucketed")
                            ? "/*+ LOOKUP('table'='u', 'shuffle'='true') */"
                            : ""))
        .collect(Collectors.joining("", tables, ""));
  }

  @ParameterizedTest
  @CsvSource({"V1_20, 1", "V1_20, 4", "V2_2, 1", "V2_2, 4"})
  void everyModeGivesTheSameRowsThroughADeathOfTheServer(
      FlinkVersion version, int parallelism, @TempDir Path folder) throws Exception {
    List<String> visits =
        IntStream.range(0, 2 * USERS)
            .mapToObj(id -> "%d,%d".formatted(id, (id * 31) % USERS))
            .toList();
    Files.write(folder.resolve("visits.csv"), visits);
    EmittedJob job = EmittedJob.of(version, script(folder));

    CompletableFuture<Void> death =
        CompletableFuture.runAsync(
            () -> {
              await("the job is in the middle", () -> redis.gets() > USERS);
              redis.kill();
              restart();
            });
    EmittedJob.Run run =
        job.run("-Dparallelism.default=" + parallelism, "-Dexecution.checkpointing.interval=1 s");
    death.get();

    Map<String, List<Change>> bySink =
        ChangelogLines.changes(run.lines()).stream().collect(Collectors.groupingBy(Change::sink));
    assertThat(bySink).containsOnlyKeys(MODES.keySet());
    bySink.forEach(
        (mode, changes) -> {
          assertThat(changes)
              .as(mode)
              .extracting(change -> change.kind() + change.row())
              .containsExactlyInAnyOrderElementsOf(
                  IntStream.range(0, 2 * USERS)
                      .mapToObj(id -> "+I" + row(id, (id * 31) % USERS))
                      .toList());
          // Each key comes twice; with one task, all rows come in order.
          if (parallelism == 1) {
            assertThat(changes)
                .as(mode)
                .extracting(change -> Integer.parseInt(change.row().split("[\\[,]")[1]))
                .isSorted();
          }
        });
    assertThat(run.graph().exchanges()).contains(parallelism + " HASH " + parallelism);
  }

  private static String row(int id, int user) {
    return "[%d, %d, %s]".formatted(id, user, user % 7 == 0 ? "null" : age(user));
  }

  private static void restart() {
    try {
      redis.restart();
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (Duration.ofNanos(System.nanoTime() - start).compareTo(Duration.ofMinutes(5)) > 0) {
        throw new AssertionError("It does not happen that " + what);
      }
      Thread.onSpinWait();
    }
  }

  /**
   * A key of another type fails the job while the other keys of its batch wait; early enough that
   * no task has come to its end, for Flink's file sink makes its files visible there, and would do
   * so again. So rows come slowly, and the key is repaired before the job starts again: each start
   * brings the rows of a second at once.
   */
  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void eachRowComesOutOnceThroughAFailureInTheMiddleOfABatch(
      FlinkVersion version, @TempDir Path folder) throws Exception {
    redis.commands().del("user:900");
    redis.commands().rpush("user:900", "no", "text");
    EmittedJob job =
        EmittedJob.of(
            version,
            """
            SET 'is.dim.batch.mode' = 'true';
            CREATE TABLE visits (id BIGINT, seen AS PROCTIME()) WITH (
              'connector' = 'datagen', 'rows-per-second' = '500',
              'fields.id.kind' = 'sequence', 'fields.id.start' = '0', 'fields.id.end' = '%1$d'
            );
            CREATE TABLE users (user_id BIGINT, age INT, PRIMARY KEY (user_id) NOT ENFORCED) WITH (
              'connector' = 'redis', 'hostname' = '127.0.0.1', 'port' = '%2$d', 'format' = 'json',
              'key-prefix' = 'user:', 'lookup.batch.interval' = '100 ms'
            );
            CREATE TABLE seen (id BIGINT, age INT) WITH (
              'connector' = 'filesystem', 'path' = '%3$s', 'format' = 'csv'
            );
            INSERT INTO seen
            SELECT v.id, u.age
            FROM visits v LEFT JOIN users FOR SYSTEM_TIME AS OF v.seen AS u ON v.id = u.user_id;
            """
                .formatted(USERS - 1, redis.port(), folder));

    CompletableFuture<Void> repair =
        CompletableFuture.runAsync(
            () -> {
              await("the job has failed", () -> redis.failedGets() > 0);
              redis.commands().set("user:900", "{\"age\": %d}".formatted(age(900)));
            });
    job.run(
        "-Dparallelism.default=2",
        "-Dexecution.checkpointing.interval=100 ms",
        "-Drestart-strategy.type=fixed-delay",
        "-Drestart-strategy.fixed-delay.attempts=100",
        "-Drestart-strategy.fixed-delay.delay=500 ms");
    repair.get();

    assertThat(lines(folder))
        .containsExactlyInAnyOrderElementsOf(
            LongStream.range(0, USERS)
                .mapToObj(id -> "%d,%s".formatted(id, id % 7 == 0 ? "" : age((int) id)))
                .toList());
    assertThat(redis.gets()).as("some were asked for again").isGreaterThan(USERS);
  }

  /** Of the files that checkpoints have made visible. */
  private static List<String> lines(Path folder) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file :
          files
              .filter(Files::isRegularFile)
              .filter(file -> !file.getFileName().toString().startsWith("."))
              .toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }
}
