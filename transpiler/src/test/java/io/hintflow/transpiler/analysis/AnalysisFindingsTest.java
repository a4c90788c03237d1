package io.hintflow.transpiler.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnalysisFindingsTest {
  private static final String TABLES =
      """
      CREATE TABLE orders (id BIGINT, customer STRING, price DECIMAL(10, 2), ts TIMESTAMP(3), WATERMARK FOR ts AS ts);
      CREATE TABLE sink (id BIGINT, customer STRING);
      """;

  /** Everything behind the tables has exactly one finding, at the marked place. */
  static Stream<Arguments> mistakes() {
    return Stream.of(
        arguments(
            "SELECT * FROM ⟦odrers⟧;",
            DiagnosticCode.UNKNOWN_TABLE,
            "There is no table or view 'odrers'",
            "Did you mean 'orders'?"),
        arguments(
            "SELECT * FROM sink, ⟦db.x⟧ AS y;",
            DiagnosticCode.UNKNOWN_TABLE,
            "There is no table or view 'db.x'",
            ""),
        arguments(
            "SELECT * FROM TABLE(TUMBLE(TABLE ⟦odrers⟧, DESCRIPTOR(ts), INTERVAL '1' HOUR));",
            DiagnosticCode.UNKNOWN_TABLE,
            "There is no table or view 'odrers'",
            "Did you mean 'orders'?"),
        arguments(
            "INSERT INTO ⟦snik⟧ SELECT id, customer FROM orders;",
            DiagnosticCode.UNKNOWN_TABLE,
            "There is no table or view 'snik'",
            "Did you mean 'sink'?"),
        arguments(
            "SELECT * FROM ⟦late⟧; CREATE TABLE late (x INT);",
            DiagnosticCode.UNKNOWN_TABLE,
            "There is no table or view 'late'",
            "It is declared in line 3; move that before this statement"),
        arguments(
            "CREATE TABLE copy LIKE ⟦odrers⟧;\nSELECT 1 FROM copy;",
            DiagnosticCode.UNKNOWN_TABLE,
            "There is no table or view 'odrers'",
            "Did you mean 'orders'?"),
        arguments(
            "SELECT /* 好 */ id, ⟦custmer⟧ FROM orders;",
            DiagnosticCode.UNKNOWN_COLUMN,
            "No table of the query has a column 'custmer'",
            "Did you mean 'customer'?"),
        arguments(
            "SELECT o.⟦`custmer`⟧ FROM orders o;",
            DiagnosticCode.UNKNOWN_COLUMN,
            "'o' has no column 'custmer'",
            "Did you mean 'customer'?"),
        arguments(
            "SELECT total2 FROM (SELECT ⟦pirce⟧ AS total2 FROM orders) x;",
            DiagnosticCode.UNKNOWN_COLUMN,
            "No table of the query has a column 'pirce'",
            "Did you mean 'price'?"),
        arguments(
            "SELECT ⟦totla⟧ FROM (SELECT price AS total FROM orders) x;",
            DiagnosticCode.UNKNOWN_COLUMN,
            "No table of the query has a column 'totla'",
            "Did you mean 'total'?"),
        arguments(
            "SELECT * FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(⟦prise⟧), INTERVAL '1' HOUR));",
            DiagnosticCode.UNKNOWN_COLUMN,
            "No table of the query has a column 'prise'",
            "Did you mean 'price'?"),
        arguments(
            "SELECT * FROM TABLE(SESSION(TABLE orders PARTITION BY ⟦custmer⟧, DESCRIPTOR(ts), INTERVAL '1' HOUR));",
            DiagnosticCode.UNKNOWN_COLUMN,
            "No table of the query has a column 'custmer'",
            "Did you mean 'customer'?"),
        arguments(
            "SELECT ⟦id⟧ FROM orders, sink;",
            DiagnosticCode.AMBIGUOUS_COLUMN,
            "More than one table of the query has a column 'id'",
            "Write the name of its table before it"),
        arguments(
            "SELECT id FROM orders WHERE ⟦price⟧;",
            DiagnosticCode.TYPE_MISMATCH,
            "WHERE needs a condition that is true or false",
            ""),
        arguments(
            "SELECT ⟦price + customer⟧ FROM orders;",
            DiagnosticCode.TYPE_MISMATCH,
            "The operands of + do not fit together: DECIMAL(10, 2) + STRING",
            ""),
        arguments(
            "SELECT ⟦customer⟧, COUNT(*) FROM orders GROUP BY id;",
            DiagnosticCode.INVALID_QUERY,
            "'customer' is neither grouped by nor inside an aggregate function",
            ""),
        arguments(
            "SELECT id FROM orders WHERE ⟦COUNT(*)⟧ > 1;",
            DiagnosticCode.INVALID_QUERY,
            "An aggregate function can't stand in WHERE",
            ""),
        arguments(
            "INSERT INTO ⟦sink⟧ SELECT id FROM orders;",
            DiagnosticCode.COLUMN_COUNT,
            "The query gives 1 column, but the sink takes 2",
            ""),
        arguments(
            "INSERT INTO sink (id, ⟦custmer⟧) SELECT id, customer FROM orders;",
            DiagnosticCode.UNKNOWN_COLUMN,
            "The sink has no column 'custmer'",
            "Did you mean 'customer'?"),
        arguments(
            "SELECT ⟦NOT id⟧ FROM orders;",
            DiagnosticCode.TYPE_MISMATCH,
            "The operands of NOT do not fit together: NOT BIGINT",
            ""),
        arguments(
            "CREATE TABLE t (a ARRAY<⟦TEXT⟧>);\nSELECT a FROM t;",
            DiagnosticCode.UNUSABLE_TYPE,
            "There is no type 'TEXT'",
            ""),
        arguments(
            "CREATE TABLE t (a INT, b AS a + 1, c AS ⟦b⟧ + 1);\nSELECT c FROM t;",
            DiagnosticCode.UNKNOWN_COLUMN,
            "No table of the query has a column 'b'",
            ""),
        arguments(
            "CREATE TABLE ⟦orders⟧ (x INT);",
            DiagnosticCode.DUPLICATE_TABLE,
            "The name 'orders' is declared twice",
            "It is first declared in line 1; rename one, or drop it in between"),
        arguments(
            "CREATE VIEW ⟦sink⟧ AS SELECT 1 AS x;",
            DiagnosticCode.DUPLICATE_TABLE,
            "The name 'sink' is declared twice",
            "It is first declared in line 2; rename one, or drop it in between"),
        arguments(
            "CREATE TABLE t (a INT, ⟦a⟧ STRING);",
            DiagnosticCode.INVALID_DECLARATION,
            "The column 'a' is declared twice",
            ""),
        arguments(
            "CREATE TABLE t (name STRING, PRIMARY KEY (⟦nmae⟧) NOT ENFORCED);",
            DiagnosticCode.INVALID_DECLARATION,
            "The table declares no column 'nmae'",
            "Did you mean 'name'?"),
        arguments(
            "CREATE TABLE t (time_ TIMESTAMP(3), WATERMARK FOR ⟦tmie_⟧ AS time_);",
            DiagnosticCode.INVALID_DECLARATION,
            "The table declares no column 'tmie_'",
            "Did you mean 'time_'?"),
        arguments(
            "CREATE TABLE t (price INT, x AS ⟦pirce⟧ * 2);\nSELECT x FROM t;",
            DiagnosticCode.UNKNOWN_COLUMN,
            "No table of the query has a column 'pirce'",
            "Did you mean 'price'?"),
        arguments(
            "CREATE VIEW v AS SELECT ⟦custmer⟧ FROM orders;\nSELECT * FROM v;",
            DiagnosticCode.UNKNOWN_COLUMN,
            "No table of the query has a column 'custmer'",
            "Did you mean 'customer'?"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void tellsAMistakeOnceAndWhere(String sql, DiagnosticCode code, String message, String help) {
    Marked script = Marked.read(TABLES + sql);
    List<Diagnostic> findings = script.findings();
    assertThat(findings).hasSize(1);
    Diagnostic finding = findings.get(0);
    assertThat(finding.code()).isEqualTo(code);
    assertThat(finding.message()).isEqualTo(message);
    assertThat(finding.help().orElse("")).isEqualTo(help);
    assertThat(finding.span()).isEqualTo(script.mark().orElseThrow());
  }

  /** What Flink allows, or what only Flink can tell. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT my_aggregate(price) FROM orders GROUP BY id;",
        "SELECT catalog_.db.f(id, 'x') + 1 FROM orders;",
        "SELECT f(id).g, f(id)['x'], f(id)[1] FROM orders;",
        "SELECT * FROM orders, LATERAL TABLE(f(id));",
        "SELECT * FROM ML_PREDICT(TABLE orders, MODEL m, DESCRIPTOR(price));",
        "SELECT id FROM orders WHERE customer = 5;",
        "SELECT CASE WHEN id > 1 THEN f(id) ELSE 'x' END FROM orders;",
        "SELECT IF(id > 1, 'a', customer), NULLIF(id, 1), COALESCE(customer, '张') FROM orders;",
        "SELECT JSON_VALUE(customer, '$.a' RETURNING INT), JSON_OBJECT('k' VALUE id) FROM orders;",
        "SELECT TO_TIMESTAMP_LTZ(id, 3), UNIX_TIMESTAMP(customer), CURRENT_WATERMARK(ts) FROM orders;",
        "SELECT CURRENT_TIMESTAMP, LOCALTIMESTAMP, NOW(), CURRENT_DATE, PROCTIME() FROM orders;",
        "SELECT EXTRACT(DAY FROM ts), FLOOR(ts TO HOUR), TIMESTAMPADD(DAY, 1, ts), HOUR(ts) FROM orders;",
        "SELECT SUBSTRING(customer FROM 1 FOR 2), TRIM(customer), OVERLAY(customer PLACING 'x' FROM 1) FROM orders;",
        "SELECT MAP['a', 1]['a'], ARRAY[1, 2][1], ROW(1, 'x'), CAST(id AS STRING) FROM orders;",
        "SELECT id, LAST_VALUE(customer), FIRST_VALUE(price), STDDEV_POP(id) FROM orders GROUP BY id;",
        "SELECT id, LAG(price, 1) OVER (PARTITION BY id ORDER BY ts) FROM orders;",
        "SELECT id, SUM(price) FILTER (WHERE price > 1), GROUPING(id) FROM orders GROUP BY CUBE (id, customer);",
        "SELECT id FROM orders AS a WHERE price > (SELECT AVG(price) FROM orders AS b WHERE b.id = a.id);",
        "SELECT id FROM orders UNION ALL VALUES (1), (2);",
        "INSERT INTO sink (customer, id) SELECT customer, id FROM orders;",
        "INSERT INTO sink VALUES (1, 'x'), (2, 'y');",
        "CREATE TABLE registry WITH ('connector' = 'kafka'); SELECT anything FROM registry;",
        "CREATE TABLE t (a INT, b AS f(a), c AS g(a).h); SELECT b, c FROM t;",
        "CREATE TEMPORARY TABLE orders (x INT); SELECT x FROM orders;",
        "CREATE TABLE IF NOT EXISTS orders (x INT); SELECT customer FROM orders;",
        "DROP TABLE orders; CREATE TABLE orders (x INT); SELECT x FROM orders;",
        "EXPLAIN SELECT id FROM orders;",
        "CREATE VIEW v AS SELECT CAST(ROW(id, 'x') AS ROW<a BIGINT, b STRING>) AS r FROM orders;"
            + " SELECT r.a, v.r.b, r.* FROM v;",
        "SELECT r.a FROM (SELECT CAST(ROW(id) AS ROW<a BIGINT>) AS r FROM orders) x;",
        "CREATE TABLE t (i INT, r ROW<a INT>); SELECT q.a, w.a, e.a FROM (SELECT COALESCE(r, r) AS q,"
            + " CASE WHEN i = 1 THEN r ELSE NULL END AS w, NULLIF(r, r) AS e FROM t) x;",
        "CREATE TABLE t (r ROW<a INT>); SELECT r.a FROM (SELECT r FROM t UNION ALL SELECT r FROM t) x;",
        "CREATE VIEW v AS SELECT f(id) AS r FROM orders; SELECT r.a, v.r.b.c FROM v;",
        "SELECT r.a FROM (SELECT f(id) AS r FROM orders) x;",
        "WITH x AS (SELECT f(id) AS r FROM orders) SELECT r.a FROM x;",
        "SELECT r.a FROM orders, LATERAL TABLE(f(id)) AS x (r);",
        "CREATE TABLE t (a INT, r AS f(a)); SELECT r.b FROM t;",
        "CREATE TABLE t (a BITMAP, b VARIANT); SELECT a, b FROM t;"
      })
  void findsNothingWrongWith(String sql) {
    assertThat(Marked.read(TABLES + sql).findings()).isEmpty();
  }

  @Test
  void tellsTheMistakesOfEveryStatement() {
    List<Diagnostic> findings =
        Marked.read(TABLES + "SELECT x FROM orders; SELECT y FROM sink; SELECT z FROM nowhere;")
            .findings();
    assertThat(findings.stream().map(Diagnostic::code))
        .containsExactly(
            DiagnosticCode.UNKNOWN_COLUMN,
            DiagnosticCode.UNKNOWN_COLUMN,
            DiagnosticCode.UNKNOWN_TABLE);
  }

  @Test
  void aTypeThatDoesNotExistIsToldToThoseWhoReadTheTable() {
    Marked script = Marked.read("CREATE TABLE t (a ⟦db.my_type⟧, b INT); SELECT b FROM t;");
    assertThat(script.findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.code()).isEqualTo(DiagnosticCode.UNUSABLE_TYPE);
              assertThat(finding.span()).isEqualTo(script.mark().orElseThrow());
            });
  }
}
