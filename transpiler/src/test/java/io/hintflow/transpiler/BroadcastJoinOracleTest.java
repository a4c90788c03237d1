package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.testing.BroadcastJoins;
import io.hintflow.transpiler.testing.RandomChangelogs;
import io.hintflow.transpiler.testing.RandomChangelogs.Mode;
import io.hintflow.transpiler.testing.RandomChangelogs.Table;
import io.hintflow.transpiler.testing.RandomChangelogs.World;
import io.hintflow.transpiler.testing.RandomJoins;
import io.hintflow.transpiler.testing.RandomJoins.Join;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link BroadcastJoins} over random changelogs. */
class BroadcastJoinOracleTest extends JoinOracleTest {
  BroadcastJoinOracleTest() {
    super(BroadcastJoins.all(), List.of(1, 2, 4));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ':',
      value = {
        "combination_0: Placement.inTurn()",
        "three_way: Placement.byWholeRow()",
        "three_way_left: Placement.byHash(\"world\", \"id\")",
        "common_table: Placement.byHash(\"id\")",
      })
  void allPlacementsAreAmongTheJoins(String name, String placement) {
    Join join =
        BroadcastJoins.all().stream().filter(one -> one.name().equals(name)).findFirst().get();
    Transpilation transpilation =
        Transpiler.transpile(
            List.of(new SourceText("script.sql", RandomJoins.script(List.of(join), Join::query))),
            new TranspilerOptions(
                VERSION, "test.job", "script", TranspilerOptions.Emission.PROJECT));

    assertThat(transpilation.files().get("src/main/java/test/job/ScriptJob.java"))
        .contains(placement);
  }

  @Test
  void whatMattersIsAmongTheSeeds() {
    Table big = new Table(true, Mode.RETRACT);
    Table small = new Table(false, Mode.RETRACT);
    BiPredicate<IntSummaryStatistics, IntSummaryStatistics> before =
        (first, second) ->
            first.getCount() > 0 && second.getCount() > 0 && first.getMax() < second.getMin();
    Map<String, Predicate<World>> wanted =
        Map.of(
            "small rows before all big rows",
            world -> before.test(additions(world, small), additions(world, big)),
            "small rows after all big rows",
            world -> before.test(additions(world, big), additions(world, small)),
            "small rows before and after big rows",
            world ->
                additions(world, big).getCount() > 0
                    && additions(world, small).getMin() < additions(world, big).getMin()
                    && additions(world, small).getMax() > additions(world, big).getMax(),
            "both sides in one phase",
            world ->
                phases(world.lines(big, 1)).stream()
                    .anyMatch(phases(world.lines(small, 1))::contains),
            "NULL as key",
            world ->
                world.lines(big, 1).stream().anyMatch(line -> line.split("\\|")[4].equals("\\N")),
            "equal rows",
            world -> {
              List<String> added = world.lines(new Table(true, Mode.INSERT), 1);
              return Set.copyOf(added).size() < added.size();
            },
            "removals of what was joined in earlier phases",
            world ->
                world.lines(big, 1).stream().anyMatch(line -> line.startsWith("-D|6"))
                    && additions(world, small).getCount() > 0,
            "updates without the row before",
            world ->
                world.lines(new Table(true, Mode.UPSERT), 1).stream()
                    .anyMatch(line -> line.startsWith("+U")));

    assertThat(wanted)
        .allSatisfy(
            (what, holds) ->
                assertThat(
                        IntStream.rangeClosed(1, SEEDS)
                            .mapToObj(RandomChangelogs::world)
                            .filter(holds)
                            .count())
                    .as(what)
                    .isGreaterThan(SEEDS / 10));
  }

  /** The phases in which a table gets rows. */
  private static IntSummaryStatistics additions(World world, Table table) {
    return phases(world.lines(table, 1).stream().filter(line -> line.startsWith("+")).toList())
        .stream()
        .collect(Collectors.summarizingInt(phase -> phase));
  }

  private static List<Integer> phases(List<String> lines) {
    return lines.stream().map(line -> Integer.valueOf(line.split("\\|")[1])).toList();
  }
}
