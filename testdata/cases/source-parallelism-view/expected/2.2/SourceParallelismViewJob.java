package com.example;

import com.example.operators.Distribution;
import com.example.operators.JobConfiguration;
import com.example.operators.TableStreams;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableDescriptor;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;

/**
 * The job source-parallelism-view, written by hintflow from script.sql for Flink 2.2.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class SourceParallelismViewJob {
  private SourceParallelismViewJob() {}

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

    // script.sql:15
    tables.executeSql(
        """
        CREATE VIEW long_clicks AS SELECT user_id, page, duration FROM clicks WHERE duration > 4""");

    // script.sql:17
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

    // script.sql:25: DISTRIBUTEBY('user_id'). Rows equal in user_id meet on one task, in order. The
    // query is planned with the 2 tasks of its source, so that rows reach the exchange in the order
    // in which they were read.
    Table visitsDistributedQuery =
        tables.sqlQuery(
            """
            SELECT * FROM long_clicks""");
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
        INSERT INTO visits SELECT * FROM visits_distributed""");

    // script.sql:26: 'source.parallelism' = '2'. The table is read with 2 tasks, then its rows are
    // spread over the job's tasks: in turn, for the table only ever inserts.
    Table longClicksSourceTable =
        tables.sqlQuery(
            """
            SELECT * FROM long_clicks""");
    DataStream<Row> longClicksSource =
        Distribution.rebalance(
            streams.toStream(longClicksSourceTable, 2), "source/long_clicks_source");
    tables.createTemporaryView(
        "long_clicks_source", streams.toTable(longClicksSource, longClicksSourceTable));

    // script.sql:26
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            SELECT page, COUNT(*) AS visits FROM long_clicks_source AS long_clicks GROUP BY page"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
