package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.transpiler.TranspilerOptions.Emission;
import io.hintflow.transpiler.testing.MarkedScript;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What BROADCAST and HASH_BY_KEY refuse, with the exact place. */
class BroadcastFindingsTest {
  private static final String TABLES =
      """
      CREATE TABLE l (id INT, k INT, 名 STRING, ts TIMESTAMP(3), seen AS PROCTIME(),
        WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');
      CREATE TABLE s (k INT, v INT, nested ROW<a INT>, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
        WITH ('connector' = 'datagen');
      CREATE TABLE other.s (k INT) WITH ('connector' = 'datagen');
      """;

  private static MarkedScript query(String query) {
    return MarkedScript.of(TABLES + query + ";");
  }

  @Test
  void aTableThatFromDoesNotHave() {
    query("SELECT /*+ BROADCAST(⟦smal⟧) */ v FROM l JOIN s AS small ON l.k = small.k")
        .gives(
            DiagnosticCode.UNKNOWN_JOIN_TABLE,
            "'smal' is not a table of this SELECT's FROM",
            "Did you mean 'small'? FROM has l, small");
  }

  @Test
  void aTableThatHasAnAlias() {
    query("SELECT /*+ BROADCAST(⟦s⟧) */ v FROM l AS big JOIN s AS little ON big.k = little.k")
        .gives(
            DiagnosticCode.UNKNOWN_JOIN_TABLE,
            "'s' is not a table of this SELECT's FROM",
            "FROM has big, little");
  }

  @Test
  void aTableOfTheQueryInside() {
    query("SELECT /*+ BROADCAST(⟦s⟧) */ l.id FROM l JOIN (SELECT k FROM s) AS t ON l.k = t.k")
        .gives(
            DiagnosticCode.UNKNOWN_JOIN_TABLE,
            "'s' is not a table of this SELECT's FROM",
            "FROM has l, t");
  }

  @Test
  void aNameThatTwoTablesShare() {
    query("SELECT /*+ BROADCAST(⟦s⟧) */ id FROM l JOIN s ON TRUE JOIN other.s ON TRUE")
        .gives(
            DiagnosticCode.AMBIGUOUS_JOIN_TABLE,
            "'s' names 2 tables of this SELECT's FROM",
            "Give each an alias and name that; FROM has l, s, other.s");
  }

  @Test
  void aTableThatIsNotJoined() {
    query("SELECT /*+ BROADCAST(⟦s⟧) */ v FROM s")
        .gives(
            DiagnosticCode.NOT_JOINED,
            "'s' is not joined with anything in this SELECT",
            "Take the hint out, or put it on the SELECT that joins the table");
  }

  @Test
  void bothSides() {
    MarkedScript.of(TABLES + "SELECT /*+ BROADCAST(l, ⟦s⟧) */ v FROM l JOIN s ON l.k = s.k;")
        .gives(
            DiagnosticCode.BOTH_SIDES_BROADCAST,
            "Both sides of this join are broadcast, so every task would give out every pair",
            "Name the smaller of s and l only");
  }

  @Test
  void theLeftOfALeftJoin() {
    query("SELECT /*+ BROADCAST(⟦s⟧) */ v FROM s LEFT JOIN l ON l.k = s.k")
        .gives(
            DiagnosticCode.BROADCAST_OF_KEPT_SIDE,
            "A LEFT JOIN keeps the rows of 's', its left side, that match nothing, and every task"
                + " would give out its own copy of them",
            "Broadcast the other side if it is the small one, or take the hint out");
  }

  @Test
  void theRightOfARightJoin() {
    query("SELECT /*+ BROADCAST(⟦s⟧) */ v FROM l RIGHT JOIN s ON l.k = s.k")
        .gives(
            DiagnosticCode.BROADCAST_OF_KEPT_SIDE,
            "A RIGHT JOIN keeps the rows of 's', its right side, that match nothing, and every task"
                + " would give out its own copy of them",
            "Broadcast the other side if it is the small one, or take the hint out");
  }

  @Test
  void aFullJoin() {
    query("SELECT /*+ BROADCAST(⟦s⟧) */ v FROM l FULL JOIN s ON l.k = s.k")
        .gives(
            DiagnosticCode.BROADCAST_OF_KEPT_SIDE,
            "A FULL JOIN keeps the rows of 's' that match nothing, and every task would give out its"
                + " own copy of them",
            "Take the hint out, or write an outer join that keeps the rows of the big table only");
  }

  @Test
  void aLookUpTable() {
    query(
            "SELECT /*+ BROADCAST(⟦d⟧) */ v FROM l JOIN s FOR SYSTEM_TIME AS OF l.seen AS d"
                + " ON l.k = d.k")
        .gives(
            DiagnosticCode.BROADCAST_IN_TIMED_JOIN,
            "'d' is in a join FOR SYSTEM_TIME AS OF, which asks for single rows and keeps no big side"
                + " to spread",
            "Take the hint out, or join the table without FOR SYSTEM_TIME AS OF");
  }

  @Test
  void theOtherSideOfALookUp() {
    query(
            "SELECT /*+ BROADCAST(⟦l⟧) */ v FROM l JOIN s FOR SYSTEM_TIME AS OF l.seen AS d"
                + " ON l.k = d.k")
        .gives(
            DiagnosticCode.BROADCAST_IN_TIMED_JOIN,
            "'l' is in a join FOR SYSTEM_TIME AS OF, which asks for single rows and keeps no big side"
                + " to spread",
            "Take the hint out, or join the table without FOR SYSTEM_TIME AS OF");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FROM l JOIN s ON l.k = s.k AND l.ts BETWEEN s.ts - INTERVAL '1' HOUR AND s.ts",
        "FROM l, s WHERE l.k = s.k AND l.ts >= s.ts AND l.ts < s.ts + INTERVAL '1' HOUR",
        "FROM l LEFT JOIN s ON l.k = s.k AND l.ts = s.ts",
        "FROM (SELECT * FROM TABLE(TUMBLE(TABLE l, DESCRIPTOR(ts), INTERVAL '1' HOUR))) AS w JOIN"
            + " (SELECT * FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' HOUR))) AS s"
            + " ON w.k = s.k AND w.window_start = s.window_start AND w.window_end = s.window_end"
      })
  void aJoinByTime(String from) {
    query("SELECT /*+ BROADCAST(⟦s⟧) */ v " + from)
        .gives(
            DiagnosticCode.BROADCAST_IN_TIMED_JOIN,
            "'s' is in an interval or window join, whose state expires as time goes on; that of a"
                + " broadcast join does not",
            "Take the hint out, or cast the time columns to TIMESTAMP to join without time bounds");
  }

  @Test
  void whatIsComputedFromEachRow() {
    query("SELECT /*+ BROADCAST(⟦u⟧) */ e FROM l CROSS JOIN UNNEST(ARRAY[l.k]) AS u (e)")
        .gives(
            DiagnosticCode.BROADCAST_IN_TIMED_JOIN,
            "'u' is joined with rows that are computed from each row of the left, so there are no two"
                + " sides to spread",
            "Take the hint out, or put it on a join of two tables");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "⟦l.名 LIKE CONCAT(s.v, l.名)⟧",
        "l.k = s.k AND ⟦l.k + s.k > 3⟧",
        "l.k = s.k AND ⟦l.k IN (SELECT v FROM s)⟧",
        "⟦(l.k = s.k OR MOD(l.k, s.v) = 0)⟧ AND l.k > 3"
      })
  void aConditionOfAnOuterJoinThatOnlySqlCanWorkOut(String condition) {
    query("SELECT /*+ BROADCAST(s) */ l.id, v FROM l LEFT JOIN s ON " + condition)
        .gives(
            DiagnosticCode.BROADCAST_CONDITION,
            "In an outer join, a broadcast join can compare values of the two sides with =, <>, <, <=,"
                + " >, >= and IS [NOT] DISTINCT FROM, but it can't work this out",
            "Compute a value of each side in a subquery and compare the two");
  }

  @Test
  void theFieldsOfARowAsAStar() {
    query("SELECT /*+ BROADCAST(s) */ ⟦s.nested.*⟧ FROM l JOIN s ON l.k = s.k")
        .gives(
            DiagnosticCode.BROADCAST_CONDITION,
            "The fields of a nested row can't be followed through the join as a star",
            "Name the fields one by one");
  }

  @Test
  void aNaturalJoinBehindTheBroadcastJoin() {
    query(
            "SELECT /*+ BROADCAST(s) */ l.id FROM l JOIN s ON l.k = s.k NATURAL JOIN"
                + " ⟦(SELECT id FROM l) AS m⟧")
        .gives(
            DiagnosticCode.BROADCAST_CONDITION,
            "NATURAL finds columns by their names, which are others behind a broadcast join",
            "Write the join with ON or USING");
  }

  @Test
  void aSubqueryThatReadsTheQueryAroundIt() {
    query(
            "SELECT 名 FROM l WHERE EXISTS (SELECT /*+ ⟦BROADCAST(s)⟧ */ 1 FROM l AS m JOIN s"
                + " ON m.k = s.k WHERE m.id = l.id)")
        .gives(
            DiagnosticCode.CORRELATED_BLOCK,
            "This subquery reads columns of the query around it, so its joins can't run by themselves",
            "Put the join into the outer SELECT, or write the subquery as a join");
  }

  @Test
  void tablesThatNobodyDeclares() {
    MarkedScript.of("SELECT /*+ ⟦BROADCAST(a)⟧ */ a2, b2 FROM a JOIN b ON a1 = b1;")
        .gives(
            DiagnosticCode.UNKNOWN_JOIN_COLUMNS,
            "What columns the tables of this SELECT have is not known here, so its joins can't be told"
                + " apart",
            "Declare the tables that it reads in the script");
  }

  // -------------------------------------------------------------------------- HASH_BY_KEY

  @Test
  void aHashColumnThatTheTableLacks() {
    query(
            "SELECT /*+ BROADCAST(s), HASH_BY_KEY('l'='id, ⟦kk⟧') */ v FROM l JOIN s"
                + " ON l.k = s.k")
        .gives(
            DiagnosticCode.UNKNOWN_HASH_COLUMN,
            "'kk' is not a column of l",
            "The columns are id, k, 名, ts, seen");
  }

  @Test
  void aHashColumnOfProcessingTime() {
    query("SELECT /*+ BROADCAST(s), HASH_BY_KEY('l'='⟦seen⟧') */ v FROM l JOIN s ON l.k = s.k")
        .gives(
            DiagnosticCode.UNHASHABLE_COLUMN,
            "'seen' is processing time, which has no value before it is read",
            "Name a column with a value of its own");
  }

  @Test
  void aHashedTableThatFromDoesNotHave() {
    query("SELECT /*+ BROADCAST(s), HASH_BY_KEY(⟦'large'⟧='id') */ v FROM l JOIN s ON l.k = s.k")
        .gives(
            DiagnosticCode.UNKNOWN_JOIN_TABLE,
            "'large' is not a table of this SELECT's FROM",
            "FROM has l, s");
  }

  @Test
  void aHashedTableThatIsBroadcast() {
    query("SELECT /*+ BROADCAST(s), HASH_BY_KEY(⟦'s'⟧='k') */ v FROM l JOIN s ON l.k = s.k")
        .gives(
            DiagnosticCode.HASHED_BROADCAST,
            "'s' is broadcast, so every task has all of its rows and none are hashed",
            "Name the big table of the join");
  }

  @Test
  void aHashedTableInAnotherJoin() {
    query(
            "SELECT /*+ BROADCAST(s), HASH_BY_KEY(⟦'x'⟧='k') */ v FROM l JOIN s ON l.k = s.k"
                + " JOIN l AS x ON x.id = l.id")
        .gives(
            DiagnosticCode.NOT_JOINED,
            "'x' is not joined with a table that is broadcast, so its rows go as Flink plans",
            "Name the big table of a join whose small one BROADCAST names");
  }

  @Test
  void hashesWithoutBroadcast() {
    query("SELECT /*+ ⟦HASH_BY_KEY('l'='k')⟧ */ v FROM l JOIN s ON l.k = s.k")
        .gives(
            DiagnosticCode.NOT_JOINED,
            "HASH_BY_KEY says how the big side of a broadcast join is spread, and this SELECT has no"
                + " BROADCAST",
            "Name the small table: BROADCAST(small)");
  }

  // -------------------------------------------------------------------------- what is right

  @Test
  void inBatchModeBroadcastIsFlinksOwn() {
    Transpilation transpilation =
        MarkedScript.of(
                "⟦⟧SET 'execution.runtime-mode' = 'BATCH';\n"
                    + TABLES
                    + "SELECT /*+ BROADCAST(s), HASH_BY_KEY('l'='k') */ v FROM l JOIN s"
                    + " ON l.k = s.k;")
            .transpile(FlinkVersion.V2_2, Emission.SQL);

    assertThat(transpilation.diagnostics()).isEmpty();
    assertThat(transpilation.files().get("job.sql"))
        .contains("SELECT /*+ BROADCAST(s) */ v FROM l JOIN s ON l.k = s.k");
    assertThat(transpilation.plan().orElseThrow().notes())
        .anyMatch(note -> note.contains("HASH_BY_KEY('l'='k') is left out"));
  }

  @Test
  void thereIsNoSqlThatSaysIt() {
    Transpilation transpilation =
        MarkedScript.of("⟦⟧" + TABLES + "SELECT /*+ BROADCAST(s) */ v FROM l JOIN s ON l.k = s.k;")
            .transpile(FlinkVersion.V2_2, Emission.SQL);

    assertThat(transpilation.diagnostics())
        .extracting(found -> found.code())
        .containsExactly(DiagnosticCode.NO_NATIVE_FORM);
  }

  @Test
  void thePlanSaysWhereBigRowsGoAndWhatThatMeansForTheirOrder() {
    String tables =
        """
        ⟦⟧CREATE TABLE appended (id INT, k INT) WITH ('connector' = 'datagen');
        CREATE TABLE keyed (id INT, k INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'hudi');
        CREATE TABLE keyless (id INT, k INT)
          WITH ('connector' = 'filesystem', 'path' = 'x', 'format' = 'debezium-json');
        CREATE TABLE s (k INT) WITH ('connector' = 'datagen');
        SELECT /*+ BROADCAST(s) */ id FROM appended JOIN s USING (k);
        SELECT /*+ BROADCAST(s) */ id FROM keyed JOIN s USING (k);
        SELECT /*+ BROADCAST(s) */ id FROM keyless JOIN s USING (k);
        SELECT /*+ BROADCAST(s), HASH_BY_KEY('keyed'='id') */ id FROM keyed JOIN s USING (k);
        SELECT /*+ BROADCAST(s), HASH_BY_KEY('keyed'='k') */ id FROM keyed JOIN s USING (k);
        """;

    Transpilation transpilation =
        MarkedScript.of(tables).transpile(FlinkVersion.V2_2, Emission.PROJECT);

    List<String> plan = transpilation.files().get("plan.txt").lines().map(String::strip).toList();
    assertThat(plan)
        .contains(
            "-> round robin: appended is only ever inserted into, so no row of it has to be found"
                + " again",
            "-> hash by id: keyed may have updates, and changes of one primary key must meet",
            "-> hash by the whole row: keyless has updates and has no primary key to go by, and a"
                + " retraction must follow its row",
            "-> hash by id: HASH_BY_KEY asks for it",
            "-> hash by k: HASH_BY_KEY asks for it",
            "script.sql:6: rows of appended go to the tasks in turn, so they can overtake each other;"
                + " HASH_BY_KEY('appended'='column') keeps those in order that are equal in the"
                + " column",
            "script.sql:8: updates of one row of keyless can go to different tasks and overtake each"
                + " other; HASH_BY_KEY with its primary key keeps them in order",
            "script.sql:10: updates of one row of keyed can go to different tasks and overtake each"
                + " other; HASH_BY_KEY with its primary key keeps them in order");
    assertThat(plan)
        .noneMatch(line -> line.startsWith("script.sql:7:") && line.contains("overtake"));
    assertThat(plan)
        .noneMatch(line -> line.startsWith("script.sql:9:") && line.contains("overtake"));
  }
}
