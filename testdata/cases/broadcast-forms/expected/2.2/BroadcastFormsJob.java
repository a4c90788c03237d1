package com.example;

import com.example.operators.BroadcastJoin;
import com.example.operators.JobConfiguration;
import com.example.operators.Placement;
import com.example.operators.TableStreams;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableDescriptor;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * The job broadcast-forms, written by hintflow from script.sql for Flink 2.2.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class BroadcastFormsJob {
  private BroadcastFormsJob() {}

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
            "a",
            """
            CREATE TABLE a (a1 INT, a2 STRING) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/a', 'format' = 'csv'
            )"""));

    // script.sql:6
    tables.executeSql(
        job.createTable(
            "b",
            """
            CREATE TABLE b (b1 INT, b2 STRING, b3 INT) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/b', 'format' = 'csv'
            )"""));

    // script.sql:9
    tables.executeSql(
        job.createTable(
            "c",
            """
            CREATE TABLE c (c1 INT, c2 STRING) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/c', 'format' = 'csv'
            )"""));

    // script.sql:13: BROADCAST(a). Every task has all rows of a. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again.
    Table select1JoinedBig =
        tables.sqlQuery(
            """
            SELECT b1, b2
            FROM b""");
    Table select1JoinedSmall =
        tables.sqlQuery(
            """
            SELECT a1, a2
            FROM a""");
    BroadcastJoin select1Joined =
        BroadcastJoin.inner(streams, "select/1/broadcast a")
            .big("b", select1JoinedBig, Placement.inTurn())
            .small("a", select1JoinedSmall)
            .on("b.b1", "a.a1")
            .select("b.b2", "b2")
            .select("a.a2", "a2");
    tables.createTemporaryView("select_1_joined", select1Joined.toTable());

    // script.sql:13
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            SELECT a2, b2 FROM select_1_joined"""));

    // script.sql:15: BROADCAST(a). Every task has all rows of a. The rows of b go to the tasks in
    // turn: b is only ever inserted into, so no row of it has to be found again.
    Table select2JoinedBig =
        tables.sqlQuery(
            """
            SELECT b1, b2
            FROM b""");
    Table select2JoinedSmall =
        tables.sqlQuery(
            """
            SELECT a1, a2
            FROM a""");
    BroadcastJoin select2Joined =
        BroadcastJoin.inner(streams, "select/2/broadcast a")
            .big("b", select2JoinedBig, Placement.inTurn())
            .small("a", select2JoinedSmall)
            .on("b.b1", "a.a1")
            .select("b.b2", "b2")
            .select("a.a2", "a2");
    tables.createTemporaryView("select_2_joined", select2Joined.toTable());

    // script.sql:15
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/2").build(),
        tables.sqlQuery(
            """
            SELECT a2, b2 FROM select_2_joined"""));

    // script.sql:18: BROADCAST(a, c). Every task has all rows of a. The rows of b go to the tasks
    // in turn: b is only ever inserted into, so no row of it has to be found again.
    Table select3JoinedBig =
        tables.sqlQuery(
            """
            SELECT b1, b2
            FROM b""");
    Table select3JoinedSmall =
        tables.sqlQuery(
            """
            SELECT a1, a2
            FROM a""");
    BroadcastJoin select3Joined =
        BroadcastJoin.inner(streams, "select/3/broadcast a")
            .big("b", select3JoinedBig, Placement.inTurn())
            .small("a", select3JoinedSmall)
            .on("b.b1", "a.a1");

    // script.sql:18: BROADCAST(a, c). Every task has all rows of c. The rows of the join above stay
    // on their tasks.
    Table select3Joined2Small =
        tables.sqlQuery(
            """
            SELECT c1, c2
            FROM c""");
    BroadcastJoin select3Joined2 =
        BroadcastJoin.inner(streams, "select/3/broadcast c")
            .big(select3Joined)
            .small("c", select3Joined2Small)
            .on("a.a1", "c.c1")
            .select("b.b2", "b2")
            .select("a.a2", "a2")
            .select("c.c2", "c2");
    tables.createTemporaryView("select_3_joined_2", select3Joined2.toTable());

    // script.sql:18
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/3").build(),
        tables.sqlQuery(
            """
            -- Two small tables, one big.
            SELECT a2, b2, c2 FROM select_3_joined_2"""));

    // script.sql:20: BROADCAST(a), HASH_BY_KEY('b'='b2'). Every task has all rows of a. The rows of
    // b go by the hash of b2: HASH_BY_KEY asks for it.
    Table select4JoinedBig =
        tables.sqlQuery(
            """
            SELECT b1, b2
            FROM b""");
    Table select4JoinedSmall =
        tables.sqlQuery(
            """
            SELECT a1, a2
            FROM a""");
    BroadcastJoin select4Joined =
        BroadcastJoin.inner(streams, "select/4/broadcast a")
            .big("b", select4JoinedBig, Placement.byHash("b2"))
            .small("a", select4JoinedSmall)
            .on("b.b1", "a.a1")
            .select("b.b2", "b2")
            .select("a.a2", "a2");
    tables.createTemporaryView("select_4_joined", select4Joined.toTable());

    // script.sql:20
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/4").build(),
        tables.sqlQuery(
            """
            SELECT a2, b2 FROM select_4_joined"""));

    // script.sql:22: BROADCAST(a), HASH_BY_KEY('b'='b2, b3'). Every task has all rows of a. The
    // rows of b go by the hash of b2, b3: HASH_BY_KEY asks for it.
    Table select5JoinedBig =
        tables.sqlQuery(
            """
            SELECT b1, b2, b3
            FROM b""");
    Table select5JoinedSmall =
        tables.sqlQuery(
            """
            SELECT a1, a2
            FROM a""");
    BroadcastJoin select5Joined =
        BroadcastJoin.inner(streams, "select/5/broadcast a")
            .big("b", select5JoinedBig, Placement.byHash("b2", "b3"))
            .small("a", select5JoinedSmall)
            .on("b.b1", "a.a1")
            .select("b.b2", "b2")
            .select("a.a2", "a2");
    tables.createTemporaryView("select_5_joined", select5Joined.toTable());

    // script.sql:22
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/5").build(),
        tables.sqlQuery(
            """
            SELECT a2, b2 FROM select_5_joined"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
