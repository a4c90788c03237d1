package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.TranspilerOptions.Emission;
import io.hintflow.transpiler.testing.MarkedScript;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What duplicate.left and duplicate.right refuse and warn of, with the exact place. */
class DeduplicationFindingsTest {
  private static final String TABLES =
      """
      CREATE TABLE l (id INT, k INT, 名 STRING, ts TIMESTAMP(3), seen AS PROCTIME(),
        WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');
      CREATE TABLE s (k INT, v INT, tags ARRAY<INT>, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
        WITH ('connector' = 'datagen');
      CREATE TABLE accounts (id INT, k INT, v INT, note STRING, PRIMARY KEY (id) NOT ENFORCED)
        WITH ('connector' = 'filesystem', 'path' = '/data', 'format' = 'debezium-json');
      """;

  private static MarkedScript query(String query) {
    return MarkedScript.of(TABLES + query + ";");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT v FROM s /*+ OPTIONS(⟦'duplicate.left' = 'true'⟧) */",
        "SELECT v FROM s /*+ OPTIONS(⟦'duplicate.left' = 'false'⟧) */ WHERE k > 1",
        "SELECT l.id FROM l JOIN (SELECT k FROM s /*+ OPTIONS(⟦'duplicate.left' = 'true'⟧) */) AS t ON l.k = t.k",
        "SELECT w.v FROM l JOIN TABLE(TUMBLE(TABLE s /*+ OPTIONS(⟦'duplicate.left' = 'true'⟧) */,"
            + " DESCRIPTOR(ts), INTERVAL '1' MINUTE)) AS w ON l.k = w.k",
        "SELECT id FROM l WHERE k IN (SELECT k FROM s /*+ OPTIONS(⟦'duplicate.left' = 'true'⟧) */)",
      })
  void aTableThatIsNoInputOfAJoin(String query) {
    String option =
        query.contains("'false'") ? "'duplicate.left' = 'false'" : "'duplicate.left' = 'true'";
    query(query)
        .gives(
            DiagnosticCode.NOT_JOINED,
            option + " asks for something of a join, and 's' is not an input of one in this SELECT",
            "Take the option out, or put it on a table of the FROM that joins");
  }

  @Test
  void aLookUp() {
    query(
            "SELECT l.id FROM l JOIN s /*+ OPTIONS(⟦'duplicate.right' = 'true'⟧) */"
                + " FOR SYSTEM_TIME AS OF l.seen AS t ON l.k = t.k")
        .gives(
            DiagnosticCode.DEDUPLICATION_BY_TIME,
            "In a join FOR SYSTEM_TIME AS OF, each row is joined as of its own time, so none repeats another",
            "Take the option out: the join is done as stock Flink does it");
  }

  @Test
  void aLookUpInTheInput() {
    query(
            "SELECT l.id FROM l JOIN s FOR SYSTEM_TIME AS OF l.seen AS t ON l.k = t.k"
                + " JOIN accounts /*+ OPTIONS(⟦'duplicate.left' = 'true'⟧) */ a ON a.k = l.k")
        .gives(
            DiagnosticCode.DEDUPLICATION_BY_TIME,
            "In a join FOR SYSTEM_TIME AS OF, each row is joined as of its own time, so none repeats another",
            "Take the option out: the join is done as stock Flink does it");
  }

  @Test
  void aJoinWithWhatIsComputedFromItsLeft() {
    query(
            "SELECT s.v, tag FROM s /*+ OPTIONS(⟦'duplicate.left' = 'true'⟧) */"
                + " CROSS JOIN UNNEST(tags) AS t (tag)")
        .gives(
            DiagnosticCode.DEDUPLICATION_BY_TIME,
            "This join computes its right side from each row of its left, so it has no two inputs of their own",
            "Take the option out: the join is done as stock Flink does it");
  }

  @Test
  void aWindowJoin() {
    query(
            "SELECT a.id FROM TABLE(TUMBLE(TABLE l, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) AS a"
                + " JOIN TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) AS b"
                + " ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end"
                + " JOIN accounts /*+ OPTIONS(⟦'duplicate.left' = 'true'⟧) */ c ON a.k = c.k")
        .gives(
            DiagnosticCode.DEDUPLICATION_BY_TIME,
            "This is a window join, and rows that come back from an operator belong to no window any more",
            "Take the option out: the join is done as stock Flink does it");
  }

  @Test
  void aSubqueryThatReadsTheQueryAroundIt() {
    query(
            "SELECT l.id FROM l WHERE EXISTS (SELECT 1 FROM s JOIN accounts"
                + " /*+ OPTIONS(⟦'duplicate.right' = 'true'⟧) */ a ON s.k = a.k WHERE a.id = l.id)")
        .gives(
            DiagnosticCode.CORRELATED_BLOCK,
            "This subquery reads columns of the query around it, so its joins can't run by themselves",
            "Put the join into the outer SELECT, or write the subquery as a join");
  }

  @Test
  void tablesWhoseColumnsAreNotKnown() {
    MarkedScript.of(
            "CREATE CATALOG c WITH ('type' = 'hive');\n"
                + "SELECT t.x FROM c.d.t JOIN c.d.u /*+ OPTIONS(⟦'duplicate.right' = 'true'⟧) */ ON t.x = u.x;")
        .gives(
            DiagnosticCode.UNKNOWN_JOIN_COLUMNS,
            "What columns the tables of this SELECT have is not known here, so which changes it can't see can't be told",
            "Declare the tables that it reads in the script");
  }

  @Test
  void tablesThatContradictEachOther() {
    query(
            "SELECT l.id FROM l /*+ OPTIONS(⟦'duplicate.right' = 'true'⟧) */"
                + " JOIN accounts /*+ OPTIONS('duplicate.right' = 'false') */ a ON l.k = a.k")
        .gives(
            DiagnosticCode.OVERRULED_DEDUPLICATION,
            "This is overruled by 'duplicate.right' = 'false', which stands later and speaks of the same input of the join",
            "Keep one of the two");
  }

  @ParameterizedTest
  @CsvSource({"true, false, FROM accounts a", "false, true, FROM accounts_deduplicated AS a"})
  void theLaterOneWins(String earlier, String later, String from) {
    String job =
        job(
            "SELECT a.id, l.id FROM accounts /*+ OPTIONS('duplicate.left' = '%s') */ a JOIN l /*+ OPTIONS('duplicate.left' = '%s') */ ON l.k = a.k"
                .formatted(earlier, later));

    assertThat(job).contains(from);
  }

  @Test
  void falseIsTakenOutAndNothingElseDone() {
    Transpilation transpilation =
        MarkedScript.of(
                TABLES
                    + "⟦⟧SELECT l.id FROM l JOIN /*+ OPTIONS('duplicate.right'='false') */ s ON l.k = s.k;")
            .transpile(FlinkVersion.V2_2, Emission.SQL);

    assertThat(transpilation.diagnostics()).isEmpty();
    assertThat(transpilation.files().values())
        .anySatisfy(file -> assertThat(file).endsWith("SELECT l.id FROM l JOIN s ON l.k = s.k;"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "l JOIN /*+ OPTIONS('duplicate.right'='true', 'fields.k.min'='3') */ s AS t",
        "l JOIN s /*+ OPTIONS('fields.k.min'='3', 'duplicate.right'='true') */ AS t"
      })
  void otherOptionsStayBehindTheName(String from) {
    assertThat(job("SELECT t.v FROM %s ON l.k = t.k".formatted(from)))
        .contains("FROM s /*+ OPTIONS('fields.k.min'='3') */ AS t\"\"\"");
  }

  @Test
  void bothOptionsAndTheSourcesParallelismInOneHint() {
    String job =
        job(
            "SELECT t.v FROM l JOIN /*+ OPTIONS('source.parallelism'='2', 'duplicate.right'='true', 'fields.k.min'='3') */ s AS t ON l.k = t.k");

    assertThat(job)
        .contains("FROM s /*+ OPTIONS('fields.k.min'='3') */ AS t\"\"\"")
        .contains("streams.toStream(sDeduplicatedQuery, 2)");
  }

  @Test
  void thereIsNoNativeForm() {
    MarkedScript script =
        query("SELECT l.id FROM l JOIN s /*+ OPTIONS(⟦'duplicate.right'='true'⟧) */ ON l.k = s.k");
    script.gives(
        script.transpile(FlinkVersion.V2_2, Emission.SQL),
        DiagnosticCode.NO_NATIVE_FORM,
        "'duplicate.right'='true' has no form in the SQL of Flink 2.2",
        "Write the job as a project: --emit project");
  }

  /** Which of the two ways is taken, and by which hash equal rows meet. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.id, a.v FROM l JOIN accounts /*+ OPTIONS('duplicate.right'='true') */ a ON l.k = a.k|"
            + "Deduplication.dropUnchangedUpdates",
        "a.v FROM l JOIN accounts /*+ OPTIONS('duplicate.right'='true') */ a ON l.k = a.k|"
            + "Placement.byHash(\"k\")",
        "a.v FROM l JOIN accounts /*+ OPTIONS('duplicate.right'='true') */ a ON l.k + 1 = a.k AND a.v = l.id|"
            + "Placement.byHash(\"k\", \"v\")",
        "a.v FROM l JOIN accounts /*+ OPTIONS('duplicate.right'='true') */ a ON l.k = a.k + 1|"
            + "Placement.byWholeRow()",
        "a.v FROM l JOIN accounts /*+ OPTIONS('duplicate.right'='true') */ a ON l.k > a.k|"
            + "Placement.byWholeRow()",
        "a.v FROM l, accounts /*+ OPTIONS('duplicate.right'='true') */ a WHERE a.k = l.k AND a.v = 3|"
            + "Placement.byHash(\"k\")",
        "v FROM l JOIN accounts /*+ OPTIONS('duplicate.right'='true') */ USING (k)|"
            + "Placement.byHash(\"k\")",
        "/*+ BROADCAST(l) */ a.v FROM l JOIN accounts /*+ OPTIONS('duplicate.right'='true') */ a ON l.k = a.k|"
            + "Placement.byWholeRow()",
        "/*+ BROADCAST(l), HASH_BY_KEY('a'='v') */ a.v FROM l JOIN accounts /*+ OPTIONS('duplicate.right'='true') */ a ON l.k = a.k|"
            + "Placement.byHash(\"v\")",
        "/*+ BROADCAST(l) */ a.v FROM l JOIN accounts /*+ OPTIONS('duplicate.left'='true') */ a ON l.k = a.k|"
            + "Placement.byHash(\"k\")",
        "n.v FROM l JOIN (SELECT k, COUNT(*) AS v FROM s GROUP BY k) n ON l.k = n.k"
            + " JOIN s /*+ OPTIONS('duplicate.left'='true') */ ON s.k = n.k|"
            + "Deduplication.dropUnchangedUpdates",
      })
  void howEqualRowsAreFound(String query, String call) {
    assertThat(job("SELECT " + query)).contains(call);
  }

  @Test
  void thePlanTellsWhatCountsOnceAndWhatLosesItsOrder() {
    Transpilation transpilation =
        transpile(
            "SELECT a.v FROM l JOIN accounts /*+ OPTIONS('duplicate.right'='true') */ a ON l.k > a.k");

    assertThat(transpilation.files().get("plan.txt"))
        .contains(
            "script.sql:7: rows of a that are equal in k, v count once, as in SELECT DISTINCT",
            "script.sql:7: rows of a go by the hash of the whole row, so updates of one row can overtake each other");
  }

  private static String job(String query) {
    return transpile(query).files().get("src/main/java/test/job/ScriptJob.java");
  }

  private static Transpilation transpile(String query) {
    return Transpiler.transpile(
        List.of(new SourceText("script.sql", TABLES + query + ";\n")),
        new TranspilerOptions(FlinkVersion.V2_2, "test.job", "script", Emission.PROJECT));
  }
}
