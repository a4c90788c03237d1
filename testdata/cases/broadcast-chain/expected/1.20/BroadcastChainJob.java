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
 * The job broadcast-chain, written by hintflow from script.sql for Flink 1.20.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class BroadcastChainJob {
  private BroadcastChainJob() {}

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
            "facts",
            """
            CREATE TABLE facts (id INT, k INT, s STRING, v INT) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/facts', 'format' = 'csv', 'csv.null-literal' = 'null'
            )"""));

    // script.sql:6
    tables.executeSql(
        job.createTable(
            "kinds",
            """
            CREATE TABLE kinds (k INT, name STRING, n INT) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/kinds', 'format' = 'csv', 'csv.null-literal' = 'null'
            )"""));

    // script.sql:9
    tables.executeSql(
        job.createTable(
            "sizes",
            """
            CREATE TABLE sizes (s STRING, m INT) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/sizes', 'format' = 'csv', 'csv.null-literal' = 'null'
            )"""));

    // script.sql:14: BROADCAST(kinds, sizes), HASH_BY_KEY('facts'='id'). Every task has all rows of
    // kinds. The rows of facts go by the hash of id: HASH_BY_KEY asks for it.
    Table select1JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, k, s
            FROM facts""");
    Table select1JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, name
            FROM kinds""");
    BroadcastJoin select1Joined =
        BroadcastJoin.inner(streams, "select/1/broadcast kinds")
            .big("facts", select1JoinedBig, Placement.byHash("id"))
            .small("kinds", select1JoinedSmall)
            .on("facts.k", "kinds.k");

    // script.sql:14: BROADCAST(kinds, sizes), HASH_BY_KEY('facts'='id'). Every task has all rows of
    // sizes. The rows of the join above stay on their tasks.
    Table select1Joined2Small =
        tables.sqlQuery(
            """
            SELECT s, m
            FROM sizes""");
    BroadcastJoin select1Joined2 =
        BroadcastJoin.inner(streams, "select/1/broadcast sizes")
            .big(select1Joined)
            .small("sizes", select1Joined2Small)
            .on("facts.s", "sizes.s")
            .select("facts.id", "id")
            .select("kinds.name", "name")
            .select("sizes.m", "m");
    tables.createTemporaryView("select_1_joined_2", select1Joined2.toTable());

    // script.sql:14
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            -- The rows of facts stay where the first join put them.
            SELECT id, name, m
            FROM select_1_joined_2"""));

    // script.sql:17: BROADCAST(kinds, sizes). Every task has all rows of kinds. The rows of f go to
    // the tasks in turn: f is only ever inserted into, so no row of it has to be found again. Those
    // that match nothing come out with NULLs.
    Table select2JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, k, s, f.v > 1 AS matching
            FROM facts f""");
    Table select2JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, name, n
            FROM kinds""");
    BroadcastJoin select2Joined =
        BroadcastJoin.outer(streams, "select/2/broadcast kinds")
            .big("f", select2JoinedBig, Placement.inTurn())
            .small("kinds", select2JoinedSmall)
            .on("f.k", "kinds.k");

    // script.sql:17: BROADCAST(kinds, sizes). Every task has all rows of sizes. The rows of the
    // join above stay on their tasks. Those that match nothing come out with NULLs.
    Table select2Joined2Small =
        tables.sqlQuery(
            """
            SELECT s, m, sizes.m * 3 AS operand
            FROM sizes""");
    BroadcastJoin select2Joined2 =
        BroadcastJoin.outer(streams, "select/2/broadcast sizes")
            .big(select2Joined)
            .small("sizes", select2Joined2Small)
            .on("f.s", "sizes.s")
            .where(JoinCondition.lessThan("kinds.n", "sizes.operand")
                    .and(JoinCondition.isTrue("f.matching")))
            .select("f.id", "id")
            .select("kinds.name", "name")
            .select("sizes.m", "m");
    tables.createTemporaryView("select_2_joined_2", select2Joined2.toTable());

    // script.sql:17
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/2").build(),
        tables.sqlQuery(
            """
            SELECT id, name, m
            FROM select_2_joined_2"""));

    // script.sql:20: BROADCAST(kinds, sizes). Every task has all rows of kinds. The rows of f go to
    // the tasks in turn: f is only ever inserted into, so no row of it has to be found again.
    Table select3JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, k, s, v
            FROM facts f""");
    Table select3JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, name, n
            FROM kinds""");
    BroadcastJoin select3Joined =
        BroadcastJoin.inner(streams, "select/3/broadcast kinds")
            .big("f", select3JoinedBig, Placement.inTurn())
            .small("kinds", select3JoinedSmall)
            .on("f.k", "kinds.k")
            .select("f.id", "id")
            .select("f.s", "f_s")
            .select("f.v", "v")
            .select("kinds.name", "name")
            .select("kinds.n", "n");
    tables.createTemporaryView("select_3_joined", select3Joined.toTable());

    // script.sql:20: BROADCAST(kinds, sizes). Every task has all rows of sizes. The rows of big go
    // to the tasks in turn: the big side is only ever inserted into, so no row of it has to be
    // found again.
    Table select3Joined2Big =
        tables.sqlQuery(
            """
            SELECT id, f_s, name, n + v AS operand
            FROM select_3_joined""");
    Table select3Joined2Small =
        tables.sqlQuery(
            """
            SELECT s, m
            FROM sizes""");
    BroadcastJoin select3Joined2 =
        BroadcastJoin.inner(streams, "select/3/broadcast sizes")
            .big("big", select3Joined2Big, Placement.inTurn())
            .small("sizes", select3Joined2Small)
            .on("big.f_s", "sizes.s")
            .where(JoinCondition.greaterThan("big.operand", "sizes.m"))
            .select("big.id", "id")
            .select("big.name", "name")
            .select("sizes.m", "m");
    tables.createTemporaryView("select_3_joined_2", select3Joined2.toTable());

    // script.sql:20
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/3").build(),
        tables.sqlQuery(
            """
            SELECT id, name, m
            FROM select_3_joined_2"""));

    // script.sql:24: BROADCAST(kinds, sizes), HASH_BY_KEY('f'='id'). Every task has all rows of
    // kinds. The rows of f go by the hash of id: HASH_BY_KEY asks for it.
    Table select4JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, k, s, v
            FROM facts f""");
    Table select4JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, name, n
            FROM kinds""");
    BroadcastJoin select4Joined =
        BroadcastJoin.inner(streams, "select/4/broadcast kinds")
            .big("f", select4JoinedBig, Placement.byHash("id"))
            .small("kinds", select4JoinedSmall)
            .on("f.k", "kinds.k")
            .select("f.id", "id")
            .select("f.s", "f_s")
            .select("f.v", "v")
            .select("kinds.name", "name")
            .select("kinds.n", "n");
    tables.createTemporaryView("select_4_joined", select4Joined.toTable());

    // script.sql:24: BROADCAST(kinds, sizes), HASH_BY_KEY('f'='id'). Every task has all rows of
    // sizes. The rows of big go by the hash of id: HASH_BY_KEY asks for it.
    Table select4Joined2Big =
        tables.sqlQuery(
            """
            SELECT id, name, n + v AS key, CONCAT(f_s, name) AS operand
            FROM select_4_joined""");
    Table select4Joined2Small =
        tables.sqlQuery(
            """
            SELECT s, m, sizes.m * 3 AS key
            FROM sizes""");
    BroadcastJoin select4Joined2 =
        BroadcastJoin.inner(streams, "select/4/broadcast sizes")
            .big("big", select4Joined2Big, Placement.byHash("id"))
            .small("sizes", select4Joined2Small)
            .on("big.key", "sizes.key")
            .where(JoinCondition.notEqual("big.operand", "sizes.s"))
            .select("big.id", "id")
            .select("big.name", "name")
            .select("sizes.m", "m");
    tables.createTemporaryView("select_4_joined_2", select4Joined2.toTable());

    // script.sql:24
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/4").build(),
        tables.sqlQuery(
            """
            -- What the second join asks for only SQL can tell, so its rows pass through SQL before it.
            SELECT id, name, m
            FROM select_4_joined_2"""));

    // script.sql:27: BROADCAST(kinds, sizes). Every task has all rows of kinds. The rows of f go to
    // the tasks in turn: f is only ever inserted into, so no row of it has to be found again. Those
    // that match nothing come out with NULLs.
    Table select5JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, k
            FROM facts f""");
    Table select5JoinedSmall =
        tables.sqlQuery(
            """
            SELECT k, name, n
            FROM kinds""");
    BroadcastJoin select5Joined =
        BroadcastJoin.outer(streams, "select/5/broadcast kinds")
            .big("f", select5JoinedBig, Placement.inTurn())
            .small("kinds", select5JoinedSmall)
            .on("f.k", "kinds.k")
            .select("f.id", "id")
            .select("kinds.name", "name")
            .select("kinds.n", "n");
    tables.createTemporaryView("select_5_joined", select5Joined.toTable());

    // script.sql:27: BROADCAST(kinds, sizes). Every task has all rows of sizes. The rows of big go
    // by the hash of the whole row: the big side has updates and has no primary key to go by, and a
    // retraction must follow its row.
    Table select5Joined2Big =
        tables.sqlQuery(
            """
            SELECT id, name, COALESCE(n, 8) AS key
            FROM select_5_joined""");
    Table select5Joined2Small =
        tables.sqlQuery(
            """
            SELECT m
            FROM sizes""");
    BroadcastJoin select5Joined2 =
        BroadcastJoin.inner(streams, "select/5/broadcast sizes")
            .big("big", select5Joined2Big, Placement.byWholeRow())
            .small("sizes", select5Joined2Small)
            .on("big.key", "sizes.m")
            .select("big.id", "id")
            .select("big.name", "name")
            .select("sizes.m", "m");
    tables.createTemporaryView("select_5_joined_2", select5Joined2.toTable());

    // script.sql:27
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/5").build(),
        tables.sqlQuery(
            """
            SELECT id, name, m
            FROM select_5_joined_2"""));

    // script.sql:30: BROADCAST(kinds, sizes). Every task has all rows of sizes. The rows of f go to
    // the tasks in turn: f is only ever inserted into, so no row of it has to be found again. Those
    // that match nothing come out with NULLs.
    Table select6JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, k, s
            FROM (SELECT id, k, s FROM facts WHERE v > 0) AS f""");
    Table select6JoinedSmall =
        tables.sqlQuery(
            """
            SELECT s, m
            FROM sizes""");
    BroadcastJoin select6Joined =
        BroadcastJoin.outer(streams, "select/6/broadcast sizes")
            .big("f", select6JoinedBig, Placement.inTurn())
            .small("sizes", select6JoinedSmall)
            .on("f.s", "sizes.s");

    // script.sql:30: BROADCAST(kinds, sizes). Every task has all rows of kinds. The rows of the
    // join above stay on their tasks. Those that match nothing come out with NULLs.
    Table select6Joined2Small =
        tables.sqlQuery(
            """
            SELECT k, name, n
            FROM kinds""");
    BroadcastJoin select6Joined2 =
        BroadcastJoin.outer(streams, "select/6/broadcast kinds")
            .big(select6Joined)
            .small("kinds", select6Joined2Small)
            .on("f.k", "kinds.k")
            .select("f.id", "id")
            .select("f.k", "f_k")
            .select("f.s", "f_s")
            .select("sizes.s", "sizes_s")
            .select("sizes.m", "m")
            .select("kinds.k", "kinds_k")
            .select("kinds.name", "name")
            .select("kinds.n", "n");
    tables.createTemporaryView("select_6_joined_2", select6Joined2.toTable());

    // script.sql:30
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/6").build(),
        tables.sqlQuery(
            """
            SELECT sizes_s AS s, m, id, f_k AS k, f_s AS s0, kinds_k AS k0, name, n FROM select_6_joined_2"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
