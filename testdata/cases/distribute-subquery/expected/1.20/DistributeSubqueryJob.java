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
 * The job distribute-subquery, written by hintflow from script.sql for Flink 1.20.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class DistributeSubqueryJob {
  private DistributeSubqueryJob() {}

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

    // script.sql:25: DISTRIBUTEBY('who'). Rows equal in who meet on one task, in order.
    Table visitsFrom1DistributedQuery =
        tables.sqlQuery(
            """
            SELECT user_id AS who, page, duration
              FROM clicks
              WHERE page IN ('page1', 'page2')""");
    DataStream<Row> visitsFrom1Distributed =
        Distribution.byHash(
            streams.toStream(visitsFrom1DistributedQuery),
            visitsFrom1DistributedQuery,
            List.of("who"),
            "insert/visits/from 1/distribution");
    tables.createTemporaryView(
        "visits_from_1_distributed",
        streams.toTable(visitsFrom1Distributed, visitsFrom1DistributedQuery));

    // script.sql:22
    inserts.addInsertSql(
        """
        INSERT INTO visits
        SELECT UPPER(who), page, duration
        FROM (
          SELECT * FROM visits_from_1_distributed
        ) AS selected
        WHERE duration < 25""");

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
