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

/** INSERTs whose query gives a column of another type than the sink takes. */
class SinkTypesTest {
  private static final String TABLES =
      """
      CREATE TABLE s (name STRING, big BIGINT, small INT, price DECIMAL(10, 2), ok BOOLEAN,
        d DATE, ts TIMESTAMP(3), items ARRAY<ROW<a INT, b STRING>>, seen AS PROCTIME(),
        twice AS big * 2, topic STRING METADATA VIRTUAL, WATERMARK FOR ts AS ts);
      CREATE TABLE t (label STRING, amount BIGINT);
      CREATE TABLE counts (n INT);
      CREATE TABLE days (label STRING, `day` STRING, amount BIGINT) PARTITIONED BY (`day`);
      CREATE TABLE mixed (label STRING, twice AS amount * 2, amount BIGINT,
        offset_ BIGINT METADATA VIRTUAL, ts TIMESTAMP_LTZ(3) METADATA);
      CREATE TABLE rows_ (r ROW<a INT, b INT>);
      CREATE VIEW v AS SELECT name AS label, name AS amount FROM s;
      """;

  private static final String SECOND =
      "Column 2 of the query, '%s', is a %s, but 'amount' of the sink takes a BIGINT";
  private static final String CAST = "Write CAST(%s AS BIGINT), or change the order of the columns";

  static Stream<Arguments> mistakes() {
    return Stream.of(
        arguments("INSERT INTO t SELECT name, ⟦name⟧ FROM s;", second("name"), cast("name")),
        arguments(
            "INSERT INTO t SELECT name, /* 数据 */ ⟦s.name AS x⟧ FROM s;",
            second("x"),
            cast("s.name")),
        arguments("INSERT INTO t SELECT name, ⟦(name || '') AS x⟧ FROM s;", second("x"), cast("…")),
        arguments("INSERT INTO t SELECT name, ⟦(name) AS x⟧ FROM s;", second("x"), cast("name")),
        arguments(
            "INSERT INTO t SELECT name, ⟦name⟧ FROM s UNION ALL SELECT name, name FROM s;",
            second("name"),
            cast("name")),
        arguments("INSERT INTO ⟦t⟧ SELECT * FROM v;", second("amount"), cast("…")),
        arguments("INSERT INTO t SELECT label, ⟦amount⟧ FROM v;", second("amount"), cast("amount")),
        arguments(
            "INSERT INTO t WITH w AS (SELECT name FROM s) SELECT name, ⟦name⟧ FROM w;",
            second("name"),
            cast("name")),
        arguments("INSERT INTO t SELECT name, ⟦items[1].b AS x⟧ FROM s;", second("x"), cast("…")),
        arguments("INSERT INTO t SELECT name, ⟦topic⟧ FROM s;", second("topic"), cast("topic")),
        arguments(
            "INSERT INTO t (amount) SELECT ⟦name⟧ FROM s;",
            "Column 1 of the query, 'name', is a STRING, but 'amount' of the sink takes a BIGINT",
            "Write CAST(name AS BIGINT)"),
        arguments(
            "INSERT INTO days PARTITION (`day` = 'x') SELECT name, ⟦name⟧ FROM s;",
            second("name"),
            cast("name")),
        arguments(
            "INSERT INTO mixed SELECT name, ⟦name⟧, ts FROM s;", second("name"), cast("name")),
        arguments(
            "INSERT INTO counts SELECT ⟦COUNT(*)⟧ FROM s;",
            "Column 1 of the query is a BIGINT, but 'n' of the sink takes an INT",
            "Write CAST(… AS INT)"),
        arguments(
            "INSERT INTO counts SELECT ⟦ROW_NUMBER() OVER (ORDER BY seen) AS n⟧ FROM s;",
            "Column 1 of the query, 'n', is a BIGINT, but 'n' of the sink takes an INT",
            "Write CAST(… AS INT)"),
        arguments(
            "INSERT INTO counts SELECT ⟦SUM(big) AS n⟧ FROM s GROUP BY name;",
            "Column 1 of the query, 'n', is a BIGINT, but 'n' of the sink takes an INT",
            "Write CAST(… AS INT)"),
        arguments(
            "INSERT INTO ⟦counts⟧ VALUES ('a');",
            "Column 1 of the query is a CHAR(1), but 'n' of the sink takes an INT",
            "Write CAST(… AS INT)"),
        arguments(
            "INSERT INTO counts SELECT ⟦d⟧ FROM s;",
            "Column 1 of the query, 'd', is a DATE, but 'n' of the sink takes an INT",
            ""),
        arguments(
            "INSERT INTO rows_ SELECT ROW⟦(small, name)⟧ FROM s;",
            "Column 1 of the query is a ROW<EXPR$0 INT, EXPR$1 STRING>, but 'r' of the sink takes"
                + " a ROW<a INT, b INT>",
            ""));
  }

  private static String second(String name) {
    return SECOND.formatted(name, "STRING");
  }

  private static String cast(String expression) {
    return CAST.formatted(expression);
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void isTold(String insert, String message, String help) {
    Marked script = Marked.read(TABLES + insert);
    assertThat(script.findings())
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.code()).isEqualTo(DiagnosticCode.SINK_TYPE);
              assertThat(found.message()).isEqualTo(message);
              assertThat(found.help().orElse("")).isEqualTo(help);
              assertThat(found.span()).isEqualTo(script.mark().orElseThrow());
            });
  }

  @Test
  void everyWrongColumnIsToldWithItsPlace() {
    List<Diagnostic> found =
        Marked.read(TABLES + "INSERT INTO t SELECT big AS amount, name AS label FROM s;")
            .findings();
    assertThat(found)
        .extracting(one -> one.message() + ". " + one.help().orElse(""))
        .containsExactly(
            "Column 1 of the query, 'amount', is a BIGINT, but 'label' of the sink takes a STRING."
                + " INSERT goes by position, not by name: put 'label' in place 1 of the query",
            "Column 2 of the query, 'label', is a STRING, but 'amount' of the sink takes a BIGINT."
                + " INSERT goes by position, not by name: put 'amount' in place 2 of the query");
  }

  /** What Flink takes, or what only Flink can tell. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO t SELECT name, small FROM s;",
        "INSERT INTO t SELECT CAST(name AS VARCHAR(3)), TRY_CAST(name AS BIGINT) FROM s;",
        "INSERT INTO t VALUES ('a', 1), ('bc', NULL), (NULL, 2);",
        "INSERT INTO t (amount) SELECT COUNT(*) FROM s;",
        "INSERT INTO t (amount, label) SELECT big, name FROM s;",
        "INSERT INTO mixed SELECT name, big, ts FROM s;",
        "INSERT INTO counts SELECT SUM(small) FROM s;",
        "INSERT INTO counts SELECT my_function(name) FROM s;",
        "INSERT INTO counts SELECT twice FROM s;",
        "INSERT INTO counts SELECT CASE WHEN ok THEN small ELSE my_function(big) END FROM s;",
        "INSERT INTO counts SELECT small FROM s UNION ALL SELECT big FROM s;",
        "INSERT INTO counts SELECT n FROM s, LATERAL TABLE(f(name)) AS x (n);",
        "INSERT INTO rows_ SELECT ROW(small, small) FROM s;",
        "CREATE TABLE copy AS SELECT my_function(name) AS x FROM s; INSERT INTO copy SELECT d FROM s;",
        "CREATE TABLE derived WITH ('connector' = 'x') AS SELECT name FROM s;"
            + " INSERT INTO derived SELECT big FROM s;",
        "CREATE TABLE odd (a VARIANT, b BITMAP); INSERT INTO odd SELECT name, name FROM s;",
        "CREATE TEMPORARY SYSTEM FUNCTION `upper` AS 'com.example.Upper';"
            + " INSERT INTO counts SELECT UPPER(name) FROM s;",
        "USE MODULES hive, core; INSERT INTO counts SELECT CONCAT(name, name) FROM s;"
      })
  void isNotTold(String insert) {
    assertThat(Marked.read(TABLES + insert).findings()).isEmpty();
  }
}
