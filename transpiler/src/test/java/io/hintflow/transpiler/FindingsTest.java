package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Severity;
import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.TranspilerOptions.Emission;
import io.hintflow.transpiler.testing.MarkedScript;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What lowering and emission find in a script, with the exact place. */
class FindingsTest {
  private static final String CLICKS =
      "CREATE TABLE clicks (用户 STRING, page STRING, n INT, seen AS PROCTIME())"
          + " WITH ('connector' = 'datagen');\n";

  @Test
  void aColumnThatIsNotInTheOutput() {
    MarkedScript.of(CLICKS + "SELECT /*+ DISTRIBUTEBY('用户', ⟦'pgae'⟧) */ 用户, page FROM clicks;")
        .gives(
            DiagnosticCode.UNKNOWN_OUTPUT_COLUMN,
            "'pgae' is not among the output columns of this SELECT",
            "Did you mean 'page'? The columns are 用户, page");
  }

  @Test
  void checkTellsOfADeclarationThatNothingReads() {
    SourceText script =
        new SourceText(
            "script.sql", "CREATE TABLE t (a TEXT, b AS c + 1) WITH ('connector' = 'x');");
    assertThat(Transpiler.check(List.of(script), FlinkVersion.DEFAULT))
        .filteredOn(found -> found.severity() == Severity.ERROR)
        .extracting(found -> found.code() + " " + found.location().column())
        .containsExactly("UNUSABLE_TYPE 19", "UNKNOWN_COLUMN 30");
  }

  @Test
  void aColumnThatOnlyItsAliasNames() {
    MarkedScript.of(CLICKS + "SELECT /*+ DISTRIBUTEBY(⟦n⟧) */ page, n AS visits FROM clicks;")
        .gives(
            DiagnosticCode.UNKNOWN_OUTPUT_COLUMN,
            "'n' is not among the output columns of this SELECT",
            "The columns are page, visits");
  }

  @Test
  void aColumnOfProcessingTime() {
    MarkedScript.of(CLICKS + "SELECT /*+ DISTRIBUTEBY(⟦'seen'⟧) */ page, seen FROM clicks;")
        .gives(
            DiagnosticCode.UNHASHABLE_COLUMN,
            "'seen' is processing time, which has no value before it is read",
            "Name a column with a value of its own");
  }

  @Test
  void aSubqueryThatReadsTheQueryAroundIt() {
    MarkedScript.of(
            CLICKS
                + "SELECT page FROM clicks AS c WHERE EXISTS (SELECT /*+ ⟦DISTRIBUTEBY('n')⟧ */ n"
                + " FROM clicks AS d WHERE d.page = c.page);")
        .gives(
            DiagnosticCode.CORRELATED_BLOCK,
            "This subquery reads columns of the query around it, so its rows can't be distributed by"
                + " themselves",
            "Put the hint on the outer SELECT, or write the subquery as a join");
  }

  @Test
  void aSubqueryOfOneValue() {
    MarkedScript.of(
            CLICKS
                + "SELECT page FROM clicks WHERE n < (SELECT /*+ ⟦DISTRIBUTEBY('m')⟧ */ MAX(n) AS m"
                + " FROM clicks);")
        .gives(
            DiagnosticCode.SCALAR_SUBQUERY,
            "This subquery stands for a single value, so it has no rows to distribute",
            "Take the hint out, or put it on the outer SELECT");
  }

  @Test
  void aSinkKeyThatIsTornApart() {
    MarkedScript.of(
            CLICKS
                + "CREATE TABLE totals (page STRING, n BIGINT, PRIMARY KEY (page) NOT ENFORCED)"
                + " WITH ('connector' = 'print');\n"
                + "INSERT INTO totals SELECT /*+ DISTRIBUTEBY(page, ⟦n⟧) */ page, COUNT(*) AS n"
                + " FROM clicks GROUP BY page;")
        .gives(
            DiagnosticCode.SINK_KEY_NOT_COVERED,
            "'n' is not part of the sink's primary key (page), so updates of one key can take"
                + " different ways and overtake each other",
            "Distribute by columns of the key only");
  }

  @Test
  void theOrderOfASource() {
    MarkedScript.of(
            "CREATE TABLE clicks (n INT) WITH ('connector' = 'datagen',"
                + " ⟦'source.parallelism' = '2'⟧);\nSELECT n FROM clicks;")
        .gives(
            DiagnosticCode.SOURCE_ORDER_NOT_KEPT,
            "The rows of clicks are dealt out in turn behind their 2 source tasks, so their order is"
                + " not kept",
            "Put DISTRIBUTEBY('column') on a query that reads the table row by row: rows equal in the"
                + " column then stay in order");
  }

  @Test
  void anOptionBeforeTheNameGoesBehindIt() {
    Transpilation transpilation =
        MarkedScript.of(
                CLICKS
                    + "⟦⟧SELECT c.page FROM clicks c JOIN /*+ OPTIONS('source.parallelism' = '2') */ clicks AS d ON c.n = d.n;")
            .transpile(FlinkVersion.V2_2, Emission.SQL);

    assertThat(transpilation.files().values())
        .anySatisfy(
            file ->
                assertThat(file)
                    .endsWith(
                        "JOIN clicks /*+ OPTIONS('scan.parallelism' = '2') */ AS d ON c.n = d.n;"));
  }

  @Test
  void noNoteWhereTheJobHasTheSameParallelism() {
    Transpilation transpilation =
        MarkedScript.of(
                "⟦⟧SET 'parallelism.default' = '2';\nCREATE TABLE clicks (n INT) WITH"
                    + " ('connector' = 'datagen', 'source.parallelism' = '2');\nSELECT n FROM clicks;")
            .transpile(FlinkVersion.V2_2, Emission.PROJECT);

    assertThat(transpilation.diagnostics()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT /*+ ⟦DISTRIBUTEBY('page')⟧ */ page FROM clicks;",
        "SELECT c.page FROM clicks AS c JOIN clicks /*+ OPTIONS(⟦'duplicate.right' = 'true'⟧) */"
            + " AS d ON c.n = d.n;",
        "SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'clicks')⟧ */ page FROM clicks;"
      })
  void aCreateTableAs(String query) {
    MarkedScript.of(CLICKS + "CREATE TABLE copies WITH ('connector' = 'print') AS " + query)
        .gives(
            DiagnosticCode.HINT_NOT_IN_CREATE_TABLE_AS,
            "A CREATE TABLE AS runs as a job of its own, into which no operator can be put",
            "Write a CREATE TABLE and an INSERT");
  }

  @Test
  void aTableOfNobodyKnowsWhere() {
    MarkedScript.of("SELECT page FROM ⟦clicks⟧;")
        .gives(
            DiagnosticCode.UNDECLARED_TABLE,
            "The script does not declare 'clicks', so it must exist when the job starts",
            "Give the script that creates it too, before this one");
  }

  @Test
  void columnsOfATableOfNobodyKnowsWhere() {
    MarkedScript.of("SELECT /*+ DISTRIBUTEBY(⟦'page'⟧) */ * FROM clicks;")
        .gives(
            DiagnosticCode.UNCHECKED_COLUMN,
            "The columns of this SELECT are not known here, so 'page' is checked when the job starts",
            "Declare the tables that it reads in the script");
  }

  @Test
  void aHintWithoutNativeForm() {
    MarkedScript script =
        MarkedScript.of(CLICKS + "SELECT /*+ ⟦DISTRIBUTEBY('page')⟧ */ page FROM clicks;");

    script.gives(
        script.transpile(FlinkVersion.V2_2, Emission.SQL),
        DiagnosticCode.NO_NATIVE_FORM,
        "DISTRIBUTEBY has no form in the SQL of Flink 2.2",
        "Write the job as a project: --emit project");
  }

  @Test
  void anOptionWithoutNativeForm() {
    MarkedScript script =
        MarkedScript.of(
            "CREATE TABLE clicks (n INT) WITH ('connector' = 'kafka',"
                + " ⟦'source.parallelism' = '2'⟧, 'format' = 'json');\nSELECT n FROM clicks;");

    script.gives(
        script.transpile(FlinkVersion.V1_20, Emission.SQL),
        DiagnosticCode.NO_NATIVE_FORM,
        "'source.parallelism' on the connector 'kafka' has no form in the SQL of Flink 1.20",
        "Write the job as a project: --emit project");
  }

  @Test
  void aScriptOfNativeFormIsEmittedAsOne() {
    Transpilation transpilation =
        MarkedScript.of(
                "⟦⟧-- read by two\nCREATE TABLE clicks (n INT) WITH (\r\n  'connector' = 'kafka',\r\n"
                    + "  'source.parallelism' = '2', 'format' = 'json');\nSELECT n FROM clicks"
                    + " /*+ OPTIONS('source.parallelism' = '3') */;\n")
            .transpile(FlinkVersion.V2_2, Emission.SQL);

    assertThat(transpilation.files())
        .containsOnlyKeys("job.sql", "plan.json")
        .containsEntry(
            "job.sql",
            "-- read by two\nCREATE TABLE clicks (n INT) WITH (\r\n  'connector' = 'kafka',\r\n"
                + "  'scan.parallelism' = '2', 'format' = 'json');\nSELECT n FROM clicks"
                + " /*+ OPTIONS('scan.parallelism' = '3') */;\n");
  }

  @Test
  void aConnectorOfNobodyKnowsWhere() {
    MarkedScript.of("CREATE TABLE clicks (n INT) WITH ('connector' = ⟦'hudi'⟧);")
        .gives(
            DiagnosticCode.UNKNOWN_CONNECTOR,
            "No artifact is known for the connector 'hudi', so the emitted project does not depend on"
                + " one",
            "Put its jar into Flink's lib folder, add it to the emitted pom.xml, or replace the options"
                + " of clicks in the job's config.yaml");
  }

  @Test
  void theConnectorOfFlinksTests() {
    MarkedScript.of("CREATE TABLE clicks (n INT) WITH ('connector' = ⟦'values'⟧);")
        .gives(
            DiagnosticCode.TEST_CONNECTOR,
            "The connector 'values' exists only inside Flink's own tests",
            "Replace the options of clicks in the job's config.yaml");
  }

  @Test
  void aConnectorWithoutARelease() {
    MarkedScript script =
        MarkedScript.of(
            "CREATE TABLE clicks (n INT) WITH ('connector' = ⟦'kafka'⟧, 'format' = 'json');");

    script.gives(
        script.transpile(FlinkVersion.V2_3, Emission.PROJECT),
        DiagnosticCode.CONNECTOR_NOT_FOR_VERSION,
        "The connector 'kafka' has no release for Flink 2.3 yet",
        "Choose --flink-version 2.2, or replace the options of clicks in the job's config.yaml");
  }

  @Test
  void aSettingBehindAnInsert() {
    MarkedScript.of(
            CLICKS
                + "CREATE TABLE pages (page STRING) WITH ('connector' = 'print');\n"
                + "INSERT INTO pages SELECT page FROM clicks;\n⟦SET 'parallelism.default' = '3'⟧;")
        .gives(
            DiagnosticCode.SETTING_AFTER_INSERT,
            "This setting holds for the INSERTs before it too, for all of them run as one job",
            "Put the SET statements first");
  }

  @Test
  void severalErrorsInOneRunEachInItsOwnScript() {
    Transpilation transpilation =
        Transpiler.transpile(
            List.of(
                new SourceText("tables.sql", CLICKS.strip().replace(";", "")),
                new SourceText(
                    "queries.sql",
                    "SELECT /*+ DISTRIBUTEBY('a') */ n FROM clicks;\n"
                        + "SELECT /*+ DISTRIBUTEBY('b') */ n FROM clicks;")),
            new TranspilerOptions(FlinkVersion.DEFAULT, "com.example", "job", Emission.PROJECT));

    assertThat(transpilation.diagnostics())
        .filteredOn(found -> found.severity() == Severity.ERROR)
        .extracting(
            found -> found.source().name(),
            found -> found.location().line(),
            found -> found.location().column(),
            found -> found.source().text(found.span()))
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("queries.sql", 1, 25, "'a'"),
            org.assertj.core.groups.Tuple.tuple("queries.sql", 2, 25, "'b'"));
    assertThat(transpilation.plan()).isEmpty();
    assertThat(transpilation.files()).isEmpty();
  }

  @Test
  void aHintOutweighsTheWithClauseInADistributionToo() {
    Transpilation transpilation =
        MarkedScript.of(
                "⟦⟧CREATE TABLE clicks (page STRING) WITH ('connector' = 'datagen',"
                    + " 'source.parallelism' = '2');\n"
                    + "SELECT /*+ DISTRIBUTEBY('page') */ page FROM clicks"
                    + " /*+ OPTIONS('source.parallelism' = '3') */;")
            .transpile(FlinkVersion.V2_2, Emission.PROJECT);

    assertThat(transpilation.files().get("src/main/java/com/example/Job.java"))
        .contains("streams.toStream(select1DistributedQuery, 3)")
        .doesNotContain("scan.parallelism", "source.parallelism");
  }

  @Test
  void notesOfThePlan() {
    Transpilation transpilation =
        MarkedScript.of(
                "⟦⟧CREATE TABLE clicks (page STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)"
                    + " WITH ('connector' = 'datagen');\n"
                    + "CREATE TABLE pages (page STRING) WITH ('connector' = 'print',"
                    + " 'sink.parallelism' = '${TASKS}');\n"
                    + "INSERT INTO pages SELECT /*+ DISTRIBUTEBY('page') */ page FROM clicks;\n"
                    + "SELECT /*+ DISTRIBUTEBY('page') */ a.page, a.ts, b.ts AS later FROM clicks AS a"
                    + " JOIN clicks AS b ON a.page = b.page"
                    + " AND b.ts BETWEEN a.ts AND a.ts + INTERVAL '1' SECOND;")
            .transpile(FlinkVersion.V2_2, Emission.PROJECT);

    assertThat(transpilation.plan().orElseThrow().notes())
        .containsExactly(
            "script.sql:3: the sink's parallelism is not known before the job starts; if it is not the"
                + " job's, rows are dealt out again behind DISTRIBUTEBY",
            "script.sql:4: behind DISTRIBUTEBY, ts stays event time; later comes back as plain"
                + " timestamp, for a stream carries one",
            "table/clicks is read by 2 separately planned parts of the job, so its source runs 2 times");
  }

  @Test
  void theParallelismOfASinkInItsInsert() {
    Transpilation transpilation =
        MarkedScript.of(
                "⟦⟧"
                    + CLICKS
                    + "CREATE TABLE pages (page STRING) WITH ('connector' = 'print');\n"
                    + "INSERT INTO pages /*+ OPTIONS('sink.parallelism' = '3') */"
                    + " SELECT /*+ DISTRIBUTEBY('page') */ page FROM clicks;")
            .transpile(FlinkVersion.V2_2, Emission.PROJECT);

    assertThat(transpilation.files().get("src/main/java/com/example/Job.java"))
        .contains(".setParallelism(3);")
        .contains("INSERT INTO pages /*+ OPTIONS('sink.parallelism' = '3') */ SELECT * FROM");
  }

  @ParameterizedTest
  @EnumSource(FlinkVersion.class)
  void passwordsStayOutOfThePlan(FlinkVersion version) {
    Transpilation transpilation =
        MarkedScript.of(
                "⟦⟧SET 'security.ssl.rest.key-password' = 'geheim1';\n"
                    + "CREATE TABLE clicks (n INT) WITH ('connector' = 'datagen',"
                    + " 'Password' = 'geheim2', 'properties.sasl.jaas.config' ="
                    + " 'password=\"geheim''3\"');\n"
                    + "SELECT /*+ DISTRIBUTEBY('n') */ n FROM clicks /*+ OPTIONS('secret-token' = 'geheim4') */;")
            .transpile(version, Emission.PROJECT);

    assertThat(transpilation.files().get("plan.txt")).doesNotContain("geheim");
    assertThat(transpilation.files().get("plan.json")).doesNotContain("geheim");
  }
}
