package io.hintflow.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which query blocks a statement has, where each begins and ends, and which tables it reads. */
class BlocksTest {
  private static Script readWithoutErrors(String text) {
    ScriptReader.Result result = ScriptReader.read(new SourceText("x.sql", text));
    assertThat(result.diagnostics()).isEmpty();
    return result.script();
  }

  private static Map<String, String> textsByPath(String text) {
    Script script = readWithoutErrors(text);
    Map<String, String> texts = new LinkedHashMap<>();
    for (Block block : Blocks.allOf(script.statements().get(0))) {
      String earlier =
          texts.put(String.join(" / ", block.path()), script.text().text(block.span()));
      assertThat(earlier).as("two blocks of path " + block.path()).isNull();
    }
    return texts;
  }

  private static void assertBlocks(String text, String... pathsAndTexts) {
    Map<String, String> expected = new LinkedHashMap<>();
    for (int i = 0; i < pathsAndTexts.length; i += 2) {
      expected.put(pathsAndTexts[i], pathsAndTexts[i + 1]);
    }
    assertThat(textsByPath(text)).containsExactlyEntriesOf(expected);
  }

  @Test
  void aSelectIsOneBlockAndOwnsItsOrderAndLimit() {
    assertBlocks("SELECT a FROM t;", "", "SELECT a FROM t");
    assertBlocks(
        "INSERT INTO s ((SELECT f(a, ')') FROM t WHERE (a > (1)) ORDER BY (a) DESC NULLS LAST, b LIMIT 5 OFFSET 2));",
        "",
        "SELECT f(a, ')') FROM t WHERE (a > (1)) ORDER BY (a) DESC NULLS LAST, b LIMIT 5 OFFSET 2");
    assertBlocks(
        "INSERT INTO s SELECT a FROM t OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY ON CONFLICT DO NOTHING;",
        "",
        "SELECT a FROM t OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY");
    assertBlocks(
        "WITH c AS (SELECT a FROM t) SELECT a FROM c ORDER BY a -- end\n;",
        "cte c",
        "SELECT a FROM t",
        "",
        "SELECT a FROM c ORDER BY a");
  }

  @Test
  void branchesOfSetOperationsAreNumberedByKind() {
    assertBlocks(
        "SELECT 1 UNION ALL (SELECT 2 LIMIT 1) UNION SELECT 3 ORDER BY 1 LIMIT 2;",
        "union 1",
        "SELECT 1",
        "union 2",
        "SELECT 2 LIMIT 1",
        "union 3",
        "SELECT 3");
    assertBlocks(
        "SELECT 1 UNION SELECT 2 INTERSECT SELECT 3 EXCEPT (SELECT 4 UNION SELECT 5);",
        "except 1 / union 1",
        "SELECT 1",
        "except 1 / union 2 / intersect 1",
        "SELECT 2",
        "except 1 / union 2 / intersect 2",
        "SELECT 3",
        "except 2 / union 1",
        "SELECT 4",
        "except 2 / union 2",
        "SELECT 5");
  }

  @Test
  void queriesInsideABlockAreNumberedByClause() {
    assertBlocks(
        "SELECT (SELECT 1), (SELECT 2)"
            + " FROM (SELECT 3) a JOIN (SELECT 4) b ON a.i IN (SELECT 5), LATERAL (SELECT 6) c"
            + " WHERE EXISTS (SELECT 7 FROM u WHERE 1 IN (SELECT 8))"
            + " GROUP BY (SELECT 9) HAVING 1 > ALL (SELECT 10)"
            + " ORDER BY (SELECT 11);",
        "",
        "SELECT (SELECT 1), (SELECT 2)"
            + " FROM (SELECT 3) a JOIN (SELECT 4) b ON a.i IN (SELECT 5), LATERAL (SELECT 6) c"
            + " WHERE EXISTS (SELECT 7 FROM u WHERE 1 IN (SELECT 8))"
            + " GROUP BY (SELECT 9) HAVING 1 > ALL (SELECT 10)"
            + " ORDER BY (SELECT 11)",
        "select 1",
        "SELECT 1",
        "select 2",
        "SELECT 2",
        "from 1",
        "SELECT 3",
        "from 2",
        "SELECT 4",
        "on 1",
        "SELECT 5",
        "from 3",
        "SELECT 6",
        "where 1",
        "SELECT 7 FROM u WHERE 1 IN (SELECT 8)",
        "where 1 / where 1",
        "SELECT 8",
        "group 1",
        "SELECT 9",
        "having 1",
        "SELECT 10",
        "order 1",
        "SELECT 11");
  }

  @Test
  void queriesInTableFunctionsAreFromQueries() {
    assertBlocks(
        "SELECT * FROM TABLE(HOP((SELECT a FROM t ORDER BY a), DESCRIPTOR(r), INTERVAL '1' DAY, INTERVAL '2' DAY));",
        "",
        "SELECT * FROM TABLE(HOP((SELECT a FROM t ORDER BY a), DESCRIPTOR(r), INTERVAL '1' DAY, INTERVAL '2' DAY))",
        "from 1",
        "SELECT a FROM t ORDER BY a");
  }

  @Test
  void statementsWithSeveralQueriesNumberThem() {
    assertBlocks(
        "UPDATE t SET a = (SELECT 1) WHERE b IN (SELECT 2);",
        "query 1",
        "SELECT 1",
        "query 2",
        "SELECT 2");
    assertBlocks(
        "EXPLAIN STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END;",
        "query 1",
        "SELECT 1",
        "query 2",
        "SELECT 2");
  }

  @Test
  void everyBlockIsASelectThatCanStandAlone() {
    for (String query : QUERIES) {
      Script script = readWithoutErrors(query + ";");
      for (Block block : Blocks.allOf(script.statements().get(0))) {
        String text = script.text().text(block.span());
        Script alone = readWithoutErrors(text + ";");
        List<Block> blocks = alone.statements().get(0).blocks();
        assertThat(blocks).as(text).hasSize(1);
        assertThat(alone.text().text(blocks.get(0).span())).isEqualTo(text);
        assertThat(blocks.get(0).inner()).hasSameSizeAs(block.inner());
      }
    }
  }

  /**
   * Queries with white space and comments in odd places, and with clauses that end in odd tokens.
   */
  private static final List<String> QUERIES =
      List.of(
          "SELECT a FROM t",
          "SELECT\r\n\ta\tFROM\rt -- x\n WHERE a = '中文' AND b IN (SELECT '😀' FROM u) ",
          "SELECT DISTINCT a FROM (SELECT /*+ DISTRIBUTEBY('b') */ b FROM (SELECT c FROM v) x) y",
          "WITH a AS (SELECT 1 UNION ALL SELECT 2), b AS (SELECT * FROM a) SELECT * FROM b LIMIT 3",
          "SELECT a, COUNT(*) FROM t GROUP BY GROUPING SETS ((a), ()) HAVING (COUNT(*) > 1)",
          "SELECT * FROM (SELECT a, ROW_NUMBER() OVER (PARTITION BY a ORDER BY b DESC) AS n FROM t) WHERE n = 1",
          "SELECT SUM(a) OVER w FROM t WINDOW w AS (PARTITION BY b ORDER BY c ROWS 3 PRECEDING)",
          "SELECT a FROM t JOIN (SELECT b FROM u) v ON ((t.a = v.b)) ORDER BY (a), (SELECT 1) DESC",
          "SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES A.x AS x PATTERN (A+) DEFINE A AS A.x > 1) m",
          "SELECT ARRAY[1, 2], MAP['a', 1], ROW(1, (SELECT 2)) FROM t, UNNEST(t.b) AS u (c)",
          "SELECT a FROM t FOR SYSTEM_TIME AS OF TIMESTAMP '2020-01-01 00:00:00'",
          "(SELECT a FROM t) UNION ALL ((SELECT b FROM u ORDER BY b OFFSET 1 ROW FETCH FIRST 1 ROW ONLY))",
          "SELECT CASE WHEN EXISTS (SELECT 1 FROM u) THEN 'FROM (' ELSE `a` END AS `SELECT` FROM t");

  record TableCase(String from, List<String> tables) {}

  static Stream<TableCase> fromClauses() {
    return Stream.of(
        new TableCase("⟦a⟧", List.of("a")),
        new TableCase("⟦c.`d e`.f⟧ AS x", List.of("c.d e.f as x")),
        new TableCase("⟦a⟧ x, ⟦b⟧ JOIN ⟦c⟧ AS y ON x.i = y.i", List.of("a as x", "b", "c as y")),
        new TableCase(
            "(⟦a⟧ JOIN ⟦b⟧ ON a.i = b.i) LEFT JOIN ⟦c⟧ USING (i)", List.of("a", "b", "c")),
        new TableCase(
            "⟦a⟧ JOIN ⟦d⟧ FOR SYSTEM_TIME AS OF a.p AS x ON x.i = a.i", List.of("a", "d as x")),
        new TableCase(
            "TABLE(TUMBLE(TABLE ⟦a⟧, DESCRIPTOR(r), INTERVAL '1' DAY)) AS w", List.of("a")),
        new TableCase(
            "TABLE(SESSION(DATA => TABLE ⟦a⟧ PARTITION BY k, TIMECOL => DESCRIPTOR(r), GAP => INTERVAL '1' DAY))",
            List.of("a")),
        new TableCase("TUMBLE(TABLE ⟦a⟧, DESCRIPTOR(r), INTERVAL '1' DAY)", List.of("a")),
        new TableCase("⟦a⟧, LATERAL TABLE(f(a.i)) AS g(h), UNNEST(a.j) AS k(l)", List.of("a")),
        new TableCase("⟦a⟧ TABLESAMPLE BERNOULLI (10) ", List.of("a")),
        new TableCase("⟦a⟧ AS x (i, j), (SELECT * FROM inner_table) AS y", List.of("a as x")),
        new TableCase("TABLE(f(g(i), 'TABLE t', (SELECT 1 FROM inner_table)))", List.of()),
        new TableCase(
            "⟦a⟧ MATCH_RECOGNIZE (ORDER BY b MEASURES A.x AS x PATTERN (A) DEFINE A AS A.x > 1) AS m",
            List.of("a as m")));
  }

  @ParameterizedTest
  @MethodSource("fromClauses")
  void tablesAreThoseThatTheFromClauseItselfNames(TableCase example) {
    MarkedText marked = MarkedText.of("SELECT * FROM " + example.from() + ";");
    Block block = readWithoutErrors(marked.text()).statements().get(0).blocks().get(0);
    assertThat(block.tables())
        .extracting(
            table ->
                String.join(".", table.path())
                    + table.alias().map(alias -> " as " + alias.text()).orElse(""))
        .isEqualTo(example.tables());
    assertThat(block.tables()).extracting(TableReference::nameSpan).isEqualTo(marked.spans());
    for (TableReference table : block.tables()) {
      table
          .alias()
          .ifPresent(
              alias ->
                  assertThat(marked.text().substring(alias.span().start(), alias.span().end()))
                      .isEqualTo(alias.text()));
    }
  }

  @Test
  void commonTablesAreThoseInScopeOutermostFirst() {
    MarkedText marked =
        MarkedText.of(
            "WITH ⟦a AS (SELECT 1 AS x)⟧, ⟦`b b` (y) AS (SELECT x FROM a)⟧"
                + " SELECT * FROM (WITH ⟦c AS (SELECT ')' FROM `b b`)⟧ SELECT * FROM c) d;");
    Script script = readWithoutErrors(marked.text());
    Map<String, List<String>> names = new LinkedHashMap<>();
    List<Span> spans = new ArrayList<>();
    for (Block block : Blocks.allOf(script.statements().get(0))) {
      names.put(
          String.join(" / ", block.path()),
          block.commonTables().stream().map(table -> table.name().text()).toList());
      if (block.commonTables().size() == 3) {
        block.commonTables().forEach(table -> spans.add(table.span()));
      }
    }
    Map<String, List<String>> expected = new LinkedHashMap<>();
    expected.put("cte a", List.of());
    expected.put("cte b b", List.of("a"));
    expected.put("", List.of("a", "b b"));
    expected.put("from 1 / cte c", List.of("a", "b b"));
    expected.put("from 1", List.of("a", "b b", "c"));
    assertThat(names).containsExactlyEntriesOf(expected);
    assertThat(spans).isEqualTo(marked.spans());
  }

  @Test
  void longChainsAreNoDepth() {
    String text =
        "SELECT 1 FROM t WHERE a = 0" + " AND b = 1".repeat(500) + " AND c IN (SELECT 2);";
    assertThat(textsByPath(text)).containsKey("where 1");
    assertThat(textsByPath("SELECT 1" + " UNION ALL SELECT 2".repeat(300) + ";")).hasSize(301);
  }

  @Test
  void positionsOfTheTreeMapToTheScript() {
    MarkedText marked =
        MarkedText.of(
            "SELECT 1;\r\n-- 中\n /* 😀 */ SELECT\t'中😀',\r\n\t⟦`a b`⟧, '\u0301',\t⟦f(x)⟧\rFROM t;");
    Script script = readWithoutErrors(marked.text());
    Statement statement = script.statements().get(1);
    List<Span> spans =
        statement.blocks().get(0).select().getSelectList().stream()
            .map(item -> script.span(statement, item.getParserPosition()))
            .toList();
    assertThat(List.of(spans.get(1), spans.get(3))).isEqualTo(marked.spans());
  }
}
