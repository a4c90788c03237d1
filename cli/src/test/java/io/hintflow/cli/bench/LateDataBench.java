package io.hintflow.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Readings of sensors, counted and summed up in windows of five seconds, of which one in a hundred
 * comes too late: the emitted job of a script with LATE_DATA_SINK against that of the same script
 * without the hint.
 */
final class LateDataBench implements AutoCloseable {
  private static final double CPU_TARGET = 1.5;
  private static final int PARALLELISM = 2;

  /** By what the readings are grouped, besides the window. */
  enum Keys {
    THOUSAND("1,000 keys", "MOD(id * 7919, 1000)"),
    NONE("no keys", "0"),
    SKEWED("95 % of one key", "CASE WHEN MOD(id, 20) = 7 THEN MOD(id * 7919, 1000) ELSE 42 END");

    private final String label;
    private final String sensor;

    Keys(String label, String sensor) {
      this.label = label;
      this.sensor = sensor;
    }
  }

  private final Folder folder;
  private final int rows;
  private final int rounds;

  /**
   * @param rows how many readings
   * @param rounds how often times are measured
   */
  LateDataBench(int rows, int rounds) throws IOException {
    this.folder = Folder.create();
    this.rows = rows;
    this.rounds = rounds;
  }

  /**
   * The CPU time of a reading with the hint; and the same where the rows take the way through the
   * exchange, but none is looked at: what is between the two is the split's own.
   */
  List<Comparison> cpu(Keys keys) throws Exception {
    EmbeddedJob stock = job(keys, "", UnaryOperator.identity());
    EmbeddedJob split =
        job(keys, "/*+ LATE_DATA_SINK('sink.name'='late_readings') */", UnaryOperator.identity());
    EmbeddedJob exchange =
        job(
            keys,
            "/*+ LATE_DATA_SINK('sink.name'='late_readings') */",
            LateDataBench::withoutSplit);
    return List.of(
        compare("TUMBLE, %s : without the hint".formatted(keys.label), split, stock),
        compare("  its exchange alone : without the hint", exchange, stock));
  }

  private Comparison compare(String name, EmbeddedJob ours, EmbeddedJob rival) throws Exception {
    return RowCosts.measure(
            ours,
            rival,
            rows,
            rounds,
            count -> List.of("-Dparallelism.default=" + PARALLELISM, "-DROWS=" + count))
        .compare(name, "CPU µs/row", Cost::cpuSeconds, CPU_TARGET);
  }

  /** The source of the operator that looks at rows, changed to let all of them pass. */
  private static String withoutSplit(String source) {
    String look = "long local = ";
    if (!source.contains(look)) {
      throw new IllegalStateException("AlignedLateness looks at rows in another way now");
    }
    return source.replace(look, "if (row != null) {\n out.collect(row);\n return;\n }\n" + look);
  }

  private EmbeddedJob job(Keys keys, String hint, UnaryOperator<String> lateness)
      throws IOException {
    return EmbeddedJob.of(
        script(keys, hint),
        Files.createTempDirectory(folder.path(), "job"),
        (file, source) -> file.endsWith("/AlignedLateness.java") ? lateness.apply(source) : source);
  }

  private static String script(Keys keys, String hint) {
    boolean keyed = keys != Keys.NONE;
    return """
    CREATE TABLE readings (
      id BIGINT,
      sensor AS %s,
      degrees AS MOD(id, 97),
      measured AS TO_TIMESTAMP_LTZ(CASE WHEN MOD(id, 100) = 99 THEN id - 20000 ELSE id END, 3),
      WATERMARK FOR measured AS measured - INTERVAL '1' SECOND
    ) WITH (
      'connector' = 'datagen', 'rows-per-second' = '1000000000',
      'fields.id.kind' = 'sequence', 'fields.id.start' = '0', 'fields.id.end' = '${ROWS}'
    );
    CREATE TABLE late_readings (sensor BIGINT, measured TIMESTAMP_LTZ(3))
    WITH ('connector' = 'blackhole');
    CREATE TABLE sums (%s window_start TIMESTAMP(3), readings BIGINT, degrees BIGINT)
    WITH ('connector' = 'blackhole');
    INSERT INTO sums
    SELECT %s %s window_start, COUNT(*), SUM(degrees)
    FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(measured), INTERVAL '5' SECOND))
    GROUP BY %s window_start, window_end;
    """
        .formatted(
            keys.sensor,
            keyed ? "sensor BIGINT," : "",
            hint,
            keyed ? "sensor," : "",
            keyed ? "sensor," : "");
  }

  @Override
  public void close() {
    folder.close();
  }
}
