package com.example;

import com.example.operators.Distribution;
import com.example.operators.JobConfiguration;
import com.example.operators.TableStreams;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;

/**
 * The job source-parallelism-filesystem, written by hintflow from script.sql for Flink 1.20.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class SourceParallelismFilesystemJob {
  private SourceParallelismFilesystemJob() {}

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

    // script.sql:23: 'source.parallelism' = '2'. The table is read with 2 tasks, then its rows are
    // spread over the job's tasks: in turn, for the table only ever inserts.
    Table clicksSourceTable =
        tables.sqlQuery(
            """
            SELECT * FROM clicks""");
    DataStream<Row> clicksSource =
        Distribution.rebalance(streams.toStream(clicksSourceTable, 2), "source/clicks_source");
    tables.createTemporaryView("clicks_source", streams.toTable(clicksSource, clicksSourceTable));

    // script.sql:23
    inserts.addInsertSql(
        """
        INSERT INTO visits SELECT user_id, c.page, duration FROM clicks_source AS c""");

    // script.sql:24: 'source.parallelism' = '3'. The table is read with 3 tasks, then its rows are
    // spread over the job's tasks: in turn, for the table only ever inserts.
    Table clicksSource2Table =
        tables.sqlQuery(
            """
            SELECT * FROM clicks /*+ OPTIONS('csv.ignore-parse-errors' = 'true') */""");
    DataStream<Row> clicksSource2 =
        Distribution.rebalance(streams.toStream(clicksSource2Table, 3), "source/clicks_source_2");
    tables.createTemporaryView(
        "clicks_source_2", streams.toTable(clicksSource2, clicksSource2Table));

    // script.sql:24
    inserts.addInsertSql(
        """
        INSERT INTO visits SELECT clicks.user_id, page, 0 FROM clicks_source_2 AS clicks""");

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
