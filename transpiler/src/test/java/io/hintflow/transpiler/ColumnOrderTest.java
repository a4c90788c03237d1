package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.transpiler.TranspilerOptions.Emission;
import io.hintflow.transpiler.testing.MarkedScript;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that give a sink's columns in another order. */
class ColumnOrderTest {
  private static final String TABLES =
      """
      CREATE TABLE people (id INT, sex STRING, age STRING, seen AS PROCTIME())
      WITH ('connector' = 'datagen');
      CREATE TABLE profiles (id INT, age STRING, sex STRING, seen AS PROCTIME(),
        topic STRING METADATA VIRTUAL) WITH ('connector' = 'print');
      CREATE TABLE days (`day` STRING, sex STRING, age STRING) PARTITIONED BY (`day`)
      WITH ('connector' = 'filesystem', 'path' = '/tmp/days', 'format' = 'csv');
      CREATE VIEW everybody AS SELECT id, sex, age FROM people;
      CREATE VIEW renamed (id, sex, age) AS SELECT id, age, sex FROM people;
      """;

  private static final String MESSAGE =
      "The query gives the columns of %s in another order, but INSERT goes by position, not by name";

  private static final String MOVES = "age gets sex, sex gets age: ";
  private static final String NAMED =
      "put the columns in the order of profiles, or name them: INSERT INTO profiles (id, sex, age)";
  private static final String STAR = "write out the columns in the order of profiles";

  /**
   * @param inserts with the first column in the wrong place marked
   */
  record Case(String inserts, String sink, String help) {
    @Override
    public String toString() {
      return inserts;
    }
  }

  private static Case intoProfiles(String query) {
    return new Case("INSERT INTO profiles " + query, "profiles", MOVES + NAMED);
  }

  private static Case starIntoProfiles(String query, String moves) {
    return new Case("INSERT INTO profiles " + query, "profiles", moves + STAR);
  }

  static Stream<Case> reordered() {
    return Stream.of(
        intoProfiles("SELECT id, ⟦sex⟧, age FROM people;"),
        intoProfiles("SELECT p.id, -- 😀 人\r\n\t⟦p.`sex`⟧, p.age FROM people AS p;"),
        intoProfiles("SELECT id, ⟦UPPER(sex) AS sex⟧, CAST(age AS STRING) AS age FROM people;"),
        intoProfiles("SELECT (id) AS id, ⟦(sex || '') AS sex⟧, ((age)) FROM people;"),
        intoProfiles("SELECT id, ⟦((sex))⟧, age FROM people;"),
        intoProfiles(
            "SELECT DISTINCT id, ⟦CASE WHEN sex = 'f' THEN 'w' END sex⟧, age FROM people;"),
        intoProfiles("SELECT /*+ DISTRIBUTEBY('id') */ id, ⟦sex⟧, age FROM people;"),
        intoProfiles(
            "SELECT id, ⟦sex⟧, age FROM (SELECT /*+ DISTRIBUTEBY('id') */ * FROM people) AS p;"),
        intoProfiles(
            "SELECT id, ⟦sex⟧, age FROM people UNION ALL SELECT id, age, sex FROM people UNION ALL"
                + " SELECT 1, 'a', 'b';"),
        intoProfiles("(SELECT id, ⟦sex⟧, age FROM people) UNION SELECT 1, 'a', 'b' ORDER BY id;"),
        intoProfiles("WITH p AS (SELECT id, age, sex FROM people) SELECT id, ⟦sex⟧, age FROM p;"),
        intoProfiles("SELECT id, ⟦MAX(sex) AS sex⟧, MIN(age) AS age FROM people GROUP BY id;"),
        intoProfiles("SELECT id, ⟦undeclared_function(sex) AS sex⟧, age FROM people;"),
        starIntoProfiles("SELECT ⟦*⟧ FROM everybody;", MOVES),
        starIntoProfiles("SELECT ⟦p.*⟧ FROM everybody AS p;", MOVES),
        starIntoProfiles("SELECT ⟦*⟧ FROM (SELECT id, sex, age FROM people);", MOVES),
        starIntoProfiles(
            "SELECT ⟦*⟧ FROM (SELECT id, age, sex FROM people) AS p (id, sex, age);", MOVES),
        starIntoProfiles(
            "WITH profiles AS (SELECT id, sex, age FROM people) SELECT ⟦*⟧ FROM profiles;", MOVES),
        starIntoProfiles("SELECT ⟦*⟧ FROM renamed;", MOVES),
        starIntoProfiles(
            "SELECT id, ⟦x.*⟧ FROM (SELECT sex, age FROM people) AS x, (SELECT 1 AS id) AS y;",
            MOVES),
        starIntoProfiles("SELECT x.*, ⟦sex⟧, age FROM (SELECT 1 AS id) AS x, people;", MOVES),
        new Case(
            "INSERT INTO profiles (age, id, sex) SELECT ⟦sex⟧, id, age FROM people;",
            "profiles",
            "age gets sex, sex gets age: put the columns in the order of the list behind profiles"),
        new Case(
            "INSERT INTO profiles (sex, age) SELECT ⟦age⟧, sex FROM people;",
            "profiles",
            "sex gets age, age gets sex: put the columns in the order of the list behind profiles"),
        new Case(
            "INSERT OVERWRITE `days` PARTITION (`day` = 'today') SELECT ⟦age⟧, sex FROM people;",
            "`days`",
            "sex gets age, age gets sex: put the columns in the order of `days`, or name them:"
                + " INSERT OVERWRITE `days` (age, sex)"),
        new Case(
            "INSERT INTO days SELECT ⟦age⟧, sex, 'now' AS `day` FROM people;",
            "days",
            "day gets age, age gets day: put the columns in the order of days, or name them: INSERT"
                + " INTO days (age, sex, `day`)"),
        new Case(
            "EXECUTE STATEMENT SET BEGIN INSERT INTO profiles SELECT id, age, sex FROM people;"
                + " INSERT INTO profiles SELECT id, ⟦sex⟧, age FROM people; END;",
            "profiles",
            MOVES + NAMED));
  }

  @ParameterizedTest
  @MethodSource("reordered")
  void isToldAtTheFirstColumnInTheWrongPlace(Case example) {
    MarkedScript.of(TABLES + example.inserts())
        .gives(DiagnosticCode.COLUMN_ORDER, MESSAGE.formatted(example.sink()), example.help());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO profiles SELECT id, age, sex FROM people;",
        "INSERT INTO profiles SELECT id, sex, age AS AGE FROM people;",
        "INSERT INTO profiles SELECT id, sex, age AS years FROM people;",
        "INSERT INTO profiles SELECT id, sex, sex FROM people;",
        "INSERT INTO profiles SELECT id, UPPER(sex), LOWER(age) FROM people;",
        "INSERT INTO profiles SELECT id, age, sex FROM people UNION ALL SELECT id, sex, age FROM people;",
        "INSERT INTO profiles (id, sex, age) SELECT id, sex, age FROM people;",
        "INSERT INTO profiles (id, sex, age) SELECT * FROM everybody;",
        "INSERT INTO profiles VALUES (1, 'a', 'b');",
        "INSERT INTO profiles TABLE everybody;",
        "INSERT INTO profiles SELECT * FROM everybody AS p (id, age, sex);",
        "INSERT INTO profiles SELECT * FROM people;",
        "INSERT INTO profiles (sex) SELECT sex FROM people;",
        "INSERT INTO days PARTITION (`day` = 'today') SELECT sex, age FROM people;",
        "SELECT id, sex, age FROM people;"
      })
  void isNotTold(String script) {
    assertNotTold(TABLES + script);
  }

  /** Of the sink, of what the query reads, or of a column in it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO nowhere SELECT id, sex, age FROM people;",
        "INSERT INTO profiles SELECT id, sex, age FROM nowhere;",
        "INSERT INTO profiles SELECT * FROM nowhere;",
        "INSERT INTO profiles SELECT id, sex, age FROM people WHERE nothing = 1;",
      })
  void isNotToldWhereNothingIsKnown(String script) {
    assertNotTold(TABLES + script);
  }

  private static void assertNotTold(String script) {
    Transpilation transpilation =
        MarkedScript.of("⟦⟧" + script).transpile(FlinkVersion.V2_2, Emission.PROJECT);

    assertThat(transpilation.diagnostics())
        .noneMatch(found -> found.code() == DiagnosticCode.COLUMN_ORDER);
  }

  @Test
  void columnsOfAnotherCatalogAreKnownByTheirNames() {
    MarkedScript.of(
            "CREATE CATALOG hive WITH ('type' = 'hive');\n"
                + TABLES
                + "INSERT INTO profiles SELECT id, ⟦sex⟧, age FROM hive.crm.people;")
        .gives(DiagnosticCode.COLUMN_ORDER, MESSAGE.formatted("profiles"), MOVES + NAMED);
  }

  @Test
  void ofManyColumnsTheFirstThreeAreTold() {
    MarkedScript.of(
            "CREATE TABLE wide (a INT, b INT, c INT, d INT) WITH ('connector' = 'print');\n"
                + "INSERT INTO wide SELECT ⟦d⟧, c, b, a FROM (VALUES (1, 2, 3, 4)) AS t (a, b, c, d);")
        .gives(
            DiagnosticCode.COLUMN_ORDER,
            MESSAGE.formatted("wide"),
            "a gets d, b gets c, c gets b, …: put the columns in the order of wide, or name them:"
                + " INSERT INTO wide (d, c, b, a)");
  }

  /** Flink refuses such a job: then an error says so, and it alone. */
  @Test
  void typesThatDoNotFitAreToldInstead() {
    Transpilation transpilation =
        MarkedScript.of(
                "CREATE TABLE heads (name STRING, age INT) WITH ('connector' = 'datagen');\n"
                    + "CREATE TABLE bodies (age INT, name STRING) WITH ('connector' = 'print');\n"
                    + "INSERT INTO bodies SELECT ⟦name⟧, age FROM heads;")
            .transpile(FlinkVersion.V2_2, Emission.PROJECT);

    assertThat(transpilation.diagnostics())
        .extracting(found -> found.code())
        .containsExactly(DiagnosticCode.SINK_TYPE, DiagnosticCode.SINK_TYPE);
  }
}
