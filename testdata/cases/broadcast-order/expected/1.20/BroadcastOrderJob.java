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
 * The job broadcast-order, written by hintflow from script.sql for Flink 1.20.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class BroadcastOrderJob {
  private BroadcastOrderJob() {}

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
            "readings",
            """
            CREATE TABLE readings (n INT, sensor STRING, kind INT) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/readings', 'format' = 'csv'
            )"""));

    // script.sql:6
    tables.executeSql(
        job.createTable(
            "kinds",
            """
            CREATE TABLE kinds (kind INT, label STRING) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/kinds', 'format' = 'csv'
            )"""));

    // script.sql:11: BROADCAST(k), HASH_BY_KEY('r'='sensor'). Every task has all rows of k. The
    // rows of r go by the hash of sensor: HASH_BY_KEY asks for it. Those that match nothing come
    // out with NULLs.
    Table select1JoinedBig =
        tables.sqlQuery(
            """
            SELECT n, sensor, kind
            FROM readings r""");
    Table select1JoinedSmall =
        tables.sqlQuery(
            """
            SELECT kind, label
            FROM kinds k""");
    BroadcastJoin select1Joined =
        BroadcastJoin.outer(streams, "select/1/broadcast k")
            .big("r", select1JoinedBig, Placement.byHash("sensor"), 1)
            .small("k", select1JoinedSmall)
            .on("r.kind", "k.kind")
            .select("r.n", "n")
            .select("r.sensor", "sensor")
            .select("k.label", "label");
    tables.createTemporaryView("select_1_joined", select1Joined.toTable());

    // script.sql:11
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            -- Rows of one sensor reach one task in the order in which they were read.
            SELECT sensor, n, label
            FROM select_1_joined"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
