package io.hintflow.transpiler.analysis;

import static io.hintflow.transpiler.analysis.Changelog.INSERT_ONLY;
import static io.hintflow.transpiler.analysis.Changelog.UNKNOWN;
import static io.hintflow.transpiler.analysis.Changelog.UPDATING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class QueryAnalysisTest {
  /** k and j give insertions, c gives changes; of h nothing is known. */
  static final String TABLES =
      """
      CREATE TABLE k (
        id BIGINT, name STRING, price DECIMAL(10, 2), tags ARRAY<STRING>, ts TIMESTAMP(3), pt AS PROCTIME(),
        WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
      ) WITH ('connector' = 'kafka', 'format' = 'json');
      CREATE TABLE j (id BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
        WITH ('connector' = 'kafka', 'value.format' = 'csv');
      CREATE TABLE c (id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED)
        WITH ('connector' = 'mysql-cdc');
      CREATE TABLE h (id BIGINT, name STRING) WITH ('connector' = 'hudi');
      CREATE VIEW cheap (key, time_) AS SELECT id, ts FROM k WHERE price < 5;
      """;

  private static final String TUMBLE = "TABLE(TUMBLE(TABLE k, DESCRIPTOR(ts), INTERVAL '1' HOUR))";

  private static BlockAnalysis analyze(String query) {
    return Marked.read(TABLES + query + ";").block();
  }

  /** The names of the output columns, the time attributes marked. */
  private static List<String> output(BlockAnalysis block) {
    return block.output().stream()
        .map(
            column ->
                switch (column.timeAttribute()) {
                  case NONE -> column.name();
                  case ROWTIME -> column.name() + " rowtime";
                  case PROCTIME -> column.name() + " proctime";
                })
        .toList();
  }

  /**
   * A query, what it produces, and whether its rows flow one by one. Flink's planner agrees with
   * every INSERT_ONLY.
   */
  static Stream<Arguments> queries() {
    return Stream.of(
        // One table.
        arguments("SELECT id FROM k WHERE price > 1", INSERT_ONLY, true),
        arguments("SELECT id FROM c", UPDATING, true),
        arguments("SELECT id FROM h", UNKNOWN, true),
        arguments("SELECT key FROM cheap", INSERT_ONLY, true),
        arguments("WITH w AS (SELECT id FROM k) SELECT id FROM w", INSERT_ONLY, true),
        arguments("SELECT id FROM (SELECT id, name FROM c) x", UPDATING, true),
        arguments("SELECT k.id, t FROM k CROSS JOIN UNNEST(tags) AS u (t)", INSERT_ONLY, true),
        arguments("SELECT id, w FROM k, LATERAL TABLE(split(name)) AS s (w)", INSERT_ONLY, true),
        arguments(
            "SELECT id, w FROM k LEFT JOIN LATERAL TABLE(split(name)) AS s (w) ON TRUE",
            INSERT_ONLY,
            true),
        // A function that we don't know could be an aggregate function.
        arguments("SELECT f(id) FROM k", UNKNOWN, true),
        arguments("SELECT id FROM k WHERE f(id) > 1", INSERT_ONLY, true),
        arguments("SELECT ARRAY_DISTINCT(tags) FROM k", INSERT_ONLY, true),
        // Set operations.
        arguments(
            "SELECT id FROM (SELECT id FROM k UNION ALL SELECT key FROM cheap) u",
            INSERT_ONLY,
            true),
        arguments("SELECT id FROM (SELECT id FROM k UNION ALL SELECT id FROM c) u", UPDATING, true),
        arguments("SELECT id FROM (SELECT id FROM k UNION ALL SELECT id FROM h) u", UNKNOWN, true),
        arguments("SELECT id FROM (SELECT id FROM k UNION SELECT id FROM j) u", UPDATING, false),
        arguments(
            "SELECT id FROM (SELECT id FROM k INTERSECT SELECT id FROM j) u", UPDATING, false),
        // Aggregation.
        arguments("SELECT name, COUNT(*) FROM k GROUP BY name", UPDATING, false),
        arguments("SELECT COUNT(*) FROM k", UPDATING, false),
        arguments("SELECT DISTINCT name FROM k", UPDATING, false),
        arguments("SELECT id, LISTAGG(name) FROM k GROUP BY id", UPDATING, false),
        arguments("SELECT * FROM " + TUMBLE, INSERT_ONLY, false),
        arguments(
            "SELECT window_start, window_end, COUNT(*) FROM "
                + TUMBLE
                + " GROUP BY window_start, window_end",
            INSERT_ONLY,
            false),
        arguments(
            "SELECT window_end, COUNT(*) FROM " + TUMBLE + " GROUP BY window_end", UPDATING, false),
        arguments(
            "SELECT name, SUM(price) FROM k GROUP BY name, TUMBLE(ts, INTERVAL '1' HOUR)",
            INSERT_ONLY,
            false),
        arguments(
            "SELECT id, SUM(price) OVER (PARTITION BY name ORDER BY ts) FROM k",
            INSERT_ONLY,
            false),
        arguments(
            "SELECT id, SUM(price) OVER (PARTITION BY name ORDER BY price) FROM k", UNKNOWN, false),
        // Numbering.
        arguments(
            "SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY id ORDER BY pt) AS n FROM k) x WHERE n = 1",
            INSERT_ONLY,
            false),
        arguments(
            "SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY id ORDER BY pt) AS n FROM k) x WHERE n <= 2",
            UPDATING,
            false),
        arguments(
            "SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY id ORDER BY pt DESC) AS n FROM k) x WHERE n = 1",
            UPDATING,
            false),
        arguments(
            "SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY id ORDER BY price) AS n FROM k) x WHERE n <= 3",
            UPDATING,
            false),
        arguments(
            "SELECT id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY price) AS n FROM "
                + TUMBLE
                + ") x WHERE n <= 3",
            INSERT_ONLY,
            false),
        // Sorting.
        arguments("SELECT id FROM k ORDER BY ts", INSERT_ONLY, false),
        arguments("SELECT id FROM k ORDER BY price LIMIT 3", UPDATING, false),
        arguments("SELECT id FROM k LIMIT 3", UPDATING, false),
        // Joins.
        arguments("SELECT k.id FROM k JOIN j ON k.id = j.id", INSERT_ONLY, false),
        arguments("SELECT k.id FROM k, j WHERE k.id = j.id", INSERT_ONLY, false),
        arguments("SELECT k.id FROM k LEFT JOIN j ON k.id = j.id", UPDATING, false),
        arguments("SELECT k.id FROM k JOIN c ON k.id = c.id", UPDATING, false),
        arguments(
            "SELECT k.id FROM k LEFT JOIN j ON k.id = j.id AND k.ts BETWEEN j.ts - INTERVAL '1' HOUR AND j.ts",
            INSERT_ONLY,
            false),
        arguments("SELECT k.id FROM k LEFT JOIN j ON k.id = j.id AND k.ts > j.ts", UPDATING, false),
        arguments(
            "SELECT k.id FROM k LEFT JOIN c FOR SYSTEM_TIME AS OF k.pt ON k.id = c.id",
            INSERT_ONLY,
            false),
        arguments(
            "SELECT a.id FROM (SELECT * FROM "
                + TUMBLE
                + ") a FULL JOIN (SELECT * FROM "
                + TUMBLE
                + ") b ON a.id = b.id AND a.window_start = b.window_start AND a.window_end = b.window_end",
            INSERT_ONLY,
            false),
        // Subqueries in conditions.
        arguments("SELECT id FROM k WHERE id IN (SELECT id FROM j)", UNKNOWN, false),
        arguments(
            "SELECT id FROM k WHERE NOT EXISTS (SELECT 1 FROM j WHERE j.id = k.id)",
            UNKNOWN,
            false),
        // Patterns.
        arguments(
            "SELECT * FROM k MATCH_RECOGNIZE (PARTITION BY name ORDER BY ts MEASURES A.id AS first_id PATTERN (A B) DEFINE B AS B.price > A.price)",
            INSERT_ONLY,
            false));
  }

  @ParameterizedTest
  @MethodSource("queries")
  void tellsWhatRowsAQueryProduces(String query, Changelog changelog, boolean rowWise) {
    BlockAnalysis block = analyze(query);
    assertThat(block.changelog()).isEqualTo(changelog);
    assertThat(block.rowWise()).isEqualTo(rowWise);
    assertThat(block.plan()).isPresent();
  }

  static Stream<Arguments> outputs() {
    return Stream.of(
        arguments("SELECT * FROM k", "id, name, price, tags, ts rowtime, pt proctime"),
        arguments("SELECT * FROM cheap", "key, time_ rowtime"),
        arguments(
            "SELECT ts AS t, CAST(ts AS TIMESTAMP(3)) AS u, PROCTIME() AS p FROM k",
            "t rowtime, u, p proctime"),
        arguments("SELECT id, COUNT(*) FROM k GROUP BY id", "id, EXPR$1"),
        arguments(
            "SELECT * FROM TABLE(TUMBLE(TABLE j, DESCRIPTOR(ts), INTERVAL '1' HOUR))",
            "id, ts, window_start, window_end, window_time rowtime"),
        arguments(
            "SELECT * FROM TABLE(HOP(DATA => TABLE j, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '1' HOUR, SLIDE => INTERVAL '1' MINUTE))",
            "id, ts, window_start, window_end, window_time rowtime"),
        arguments(
            "SELECT * FROM TABLE(CUMULATE(TABLE j, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' HOUR))",
            "id, ts, window_start, window_end, window_time rowtime"),
        arguments(
            "SELECT * FROM TABLE(SESSION(TABLE j PARTITION BY id, DESCRIPTOR(ts), INTERVAL '1' MINUTE))",
            "id, ts, window_start, window_end, window_time rowtime"),
        arguments(
            "SELECT * FROM TABLE(TUMBLE((SELECT id, pt FROM k), DESCRIPTOR(pt), INTERVAL '1' HOUR))",
            "id, pt, window_start, window_end, window_time proctime"),
        arguments(
            "SELECT window_time, COUNT(*) AS n FROM "
                + TUMBLE
                + " GROUP BY window_start, window_end, window_time",
            "window_time rowtime, n"),
        arguments(
            "SELECT TUMBLE_START(ts, INTERVAL '1' HOUR) AS s, TUMBLE_ROWTIME(ts, INTERVAL '1' HOUR) AS r FROM k GROUP BY TUMBLE(ts, INTERVAL '1' HOUR)",
            "s, r rowtime"),
        arguments(
            "SELECT HOP_PROCTIME(pt, INTERVAL '1' HOUR, INTERVAL '2' HOUR) AS p FROM k GROUP BY HOP(pt, INTERVAL '1' HOUR, INTERVAL '2' HOUR)",
            "p proctime"),
        // A join without time bounds gives rows out late.
        arguments("SELECT k.ts FROM k JOIN j ON k.id = j.id", "ts"),
        arguments(
            "SELECT k.ts FROM k JOIN j ON k.id = j.id AND k.ts BETWEEN j.ts AND j.ts + INTERVAL '1' HOUR",
            "ts rowtime"),
        arguments("SELECT k.ts FROM k, j WHERE k.id = j.id AND k.ts = j.ts", "ts rowtime"),
        arguments(
            "SELECT k.ts, c.name FROM k JOIN c FOR SYSTEM_TIME AS OF k.pt ON k.id = c.id",
            "ts rowtime, name"),
        arguments("SELECT * FROM (SELECT ts FROM k UNION ALL SELECT ts FROM j) u", "ts rowtime"),
        arguments(
            "SELECT * FROM (SELECT ts FROM k UNION ALL SELECT CAST(ts AS TIMESTAMP(3)) FROM j) u",
            "ts"),
        arguments("SELECT ts FROM k GROUP BY ts", "ts"),
        arguments(
            "SELECT TRY_CAST(name AS INT) AS i, name || '张' AS n FROM k ORDER BY price LIMIT 2",
            "i, n"));
  }

  @ParameterizedTest
  @MethodSource("outputs")
  void tellsTheColumnsOfAQuery(String query, String columns) {
    assertThat(String.join(", ", output(analyze(query)))).isEqualTo(columns);
  }

  @Test
  void typesAreThoseOfFlink() {
    BlockAnalysis block =
        analyze(
            "SELECT price / 3, price + 1, SUM(price), AVG(price), MAX(name), DATE_FORMAT(MAX(ts), 'yyyy')"
                + " FROM k GROUP BY price");
    assertThat(block.output().stream().map(column -> column.type().toString()))
        .containsExactly(
            "DECIMAL(21, 13)",
            "DECIMAL(13, 2)",
            "DECIMAL(38, 2)",
            "DECIMAL(38, 6)",
            "VARCHAR(2147483647)",
            "VARCHAR(2147483647)");
  }

  @Test
  void everyBlockOfAStatementIsTold() {
    Marked script =
        Marked.read(
            TABLES
                + """
                WITH w AS (SELECT id, ts FROM k)
                SELECT id FROM (SELECT id, COUNT(*) AS n FROM w GROUP BY id) x
                WHERE EXISTS (SELECT 1 FROM c WHERE c.id = x.id) AND n IN (SELECT id FROM j)
                UNION ALL
                SELECT key FROM cheap;
                """);
    assertThat(output(script.block("cte w"))).containsExactly("id", "ts rowtime");
    assertThat(script.block("cte w").rowWise()).isTrue();
    assertThat(script.block("union 1").changelog()).isEqualTo(UNKNOWN);
    assertThat(script.block("union 2").changelog()).isEqualTo(INSERT_ONLY);
    BlockAnalysis counted = script.block("union 1", "from 1");
    assertThat(output(counted)).containsExactly("id", "n");
    assertThat(counted.correlated()).isFalse();
    BlockAnalysis exists = script.block("union 1", "where 1");
    assertThat(exists.correlated()).isTrue();
    assertThat(exists.plan()).isEmpty();
    assertThat(script.block("union 1", "where 2").correlated()).isFalse();
  }

  @Test
  void aLateralSubqueryThatReadsItsNeighbourIsCorrelated() {
    Marked script =
        Marked.read(
            TABLES + "SELECT k.id FROM k, LATERAL (SELECT c.name FROM c WHERE c.id = k.id) x;");
    assertThat(script.block("from 1").correlated()).isTrue();
    assertThat(script.block().correlated()).isFalse();
  }

  @Test
  void analysingLeavesTheScriptAsItWas() {
    Marked script =
        Marked.read(TABLES + "SELECT *, TUMBLE_START(ts, INTERVAL '1' HOUR) FROM k GROUP BY 1;");
    String before = script.last().blocks().get(0).select().toString();
    script.findings();
    assertThat(script.last().blocks().get(0).select().toString()).isEqualTo(before);
  }

  @Test
  void theSameStatementGivesTheSameAnalysis() {
    Marked script = Marked.read(TABLES + "SELECT id FROM k;");
    assertThat(script.analysis().analyze(script.last()))
        .isSameAs(script.analysis().analyze(script.last()));
  }

  @Test
  void withoutTheTablesOfAForeignCatalogTheTextTellsTheNames() {
    Marked script =
        Marked.read(
            """
            CREATE CATALOG hive WITH ('type' = 'hive');
            SELECT a, b + 1 AS c FROM hive.db.t WHERE d IN (SELECT e FROM hive.db.u);
            """);
    BlockAnalysis block = script.block();
    assertThat(output(block)).containsExactly("a", "c");
    assertThat(block.changelog()).isEqualTo(UNKNOWN);
    assertThat(block.rowWise()).isFalse();
    assertThat(block.correlated()).isFalse();
    assertThat(block.plan()).isEmpty();
    assertThat(script.block("where 1").correlated()).isTrue();

    Marked star =
        Marked.read("CREATE CATALOG hive WITH ('type' = 'hive'); SELECT * FROM hive.db.t;");
    QueryAnalysis query = star.analysis().analyze(star.last());
    assertThat(query.diagnostics()).isEmpty();
    assertThat(query.blocks()).isEmpty();
  }

  @Test
  void aQueryThatReadsAViewOfUnknownColumnsIsUnknownToo() {
    Marked script =
        Marked.read(
            """
            CREATE CATALOG hive WITH ('type' = 'hive');
            CREATE VIEW v AS SELECT * FROM hive.db.t;
            SELECT x FROM v;
            """);
    assertThat(output(script.block())).containsExactly("x");
    assertThat(script.block().plan()).isEmpty();
  }
}
