package io.hintflow.transpiler.diff;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.Transpilation;
import io.hintflow.transpiler.Transpiler;
import io.hintflow.transpiler.TranspilerOptions;
import io.hintflow.transpiler.diff.PlanDiff.Savepoint;
import io.hintflow.transpiler.testing.EmittedJob;
import io.hintflow.transpiler.testing.FlinkRuntime;
import io.hintflow.transpiler.testing.RunningJob;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a difference says of savepoints, against Flink: the old job runs and writes one, and each
 * new job is started from it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SavepointTest {
  private static final String SCRIPT =
      """
      SET 'parallelism.default' = '1';
      CREATE TABLE orders (
        id INT, customer VARCHAR(4), currency STRING, amount INT, ordered_at TIMESTAMP(3),
        WATERMARK FOR ordered_at AS ordered_at
      ) WITH (
        'connector' = 'datagen', 'rows-per-second' = '200',
        'fields.customer.length' = '1', 'fields.currency.length' = '1', 'fields.amount.min' = '1',
        'fields.amount.max' = '9'
      );
      CREATE TABLE rates (currency STRING, rate INT) WITH (
        'connector' = 'datagen', 'rows-per-second' = '50', 'fields.currency.length' = '1'
      );
      CREATE TABLE numbers (id INT) WITH ('connector' = 'datagen', 'rows-per-second' = '10');
      CREATE TABLE converted (id BIGINT, worth BIGINT) WITH ('connector' = 'blackhole');
      CREATE TABLE counted (n BIGINT) WITH ('connector' = 'print');
      CREATE TABLE summed (customer STRING, amount BIGINT) WITH ('connector' = 'blackhole');
      CREATE TABLE named (customer STRING, rate BIGINT) WITH ('connector' = 'blackhole');
      CREATE TABLE late (id BIGINT) WITH ('connector' = 'blackhole');
      CREATE TABLE large_ids (id BIGINT) WITH ('connector' = 'blackhole');

      INSERT INTO converted
      SELECT /*+ BROADCAST(r) */ o.id, o.amount * r.rate FROM orders o JOIN rates r ON o.currency = r.currency;

      INSERT INTO counted SELECT COUNT(*) FROM orders;

      INSERT INTO summed SELECT customer, CAST(SUM(amount) AS BIGINT) FROM orders GROUP BY customer;

      INSERT INTO named
      SELECT o.customer, r.rate
      FROM orders o JOIN rates /*+ OPTIONS('duplicate.right'='true') */ AS r ON o.currency = r.currency;

      INSERT INTO summed
      SELECT /*+ LATE_DATA_SINK('sink.name'='late') */ customer, CAST(SUM(amount) AS BIGINT)
      FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ordered_at), INTERVAL '1' SECOND))
      GROUP BY customer, window_start, window_end;

      INSERT INTO large_ids SELECT id FROM numbers WHERE id > 5;
      """;

  /**
   * An edit of the script, and what must become of a savepoint.
   *
   * @param pieces of the script, each followed by what it becomes
   */
  private record Edit(String name, Savepoint savepoint, List<String> pieces) {
    String of(String script) {
      String edited = script;
      for (int i = 0; i < pieces.size(); i += 2) {
        assertThat(edited).contains(pieces.get(i));
        edited = edited.replace(pieces.get(i), pieces.get(i + 1));
      }
      return edited;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final List<Edit> EDITS =
      List.of(
          new Edit(
              "layout",
              Savepoint.RESTORED,
              List.of("INSERT INTO counted SELECT", "insert into counted\n  select")),
          new Edit("value in a filter", Savepoint.RESTORED, List.of("id > 5", "id > 50")),
          new Edit(
              "speed of a source",
              Savepoint.RESTORED,
              List.of("'rows-per-second' = '50'", "'rows-per-second' = '60'")),
          new Edit(
              "more tasks",
              Savepoint.RESTORED,
              List.of("'parallelism.default' = '1'", "'parallelism.default' = '2'")),
          new Edit(
              "statement at the end",
              Savepoint.LOSES_STATE,
              List.of(
                  "WHERE id > 5;",
                  "WHERE id > 5;\nINSERT INTO large_ids SELECT id FROM numbers WHERE id < 3;")),
          new Edit("hint removed", Savepoint.LOSES_STATE, List.of("/*+ BROADCAST(r) */ ", "")),
          new Edit(
              "type of a big row",
              Savepoint.UNUSABLE,
              List.of("  id INT, customer", "  id BIGINT, customer")),
          new Edit(
              "type of a counted row",
              Savepoint.UNUSABLE,
              List.of("rates (currency STRING, rate INT)", "rates (currency STRING, rate BIGINT)")),
          new Edit(
              "length of what is grouped by",
              Savepoint.UNUSABLE,
              List.of("customer VARCHAR(4)", "customer VARCHAR(5)")),
          new Edit(
              "type of a sum",
              Savepoint.UNUSABLE,
              List.of(
                  "SELECT customer, CAST(SUM(amount)",
                  "SELECT customer, CAST(SUM(CAST(amount AS DOUBLE))")),
          new Edit(
              "most tasks as they were",
              Savepoint.RESTORED,
              List.of(
                  "SET 'parallelism", "SET 'pipeline.max-parallelism' = '128';\nSET 'parallelism")),
          new Edit(
              "most tasks",
              Savepoint.UNUSABLE,
              List.of(
                  "SET 'parallelism",
                  "SET 'pipeline.max-parallelism' = '256';\nSET 'parallelism")));

  /** Flink 1.20 cannot bring rows that expire and rows that do not together; later ones can. */
  private static Edit rowsExpire(Savepoint savepoint) {
    return new Edit(
        "rows expire",
        savepoint,
        List.of("SET 'parallelism", "SET 'table.exec.state.ttl' = '1 d';\nSET 'parallelism"));
  }

  @TempDir static Path folder;

  private final Map<FlinkVersion, String> savepoints = new LinkedHashMap<>();

  /** Both versions refuse in the same places, so one of them tries a few only. */
  static Stream<Arguments> edits() {
    Stream<Arguments> older =
        Stream.of(EDITS.get(0), EDITS.get(4), EDITS.get(6), rowsExpire(Savepoint.UNUSABLE))
            .map(edit -> Arguments.of(FlinkVersion.V1_20, edit));
    Stream<Arguments> newer =
        Stream.concat(EDITS.stream(), Stream.of(rowsExpire(Savepoint.RESTORED)))
            .map(edit -> Arguments.of(FlinkVersion.V2_2, edit));
    return Stream.concat(older, newer);
  }

  @ParameterizedTest
  @MethodSource("edits")
  void becomesOfItWhatTheDifferenceSays(FlinkVersion version, Edit edit) {
    Transpilation before = transpiled(version, SCRIPT);
    Transpilation after = transpiled(version, edit.of(SCRIPT));
    PlanDiff diff = PlanDiff.between(before.plan().orElseThrow(), after.plan().orElseThrow());
    assertThat(diff.savepoint()).as(DiffText.of(diff)).isEqualTo(edit.savepoint());

    String savepoint = savepoints.computeIfAbsent(version, any -> savepoint(version, before));
    EmittedJob job = EmittedJob.of(version, after);
    switch (edit.savepoint()) {
      case RESTORED ->
          // The count goes on; a job that begins anew prints +I[1].
          assertThat(restored(version, job, savepoint))
              .anyMatch(line -> line.contains("+U["))
              .noneMatch(line -> line.contains("+I[1]"));
      case LOSES_STATE -> {
        assertThat(refusal(version, job, savepoint, false))
            .hasValueSatisfying(SavepointTest::hasNoPlace);
        assertThat(refusal(version, job, savepoint, true)).isEmpty();
      }
      case UNUSABLE ->
          assertThat(refusal(version, job, savepoint, true))
              .hasValueSatisfying(
                  message ->
                      assertThat(message)
                          .containsAnyOf(
                              "must not be incompatible",
                              "must be compatible with the previous key serializer",
                              "Max parallelism mismatch"));
      case EMPTY -> throw new AssertionError("The job keeps state.");
    }
  }

  private static void hasNoPlace(String message) {
    assertThat(message).contains("Cannot map checkpoint/savepoint state");
  }

  private static Transpilation transpiled(FlinkVersion version, String script) {
    Transpilation transpilation =
        Transpiler.transpile(
            List.of(new SourceText("script.sql", script)),
            new TranspilerOptions(
                version, "test.job", "script", TranspilerOptions.Emission.PROJECT));
    assertThat(transpilation.hasErrors()).as("%s", transpilation.diagnostics()).isFalse();
    return transpilation;
  }

  private static String savepoint(FlinkVersion version, Transpilation before) {
    RunningJob job =
        RunningJob.start(
            FlinkRuntime.of(version), EmittedJob.of(version, before), Optional.empty(), false);
    assertThat(job.failure()).isEmpty();
    job.awaitPrinted("+I[1]");
    String savepoint = job.stopWithSavepoint(folder.resolve(version.label()));
    job.ended();
    return savepoint;
  }

  /** What the job prints that goes on from a savepoint. */
  private static List<String> restored(FlinkVersion version, EmittedJob job, String savepoint) {
    RunningJob running =
        RunningJob.start(FlinkRuntime.of(version), job, Optional.of(savepoint), false);
    assertThat(running.failure()).isEmpty();
    running.awaitPrinted("+");
    running.stopWithSavepoint(folder.resolve("restored"));
    return running.ended().lines();
  }

  /** What Flink refuses it with; empty if it does not. */
  private static Optional<String> refusal(
      FlinkVersion version, EmittedJob job, String savepoint, boolean mayLoseState) {
    RunningJob running =
        RunningJob.start(FlinkRuntime.of(version), job, Optional.of(savepoint), mayLoseState);
    Optional<String> failure = running.failure();
    if (failure.isEmpty()) {
      running.cancel();
    }
    return failure;
  }
}
