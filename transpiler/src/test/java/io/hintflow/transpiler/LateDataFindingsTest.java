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

/** What LATE_DATA_SINK refuses, with the exact place. */
class LateDataFindingsTest {
  private static final String TABLES =
      """
      CREATE TABLE events (id INT, k STRING, 名 STRING, v DOUBLE, tags ARRAY<INT>, ts TIMESTAMP(3),
        plain TIMESTAMP(3), seen AS PROCTIME(), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');
      CREATE TABLE late (id BIGINT, ts TIMESTAMP(3)) WITH ('connector' = 'print');
      CREATE TABLE windows (id INT, began TIMESTAMP(3), ended TIMESTAMP_LTZ(3)) WITH ('connector' = 'print');
      CREATE VIEW late_view AS SELECT id, ts FROM events;
      """;

  private static final String TUMBLE =
      " FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' SECOND))"
          + " GROUP BY window_start, window_end";

  private static final String NO_WINDOW =
      "There is no event-time window in this SELECT, so none of its rows is late";

  private static final String WHERE_TO_PUT_IT =
      "Put the hint on the SELECT whose FROM has TUMBLE, HOP, CUMULATE or SESSION, or that has the"
          + " window in OVER or GROUP BY";

  private static MarkedScript query(String query) {
    return MarkedScript.of(TABLES + query + ";");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'late')⟧ */ id FROM events",
        "SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'late')⟧ */ 1",
        "SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'late')⟧ */ k, COUNT(*) FROM events GROUP BY k",
        "SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'late')⟧ */ n FROM (SELECT COUNT(*) AS n"
            + TUMBLE
            + ")",
        "SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'late')⟧ */ SUM(id) OVER (ORDER BY plain) FROM events",
        "SELECT id FROM (SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'late')⟧ */ id, ROW_NUMBER() OVER"
            + " (PARTITION BY k ORDER BY ts) AS n FROM events) WHERE n = 1",
      })
  void noWindow(String query) {
    query(query).gives(DiagnosticCode.NO_EVENT_TIME_WINDOW, NO_WINDOW, WHERE_TO_PUT_IT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'late')⟧ */ * FROM TABLE(TUMBLE(TABLE events,"
            + " DESCRIPTOR(ts), INTERVAL '5' SECOND))",
        "SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'late')⟧ */ window_start, COUNT(*) FROM"
            + " TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start",
        "SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'late')⟧ */ window_start, COUNT(*) FROM"
            + " TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' SECOND))"
            + " GROUP BY GROUPING SETS ((window_start, window_end), (k))",
      })
  void nothingThatWorksByTheWindow(String query) {
    query(query)
        .gives(
            DiagnosticCode.NO_EVENT_TIME_WINDOW,
            "Nothing in this SELECT works by the windows of TUMBLE, so no row is late here",
            "Group by window_start and window_end in this SELECT, or number its rows within them");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TUMBLE | SELECT /*+ LATE_DATA_SINK('sink.name' = 'late') */ COUNT(*) FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(⟦seen⟧), INTERVAL '5' SECOND)) GROUP BY window_start, window_end",
        "HOP | SELECT /*+ LATE_DATA_SINK('sink.name' = 'late') */ COUNT(*) FROM events GROUP BY HOP(⟦seen⟧, INTERVAL '5' SECOND, INTERVAL '10' SECOND)",
        "OVER | SELECT /*+ LATE_DATA_SINK('sink.name' = 'late') */ COUNT(*) OVER (PARTITION BY k ORDER BY ⟦e.seen⟧) FROM events AS e",
        "SESSION | SELECT /*+ LATE_DATA_SINK('sink.name' = 'late') */ COUNT(*) FROM events GROUP BY SESSION(⟦PROCTIME()⟧, INTERVAL '5' SECOND)",
      })
  void processingTime(String window, String query) {
    query(query)
        .gives(
            DiagnosticCode.NO_EVENT_TIME_WINDOW,
            window + " goes by processing time here, which no row is late for",
            "Use a column with a WATERMARK, or take the hint out");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT /*+ LATE_DATA_SINK('sink.name' = 'late') */ COUNT(*) FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(⟦plain⟧), INTERVAL '5' SECOND)) GROUP BY window_start, window_end",
        "SELECT /*+ LATE_DATA_SINK('sink.name' = 'late') */ COUNT(*) FROM events GROUP BY TUMBLE(⟦plain⟧, INTERVAL '5' SECOND)",
      })
  void aTimeWithoutWatermark(String query) {
    query(query)
        .gives(
            DiagnosticCode.NO_EVENT_TIME_WINDOW,
            "plain is no event time here, for it has no watermark",
            "Declare a WATERMARK for it in its table, and keep it as it is on the way here");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lat | There is no table or view 'lat' | Did you mean 'late'?",
        "db.late | There is no table or view 'db.late' | Did you mean 'late'?",
      })
  void aSinkThatIsNotThere(String name, String message, String help) {
    query("SELECT /*+ LATE_DATA_SINK('sink.name' = ⟦'%s'⟧) */ COUNT(*)".formatted(name) + TUMBLE)
        .gives(DiagnosticCode.UNKNOWN_TABLE, message, help);
  }

  @Test
  void aSinkThatIsDeclaredLater() {
    query(
            "SELECT /*+ LATE_DATA_SINK('sink.name' = ⟦'later'⟧) */ COUNT(*)"
                + TUMBLE
                + ";\nCREATE TABLE later (id INT) WITH ('connector' = 'print')")
        .gives(
            DiagnosticCode.UNKNOWN_TABLE,
            "There is no table or view 'later'",
            "It is declared in line 7; move that before this statement");
  }

  @Test
  void aSinkThatIsAView() {
    query("SELECT /*+ LATE_DATA_SINK('sink.name' = ⟦'late_view'⟧) */ COUNT(*)" + TUMBLE)
        .gives(
            DiagnosticCode.UNUSABLE_LATE_SINK,
            "'late_view' is a view, and late rows can be written to a table only",
            "Name a table");
  }

  @Test
  void aColumnThatTheWindowDoesNotRead() {
    query(
            "CREATE TABLE more (id INT, plan TIMESTAMP(3)) WITH ('connector' = 'print');\n"
                + "SELECT /*+ LATE_DATA_SINK('sink.name' = ⟦'more'⟧) */ COUNT(*)"
                + TUMBLE)
        .gives(
            DiagnosticCode.UNUSABLE_LATE_SINK,
            "more has a column 'plan', which the rows that the window reads do not have",
            "Did you mean 'plain'? They have id, k, 名, v, tags, ts, plain, seen");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id STRING | Column 'id' of typed is STRING, but the rows that the window reads have INT there",
        "id SMALLINT | Column 'id' of typed is SMALLINT, but the rows that the window reads have INT there",
        "v FLOAT | Column 'v' of typed is FLOAT, but the rows that the window reads have DOUBLE there",
        "seen DATE | Column 'seen' of typed is DATE, but the rows that the window reads have TIMESTAMP_LTZ(3) there",
        "k CHAR(5) | Column 'k' of typed is CHAR(5), but the rows that the window reads have STRING there",
        "k BYTES | Column 'k' of typed is VARBINARY(2147483647), but the rows that the window reads have STRING there",
        "tags ARRAY<STRING> | Column 'tags' of typed is STRING ARRAY, but the rows that the window reads have INT ARRAY there",
      })
  void aTypeThatDoesNotFit(String column, String message) {
    query(
            "CREATE TABLE typed (%s) WITH ('connector' = 'print');\n".formatted(column)
                + "SELECT /*+ LATE_DATA_SINK('sink.name' = ⟦'typed'⟧) */ COUNT(*)"
                + TUMBLE)
        .gives(DiagnosticCode.UNUSABLE_LATE_SINK, message, "Declare it in typed as it is there");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id DECIMAL(10, 0), v DOUBLE, k VARCHAR(5), ts TIMESTAMP_LTZ(3), tags ARRAY<BIGINT>",
        "seen TIMESTAMP(3), id DOUBLE, ts DATE, plain TIME",
        "id FLOAT NOT NULL, 名 STRING",
      })
  void typesThatFit(String columns) {
    Transpilation transpilation =
        transpile(
            TABLES
                + "CREATE TABLE typed (%s) WITH ('connector' = 'print');\n".formatted(columns)
                + "SELECT /*+ LATE_DATA_SINK('sink.name' = 'typed') */ COUNT(*)"
                + TUMBLE
                + ";");

    assertThat(transpilation.diagnostics()).isEmpty();
  }

  @Test
  void aFieldWithoutSuchAColumn() {
    query(
            "SELECT /*+ LATE_DATA_SINK('sink.name' = 'windows', 'window.start.field' = ⟦'begin'⟧,"
                + " 'window.end.field' = 'ended') */ COUNT(*)"
                + TUMBLE)
        .gives(
            DiagnosticCode.WINDOW_FIELD,
            "'begin' is no column of windows",
            "Did you mean 'began'?");
  }

  @Test
  void aFieldThatIsNoTimestamp() {
    query(
            "SELECT /*+ LATE_DATA_SINK('sink.name' = 'windows', 'window.start.field' = 'began',"
                + " 'window.end.field' = ⟦'id'⟧) */ COUNT(*)"
                + TUMBLE)
        .gives(
            DiagnosticCode.WINDOW_FIELD,
            "'id' is INT, and the bounds of a window are timestamps",
            "Declare it as TIMESTAMP(3) or TIMESTAMP_LTZ(3)");
  }

  @Test
  void fieldsWithOver() {
    query(
            "SELECT /*+ LATE_DATA_SINK('sink.name' = 'late', 'window.start.field' = ⟦'ts'⟧) */"
                + " SUM(id) OVER (PARTITION BY k ORDER BY ts) FROM events")
        .gives(
            DiagnosticCode.WINDOW_FIELD,
            "The window of OVER is each row's own, with no start and end that could be written",
            "Take the key out");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'late')⟧ */ w.k, COUNT(*) FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' SECOND)) AS w JOIN windows AS d ON w.id = d.id GROUP BY w.k, window_start, window_end"
            + "| A join stands between the window function and what works by its windows, so which rows come late can't be told"
            + "| Put the window function and its GROUP BY into a subquery, and the hint with them",
        "SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'late')⟧ */ a.k FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' SECOND)) AS a JOIN TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' SECOND)) AS b ON a.window_start = b.window_start"
            + "| A join stands between the window function and what works by its windows, so which rows come late can't be told"
            + "| Join window functions on the start and end of their windows",
        "SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'late')⟧ */ SUM(e.id) OVER (PARTITION BY e.k ORDER BY e.ts) FROM events AS e JOIN events FOR SYSTEM_TIME AS OF e.seen AS d ON e.id = d.id"
            + "| The window of OVER reads a join, whose late rows have no one table to be taken from"
            + "| Put the join into a view or a subquery, and this SELECT over it",
        "SELECT /*+ LATE_DATA_SINK('sink.name' = 'late') */ SUM(id) OVER (PARTITION BY ⟦UPPER(k)⟧ ORDER BY ts ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM events"
            + "| Late rows are judged by key here, and this key is no column"
            + "| Give the expression a name in a view or a subquery, and this SELECT over it",
      })
  void aWindowThatCannotBeSplit(String query, String message, String help) {
    query(query).gives(DiagnosticCode.UNSPLITTABLE_WINDOW, message, help);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"table.exec.emit.early-fire.enabled", "table.exec.emit.late-fire.enabled"})
  void settingsThatFlinkDoesNotTake(String setting) {
    MarkedScript.of(
            "SET '%s' = 'true';\n".formatted(setting)
                + TABLES
                + "SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'late')⟧ */ COUNT(*)"
                + TUMBLE
                + ";")
        .gives(
            DiagnosticCode.UNSPLITTABLE_WINDOW,
            "'%s' is set, which Flink does not take with window table functions".formatted(setting),
            "Take the setting out, or group by TUMBLE(time, …)");
  }

  @Test
  void settingsThatFlinkDoesNotTakeWithSessions() {
    MarkedScript.of(
            "SET 'table.exec.emit.late-fire.enabled' = 'true';\n"
                + TABLES
                + "SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'late')⟧ */ COUNT(*) FROM events"
                + " GROUP BY SESSION(ts, INTERVAL '5' SECOND);")
        .gives(
            DiagnosticCode.UNSPLITTABLE_WINDOW,
            "'table.exec.emit.late-fire.enabled' is set, which Flink does not take with sessions",
            "Take the setting out");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' SECOND, ⟦INTERVAL '1' SECOND⟧) | their size",
        "HOP(TABLE events, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND, ⟦INTERVAL '12' SECOND⟧) | the step",
      })
  void anOffsetWithWhichFlinkLosesRows(String function, String unit) {
    query(
            "SELECT /*+ LATE_DATA_SINK('sink.name' = 'late') */ COUNT(*) FROM TABLE("
                + function
                + ") GROUP BY window_start, window_end")
        .gives(
            DiagnosticCode.WINDOW_OFFSET,
            "Flink's own windows lose rows, late or not, when they have an offset that is no multiple of "
                + unit,
            "Take the offset out");
  }

  @Test
  void aTableOfAnotherCatalog() {
    MarkedScript.of(
            "USE CATALOG other;\nCREATE TABLE late (id INT) WITH ('connector' = 'print');\n"
                + "SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'late')⟧ */ COUNT(*)"
                + TUMBLE
                + ";")
        .gives(
            DiagnosticCode.UNSPLITTABLE_WINDOW,
            "What columns the tables of this SELECT have is not known here, so which of its rows come late can't be told",
            "Declare the tables that it reads in the script");
  }

  @Test
  void aSubqueryThatReadsTheQueryAroundIt() {
    query(
            "SELECT id FROM events AS e WHERE EXISTS (SELECT /*+ ⟦LATE_DATA_SINK('sink.name' = 'late')⟧ */ COUNT(*)"
                + " FROM events AS i WHERE i.k = e.k GROUP BY TUMBLE(i.ts, INTERVAL '5' SECOND))")
        .gives(
            DiagnosticCode.CORRELATED_BLOCK,
            "This subquery reads columns of the query around it, so the rows of its window can't be split by themselves",
            "Put the window into the outer SELECT, or write the subquery as a join");
  }

  @Test
  void nothingIsLateInBatchMode() {
    Transpilation transpilation =
        transpile(
            "SET 'execution.runtime-mode' = 'batch';\n"
                + TABLES
                + "SELECT /*+ LATE_DATA_SINK('sink.name' = 'late') */ COUNT(*)"
                + TUMBLE
                + ";");

    assertThat(transpilation.diagnostics()).isEmpty();
    assertThat(transpilation.files().get("plan.txt"))
        .contains(
            "script.sql:7: LATE_DATA_SINK is left out, because in batch mode no row comes late")
        .doesNotContain("late rows");
  }

  @Test
  void whatOnlyExplainsAQueryWritesNoLateRows() {
    Transpilation transpilation =
        transpile(
            TABLES
                + "EXPLAIN SELECT /*+ LATE_DATA_SINK('sink.name' = 'late') */ COUNT(*)"
                + TUMBLE
                + ";");

    assertThat(transpilation.diagnostics()).isEmpty();
    assertThat(transpilation.files().get("src/main/java/jobs/ScriptJob.java"))
        .contains("LateRows.split")
        .doesNotContain("INSERT");
  }

  private static Transpilation transpile(String script) {
    return Transpiler.transpile(
        List.of(new SourceText("script.sql", script)),
        new TranspilerOptions(FlinkVersion.V2_2, "jobs", "script", Emission.PROJECT));
  }
}
