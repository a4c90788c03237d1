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
 * The job distribute-statement-set, written by hintflow from script.sql for Flink 2.2.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class DistributeStatementSetJob {
  private DistributeStatementSetJob() {}

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

    // script.sql:14
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

    // script.sql:22
    tables.executeSql(
        job.createTable(
            "totals",
            """
            CREATE TABLE totals (
              user_id STRING,
              visits BIGINT,
              PRIMARY KEY (user_id) NOT ENFORCED
            ) WITH (
              'connector' = 'print',
              'print-identifier' = 'totals'
            )"""));

    // script.sql:34: DISTRIBUTEBY('user_id'). Rows equal in user_id meet on one task, in order.
    Table visitsDistributedQuery =
        tables.sqlQuery(
            """
            SELECT user_id, page, duration FROM clicks""");
    DataStream<Row> visitsDistributed =
        Distribution.byHash(
            streams.toStream(visitsDistributedQuery),
            visitsDistributedQuery,
            List.of("user_id"),
            "insert/visits/distribution");
    tables.createTemporaryView(
        "visits_distributed", streams.toTable(visitsDistributed, visitsDistributedQuery));

    // script.sql:33
    inserts.addInsertSql(
        """
        INSERT INTO visits
          SELECT * FROM visits_distributed""");

    // script.sql:36
    inserts.addInsertSql(
        """
        INSERT INTO totals
          SELECT user_id, COUNT(*) FROM clicks GROUP BY user_id""");

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
