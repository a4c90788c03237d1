package io.hintflow.cli.bench;

import io.hintflow.transpiler.testing.RedisProcess;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Visits, each joined with its user, who is looked up in a Redis server that is two milliseconds
 * away: each way of looking up against the plain one, where the task waits for each answer. Where
 * there is a cache, four of five visits are of a few users who come back all the time; elsewhere
 * users hardly ever do, for several rows that ask a batch for one key would be asked for once.
 */
final class LookupBench implements AutoCloseable {
  /** How users are looked up. */
  enum Mode {
    PLAIN("plain", 1, Target.none(), ""),
    ASYNC("async", 80, Target.none(), ASYNCHRONOUS),
    BATCH("batches of 50", 50, Target.atLeast(30), BATCHES),
    BATCH_ASYNC("batches of 50, async", 250, Target.none(), BATCHES + ASYNCHRONOUS),
    CACHE("cache", 5, Target.none(), CACHED),
    BATCH_CACHE("batches of 50, cache", 250, Target.atLeast(100), BATCHES + CACHED);

    private final String label;

    /** So many times the rows of the plain look-up take about as long as that. */
    private final int rows;

    private final Target target;
    private final String options;

    Mode(String label, int rows, Target target, String options) {
      this.label = label;
      this.rows = rows;
      this.target = target;
      this.options = options;
    }

    private boolean isCached() {
      return options.contains(CACHED);
    }

    /** Whether the task goes on while it waits for answers. */
    boolean goesOn() {
      return options.contains(ASYNCHRONOUS) || options.contains(BATCHES);
    }

    /** How many rows Flink holds that wait: its own default, and what a job says for batches. */
    private int bufferCapacity() {
      return options.contains(BATCHES) ? 10 * BATCH_SIZE : 100;
    }
  }

  private static final String ASYNCHRONOUS = "'lookup.async' = 'true',";

  private static final int BATCH_SIZE = 50;

  /** The interval is for the last rows of a job, which do not fill a batch. */
  private static final String BATCHES =
      "'lookup.batch' = 'true', 'lookup.batch.interval' = '20 ms', 'lookup.batch.size' = '"
          + BATCH_SIZE
          + "',";

  private static final String CACHED = "'lookup.cache.max-rows' = '10000',";

  private static final int USERS = 200_000;
  private static final int REGULARS = 100;

  /** Far more users in turn than a cache or a batch could know again. */
  private static final String ALL_IN_TURN = "MOD(id, %d)".formatted(USERS);

  private static final String MOSTLY_REGULARS =
      "CASE WHEN MOD(id, 5) = 0 THEN %d + MOD(id / 5, %d) ELSE MOD(id, %d) END"
          .formatted(REGULARS, USERS - REGULARS, REGULARS);

  private static final Duration DISTANCE = Duration.ofMillis(2);

  /** So many visits do not end while anybody watches; the generator has them all in memory. */
  private static final int ENDLESS = 5_000_000;

  /** The server is silent for so many times half a second, which is less than the time-out. */
  private static final int LOOKS_AT_SILENCE = 6;

  private static final String LOOKUP = "LookupJoin";
  private static final String SOURCE = "Source";

  private static final int KEYS_OF_REQUEST = 1_000;
  private static final int PINGS = 500;
  private static final double NANOS_OF_MILLISECOND = 1e6;

  private final int rows;
  private final int rounds;
  private final Folder folder;
  private final RedisProcess server;
  private final DelayingProxy proxy;
  private final Map<Mode, EmbeddedJob> jobs = new EnumMap<>(Mode.class);

  /**
   * @param rows that are looked up one by one; the other ways take as many as they can look up in
   *     about that time
   * @param rounds how often times are measured
   */
  LookupBench(int rows, int rounds) throws IOException {
    this.rows = rows;
    this.rounds = rounds;
    this.folder = Folder.create();
    this.server = RedisProcess.start();
    this.proxy = DelayingProxy.start(server.port(), DISTANCE);
    loadUsers();
    for (Mode mode : Mode.values()) {
      jobs.put(mode, EmbeddedJob.of(script(mode), Files.createTempDirectory(folder.path(), "job")));
    }
  }

  private void loadUsers() {
    for (int first = 0; first < USERS; first += KEYS_OF_REQUEST) {
      Map<String, String> users = new HashMap<>();
      for (int id = first; id < first + KEYS_OF_REQUEST; id++) {
        users.put(
            "user:" + id, "{\"name\":\"name-%d\",\"city\":\"city-%d\"}".formatted(id, id % 100));
      }
      server.fill(users);
    }
  }

  /** What the shortest of all round trips takes. */
  String distance() throws IOException {
    return "A PING takes %.3f ms, and %.3f ms on the way that look-ups take."
        .formatted(ping(server.port()), ping(proxy.port()));
  }

  /**
   * @return the median, in milliseconds
   */
  private static double ping(int port) throws IOException {
    long[] nanos = new long[PINGS];
    byte[] ping = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
    try (Socket redis = Loopback.connect(port)) {
      for (int i = 0; i < PINGS; i++) {
        long start = System.nanoTime();
        redis.getOutputStream().write(ping);
        redis.getInputStream().readNBytes("+PONG\r\n".length());
        nanos[i] = System.nanoTime() - start;
      }
    }
    Arrays.sort(nanos);
    return nanos[PINGS / 2] / NANOS_OF_MILLISECOND;
  }

  /** How many visits find their users in a second. */
  Comparison rate(Mode mode) throws Exception {
    return RowCosts.measure(
            jobs.get(mode),
            rows * mode.rows,
            jobs.get(Mode.PLAIN),
            rows,
            rounds,
            count -> arguments(count))
        .compareRates("look-up, %s : plain".formatted(mode.label), mode.target);
  }

  /**
   * How many visits wait in the look-up when the server does not answer any more: those that Flink
   * holds, and the one that it does not take. The others stay in the source, which stops.
   *
   * @throws IllegalStateException if the source does not stop
   */
  Comparison waiting(Mode mode) throws Exception {
    try (RunningJob running = RunningJob.start(jobs.get(mode), arguments(ENDLESS))) {
      running.awaitMoreThan(0, LOOKUP);
      List<RunningJob.Passed> source = new ArrayList<>();
      List<RunningJob.Passed> lookup = new ArrayList<>();
      proxy.hold();
      try {
        for (int look = 0; look < LOOKS_AT_SILENCE; look++) {
          running.pause();
          source.add(running.passed(SOURCE));
          lookup.add(running.passed(LOOKUP));
        }
      } finally {
        proxy.release();
      }
      RunningJob.Passed atEnd = lookup.get(LOOKS_AT_SILENCE - 1);
      if (!source.get(LOOKS_AT_SILENCE / 2).equals(source.get(LOOKS_AT_SILENCE - 1))) {
        throw new IllegalStateException("The source does not stop: " + source);
      }
      running.awaitMoreThan(atEnd.out(), LOOKUP);
      return new Comparison(
          "waiting, server silent, %s : buffer and one".formatted(mode.label),
          "rows",
          atEnd.in() - atEnd.out(),
          mode.bufferCapacity() + 1,
          Target.atMost(1));
    }
  }

  private List<String> arguments(int visits) {
    return List.of(
        "-Dparallelism.default=1", "-DREDIS=" + proxy.port(), "-DLAST_ID=" + (visits - 1));
  }

  private static String script(Mode mode) {
    return """
    CREATE TABLE visits (
      id BIGINT,
      user_id AS %s,
      made_at AS PROCTIME()
    ) WITH (
      'connector' = 'datagen', 'rows-per-second' = '1000000000',
      'fields.id.kind' = 'sequence', 'fields.id.start' = '0', 'fields.id.end' = '${LAST_ID}'
    );
    CREATE TABLE users (user_id BIGINT, name STRING, city STRING) WITH (
      'connector' = 'redis', %s
      'hostname' = '127.0.0.1', 'port' = '${REDIS}',
      'key-prefix' = 'user:', 'format' = 'json'
    );
    CREATE TABLE visits_of_users (id BIGINT, name STRING, city STRING)
    WITH ('connector' = 'blackhole');
    INSERT INTO visits_of_users
    SELECT v.id, u.name, u.city
    FROM visits v
    LEFT JOIN users FOR SYSTEM_TIME AS OF v.made_at AS u ON v.user_id = u.user_id;
    """
        .formatted(mode.isCached() ? MOSTLY_REGULARS : ALL_IN_TURN, mode.options);
  }

  @Override
  public void close() throws IOException {
    proxy.close();
    server.close();
    folder.close();
  }
}
