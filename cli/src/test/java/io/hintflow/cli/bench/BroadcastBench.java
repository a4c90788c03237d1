package io.hintflow.cli.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A big table joined with a small one: the emitted job of a script with BROADCAST against those of
 * the same script without the hint, and of one that spreads a frequent key by hand. All run in this
 * process.
 */
final class BroadcastBench implements AutoCloseable {
  private static final double CPU_TARGET = 1.1;
  private static final double TIME_TARGET = 1 / 1.5;
  private static final double SALTED_TIME_TARGET = 1;
  private static final double BALANCE_TARGET = 1.05;
  private static final double STATE_TARGET = 1.1;

  private static final int SMALL_ROWS = 1_000;
  private static final int SALTS = 16;
  private static final int PARALLELISM = 2;
  private static final int PARALLELISM_OF_BALANCE = 8;
  private static final int HANDFUL = 8;

  private static final double MEGABYTE = 1 << 20;
  private static final double MILLION = 1e6;

  private static final String UNIFORM = "MOD(id, %d)".formatted(SMALL_ROWS);

  /** 95 % of the rows have key 0. */
  private static final String SKEWED =
      "CASE WHEN MOD(id, 100) < 95 THEN 0 ELSE MOD(id / 100, %d) END".formatted(SMALL_ROWS);

  private static final String HINT = "/*+ BROADCAST(u) */";
  private static final String ITEM = "o.item";

  /** Some microseconds of work. It needs both sides, or Flink would do it in front of the join. */
  private static final String WORK = "SHA512(SHA512(SHA512(SHA512(CONCAT(o.item, u.name)))))";

  private static final String JOIN = "JOIN users u ON o.user_id = u.id";

  private static final String SALTED_JOIN =
      """
      JOIN (SELECT id, name, city, salt FROM users CROSS JOIN UNNEST(ARRAY[%s]) AS salts (salt)) u
      ON o.user_id = u.id AND MOD(o.id, %d) = u.salt"""
          .formatted(
              IntStream.range(0, SALTS)
                  .mapToObj(Integer::toString)
                  .collect(Collectors.joining(",")),
              SALTS);

  private final Folder folder;
  private final int rows;
  private final int rounds;
  private final EmbeddedJob hinted;
  private final EmbeddedJob stock;
  private final EmbeddedJob skewedHinted;
  private final EmbeddedJob skewedStock;
  private final EmbeddedJob skewedSalted;

  /**
   * @param rows of the big table
   * @param rounds how often times are measured
   */
  BroadcastBench(int rows, int rounds) throws IOException {
    this.folder = Folder.create();
    this.rows = rows;
    this.rounds = rounds;
    Files.writeString(
        Files.createDirectories(folder.path().resolve("users")).resolve("users.csv"),
        IntStream.range(0, SMALL_ROWS)
            .mapToObj(id -> "%d,name-%d,city-%d%n".formatted(id, id, id % 100))
            .collect(Collectors.joining()));
    this.hinted = job(UNIFORM, HINT, ITEM, JOIN);
    this.stock = job(UNIFORM, "", ITEM, JOIN);
    this.skewedHinted = job(SKEWED, HINT, WORK, JOIN);
    this.skewedStock = job(SKEWED, "", WORK, JOIN);
    this.skewedSalted = job(SKEWED, "", WORK, SALTED_JOIN);
  }

  /** The CPU time of a row, if all keys are alike. */
  Comparison cpu(Backend backend) throws Exception {
    return times(
        "join, no skew, %s : without the hint",
        backend, hinted, stock, Cost::cpuSeconds, "CPU µs/row", CPU_TARGET);
  }

  /** The time of a row, if nearly all have one key, and work follows. */
  List<Comparison> time(Backend backend) throws Exception {
    return List.of(
        times(
            "join, 95 %% on one key, work behind, %s : without the hint",
            backend, skewedHinted, skewedStock, Cost::wallSeconds, "µs/row", TIME_TARGET),
        times(
            "join, 95 %% on one key, work behind, %s : 16 salts",
            backend, skewedHinted, skewedSalted, Cost::wallSeconds, "µs/row", SALTED_TIME_TARGET));
  }

  private Comparison times(
      String name,
      Backend backend,
      EmbeddedJob ours,
      EmbeddedJob rival,
      ToDoubleFunction<Cost> what,
      String unit,
      double target)
      throws Exception {
    return RowCosts.measure(
            ours, rival, rows, rounds, bigRows -> arguments(backend, PARALLELISM, bigRows))
        .compare(name.formatted(backend.label()), unit, what, target);
  }

  /**
   * How even the rows are among the tasks of the join, if nearly all have one key: those of the
   * busiest task against the mean. Flink counts the rows of both inputs together. With BROADCAST,
   * each task has all small rows among them, which are taken off; without, a task has some of the
   * small rows, which are few and left in.
   */
  Comparison balance() throws Exception {
    List<Long> ours = rowsOfTasks(skewedHinted, true);
    List<Long> rival = rowsOfTasks(skewedStock, false);
    double mean = (double) rows / PARALLELISM_OF_BALANCE;
    return new Comparison(
        "busiest of %d join tasks, 95 %% on one key : mean (stock: %.2f)"
            .formatted(PARALLELISM_OF_BALANCE, Collections.max(rival) / mean),
        "rows",
        Collections.max(ours) - SMALL_ROWS,
        mean,
        BALANCE_TARGET);
  }

  private List<Long> rowsOfTasks(EmbeddedJob job, boolean broadcast) throws Exception {
    try (RunningJob running = start(job, Backend.HASHMAP, PARALLELISM_OF_BALANCE, rows)) {
      running.awaitRows(received(rows, PARALLELISM_OF_BALANCE, broadcast));
      return running.rowsOfJoinTasks();
    }
  }

  /** What a million big rows take in a whole checkpoint and, if they are there, on the heap. */
  List<Comparison> state(Backend backend) throws Exception {
    State ours = stateOfRows(hinted, backend, true);
    State rival = stateOfRows(stock, backend, false);
    List<Comparison> comparisons = new ArrayList<>();
    comparisons.add(
        new Comparison(
            "join, size of a checkpoint, %s : without the hint".formatted(backend.label()),
            "MB/M rows",
            ours.checkpointBytes / MEGABYTE * MILLION / rows,
            rival.checkpointBytes / MEGABYTE * MILLION / rows,
            STATE_TARGET));
    if (backend == Backend.HASHMAP) {
      comparisons.add(
          new Comparison(
              "join, memory of the state, heap : without the hint",
              "MB/M rows",
              ours.heapBytes / MEGABYTE * MILLION / rows,
              rival.heapBytes / MEGABYTE * MILLION / rows,
              STATE_TARGET));
    }
    return comparisons;
  }

  private record State(long heapBytes, long checkpointBytes) {}

  /** The state of all rows, without that of the same job with a handful of them. */
  private State stateOfRows(EmbeddedJob job, Backend backend, boolean broadcast) throws Exception {
    State few = state(job, backend, HANDFUL, broadcast);
    State all = state(job, backend, rows, broadcast);
    return new State(all.heapBytes - few.heapBytes, all.checkpointBytes - few.checkpointBytes);
  }

  private State state(EmbeddedJob job, Backend backend, int bigRows, boolean broadcast)
      throws Exception {
    try (RunningJob running = start(job, backend, PARALLELISM, bigRows)) {
      running.awaitRows(received(bigRows, PARALLELISM, broadcast));
      System.gc();
      long heapBytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      running.checkpoint();
      return new State(heapBytes, size(folder.path().resolve("checkpoints")));
    } finally {
      folder.delete("checkpoints");
    }
  }

  /** Starts a job that does not end, since its small table does not. */
  private RunningJob start(EmbeddedJob job, Backend backend, int parallelism, int bigRows)
      throws IOException {
    List<String> arguments = new ArrayList<>(arguments(backend, parallelism, bigRows));
    arguments.add("-Dtables.users.source.monitor-interval=1 h");
    arguments.add("-Dexecution.checkpointing.storage=filesystem");
    arguments.add("-Dexecution.checkpointing.dir=" + folder.path().resolve("checkpoints").toUri());
    // Flink would still be removing the checkpoint when the folder is deleted.
    arguments.add(
        "-Dexecution.checkpointing.externalized-checkpoint-retention=RETAIN_ON_CANCELLATION");
    return RunningJob.start(job, arguments);
  }

  /** How many rows of both tables the tasks of a join receive together. */
  private static long received(int bigRows, int parallelism, boolean broadcast) {
    return bigRows + (long) SMALL_ROWS * (broadcast ? parallelism : 1);
  }

  private static long size(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      return files.map(Path::toFile).filter(file -> file.isFile()).mapToLong(f -> f.length()).sum();
    }
  }

  private List<String> arguments(Backend backend, int parallelism, int bigRows) {
    return List.of(
        "-Dparallelism.default=" + parallelism,
        backend.argument(),
        "-DDATA=" + folder.path(),
        "-DLAST_ID=" + (bigRows - 1));
  }

  private EmbeddedJob job(String key, String hint, String item, String join) throws IOException {
    return EmbeddedJob.of(
        script(key, hint, item, join), Files.createTempDirectory(folder.path(), "job"));
  }

  private static String script(String key, String hint, String item, String join) {
    return """
    CREATE TABLE orders (
      id BIGINT,
      user_id AS CAST(%s AS INT),
      item AS CONCAT('item-', CAST(MOD(id, 5000) AS STRING)),
      price AS CAST(id AS DOUBLE) / 100
    ) WITH (
      'connector' = 'datagen', 'rows-per-second' = '1000000000',
      'fields.id.kind' = 'sequence', 'fields.id.start' = '0', 'fields.id.end' = '${LAST_ID}'
    );
    CREATE TABLE users (id INT, name STRING, city STRING)
    WITH ('connector' = 'filesystem', 'path' = '${DATA}/users', 'format' = 'csv');
    CREATE TABLE sink (id BIGINT, item STRING, price DOUBLE, name STRING, city STRING)
    WITH ('connector' = 'blackhole');
    INSERT INTO sink SELECT %s o.id, %s, o.price, u.name, u.city FROM orders o %s;
    """
        .formatted(key, hint, item, join);
  }

  @Override
  public void close() {
    folder.close();
  }
}
