package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.testing.ChangelogLines;
import io.hintflow.transpiler.testing.EmittedJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The scripts of the vendors' own pages, verbatim. The pages are not ours to carry: {@code
 * -Dhintflow.seeds=FOLDER} names the folder that has them, and without it nothing is tested here.
 */
class VendorPagesTest {
  private static final Pattern CODE = Pattern.compile("```\\n(.*?)```", Pattern.DOTALL);

  private Path pages;

  @BeforeEach
  void findPages() {
    String folder = System.getProperty("hintflow.seeds", "");
    assumeThat(folder).as("-Dhintflow.seeds names no folder with the vendors' pages").isNotBlank();
    pages = Path.of(folder);
  }

  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void distributionAndSourceParallelism(FlinkVersion version) throws IOException {
    List<String> scripts =
        CODE.matcher(page("002"))
            .results()
            .map(match -> match.group(1))
            .filter(code -> code.contains("DISTRIBUTEBY"))
            .toList();

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
        CODE.matcher(page("002"))
            .results()
            .map(match -> match.group(1))
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
    String page = page("003");
    String script =
        page.substring(page.indexOf("CREATE TABLE `order_source`"), page.indexOf("3. 运行作业"));
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
              logger_sink_table: {connector: print}
            """
                .formatted(folder, folder));

    Transpilation transpilation = transpile(version, script);
    List<String> lines =
        EmittedJob.of(version, transpilation).run("--config", config.toString()).lines();

    assertThat(transpilation.diagnostics())
        .extracting(Diagnostic::code)
        .containsExactly(DiagnosticCode.UNKNOWN_CONNECTOR);
    assertThat(ChangelogLines.materialized(ChangelogLines.changes(lines)))
        .containsOnlyKeys(
            "[1, 10, 1001, lamp, 2022-03-17T16:47]", "[2, 10, 1002, null, 2022-03-17T16:48]");
  }

  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void bigAndSmallTableJoinWithItsTablesReplaced(FlinkVersion version, @TempDir Path folder)
      throws IOException {
    String script =
        CODE.matcher(page("000"))
            .results()
            .map(match -> match.group(1))
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
        CODE.matcher(page("000"))
            .results()
            .flatMap(match -> match.group(1).lines())
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

  private List<String> lateDataScripts() throws IOException {
    List<String> pieces =
        CODE.matcher(page("002"))
            .results()
            .map(match -> match.group(1))
            .filter(code -> code.contains("LATE_DATA_SINK"))
            .toList();
    String table =
        pieces
            .get(0)
            .substring(pieces.get(0).indexOf("CREATE TABLE T1"), pieces.get(0).indexOf("-- "));
    // The second one goes on with the first one's table.
    return List.of(pieces.get(0), table + pieces.get(1));
  }

  private String page(String number) throws IOException {
    try (Stream<Path> files = Files.list(pages)) {
      Path page =
          files
              .filter(file -> file.getFileName().toString().startsWith(number))
              .findFirst()
              .orElseThrow();
      return Files.readString(page);
    }
  }

  private static Transpilation transpile(FlinkVersion version, String... scripts) {
    Transpilation transpilation =
        Transpiler.transpile(
            Stream.of(scripts).map(script -> new SourceText("page.sql", script)).toList(),
            new TranspilerOptions(
                version, "com.example", "page", TranspilerOptions.Emission.PROJECT));
    assertThat(transpilation.hasErrors()).as("%s", transpilation.diagnostics()).isFalse();
    return transpilation;
  }
}
