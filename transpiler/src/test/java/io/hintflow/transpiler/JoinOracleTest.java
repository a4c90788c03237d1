package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.transpiler.testing.ChangelogLines;
import io.hintflow.transpiler.testing.ChangelogLines.Change;
import io.hintflow.transpiler.testing.EmittedJob;
import io.hintflow.transpiler.testing.RandomChangelogs;
import io.hintflow.transpiler.testing.RandomChangelogs.Mode;
import io.hintflow.transpiler.testing.RandomChangelogs.Table;
import io.hintflow.transpiler.testing.RandomChangelogs.World;
import io.hintflow.transpiler.testing.RandomJoins;
import io.hintflow.transpiler.testing.RandomJoins.Join;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Joins with hints over random changelogs end with the result of stock SQL.
 *
 * <p>Each of 500 seeds makes a world, a changelog for each of eight tables: see {@link
 * RandomChangelogs} for what is drawn. Each join runs over all worlds at once, which never meet,
 * and is compared world by world. When the two sides of a join change is part of the world; how the
 * changes of one moment meet is left to the threads.
 *
 * <p>{@code -Dhintflow.oracle.seed=17} tries one seed only.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JoinOracleTest {
  static final int SEEDS = 500;
  static final FlinkVersion VERSION = FlinkVersion.V2_2;
  private static final int JOINS_OF_A_SCRIPT = 17;

  private static final Map<Integer, World> WORLDS =
      Optional.ofNullable(Integer.getInteger("hintflow.oracle.seed"))
          .map(IntStream::of)
          .orElseGet(() -> IntStream.rangeClosed(1, SEEDS))
          .boxed()
          .collect(Collectors.toMap(seed -> seed, RandomChangelogs::world));

  private final List<List<Join>> scripts;
  private final List<Integer> parallelisms;

  @TempDir Path folder;
  private int runs = 0;

  /** By number of the script, as are the answers. */
  private final Map<Integer, Jobs> jobsOfScripts = new HashMap<>();

  private final Map<Integer, Results> answers = new HashMap<>();
  private boolean shrunk = false;

  JoinOracleTest(List<Join> joins, List<Integer> parallelisms) {
    this.scripts =
        IntStream.range(0, (joins.size() + JOINS_OF_A_SCRIPT - 1) / JOINS_OF_A_SCRIPT)
            .mapToObj(
                script ->
                    joins.subList(
                        script * JOINS_OF_A_SCRIPT,
                        Math.min(joins.size(), (script + 1) * JOINS_OF_A_SCRIPT)))
            .toList();
    this.parallelisms = parallelisms;
  }

  /** Rows that are left, with how often, by join and world. */
  private record Results(Map<Join, Map<Integer, Map<String, Integer>>> rows) {
    Map<String, Integer> of(Join join, int world) {
      return rows.getOrDefault(join, Map.of()).getOrDefault(world, Map.of());
    }
  }

  /** The job of several joins, with their hints and without. */
  private final class Jobs {
    private final List<Join> joins;
    private final EmittedJob hinted;
    private final EmittedJob stock;

    Jobs(List<Join> joins) {
      this.joins = joins;
      this.hinted = EmittedJob.of(VERSION, RandomJoins.script(joins, Join::query));
      this.stock = EmittedJob.of(VERSION, RandomJoins.script(joins, Join::stock));
    }

    Results hinted(Map<Integer, World> worlds, int parallelism) {
      return results(hinted.run(arguments(worlds, parallelism)).lines());
    }

    /** At parallelism 1: what stock SQL gives must not depend on it. */
    Results stock(Map<Integer, World> worlds) {
      return results(stock.run(arguments(worlds, 1)).lines());
    }

    private Results results(List<String> lines) {
      Map<Join, Map<Integer, Map<String, Integer>>> rows = new HashMap<>();
      for (Change change : ChangelogLines.changes(lines)) {
        int statement = Integer.parseInt(change.sink().substring("select/".length()));
        rows.computeIfAbsent(joins.get(statement - 1), join -> new HashMap<>())
            .computeIfAbsent(world(change.row()), world -> new TreeMap<>())
            .merge(change.row(), change.kind().startsWith("+") ? 1 : -1, Integer::sum);
      }
      rows.values()
          .forEach(
              worlds -> worlds.values().forEach(row -> row.values().removeIf(count -> count == 0)));
      return new Results(rows);
    }

    /** The first column of a row, {@code [17, …]}. */
    private int world(String row) {
      return Integer.parseInt(row.substring(1, row.indexOf(',')));
    }
  }

  /** Writes the worlds to files, and gives the arguments with which a job reads them. */
  private String[] arguments(Map<Integer, World> worlds, int parallelism) {
    runs++;
    Path data = folder.resolve("run-" + runs);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-DDATA=" + data,
                "-DRUN=" + data,
                "-Dparallelism.default=" + parallelism,
                // Changes should meet in the order of their phases, not in that of full buffers.
                "-Dexecution.buffer-timeout.interval=0 ms"));
    try {
      Files.createDirectories(data);
      for (Table table : Table.all()) {
        Files.write(data.resolve(table.name()), lines(worlds, table));
        if (table.mode() == Mode.INSERT) {
          Map.of(
                  "connector",
                  "changelog",
                  "path",
                  data.resolve(table.name()),
                  "changelog-mode",
                  table.mode().kinds(),
                  "run",
                  data)
              .forEach(
                  (option, value) ->
                      arguments.add("-Dtables.%s.%s=%s".formatted(table.name(), option, value)));
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return arguments.toArray(String[]::new);
  }

  /** The lines of a table, phase by phase. */
  private static List<String> lines(Map<Integer, World> worlds, Table table) {
    return worlds.entrySet().stream()
        .flatMap(world -> world.getValue().lines(table, world.getKey()).stream())
        .sorted(Comparator.comparing(line -> line.split("\\|")[1]))
        .toList();
  }

  Stream<Arguments> scriptsAndParallelisms() {
    return IntStream.range(0, scripts.size())
        .boxed()
        .flatMap(
            script -> parallelisms.stream().map(parallelism -> Arguments.of(script, parallelism)));
  }

  @ParameterizedTest(name = "script {0} at parallelism {1}")
  @MethodSource("scriptsAndParallelisms")
  void endsWithTheResultOfStockSql(int script, int parallelism) {
    Jobs jobs = jobsOfScripts.computeIfAbsent(script, number -> new Jobs(scripts.get(number)));
    Results stock = answers.computeIfAbsent(script, number -> answer(jobs));
    Results hinted = jobs.hinted(WORLDS, parallelism);

    Map<Join, List<Difference>> differences =
        differences(jobs.joins, hinted, stock, WORLDS).stream()
            .collect(Collectors.groupingBy(Difference::join));
    assertThat(differences.keySet())
        .as(
            () ->
                differences.values().stream()
                    .map(ofJoin -> report(ofJoin, parallelism))
                    .collect(Collectors.joining("\n\n")))
        .isEmpty();
  }

  private static Results answer(Jobs jobs) {
    Results stock = jobs.stock(WORLDS);
    if (WORLDS.size() == SEEDS) {
      assertThat(jobs.joins)
          .as("each join has rows in many worlds, or equality would say little")
          .allSatisfy(
              join ->
                  assertThat(
                          WORLDS.keySet().stream()
                              .filter(world -> !stock.of(join, world).isEmpty())
                              .count())
                      .as(join.name())
                      .isGreaterThan(RandomJoins.FEW_WORLDS / 4));
    }
    return stock;
  }

  /** What a join gives for one world, with hints and without. */
  private record Difference(
      Join join, int seed, Map<String, Integer> hinted, Map<String, Integer> stock) {
    String text(World world) {
      return "%s\nstock: %s\nhinted: %s\n%s"
          .formatted(
              join.query(),
              stock,
              hinted,
              join.tables().stream()
                  .map(table -> table.name() + ": " + world.lines(table, seed))
                  .collect(Collectors.joining("\n")));
    }
  }

  private static List<Difference> differences(
      List<Join> joins, Results hinted, Results stock, Map<Integer, World> worlds) {
    return joins.stream()
        .flatMap(
            join ->
                worlds.keySet().stream()
                    .sorted()
                    .map(
                        world ->
                            new Difference(
                                join, world, hinted.of(join, world), stock.of(join, world)))
                    .filter(one -> !Objects.equals(one.hinted(), one.stock())))
        .toList();
  }

  /** What is to know about the differences of one join. */
  private String report(List<Difference> differences, int parallelism) {
    Difference first = differences.get(0);
    String report =
        "%s at parallelism %d differs for the seeds %s; seed %d:\n%s"
            .formatted(
                first.join(),
                parallelism,
                differences.stream().map(Difference::seed).toList(),
                first.seed(),
                first.text(WORLDS.get(first.seed())));
    if (shrunk) {
      return report;
    }
    // Only the first of all: it takes dozens of runs.
    shrunk = true;
    return report + "\nshrunk:\n" + new Shrinking(first.join(), parallelism).shrink(first);
  }

  /** Leaves out operations as long as the rest still fails, many attempts in one run of the job. */
  private final class Shrinking {
    private final Join join;
    private final Jobs jobs;
    private final int parallelism;

    Shrinking(Join join, int parallelism) {
      this.join = join;
      this.jobs = new Jobs(List.of(join));
      this.parallelism = parallelism;
    }

    String shrink(Difference difference) {
      World alone = WORLDS.get(difference.seed()).of(join.tables());
      Optional<Difference> found = failing(Map.of(difference.seed(), alone));
      World smallest = alone;
      int chunk = alone.size();
      while (found.isPresent() && chunk > 1) {
        chunk = (chunk + 1) / 2;
        Map<Integer, World> attempts = attempts(smallest, chunk);
        Optional<Difference> smaller = failing(attempts);
        while (smaller.isPresent()) {
          found = smaller;
          smallest = attempts.get(smaller.get().seed());
          attempts = attempts(smallest, chunk);
          smaller = failing(attempts);
        }
      }
      World end = smallest;
      return found
          .map(one -> one.text(end))
          .orElse("(it does not fail on its own: it needs the other worlds, or another timing)");
    }

    private Optional<Difference> failing(Map<Integer, World> worlds) {
      return differences(jobs.joins, jobs.hinted(worlds, parallelism), jobs.stock(worlds), worlds)
          .stream()
          .findFirst();
    }

    /** The world without each of its chunks, numbered from 1. */
    private Map<Integer, World> attempts(World world, int chunk) {
      Map<Integer, World> attempts = new TreeMap<>();
      for (int from = 0; from < world.size(); from += chunk) {
        attempts.put(attempts.size() + 1, world.without(from, from + chunk));
      }
      return attempts;
    }
  }
}
