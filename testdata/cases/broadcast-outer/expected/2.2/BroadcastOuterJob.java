package com.example;

import com.example.operators.BroadcastJoin;
import com.example.operators.JobConfiguration;
import com.example.operators.JoinCondition;
import com.example.operators.Placement;
import com.example.operators.TableStreams;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableDescriptor;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * The job broadcast-outer, written by hintflow from script.sql for Flink 2.2.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class BroadcastOuterJob {
  private BroadcastOuterJob() {}

  public static void main(String[] arguments) throws Exception {
    JobConfiguration job = JobConfiguration.load(arguments);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(job.flink());
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    TableStreams streams = new TableStreams(environment, tables);
    StreamStatementSet inserts = tables.createStatementSet();

    // script.sql:3
    tables.executeSql(
        job.createTable(
            "big",
            """
            CREATE TABLE big (k INT, id INT, r INT) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/big', 'format' = 'csv', 'csv.null-literal' = 'null'
            )"""));

    // script.sql:6
    tables.executeSql(
        job.createTable(
            "small",
            """
            CREATE TABLE small (k INT, n INT) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/small', 'format' = 'csv', 'csv.null-literal' = 'null'
            )"""));

    // script.sql:10: BROADCAST(s). Every task has all rows of s. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again. Those that match
    // nothing come out with NULLs.
    Table select1JoinedBig =
        tables.sqlQuery(
            """
            SELECT k, id
            FROM big b""");
    Table select1JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, n
            FROM small s""");
    BroadcastJoin select1Joined =
        BroadcastJoin.outer(streams, "select/1/broadcast s")
            .big("b", select1JoinedBig, Placement.inTurn())
            .small("s", select1JoinedSmall)
            .on("b.k", "s.k")
            .select("b.id", "id")
            .select("s.n", "n");
    tables.createTemporaryView("select_1_joined", select1Joined.toTable());

    // script.sql:10
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            SELECT id, n FROM select_1_joined"""));

    // script.sql:11: BROADCAST(s). Every task has all rows of s. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again. Those that match
    // nothing come out with NULLs.
    Table select2JoinedBig =
        tables.sqlQuery(
            """
            SELECT k, id
            FROM big b""");
    Table select2JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, n
            FROM small s""");
    BroadcastJoin select2Joined =
        BroadcastJoin.outer(streams, "select/2/broadcast s")
            .big("b", select2JoinedBig, Placement.inTurn())
            .small("s", select2JoinedSmall)
            .on("b.k", "s.k")
            .where(JoinCondition.lessThan("b.id", "s.n"))
            .select("b.id", "id")
            .select("s.n", "n");
    tables.createTemporaryView("select_2_joined", select2Joined.toTable());

    // script.sql:11
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/2").build(),
        tables.sqlQuery(
            """
            SELECT id, n FROM select_2_joined"""));

    // script.sql:13: BROADCAST(s). Every task has all rows of s. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again. Those that match
    // nothing come out with NULLs.
    Table select3JoinedBig =
        tables.sqlQuery(
            """
            SELECT k, id, b.r > 2 AS matching
            FROM big b""");
    Table select3JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, n
            FROM small s
            WHERE s.n > 1""");
    BroadcastJoin select3Joined =
        BroadcastJoin.outer(streams, "select/3/broadcast s")
            .big("b", select3JoinedBig, Placement.inTurn())
            .small("s", select3JoinedSmall)
            .on("b.k", "s.k")
            .where(JoinCondition.isTrue("b.matching"))
            .select("b.id", "id")
            .select("s.n", "n");
    tables.createTemporaryView("select_3_joined", select3Joined.toTable());

    // script.sql:13
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/3").build(),
        tables.sqlQuery(
            """
            -- What concerns one side only decides what matches, not what comes out.
            SELECT id, n FROM select_3_joined"""));

    // script.sql:14: BROADCAST(s). Every task has all rows of s. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again. Those that match
    // nothing come out with NULLs.
    Table select4JoinedBig =
        tables.sqlQuery(
            """
            SELECT k, id, b.r = 1 AS matching
            FROM big b""");
    Table select4JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, n, s.n = 0 AS matching
            FROM small s""");
    BroadcastJoin select4Joined =
        BroadcastJoin.outer(streams, "select/4/broadcast s")
            .big("b", select4JoinedBig, Placement.inTurn())
            .small("s", select4JoinedSmall)
            .on("b.k", "s.k")
            .where(JoinCondition.isTrue("b.matching")
                    .or(JoinCondition.greaterThan("s.n", "b.id"))
                    .or(JoinCondition.isTrue("s.matching")))
            .select("b.id", "id")
            .select("s.n", "n");
    tables.createTemporaryView("select_4_joined", select4Joined.toTable());

    // script.sql:14
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/4").build(),
        tables.sqlQuery(
            """
            SELECT id, n FROM select_4_joined"""));

    // script.sql:15: BROADCAST(s). Every task has all rows of s. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again. Those that match
    // nothing come out with NULLs.
    Table select5JoinedBig =
        tables.sqlQuery(
            """
            SELECT id
            FROM big b""");
    Table select5JoinedSmall =
        tables.sqlQuery(
            """
            SELECT n
            FROM small s""");
    BroadcastJoin select5Joined =
        BroadcastJoin.outer(streams, "select/5/broadcast s")
            .big("b", select5JoinedBig, Placement.inTurn())
            .small("s", select5JoinedSmall)
            .where(JoinCondition.greaterThan("b.id", "s.n"))
            .select("b.id", "id")
            .select("s.n", "n");
    tables.createTemporaryView("select_5_joined", select5Joined.toTable());

    // script.sql:15
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/5").build(),
        tables.sqlQuery(
            """
            SELECT id, n FROM select_5_joined"""));

    // script.sql:16: BROADCAST(s). Every task has all rows of s. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again. Those that match
    // nothing come out with NULLs.
    Table select6JoinedBig =
        tables.sqlQuery(
            """
            SELECT id
            FROM big b""");
    Table select6JoinedSmall =
        tables.sqlQuery(
            """
            SELECT n
            FROM small s
            WHERE 1 = 0""");
    BroadcastJoin select6Joined =
        BroadcastJoin.outer(streams, "select/6/broadcast s")
            .big("b", select6JoinedBig, Placement.inTurn())
            .small("s", select6JoinedSmall)
            .select("b.id", "id")
            .select("s.n", "n");
    tables.createTemporaryView("select_6_joined", select6Joined.toTable());

    // script.sql:16
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/6").build(),
        tables.sqlQuery(
            """
            SELECT id, n FROM select_6_joined"""));

    // script.sql:17: BROADCAST(s). Every task has all rows of s. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again. Those that match
    // nothing come out with NULLs.
    Table select7JoinedBig =
        tables.sqlQuery(
            """
            SELECT id
            FROM big b""");
    Table select7JoinedSmall =
        tables.sqlQuery(
            """
            SELECT n
            FROM small s""");
    BroadcastJoin select7Joined =
        BroadcastJoin.outer(streams, "select/7/broadcast s")
            .big("b", select7JoinedBig, Placement.inTurn())
            .small("s", select7JoinedSmall)
            .select("b.id", "id")
            .select("s.n", "n");
    tables.createTemporaryView("select_7_joined", select7Joined.toTable());

    // script.sql:17
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/7").build(),
        tables.sqlQuery(
            """
            SELECT id, n FROM select_7_joined"""));

    // script.sql:18: BROADCAST(s). Every task has all rows of s. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again. Those that match
    // nothing come out with NULLs.
    Table select8JoinedBig =
        tables.sqlQuery(
            """
            SELECT k, id, r
            FROM big b""");
    Table select8JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, n
            FROM small s""");
    BroadcastJoin select8Joined =
        BroadcastJoin.outer(streams, "select/8/broadcast s")
            .big("b", select8JoinedBig, Placement.inTurn())
            .small("s", select8JoinedSmall)
            .on("b.k", "s.k")
            .select("b.k", "b_k")
            .select("b.id", "id")
            .select("b.r", "r")
            .select("s.n", "n");
    tables.createTemporaryView("select_8_joined", select8Joined.toTable());

    // script.sql:18
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/8").build(),
        tables.sqlQuery(
            """
            SELECT b_k AS k, n, id, r FROM select_8_joined"""));

    // script.sql:20: BROADCAST(s). Every task has all rows of s. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again. Those that match
    // nothing come out with NULLs.
    Table select9JoinedBig =
        tables.sqlQuery(
            """
            SELECT k, id
            FROM big b
            WHERE b.id > 3""");
    Table select9JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, n
            FROM small s""");
    BroadcastJoin select9Joined =
        BroadcastJoin.outer(streams, "select/9/broadcast s")
            .big("b", select9JoinedBig, Placement.inTurn())
            .small("s", select9JoinedSmall)
            .on("b.k", "s.k")
            .select("b.id", "id")
            .select("s.n", "n");
    tables.createTemporaryView("select_9_joined", select9Joined.toTable());

    // script.sql:20
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/9").build(),
        tables.sqlQuery(
            """
            -- WHERE filters what comes out.
            SELECT id, n FROM select_9_joined WHERE n IS NULL"""));

    // script.sql:21: BROADCAST(s). Every task has all rows of s. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again. Those that match
    // nothing come out with NULLs.
    Table select10JoinedBig =
        tables.sqlQuery(
            """
            SELECT k, id
            FROM big b""");
    Table select10JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, n
            FROM small s""");
    BroadcastJoin select10Joined =
        BroadcastJoin.outer(streams, "select/10/broadcast s")
            .big("b", select10JoinedBig, Placement.inTurn())
            .small("s", select10JoinedSmall)
            .on("b.k", "s.k")
            .select("b.id", "id")
            .select("s.k", "s_k")
            .select("s.n", "n");
    tables.createTemporaryView("select_10_joined", select10Joined.toTable());

    // script.sql:21
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/10").build(),
        tables.sqlQuery(
            """
            SELECT id, n, s_k AS k FROM select_10_joined WHERE COALESCE(n, id) > 4"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
