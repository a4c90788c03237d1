package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.transpiler.testing.ChangelogLines;
import io.hintflow.transpiler.testing.ChangelogLines.Change;
import io.hintflow.transpiler.testing.EmittedJob;
import io.hintflow.transpiler.testing.RedisProcess;
import io.hintflow.transpiler.testing.ScriptCase;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Emitted jobs run; stock SQL on the same input decides what is right. */
class OracleTest {
  private static final List<FlinkVersion> VERSIONS = List.of(FlinkVersion.V1_20, FlinkVersion.V2_2);

  static Stream<Arguments> casesOnAllVersions() {
    return VERSIONS.stream()
        .flatMap(version -> ScriptCase.all().map(scriptCase -> Arguments.of(version, scriptCase)));
  }

  @ParameterizedTest
  @MethodSource("casesOnAllVersions")
  void givesTheRowsOfStockSql(FlinkVersion version, ScriptCase scriptCase) throws IOException {
    Map<Boolean, List<Change>> hinted =
        run(version, scriptCase).stream()
            .collect(Collectors.partitioningBy(change -> change.sink().startsWith("late/")));
    List<Change> stock =
        ChangelogLines.changes(
            EmittedJob.of(version, scriptCase.scriptWithoutHints())
                .run(scriptCase.stockArguments())
                .lines());

    assertThat(stock).isNotEmpty();
    assertThat(ChangelogLines.materialized(hinted.get(false)))
        .isEqualTo(ChangelogLines.materialized(stock));
    assertThat(
            ChangelogLines.materialized(hinted.get(true)).entrySet().stream()
                .map(row -> row.getKey() + (row.getValue() > 1 ? " x" + row.getValue() : ""))
                .sorted()
                .toList())
        .as("late rows")
        .isEqualTo(scriptCase.lateRows());
  }

  private static List<Change> run(FlinkVersion version, ScriptCase scriptCase) throws IOException {
    EmittedJob job = EmittedJob.of(version, scriptCase.script());
    if (scriptCase.redis().isEmpty()) {
      return ChangelogLines.changes(job.run(scriptCase.arguments()).lines());
    }
    try (RedisProcess redis = RedisProcess.start()) {
      redis.fill(scriptCase.redis());
      return ChangelogLines.changes(
          job.run(scriptCase.arguments()[0], "-DREDIS_PORT=" + redis.port()).lines());
    }
  }

  private static EmittedJob.Run run(FlinkVersion version, String caseName) {
    ScriptCase scriptCase = ScriptCase.named(caseName);
    return EmittedJob.of(version, scriptCase.script()).run(scriptCase.arguments());
  }

  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void equalKeysMeetOnOneTaskInTheOrderRead(FlinkVersion version) {
    EmittedJob.Run run = run(version, "distribute-insert");

    List<Change> changes = ChangelogLines.changes(run.lines());
    Map<String, Set<Integer>> tasksOfUsers =
        changes.stream()
            .collect(
                Collectors.groupingBy(
                    change -> change.row().split(",")[0],
                    Collectors.mapping(Change::task, Collectors.toSet())));
    assertThat(tasksOfUsers.values()).allSatisfy(tasks -> assertThat(tasks).hasSize(1));
    assertThat(tasksOfUsers.values().stream().distinct().count()).isGreaterThan(1);
    assertThat(run.graph().exchanges()).containsExactly("2 HASH 4");
    assertThat(run.graph().sources()).extracting("parallelism").containsExactly(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void exchangesToTheSinksOwnParallelism(FlinkVersion version) {
    EmittedJob.Run run = run(version, "distribute-sink-parallelism");

    assertThat(run.graph().exchanges()).containsExactly("4 HASH 3");
  }

  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void readsOnceWhatTwoInsertsShare(FlinkVersion version) {
    EmittedJob.Run run = run(version, "distribute-view");

    assertThat(run.graph().sources()).hasSize(1);
    assertThat(run.graph().exchanges()).startsWith("4 HASH 4");
  }

  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void setsScanParallelismWhereTheConnectorKnowsIt(FlinkVersion version) {
    EmittedJob.Run run = run(version, "source-parallelism-native");

    assertThat(run.graph().sources()).extracting("parallelism").containsExactlyInAnyOrder(2, 3);
    assertThat(run.graph().exchanges()).contains("2 REBALANCE 4");
  }

  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void plansTheSourceWhereTheConnectorDoesNot(FlinkVersion version) {
    EmittedJob.Run run = run(version, "source-parallelism-filesystem");

    assertThat(run.graph().sources()).extracting("parallelism").containsExactlyInAnyOrder(2, 3);
    assertThat(run.graph().exchanges()).containsExactlyInAnyOrder("2 REBALANCE 4", "3 REBALANCE 4");
  }

  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void hashesChangelogSourcesByPrimaryKey(FlinkVersion version) {
    EmittedJob.Run run = run(version, "source-parallelism-changelog");

    assertThat(run.graph().sources()).extracting("parallelism").containsExactly(1);
    assertThat(run.graph().exchanges()).startsWith("1 HASH 4");
    List<String> changesOfOneKey =
        ChangelogLines.changes(run.lines()).stream()
            .filter(change -> change.sink().equals("select/1") && change.row().startsWith("[3,"))
            .map(Change::kind)
            .toList();
    assertThat(String.join("", changesOfOneKey)).matches("((\\+I)(-U\\+U)*(-D)?)+");
  }

  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void keepsTheSourcesOrderThroughAView(FlinkVersion version) {
    EmittedJob.Run run = run(version, "source-parallelism-view");

    assertThat(run.graph().sources()).extracting("parallelism").containsExactly(2, 2);
    assertThat(run.graph().exchanges()).contains("2 HASH 4", "2 REBALANCE 4");
  }

  /**
   * Of 89 changes to 12 accounts, 4 give another owner, one of them unknown, and 2 are deletions.
   * The others must not reach the join, which would tell each as an update.
   */
  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void aJoinGetsNoUpdatesOfColumnsThatAreNotRead(FlinkVersion version) {
    ScriptCase scriptCase = ScriptCase.named("deduplicate-joins");
    String tables = scriptCase.script().substring(0, scriptCase.script().indexOf("-- Most"));
    String query =
        "SELECT o.name, a.id FROM owners o JOIN accounts /*+ OPTIONS('duplicate.right' = 'true') */ a ON o.id = a.owner;";

    EmittedJob.Run run = EmittedJob.of(version, tables + query).run(scriptCase.arguments());

    List<Change> changes = ChangelogLines.changes(run.lines());
    assertThat(ChangelogLines.materialized(changes)).hasSize(9);
    // An owner who is read late meets fewer changes: how many came before is left to chance.
    assertThat(changes).hasSizeLessThanOrEqualTo(12 + 4 + 3 + 2);
    assertThat(run.counters()).containsEntry("suppressedUpdates", List.of(89L - 12 - 4 - 2));
    assertThat(run.graph().exchanges()).containsExactlyInAnyOrder("1 HASH 3", "3 HASH 3");
  }

  @Test
  void runsOnTheNewestFlinkToo() {
    EmittedJob.Run run = run(FlinkVersion.V2_3, "distribute-insert");

    assertThat(ChangelogLines.changes(run.lines())).hasSize(52);
    assertThat(run.graph().exchanges()).containsExactly("2 HASH 4");
  }

  @Test
  void aMissingPlaceholderIsNamed() {
    EmittedJob job =
        EmittedJob.of(FlinkVersion.V2_2, ScriptCase.named("distribute-insert").script());

    assertThat(org.assertj.core.api.Assertions.catchThrowable(job::run))
        .hasMessageContaining("DATA");
  }
}
