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
 * The job distribute-view, written by hintflow from script.sql for Flink 1.20.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class DistributeViewJob {
  private DistributeViewJob() {}

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

    // script.sql:15: DISTRIBUTEBY('visitor', 'page'). Rows equal in visitor, page meet on one task,
    // in order.
    Table longVisitsDistributedQuery =
        tables.sqlQuery(
            """
            SELECT user_id AS visitor, page, duration -- seconds
            FROM clicks
            WHERE duration > 5""");
    DataStream<Row> longVisitsDistributed =
        Distribution.byHash(
            streams.toStream(longVisitsDistributedQuery),
            longVisitsDistributedQuery,
            List.of("visitor", "page"),
            "view/long_visits/distribution");
    tables.createTemporaryView(
        "long_visits_distributed",
        streams.toTable(longVisitsDistributed, longVisitsDistributedQuery));

    // script.sql:14
    tables.executeSql(
        """
        CREATE TEMPORARY VIEW long_visits AS
        SELECT * FROM long_visits_distributed""");

    // script.sql:19
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

    // script.sql:27
    tables.executeSql(
        job.createTable(
            "pages",
            """
            CREATE TABLE pages (
              page STRING,
              visits BIGINT
            ) WITH (
              'connector' = 'print',
              'print-identifier' = 'pages'
            )"""));

    // script.sql:35
    inserts.addInsertSql(
        """
        INSERT INTO visits SELECT visitor, page, duration FROM long_visits""");

    // script.sql:36
    inserts.addInsertSql(
        """
        INSERT INTO pages SELECT page, COUNT(*) FROM long_visits GROUP BY page""");

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
