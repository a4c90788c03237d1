package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.testing.ChangelogLines;
import io.hintflow.transpiler.testing.ChangelogLines.Change;
import io.hintflow.transpiler.testing.EmittedJob;
import io.hintflow.transpiler.testing.RedisProcess;
import io.hintflow.transpiler.testing.VendorPages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The scripts of the vendors' own pages, verbatim; without these pages nothing is tested here, see
 * {@link VendorPages}.
 */
class VendorPagesTest {
  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void distributionAndSourceParallelism(FlinkVersion version) throws IOException {
    List<String> scripts =
        VendorPages.code("002").stream().filter(code -> code.contains("DISTRIBUTEBY")).toList();

    assertThat(scripts).hasSize(2);
    for (String script : scripts) {
      Transpilation transpilation = transpile(version, script);
      EmittedJob.of(version, transpilation);
      assertThat(transpilation.plan().orElseThrow().stages())
          .filteredOn(io.hintflow.transpiler.plan.Stage.Operators.class::isInstance)
          .isNotEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void distributionOfATableThatAnotherScriptDeclares(FlinkVersion version) throws IOException {
    String script =
        VendorPages.code("002").stream()
            .filter(code -> code.contains("FROM t1"))
            .findFirst()
            .orElseThrow();
    String table =
        "CREATE TABLE t1 (id INT, name STRING) WITH ('connector' = 'datagen',"
            + " 'number-of-rows' = '20', 'fields.id.min' = '1', 'fields.id.max' = '3')";

    Transpilation transpilation = transpile(version, table, script);
    List<String> lines = EmittedJob.of(version, transpilation).run().lines();

    assertThat(transpilation.diagnostics()).isEmpty();
    assertThat(ChangelogLines.changes(lines)).hasSize(60);
  }

  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void regularJoinWithItsTablesReplaced(FlinkVersion version, @TempDir Path folder)
      throws IOException {
    String script = VendorPages.regularJoin();
    Files.writeString(
        folder.resolve("orders.json"),
        Stream.of(
                "{\"id\":1,\"user_id\":10,\"product_id\":1001,\"create_time\":\"2022-03-17 16:47:00\"}",
                "{\"id\":2,\"user_id\":10,\"product_id\":1002,\"create_time\":\"2022-03-17 16:48:00\"}")
            .collect(java.util.stream.Collectors.joining("\n")));
    Files.writeString(
        folder.resolve("products.json"),
        "{\"product_id\":1001,\"product_name\":\"lamp\",\"update_time\":\"2022-03-17 16:47:00\"}");
    Path config =
        Files.writeString(
            folder.resolve("local.yaml"),
            """
            tables:
              order_source: {connector: filesystem, path: %s/orders.json, format: json}
              product_info: {connector: filesystem, path: %s/products.json, format: json}
            """
                .formatted(folder, folder));

    Transpilation transpilation = transpile(version, script);
    List<String> lines =
        EmittedJob.of(version, transpilation).run("--config", config.toString()).lines();

    assertThat(transpilation.diagnostics()).isEmpty();
    assertThat(ChangelogLines.materialized(ChangelogLines.changes(lines)))
        .containsOnlyKeys(
            "DebugData[1, 10, 1001, lamp, 2022-03-17T16:47]",
            "DebugData[2, 10, 1002, null, 2022-03-17T16:48]");
  }

  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void bigAndSmallTableJoinWithItsTablesReplaced(FlinkVersion version, @TempDir Path folder)
      throws IOException {
    String script =
        VendorPages.code("000").stream()
            .filter(code -> code.contains("CREATE TABLE large_table"))
            .findFirst()
            .orElseThrow();
    Files.writeString(folder.resolve("large.csv"), "1,7,ann\n2,8,ben\n3,7,cid\n4,9,dan\n");
    Files.writeString(folder.resolve("small.csv"), "7,41\n8,32\n7,50\n");
    Path config =
        Files.writeString(
            folder.resolve("local.yaml"),
            """
            tables:
              large_table: {connector: filesystem, path: %s/large.csv, format: csv}
              small_table: {connector: filesystem, path: %s/small.csv, format: csv}
            """
                .formatted(folder, folder));

    Transpilation transpilation = transpile(version, script);
    List<String> lines =
        EmittedJob.of(version, transpilation).run("--config", config.toString()).lines();

    assertThat(transpilation.files().get("plan.txt"))
        .contains("-> hash by user_id: HASH_BY_KEY asks for it");
    assertThat(ChangelogLines.materialized(ChangelogLines.changes(lines)))
        .containsOnlyKeys(
            "select/1[1, 7, ann, 41]",
            "select/1[1, 7, ann, 50]",
            "select/1[2, 8, ben, 32]",
            "select/1[3, 7, cid, 41]",
            "select/1[3, 7, cid, 50]");
  }

  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void everyFormOfTheBroadcastHints(FlinkVersion version) throws IOException {
    // One of the page's pieces of code has two queries in it and no semicolon between them.
    String queries =
        VendorPages.code("000").stream()
            .flatMap(String::lines)
            .filter(line -> line.contains("BROADCAST(A"))
            .map(line -> line.strip() + ";")
            .collect(java.util.stream.Collectors.joining("\n"));
    String tables =
        """
        CREATE VIEW A AS SELECT * FROM (VALUES (1, 'x'), (2, 'y')) AS t (a1, a2);
        CREATE VIEW B AS SELECT * FROM (VALUES (1, 'p', 5), (1, 'q', 6), (3, 'r', 7)) AS t (b1, b2, b3);
        CREATE VIEW C AS SELECT * FROM (VALUES (1, 'm'), (1, 'n')) AS t (c1, c2);
        """;

    Transpilation transpilation = transpile(version, tables, queries);
    List<String> lines = EmittedJob.of(version, transpilation).run().lines();

    assertThat(transpilation.plan().orElseThrow().stages())
        .filteredOn(io.hintflow.transpiler.plan.Stage.Operators.class::isInstance)
        .as("a stage a join")
        .hasSize(6);
    assertThat(ChangelogLines.materialized(ChangelogLines.changes(lines)))
        .containsOnlyKeys(
            "select/1[x, p]",
            "select/1[x, q]",
            "select/2[x, p]",
            "select/2[x, q]",
            "select/3[x, p, m]",
            "select/3[x, p, n]",
            "select/3[x, q, m]",
            "select/3[x, q, n]",
            "select/4[x, p]",
            "select/4[x, q]",
            "select/5[x, p]",
            "select/5[x, q]");
  }

  /** Both scripts, with a table of test data in the place of the vendor's. */
  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void lateRowsWithTheirTableReplaced(FlinkVersion version, @TempDir Path folder)
      throws IOException {
    List<String> scripts = lateDataScripts();
    Files.writeString(
        folder.resolve("rows.csv"),
        """
        1,1.5,2.5,3.25,a,ann,"2026-03-01 08:00:01"
        2,1.5,1.5,3.25,b,ann,"2026-03-01 08:00:04"
        3,1.5,9.5,3.25,c,ben,"2026-03-01 08:00:09"
        4,1.5,0.5,3.25,d,ann,"2026-03-01 08:00:02"
        5,1.5,8.5,3.25,e,ben,"2026-03-01 08:00:05"
        """);
    Path config =
        Files.writeString(
            folder.resolve("local.yaml"),
            "tables:\n  T1: {connector: filesystem, path: %s/rows.csv, format: csv}\n"
                .formatted(folder));

    assertThat(scripts).hasSize(2);
    List<Set<String>> late =
        List.of(
            Set.of("[0.5, d, ann, 2026-03-01T08:00:02]"),
            Set.of("[0.5, d, ann, 2026-03-01T08:00:02, 2026-03-01T08:00, 2026-03-01T08:00:05]"));
    for (int i = 0; i < scripts.size(); i++) {
      Transpilation transpilation = transpile(version, scripts.get(i));
      List<String> lines =
          EmittedJob.of(version, transpilation)
              .run("--config", config.toString(), "-Dparallelism.default=1")
              .lines();

      assertThat(transpilation.diagnostics())
          .extracting(Diagnostic::code)
          .containsExactlyInAnyOrder(
              DiagnosticCode.TRAILING_COMMA,
              DiagnosticCode.TRAILING_COMMA,
              DiagnosticCode.MISSING_SEMICOLON,
              DiagnosticCode.TEST_CONNECTOR);
      assertThat(ChangelogLines.materialized(ChangelogLines.changes(lines)).keySet())
          .isEqualTo(
              Stream.concat(
                      Stream.of("select/1[ann, 1.5, 2]", "select/1[ben, 8.5, 2]"),
                      late.get(i).stream())
                  .collect(java.util.stream.Collectors.toSet()));
    }
  }

  /** The page has lost the line breaks of its script. */
  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void lookupJoinInOneLineAndWithItsLineBreaks(FlinkVersion version) throws IOException {
    String page = VendorPages.page("004");
    int start = page.indexOf("CREATE TABLE show_log");
    String script = page.substring(start, page.indexOf('\n', start));
    int insert = script.indexOf("INSERT INTO");
    String restored = withLineBreaks(script);

    assertThat(pointsAt(transpile(version, script), DiagnosticCode.SWALLOWED_STATEMENT))
        .containsExactly(script.substring(insert).strip());
    assertThat(pointsAt(transpile(version, script), DiagnosticCode.COLUMN_ORDER)).isEmpty();
    assertThat(pointsAt(transpile(version, restored), DiagnosticCode.SWALLOWED_STATEMENT))
        .isEmpty();
    assertThat(pointsAt(transpile(version, restored), DiagnosticCode.COLUMN_ORDER))
        .containsExactly("u.sex as sex");
  }

  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void lookupJoinOnARealServer(FlinkVersion version) throws IOException {
    String page = VendorPages.page("004");
    int start = page.indexOf("CREATE TABLE show_log");
    String line = page.substring(start, page.indexOf('\n', start));
    Map<String, String> users = new LinkedHashMap<>();
    for (char user = 'a'; user <= 'f'; user++) {
      users.put(
          String.valueOf(user), "{\"age\": \"%d\", \"sex\": \"s%s\"}".formatted(user - 'a', user));
    }

    try (RedisProcess redis = RedisProcess.start()) {
      redis.fill(users);
      List<Change> changes =
          ChangelogLines.changes(
              EmittedJob.of(version, transpile(version, withLineBreaks(line)))
                  .run(
                      "-Dtables.user_profile.port=" + redis.port(),
                      "-Dtables.show_log.number-of-rows=200",
                      "-Dtables.show_log.rows-per-second=1000")
                  .lines());

      assertThat(changes).hasSize(200);
      for (Change change : changes) {
        String[] columns = change.row().substring(1, change.row().length() - 1).split(", ");
        String user = columns[2];
        // The script gives sex first, and its sink takes age first.
        assertThat(List.of(columns[4], columns[5]))
            .isEqualTo(
                users.containsKey(user)
                    ? List.of("s" + user, String.valueOf(user.charAt(0) - 'a'))
                    : List.of("null", "null"));
      }
      assertThat(redis.gets()).as("one for each user").isBetween(7L, 16L);
    }
  }

  /** As it was before the page lost them. */
  private static String withLineBreaks(String script) {
    int insert = script.indexOf("INSERT INTO");
    return script.substring(0, insert)
        + "\n"
        + script.substring(insert).replaceAll("(?<=[a-z])(?=SELECT|FROM|LEFT|ON)", "\n")
        + ";";
  }

  private static List<String> pointsAt(Transpilation transpilation, DiagnosticCode code) {
    return transpilation.diagnostics().stream()
        .filter(found -> found.code() == code)
        .map(found -> found.source().text(found.span()))
        .toList();
  }

  private List<String> lateDataScripts() throws IOException {
    List<String> pieces =
        VendorPages.code("002").stream().filter(code -> code.contains("LATE_DATA_SINK")).toList();
    String table =
        pieces
            .get(0)
            .substring(pieces.get(0).indexOf("CREATE TABLE T1"), pieces.get(0).indexOf("-- "));
    // The second one goes on with the first one's table.
    return List.of(pieces.get(0), table + pieces.get(1));
  }

  private static Transpilation transpile(FlinkVersion version, String... scripts) {
    Transpilation transpilation =
        Transpiler.transpile(
            Stream.of(scripts).map(script -> new SourceText("page.sql", script)).toList(),
            new TranspilerOptions(version, "test.job", "page", TranspilerOptions.Emission.PROJECT));
    assertThat(transpilation.hasErrors()).as("%s", transpilation.diagnostics()).isFalse();
    return transpilation;
  }
}
