package io.hintflow.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a script comes apart into statements, and what each statement is. */
class StatementsTest {
  private static Script readWithoutFindings(String text) {
    ScriptReader.Result result = ScriptReader.read(new SourceText("x.sql", text));
    assertThat(result.diagnostics()).isEmpty();
    return result.script();
  }

  private static <T extends Statement> T readOne(Class<T> type, String text) {
    Script script = readWithoutFindings(text);
    assertThat(script.statements()).hasSize(1);
    return type.cast(script.statements().get(0));
  }

  private static List<String> texts(Script script) {
    return script.statements().stream()
        .map(statement -> script.text().text(statement.span()))
        .toList();
  }

  @Test
  void splitsAtSemicolonsThatAreNeitherInLiteralsNorInNamesNorInComments() {
    Script script =
        readWithoutFindings(
            """
            SELECT 'a;b''; c', E'\\';' FROM `t;x`; -- one; two
            /* three; */ SELECT 2 /* ; */ -- ;
            // ;
            ;;
            SELECT /*+ DISTRIBUTEBY('a;b') */ 3 AS `a;b`;
            /***/ SELECT ; */ SELECT 4;
            """);
    assertThat(texts(script))
        .containsExactly(
            "SELECT 'a;b''; c', E'\\';' FROM `t;x`",
            "SELECT 2",
            "SELECT /*+ DISTRIBUTEBY('a;b') */ 3 AS `a;b`",
            "SELECT 4");
  }

  @Test
  void commentsBelongToTheStatementBelowThemUnlessTheyStandOnTheLineOfAnother() {
    Script script =
        readWithoutFindings(
            """
            -- about a
            SET 'a' = 'b'; -- still about a

            -- about c
            /* more */ SELECT 1;
            SELECT 2;
            """);
    assertThat(script.statements())
        .extracting(statement -> script.text().text(statement.commentedSpan()))
        .containsExactly(
            "-- about a\nSET 'a' = 'b'", "-- about c\n/* more */ SELECT 1", "SELECT 2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "EXECUTE STATEMENT SET BEGIN\n-- x\nINSERT INTO a SELECT 1;\nINSERT INTO b SELECT 2;\nEND;",
        "begin statement set;\n-- x\nINSERT INTO a SELECT 1;\nINSERT INTO b SELECT 2;\nend;"
      })
  void statementSetsAreReadAsTheirInserts(String text) {
    Script script = readWithoutFindings(text);
    assertThat(texts(script)).containsExactly("INSERT INTO a SELECT 1", "INSERT INTO b SELECT 2");
    assertThat(script.text().text(script.statements().get(0).commentedSpan())).startsWith("-- x\n");
  }

  @Test
  void statementSetsThatAreExplainedOrCompiledStayWhole() {
    Script script =
        readWithoutFindings(
            """
            EXPLAIN STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END;
            COMPILE PLAN '/p' FOR STATEMENT SET BEGIN INSERT INTO a SELECT 1; END;
            SELECT 3;
            """);
    assertThat(script.statements())
        .extracting(statement -> statement.getClass().getSimpleName())
        .containsExactly("Inspection", "Other", "Query");
  }

  @Test
  void executeInFrontOfAStatementIsLeftOut() {
    Statement.Insert insert = readOne(Statement.Insert.class, "EXECUTE INSERT INTO a SELECT 1;");
    assertThat(insert.span()).isEqualTo(new Span(8, 30));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Query|SELECT 1",
        "Query|WITH a AS (SELECT 1) SELECT * FROM a",
        "Query|VALUES (1), (2)",
        "Query|TABLE t",
        "Query|(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1",
        "Insert|INSERT OVERWRITE a SELECT 1",
        "CreateTable|CREATE TABLE a (b INT)",
        "CreateTable|CREATE TEMPORARY TABLE IF NOT EXISTS a LIKE b (INCLUDING ALL)",
        "CreateTable|REPLACE TABLE a AS SELECT 1",
        "CreateTable|CREATE OR REPLACE TABLE a WITH ('k'='v') AS SELECT 1",
        "CreateView|CREATE TEMPORARY VIEW IF NOT EXISTS a AS SELECT 1",
        "Inspection|EXPLAIN PLAN FOR SELECT 1",
        "Inspection|SHOW TABLES",
        "Inspection|DESCRIBE a",
        "Inspection|DESC a",
        "Inspection|SET",
        "Reset|RESET",
        "Other|CREATE FUNCTION f AS 'a.b'",
        "Other|CREATE CATALOG c WITH ('type'='x')",
        "Other|CREATE DATABASE d",
        "Other|CREATE MODEL m WITH ('task'='x')",
        "Other|CREATE MATERIALIZED TABLE m FRESHNESS = INTERVAL '1' DAY AS SELECT 1 AS a",
        "Other|ALTER TABLE a RENAME TO b",
        "Other|ALTER TABLE a ADD (b INT, WATERMARK FOR c AS c)",
        "Other|ALTER TABLE a MODIFY b STRING",
        "Other|ALTER TABLE a DROP b",
        "Other|ALTER TABLE a SET ('k'='v')",
        "Other|ALTER TABLE a RESET ('k')",
        "Other|ALTER TABLE a DROP PRIMARY KEY",
        "Other|ALTER TABLE a ADD PARTITION (p='1')",
        "Other|ALTER VIEW a AS SELECT 1",
        "Other|ALTER VIEW a RENAME TO b",
        "Other|ALTER CATALOG c SET ('k'='v')",
        "Other|ALTER DATABASE d SET ('k'='v')",
        "Other|ALTER FUNCTION f AS 'a.b'",
        "Other|ALTER MATERIALIZED TABLE m SUSPEND",
        "Other|CREATE TEMPORARY SYSTEM FUNCTION f AS 'a.b' LANGUAGE JAVA USING JAR '/x.jar'",
        "Other|DROP TABLE a",
        "Other|DROP TEMPORARY VIEW IF EXISTS a",
        "Other|DROP CATALOG c",
        "Other|DROP DATABASE d CASCADE",
        "Other|DROP FUNCTION f",
        "Other|USE MODULES a, b",
        "Other|UNLOAD MODULE hive",
        "Other|REMOVE JAR '/x.jar'",
        "Inspection|SHOW CREATE TABLE a",
        "Inspection|SHOW JOBS",
        "Inspection|SHOW COLUMNS FROM a LIKE 'x'",
        "Inspection|DESCRIBE JOB 'x'",
        "Inspection|EXPLAIN REPLACE TABLE a AS SELECT 1",
        "Other|USE CATALOG c",
        "Other|USE d",
        "Other|ADD JAR '/x.jar'",
        "Other|CALL p(1)",
        "Other|UPDATE a SET b = 1 WHERE c IN (SELECT d FROM e)",
        "Other|DELETE FROM a WHERE b = 1",
        "Other|TRUNCATE TABLE a",
        "Other|ANALYZE TABLE a COMPUTE STATISTICS",
        "Other|LOAD MODULE hive",
        "Other|EXECUTE PLAN '/p'",
        "Other|COMPILE PLAN '/p' FOR INSERT INTO a SELECT 1",
        "Other|STOP JOB 'x'"
      })
  void tellsTheKindsOfStatementsApart(String kind, String text) {
    Script script = readWithoutFindings(text + ";");
    assertThat(script.statements())
        .extracting(statement -> statement.getClass().getSimpleName())
        .containsExactly(kind);
    assertThat(texts(script)).containsExactly(text);
  }

  static Stream<List<String>> settings() {
    return Stream.of(
        List.of("SET 'a.b' = 'it''s';", "a.b", "'a.b'", "it's", "'it''s'"),
        List.of("set a.b=c;", "a.b", "a.b", "c", "c"),
        List.of("SET  a-b_2.c  =  d e  ; -- f", "a-b_2.c", "a-b_2.c", "d e", "d e"),
        List.of("SET 'a' = c -- d\n;", "a", "'a'", "c", "c"),
        List.of("SET a = 'c';", "a", "a", "c", "'c'"),
        List.of("SET a = s3://b/c--d?e='f';", "a", "a", "s3://b/c--d?e='f'", "s3://b/c--d?e='f'"),
        List.of("SET a = ${B:-c};", "a", "a", "${B:-c}", "${B:-c}"),
        List.of("\uFEFFSET 'a' = 'b';", "a", "'a'", "b", "'b'"));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void readsSettingsQuotedOrNot(List<String> expected) {
    ScriptReader.Result result =
        ScriptReader.read(new SourceText("x.sql", expected.get(0) + "\nSELECT 1;"));
    assertThat(result.diagnostics())
        .extracting(Diagnostic::severity)
        .doesNotContain(Severity.ERROR);
    assertThat(result.script().statements()).hasSize(2);
    Statement.Set set = (Statement.Set) result.script().statements().get(0);
    SourceText text = result.script().text();
    assertThat(
            List.of(
                set.key().text(),
                text.text(set.key().span()),
                set.value().text(),
                text.text(set.value().span())))
        .isEqualTo(expected.subList(1, 5));
  }

  @Test
  void resetNamesItsKey() {
    Statement.Reset reset = readOne(Statement.Reset.class, "RESET 'a.b';");
    assertThat(reset.key()).contains(new Name("a.b", new Span(6, 11)));
    assertThat(readOne(Statement.Reset.class, "RESET;").key()).isEmpty();
  }

  @Test
  void setInsideAnotherStatementIsNoSetting() {
    Script script =
        readWithoutFindings(
            "UPDATE a SET b = c; BEGIN STATEMENT SET; INSERT INTO a SELECT 1; END;");
    assertThat(script.statements())
        .hasSize(2)
        .hasOnlyElementsOfTypes(Statement.Other.class, Statement.Insert.class);
  }

  @Test
  void createTableKeepsItsOptionsInOrderWithTheirPlaces() {
    MarkedText marked =
        MarkedText.of(
            """
            CREATE TABLE ⟦`my cat`.db.t⟧ (a INT COMMENT 'with (', b AS f('x')) COMMENT 'c'
            PARTITIONED BY (a) WITH (
              ⟦'connector' = 'kafka'⟧, -- ('no' = 'option')
              ⟦'it''s' /* x */ = '${A:-b}'⟧
            );
            """);
    Statement.CreateTable create = readOne(Statement.CreateTable.class, marked.text());
    assertThat(create.path()).containsExactly("my cat", "db", "t");
    assertThat(create.nameSpan()).isEqualTo(marked.spans().get(0));
    assertThat(create.options())
        .extracting(option -> option.key().text() + " " + option.value().text())
        .containsExactly("connector kafka", "it's ${A:-b}");
    assertThat(create.options())
        .extracting(TableOption::span)
        .containsExactlyElementsOf(marked.spans().subList(1, 3));
    assertThat(create.hints()).isEmpty();
  }

  @Test
  void createTableReadsOnlyItsOwnWith() {
    Statement.CreateTable create =
        readOne(
            Statement.CreateTable.class,
            "CREATE TABLE t WITH ('a'='b') AS WITH c AS (SELECT 1 AS d) SELECT d FROM c;");
    assertThat(create.options()).hasSize(1);
    assertThat(create.blocks()).hasSize(2);
    assertThat(
            readOne(
                    Statement.CreateTable.class,
                    "CREATE TABLE t AS WITH c AS (SELECT 1 AS d) SELECT d FROM c;")
                .options())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO ⟦a.`b c`⟧ ⟦SELECT 1⟧;",
        "INSERT INTO ⟦a.`b c`⟧ /*+ OPTIONS('k'='v') */ PARTITION (p='(') (x, `y`) ⟦VALUES (1, 2)⟧;",
        "INSERT INTO ⟦a.`b c`⟧ (x) ⟦(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1⟧;",
        "INSERT INTO ⟦a.`b c`⟧ ⟦((SELECT 1))⟧;",
        "INSERT OVERWRITE ⟦a.`b c`⟧ ⟦WITH q (z) AS (SELECT 1) SELECT z FROM q LIMIT 1⟧;",
        "INSERT INTO ⟦a.`b c`⟧ ⟦TABLE d⟧;",
        "INSERT INTO ⟦a.`b c`⟧ (x INT) ⟦SELECT 1⟧;",
        "INSERT INTO ⟦a.`b c`⟧ ⟦SELECT 1 FROM d ORDER BY e⟧ ON CONFLICT DO DEDUPLICATE;"
      })
  void insertKnowsItsTargetAndItsQuery(String text) {
    MarkedText marked = MarkedText.of(text);
    Statement.Insert insert = readOne(Statement.Insert.class, marked.text());
    assertThat(insert.target()).containsExactly("a", "b c");
    assertThat(List.of(insert.targetSpan(), insert.query())).isEqualTo(marked.spans());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE VIEW ⟦v⟧ AS ⟦SELECT 1⟧;",
        "CREATE TEMPORARY VIEW IF NOT EXISTS ⟦v⟧ (a, b) COMMENT 'AS (' AS ⟦(SELECT 1, 2)⟧;",
        "CREATE VIEW ⟦v⟧ AS ⟦WITH a AS (SELECT 1) SELECT * FROM a⟧;"
      })
  void viewKnowsItsNameAndItsQuery(String text) {
    MarkedText marked = MarkedText.of(text);
    Statement.CreateView view = readOne(Statement.CreateView.class, marked.text());
    assertThat(view.path()).containsExactly("v");
    assertThat(List.of(view.nameSpan(), view.query())).isEqualTo(marked.spans());
  }

  @Test
  void readsFiveThousandStatementsInOnePass() {
    String insert =
        "INSERT INTO s SELECT /*+ DISTRIBUTEBY('a') */ a, COUNT(*) FROM t WHERE b > 5 GROUP BY a;\n";
    Script script = readWithoutFindings(insert.repeat(5_000));
    assertThat(script.statements()).hasSize(5_000);
    Statement last = script.statements().get(4_999);
    assertThat(script.text().text(last.span())).startsWith("INSERT INTO s").endsWith("GROUP BY a");
  }
}
