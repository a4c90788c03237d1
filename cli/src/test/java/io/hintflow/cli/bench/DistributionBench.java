package io.hintflow.cli.bench;

import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.testing.EmittedJob;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What it costs to distribute a row: the emitted job of an INSERT with DISTRIBUTEBY, from CSV files
 * to CSV files, against the one of the same INSERT without the hint. Both run in this process.
 */
final class DistributionBench {
  private static final double TARGET = 1.6;
  private static final int FILES = 4;
  private static final int USERS = 1_000;
  private static final int WARM_UP_ROUNDS = 2;
  private static final double MICROS = 1e6;

  private DistributionBench() {}

  /**
   * Compares the CPU time of a row: that of the whole job without that of the same job on a handful
   * of rows, which is Flink's planning and start and would draw the ratio towards 1.
   */
  static Comparison compare(int columns, int rows, int rounds) throws Exception {
    EmittedJob hinted =
        EmittedJob.of(FlinkVersion.V2_2, script(columns, "/*+ DISTRIBUTEBY('user_id') */"));
    EmittedJob stock = EmittedJob.of(FlinkVersion.V2_2, script(columns, ""));
    SideBySide whole = measure(hinted, stock, columns, rows, WARM_UP_ROUNDS, rounds);
    SideBySide start = measure(hinted, stock, columns, FILES, 0, rounds);
    double ours = whole.medianOfOurs(Cost::cpuSeconds) - start.medianOfOurs(Cost::cpuSeconds);
    double rival = whole.medianOfRival(Cost::cpuSeconds) - start.medianOfRival(Cost::cpuSeconds);
    return new Comparison(
        "source → DISTRIBUTEBY → sink, %d columns : without the hint".formatted(columns),
        "CPU µs/row",
        ours * MICROS / rows,
        rival * MICROS / rows,
        TARGET);
  }

  private static SideBySide measure(
      EmittedJob hinted, EmittedJob stock, int columns, int rows, int warmUpRounds, int rounds)
      throws Exception {
    try (Folder folder = Folder.create()) {
      writeRows(folder.path().resolve("source"), columns, rows);
      return SideBySide.measure(
          warmUpRounds, rounds, () -> run(hinted, folder), () -> run(stock, folder));
    }
  }

  private static Cost run(EmittedJob job, Folder folder) throws IOException {
    Cost cost = Measured.inProcess(() -> job.run("-DDATA=" + folder.path()));
    long read = size(folder.path().resolve("source"));
    long written = size(folder.path().resolve("sink"));
    if (written != read) {
      throw new IllegalStateException("The job wrote %d bytes of %d".formatted(written, read));
    }
    folder.delete("sink");
    return cost;
  }

  private static long size(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static String script(int columns, String hint) {
    String declarations =
        IntStream.range(0, columns)
            .mapToObj(column -> name(column) + " " + Type.of(column))
            .collect(Collectors.joining(", "));
    String names =
        IntStream.range(0, columns)
            .mapToObj(DistributionBench::name)
            .collect(Collectors.joining(", "));
    return """
    SET 'parallelism.default' = '2';
    CREATE TABLE source (%1$s)
    WITH ('connector' = 'filesystem', 'path' = '${DATA}/source', 'format' = 'csv');
    CREATE TABLE sink (%1$s)
    WITH ('connector' = 'filesystem', 'path' = '${DATA}/sink', 'format' = 'csv');
    INSERT INTO sink SELECT %2$s %3$s FROM source;
    """
        .formatted(declarations, hint, names);
  }

  private static String name(int column) {
    return column == 0 ? "user_id" : "value_" + column;
  }

  private static void writeRows(Path folder, int columns, int rows) throws IOException {
    Random random = new Random(1);
    Files.createDirectories(folder);
    for (int file = 0; file < FILES; file++) {
      try (BufferedWriter writer = Files.newBufferedWriter(folder.resolve(file + ".csv"))) {
        for (int row = file; row < rows; row += FILES) {
          writer.write("user-" + random.nextInt(USERS));
          for (int column = 1; column < columns; column++) {
            writer.write("," + Type.of(column).value(random));
          }
          writer.write("\n");
        }
      }
    }
  }

  /** The types that the columns have in turns. */
  private enum Type {
    STRING,
    INT,
    BIGINT,
    DOUBLE;

    static Type of(int column) {
      return values()[column % values().length];
    }

    String value(Random random) {
      return switch (this) {
        case STRING -> "text-" + random.nextInt(100_000);
        case INT -> Integer.toString(random.nextInt());
        case BIGINT -> Long.toString(random.nextLong());
        case DOUBLE -> Double.toString(random.nextDouble());
      };
    }
  }
}
