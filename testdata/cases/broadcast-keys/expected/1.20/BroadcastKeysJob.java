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
 * The job broadcast-keys, written by hintflow from script.sql for Flink 1.20.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class BroadcastKeysJob {
  private BroadcastKeysJob() {}

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
            CREATE TABLE big (k INT, s VARCHAR(5), d DECIMAL(5, 2), id INT, r INT) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/big', 'format' = 'csv', 'csv.null-literal' = 'null'
            )"""));

    // script.sql:6
    tables.executeSql(
        job.createTable(
            "small",
            """
            CREATE TABLE small (k BIGINT, s STRING, d DECIMAL(10, 3), n INT) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/small', 'format' = 'csv', 'csv.null-literal' = 'null'
            )"""));

    // script.sql:11: BROADCAST(t). Every task has all rows of t. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again.
    Table select1JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, CAST(b.k AS BIGINT) AS key
            FROM big b""");
    Table select1JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, n
            FROM small t""");
    BroadcastJoin select1Joined =
        BroadcastJoin.inner(streams, "select/1/broadcast t")
            .big("b", select1JoinedBig, Placement.inTurn())
            .small("t", select1JoinedSmall)
            .on("b.key", "t.k")
            .select("b.id", "id")
            .select("t.n", "n");
    tables.createTemporaryView("select_1_joined", select1Joined.toTable());

    // script.sql:11
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            -- Keys of other types on the other side, and several of them.
            SELECT id, n FROM select_1_joined"""));

    // script.sql:12: BROADCAST(t). Every task has all rows of t. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again.
    Table select2JoinedBig =
        tables.sqlQuery(
            """
            SELECT s, id, CAST(b.d AS DECIMAL(10, 3)) AS key
            FROM big b""");
    Table select2JoinedSmall =
        tables.sqlQuery(
            """
            SELECT s, d, n
            FROM small t""");
    BroadcastJoin select2Joined =
        BroadcastJoin.inner(streams, "select/2/broadcast t")
            .big("b", select2JoinedBig, Placement.inTurn())
            .small("t", select2JoinedSmall)
            .on("b.s", "t.s")
            .on("b.key", "t.d")
            .select("b.id", "id")
            .select("t.n", "n");
    tables.createTemporaryView("select_2_joined", select2Joined.toTable());

    // script.sql:12
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/2").build(),
        tables.sqlQuery(
            """
            SELECT id, n FROM select_2_joined"""));

    // script.sql:13: BROADCAST(t). Every task has all rows of t. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again.
    Table select3JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, CAST(b.k + 1 AS BIGINT) AS key, UPPER(b.s) AS key_2
            FROM big b""");
    Table select3JoinedSmall =
        tables.sqlQuery(
            """
            SELECT n, t.k * 2 - 1 AS key, UPPER(t.s) AS key_2
            FROM small t""");
    BroadcastJoin select3Joined =
        BroadcastJoin.inner(streams, "select/3/broadcast t")
            .big("b", select3JoinedBig, Placement.inTurn())
            .small("t", select3JoinedSmall)
            .on("b.key", "t.key")
            .on("b.key_2", "t.key_2")
            .select("b.id", "id")
            .select("t.n", "n");
    tables.createTemporaryView("select_3_joined", select3Joined.toTable());

    // script.sql:13
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/3").build(),
        tables.sqlQuery(
            """
            SELECT id, n FROM select_3_joined"""));

    // script.sql:14: BROADCAST(t). Every task has all rows of t. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again.
    Table select4JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, CAST(b.s AS CHAR(2)) AS key
            FROM big b""");
    Table select4JoinedSmall =
        tables.sqlQuery(
            """
            SELECT s, n
            FROM small t""");
    BroadcastJoin select4Joined =
        BroadcastJoin.inner(streams, "select/4/broadcast t")
            .big("b", select4JoinedBig, Placement.inTurn())
            .small("t", select4JoinedSmall)
            .on("b.key", "t.s")
            .select("b.id", "id")
            .select("t.n", "n");
    tables.createTemporaryView("select_4_joined", select4Joined.toTable());

    // script.sql:14
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/4").build(),
        tables.sqlQuery(
            """
            SELECT id, n FROM select_4_joined"""));

    // script.sql:17: BROADCAST(t). Every task has all rows of t. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again.
    Table select5JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, CAST(b.k AS BIGINT) AS key, CAST(b.d AS DECIMAL(10, 3)) AS operand
            FROM big b""");
    Table select5JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, d, n
            FROM small t""");
    BroadcastJoin select5Joined =
        BroadcastJoin.inner(streams, "select/5/broadcast t")
            .big("b", select5JoinedBig, Placement.inTurn())
            .small("t", select5JoinedSmall)
            .on("b.key", "t.k")
            .where(JoinCondition.lessThan("b.id", "t.n")
                    .and(JoinCondition.notEqual("b.operand", "t.d")))
            .select("b.id", "id")
            .select("t.n", "n");
    tables.createTemporaryView("select_5_joined", select5Joined.toTable());

    // script.sql:17
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/5").build(),
        tables.sqlQuery(
            """
            -- Comparisons across the sides, in every form.
            SELECT id, n FROM select_5_joined"""));

    // script.sql:18: BROADCAST(t). Every task has all rows of t. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again.
    Table select6JoinedBig =
        tables.sqlQuery(
            """
            SELECT id
            FROM big b""");
    Table select6JoinedSmall =
        tables.sqlQuery(
            """
            SELECT n, t.n + 3 AS operand
            FROM small t""");
    BroadcastJoin select6Joined =
        BroadcastJoin.inner(streams, "select/6/broadcast t")
            .big("b", select6JoinedBig, Placement.inTurn())
            .small("t", select6JoinedSmall)
            .where(JoinCondition.greaterOrEqual("b.id", "t.n")
                    .and(JoinCondition.lessOrEqual("b.id", "t.operand")))
            .select("b.id", "id")
            .select("t.n", "n");
    tables.createTemporaryView("select_6_joined", select6Joined.toTable());

    // script.sql:18
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/6").build(),
        tables.sqlQuery(
            """
            SELECT id, n FROM select_6_joined"""));

    // script.sql:19: BROADCAST(t). Every task has all rows of t. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again.
    Table select7JoinedBig =
        tables.sqlQuery(
            """
            SELECT s, id, CAST(b.k AS BIGINT) AS operand, NOT (b.r = 1) AS matching
            FROM big b""");
    Table select7JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, s, n
            FROM small t""");
    BroadcastJoin select7Joined =
        BroadcastJoin.inner(streams, "select/7/broadcast t")
            .big("b", select7JoinedBig, Placement.inTurn())
            .small("t", select7JoinedSmall)
            .on("b.s", "t.s")
            .where(JoinCondition.distinct("b.operand", "t.k")
                    .or(JoinCondition.lessOrEqual("b.id", "t.n"))
                    .or(JoinCondition.isTrue("b.matching")))
            .select("b.id", "id")
            .select("t.n", "n");
    tables.createTemporaryView("select_7_joined", select7Joined.toTable());

    // script.sql:19
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/7").build(),
        tables.sqlQuery(
            """
            SELECT id, n FROM select_7_joined"""));

    // script.sql:20: BROADCAST(t). Every task has all rows of t. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again.
    Table select8JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, CAST(b.k AS BIGINT) AS operand
            FROM big b""");
    Table select8JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, n
            FROM small t
            WHERE t.n > 4""");
    BroadcastJoin select8Joined =
        BroadcastJoin.inner(streams, "select/8/broadcast t")
            .big("b", select8JoinedBig, Placement.inTurn())
            .small("t", select8JoinedSmall)
            .where(JoinCondition.notDistinct("b.operand", "t.k"))
            .select("b.id", "id")
            .select("t.n", "n");
    tables.createTemporaryView("select_8_joined", select8Joined.toTable());

    // script.sql:20
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/8").build(),
        tables.sqlQuery(
            """
            SELECT id, n FROM select_8_joined"""));

    // script.sql:21: BROADCAST(t). Every task has all rows of t. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again.
    Table select9JoinedBig =
        tables.sqlQuery(
            """
            SELECT s, id, CAST(b.k AS BIGINT) AS key
            FROM big b""");
    Table select9JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, s, n
            FROM small t""");
    BroadcastJoin select9Joined =
        BroadcastJoin.inner(streams, "select/9/broadcast t")
            .big("b", select9JoinedBig, Placement.inTurn())
            .small("t", select9JoinedSmall)
            .on("b.key", "t.k")
            .select("b.s", "b_s")
            .select("b.id", "id")
            .select("t.s", "t_s")
            .select("t.n", "n");
    tables.createTemporaryView("select_9_joined", select9Joined.toTable());

    // script.sql:21
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/9").build(),
        tables.sqlQuery(
            """
            SELECT id, n FROM (SELECT * FROM select_9_joined WHERE b_s LIKE CONCAT(SUBSTRING(t_s, 1, 1), '%') AND id + n > 10) AS select_9_joined"""));

    // script.sql:22: BROADCAST(t). Every task has all rows of t. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again.
    Table select10JoinedBig =
        tables.sqlQuery(
            """
            SELECT s, id, r
            FROM big b""");
    Table select10JoinedSmall =
        tables.sqlQuery(
            """
            SELECT s, n
            FROM small t""");
    BroadcastJoin select10Joined =
        BroadcastJoin.inner(streams, "select/10/broadcast t")
            .big("b", select10JoinedBig, Placement.inTurn())
            .small("t", select10JoinedSmall)
            .select("b.s", "b_s")
            .select("b.id", "id")
            .select("b.r", "r")
            .select("t.s", "t_s")
            .select("t.n", "n");
    tables.createTemporaryView("select_10_joined", select10Joined.toTable());

    // script.sql:22
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/10").build(),
        tables.sqlQuery(
            """
            SELECT id, n FROM (SELECT * FROM select_10_joined WHERE (b_s IN (t_s, 'e') OR r = 0)) AS select_10_joined"""));

    // script.sql:24: BROADCAST(t). Every task has all rows of t. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again.
    Table select11JoinedBig =
        tables.sqlQuery(
            """
            SELECT 1 AS `row`
            FROM big b""");
    Table select11JoinedSmall =
        tables.sqlQuery(
            """
            SELECT 1 AS `row`
            FROM small t""");
    BroadcastJoin select11Joined =
        BroadcastJoin.inner(streams, "select/11/broadcast t")
            .big("b", select11JoinedBig, Placement.inTurn())
            .small("t", select11JoinedSmall);
    tables.createTemporaryView("select_11_joined", select11Joined.toTable());

    // script.sql:24
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/11").build(),
        tables.sqlQuery(
            """
            -- No equality at all.
            SELECT COUNT(*) AS pairs FROM select_11_joined"""));

    // script.sql:25: BROADCAST(t). Every task has all rows of t. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again.
    Table select12JoinedBig =
        tables.sqlQuery(
            """
            SELECT id
            FROM big b""");
    Table select12JoinedSmall =
        tables.sqlQuery(
            """
            SELECT n
            FROM small t""");
    BroadcastJoin select12Joined =
        BroadcastJoin.inner(streams, "select/12/broadcast t")
            .big("b", select12JoinedBig, Placement.inTurn())
            .small("t", select12JoinedSmall)
            .where(JoinCondition.greaterThan("b.id", "t.n"))
            .select("b.id", "id")
            .select("t.n", "n");
    tables.createTemporaryView("select_12_joined", select12Joined.toTable());

    // script.sql:25
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/12").build(),
        tables.sqlQuery(
            """
            SELECT id, n FROM select_12_joined"""));

    // script.sql:26: BROADCAST(t). Every task has all rows of t. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again.
    Table select13JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, r, CAST(b.k AS BIGINT) AS key, b.r = 1 AS matching
            FROM big b""");
    Table select13JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, n
            FROM small t
            WHERE t.n < 9""");
    BroadcastJoin select13Joined =
        BroadcastJoin.inner(streams, "select/13/broadcast t")
            .big("b", select13JoinedBig, Placement.inTurn())
            .small("t", select13JoinedSmall)
            .on("b.key", "t.k")
            .where(JoinCondition.isTrue("b.matching")
                    .or(JoinCondition.equal("b.r", "t.n")))
            .select("b.id", "id")
            .select("t.n", "n");
    tables.createTemporaryView("select_13_joined", select13Joined.toTable());

    // script.sql:26
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/13").build(),
        tables.sqlQuery(
            """
            SELECT id, n FROM select_13_joined"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
