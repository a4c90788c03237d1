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
 * The job distribute-insert, written by hintflow from script.sql for Flink 2.2.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class DistributeInsertJob {
  private DistributeInsertJob() {}

  public static void main(String[] arguments) throws Exception {
    JobConfiguration job = JobConfiguration.load(arguments);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(job.flink());
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    TableStreams streams = new TableStreams(environment, tables);
    StreamStatementSet inserts = tables.createStatementSet();

    // script.sql:4
    tables.executeSql(
        job.createTable(
            "clicks",
            """
            -- What the web servers write.
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

    // script.sql:16
    tables.executeSql(
        job.createTable(
            "visits",
            """
            CREATE TABLE visits (
              user_id STRING,
              page STRING,
              duration INT
            ) WITH (
              'connector' = 'print'
            )"""));

    // script.sql:26: DISTRIBUTEBY('user_id'). Rows equal in user_id meet on one task, in order. The
    // query is planned with the 2 tasks of its source, so that rows reach the exchange in the order
    // in which they were read.
    Table visitsDistributedQuery =
        tables.sqlQuery(
            """
            SELECT user_id, page, duration
            FROM clicks
            WHERE duration > 3""");
    DataStream<Row> visitsDistributed =
        Distribution.byHash(
            streams.toStream(visitsDistributedQuery, 2),
            visitsDistributedQuery,
            List.of("user_id"),
            "insert/visits/distribution");
    tables.createTemporaryView(
        "visits_distributed", streams.toTable(visitsDistributed, visitsDistributedQuery));

    // script.sql:25
    inserts.addInsertSql(
        """
        -- Visits of one user stay together, in the order in which they were made.
        INSERT INTO visits
        SELECT * FROM visits_distributed""");

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
