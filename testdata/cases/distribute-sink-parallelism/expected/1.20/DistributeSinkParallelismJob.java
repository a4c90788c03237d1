package com.example;

import com.example.operators.Distribution;
import com.example.operators.JobConfiguration;
import com.example.operators.TableStreams;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;

/**
 * The job distribute-sink-parallelism, written by hintflow from script.sql for Flink 1.20.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class DistributeSinkParallelismJob {
  private DistributeSinkParallelismJob() {}

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
            "clicks",
            """
            CREATE TABLE clicks (
              user_id STRING,
              page STRING,
              duration INT,
              clicked_at TIMESTAMP(3)
            ) WITH (
              'connector' = 'filesystem',
              'path' = '${DATA}/clicks',
              'format' = 'csv'
            )"""));

    // script.sql:13
    tables.executeSql(
        job.createTable(
            "visits",
            """
            CREATE TABLE visits (
              user_id STRING,
              page STRING,
              duration INT
            ) WITH (
              'connector' = 'print',
              'sink.parallelism' = '3'
            )"""));

    // script.sql:23: DISTRIBUTEBY('user_id'). Rows equal in user_id meet on one task, in order.
    // Behind the exchange run the sink's own 3 tasks, for a second exchange would undo the first.
    Table visitsDistributedQuery =
        tables.sqlQuery(
            """
            SELECT user_id, page, duration FROM clicks""");
    DataStream<Row> visitsDistributed =
        Distribution.byHash(
            streams.toStream(visitsDistributedQuery),
            visitsDistributedQuery,
            List.of("user_id"),
            "insert/visits/distribution")
            .setParallelism(3);
    tables.createTemporaryView(
        "visits_distributed", streams.toTable(visitsDistributed, visitsDistributedQuery));

    // script.sql:22
    inserts.addInsertSql(
        """
        INSERT INTO visits
        SELECT * FROM visits_distributed""");

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
