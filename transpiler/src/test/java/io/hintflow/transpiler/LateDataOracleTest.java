package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.transpiler.testing.ChangelogLines;
import io.hintflow.transpiler.testing.ChangelogLines.Change;
import io.hintflow.transpiler.testing.EmittedJob;
import io.hintflow.transpiler.testing.LateDataQueries;
import io.hintflow.transpiler.testing.LateDataQueries.LastWindow;
import io.hintflow.transpiler.testing.LateDataQueries.Query;
import io.hintflow.transpiler.testing.LateDataQueries.Script;
import io.hintflow.transpiler.testing.RandomLateRows;
import io.hintflow.transpiler.testing.RandomLateRows.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * LATE_DATA_SINK takes exactly the rows that stock Flink drops, and leaves the results of windows
 * as they are. Both see the same watermarks, which come with the rows.
 *
 * <p>Each of 200 seeds makes a world: see {@link RandomLateRows}. All run at once. {@code
 * -Dhintflow.oracle.seed=17} tries one seed only.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LateDataOracleTest {
  private static final List<Integer> SEEDS =
      Optional.ofNullable(Integer.getInteger("hintflow.oracle.seed"))
          .map(List::of)
          .orElseGet(() -> IntStream.rangeClosed(1, RandomLateRows.SEEDS).boxed().toList());

  /** Those of all tables, by id. */
  private static final Map<Long, Row> ROWS =
      RandomLateRows.TABLES.stream()
          .flatMap(
              table -> SEEDS.stream().flatMap(seed -> RandomLateRows.rows(table, seed).stream()))
          .collect(Collectors.toMap(Row::id, row -> row));

  @TempDir Path folder;
  private int runs = 0;

  /** By version and script. */
  private final Map<FlinkVersion, Map<String, EmittedJob>> jobs = new HashMap<>();

  static Stream<Arguments> scriptsAndParallelisms() {
    return LateDataQueries.all().stream()
        .flatMap(
            script ->
                Stream.of(
                    Arguments.of(script, 1, FlinkVersion.V2_2),
                    Arguments.of(script, 2, FlinkVersion.V2_2),
                    Arguments.of(script, 4, FlinkVersion.V2_2),
                    Arguments.of(script, 2, FlinkVersion.V1_20)));
  }

  @ParameterizedTest(name = "{0}, parallelism {1}, {2}")
  @MethodSource("scriptsAndParallelisms")
  void takesWhatStockFlinkDrops(Script script, int parallelism, FlinkVersion version) {
    List<Integer> seeds =
        version == FlinkVersion.V2_2 || SEEDS.size() == 1 ? SEEDS : RandomLateRows.lastSchedule();
    Output stock = run(job(version, script.stock()), parallelism, RandomLateRows::lines, seeds);
    Output hinted = run(job(version, script.hinted()), parallelism, RandomLateRows::lines, seeds);

    SoftAssertions softly = new SoftAssertions();
    for (Query query : script.queries()) {
      Map<String, Integer> results = hinted.results(script, query);
      List<LateRow> late = hinted.late(query);
      if (seeds.size() > 1) {
        softly
            .assertThat(List.of(results.size(), late.size()))
            .as("results and late rows of %s, or equality would say little", query)
            .allMatch(count -> count >= seeds.size() / 10);
      }
      if (isExact(query, parallelism)) {
        softly
            .assertThat(differences(stock.results(script, query), results))
            .as("results of %s that are missing (-) or too many (+)", query)
            .isEmpty();
      }
      softly
          .assertThat(late.stream().filter(row -> row.hasWrongBounds(query, script.zone())))
          .as("late rows of %s with wrong bounds", query)
          .isEmpty();
      if (query.books()) {
        softly
            .assertThat(Books.of(results, late))
            .as("books of %s", query)
            .isEqualTo(Books.input(seeds));
      }
    }
    Dropped late =
        Dropped.rows(script, hinted, query -> isExact(query, parallelism) ? query.weight() : 0);
    Dropped dropped = Dropped.counted(late, stock, "numLateRecordsDropped");
    softly.assertThat(dropped.alone()).as("rows that stock Flink drops").isEqualTo(late.alone());
    if (script.queries().stream()
        .allMatch(query -> query.weight() > 0 && isExact(query, parallelism))) {
      softly.assertThat(dropped).as("rows that stock Flink drops").isEqualTo(late);
    }
    Dropped written = Dropped.rows(script, hinted, query -> 1);
    softly
        .assertThat(Dropped.counted(written, hinted, "lateRows"))
        .as("rows that are counted as late")
        .isEqualTo(written);
    softly.assertAll();
  }

  /**
   * With several tasks, a bounded OVER behind the split can lag behind it, so more rows are late
   * than it would drop: the books balance all the same.
   */
  private static boolean isExact(Query query, int parallelism) {
    return parallelism == 1
        || !query.sql().contains(" PRECEDING AND CURRENT ROW)")
        || query.sql().contains("UNBOUNDED PRECEDING");
  }

  /** Rows and watermarks meet by chance here, as they do in other people's jobs. */
  @Test
  void theBooksBalanceWhateverTheTiming() {
    Script script = LateDataQueries.ofAnyTiming();
    Output output =
        run(
            EmittedJob.of(FlinkVersion.V2_2, script.hinted("ts - INTERVAL '30' SECOND")),
            4,
            RandomLateRows::linesWithoutWatermarks,
            SEEDS);

    assertThat(script.queries())
        .allSatisfy(
            query -> {
              assertThat(output.late(query)).as("late rows of %s", query).isNotEmpty();
              assertThat(Books.of(output.results(script, query), output.late(query)))
                  .as("books of %s", query)
                  .isEqualTo(Books.input(SEEDS));
            });
  }

  private EmittedJob job(FlinkVersion version, String script) {
    return jobs.computeIfAbsent(version, of -> new HashMap<>())
        .computeIfAbsent(script, of -> EmittedJob.of(version, script));
  }

  private Output run(
      EmittedJob job,
      int parallelism,
      BiFunction<String, List<Integer>, List<String>> lines,
      List<Integer> seeds) {
    runs++;
    Path data = folder.resolve("run-" + runs);
    try {
      Files.createDirectories(data);
      for (String table : RandomLateRows.TABLES) {
        Files.write(data.resolve(table), lines.apply(table, seeds));
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    EmittedJob.Run run =
        job.run("-DDATA=" + data, "-DRUN=" + data, "-Dparallelism.default=" + parallelism);
    return new Output(
        ChangelogLines.changes(run.lines()).stream().collect(Collectors.groupingBy(Change::sink)),
        run.counters());
  }

  /** What a job has printed, by sink, and counted. */
  private record Output(Map<String, List<Change>> changes, Map<String, List<Long>> counters) {
    /** The rows that are left, with how often. */
    Map<String, Integer> results(Script script, Query query) {
      return ChangelogLines.materialized(
          changes.getOrDefault("select/" + (script.queries().indexOf(query) + 1), List.of()));
    }

    List<LateRow> late(Query query) {
      return changes.getOrDefault(query.sink(), List.of()).stream()
          .map(change -> new LateRow(columns(change.row())))
          .toList();
    }
  }

  private static List<String> columns(String row) {
    return List.of(row.substring(row.indexOf('[') + 1, row.length() - 1).split(", "));
  }

  /** A row of a table for late rows: perhaps end and start of its window, its world and its id. */
  private record LateRow(List<String> columns) {
    long id() {
      return Long.parseLong(columns.get(columns.size() - 1));
    }

    boolean hasWrongBounds(Query query, String zone) {
      LocalDateTime time =
          LocalDateTime.ofInstant(Instant.ofEpochMilli(ROWS.get(id()).time()), ZoneId.of(zone));
      return query
          .window()
          .filter(window -> !columns.subList(0, 2).equals(bounds(window, time)))
          .isPresent();
    }

    private static List<String> bounds(LastWindow window, LocalDateTime time) {
      return Stream.of(window.end(time), window.start(time))
          .map(bound -> bound.map(LocalDateTime::toString).orElse("null"))
          .toList();
    }
  }

  private static List<String> differences(Map<String, Integer> stock, Map<String, Integer> hinted) {
    return Stream.concat(stock.keySet().stream(), hinted.keySet().stream())
        .distinct()
        .filter(row -> !stock.getOrDefault(row, 0).equals(hinted.getOrDefault(row, 0)))
        .map(
            row ->
                "%+d %s".formatted(hinted.getOrDefault(row, 0) - stock.getOrDefault(row, 0), row))
        .sorted()
        .limit(20)
        .toList();
  }

  /**
   * Rows that came in time and rows that came late.
   *
   * @param ids the sum of the rows' ids
   */
  private record Books(long rows, long ids) {
    static Books input(List<Integer> seeds) {
      List<Row> events =
          seeds.stream().flatMap(seed -> RandomLateRows.rows("events", seed).stream()).toList();
      return new Books(events.size(), events.stream().mapToLong(Row::id).sum());
    }

    /** Results end with a number of rows and the sum of their ids. */
    static Books of(Map<String, Integer> results, List<LateRow> late) {
      long rows = late.size();
      long ids = late.stream().mapToLong(LateRow::id).sum();
      for (Map.Entry<String, Integer> result : results.entrySet()) {
        List<String> columns = columns(result.getKey());
        rows += result.getValue() * Long.parseLong(columns.get(columns.size() - 2));
        ids += result.getValue() * Long.parseLong(columns.get(columns.size() - 1));
      }
      return new Books(rows, ids);
    }
  }

  /**
   * How many rows the windows of a script drop.
   *
   * @param alone by those that are their statement's only window, in ascending order
   * @param others by all other windows together
   */
  private record Dropped(List<Long> alone, long others) {
    static Dropped rows(Script script, Output output, ToIntFunction<Query> weight) {
      Map<Boolean, List<Long>> rows =
          script.queries().stream()
              .filter(query -> weight.applyAsInt(query) > 0)
              .collect(
                  Collectors.partitioningBy(
                      query -> query.windows() == 1,
                      Collectors.mapping(
                          query -> (long) output.late(query).size() * weight.applyAsInt(query),
                          Collectors.toList())));
      return new Dropped(rows.get(true).stream().sorted().toList(), sum(rows.get(false)));
    }

    /**
     * Counters do not tell whose they are: some are as they should be, the others are the others.
     */
    static Dropped counted(Dropped expected, Output output, String counter) {
      List<Long> counts =
          output.counters().entrySet().stream()
              .filter(
                  entry ->
                      entry
                          .getKey()
                          .toLowerCase(Locale.ROOT)
                          .endsWith(counter.toLowerCase(Locale.ROOT)))
              .flatMap(entry -> entry.getValue().stream())
              .collect(Collectors.toCollection(ArrayList::new));
      List<Long> alone = expected.alone().stream().filter(counts::remove).toList();
      return new Dropped(alone, sum(counts));
    }

    private static long sum(List<Long> counts) {
      return counts.stream().mapToLong(count -> count).sum();
    }
  }
}
