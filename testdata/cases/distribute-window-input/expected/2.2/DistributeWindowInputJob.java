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
 * The job distribute-window-input, written by hintflow from script.sql for Flink 2.2.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class DistributeWindowInputJob {
  private DistributeWindowInputJob() {}

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
              clicked_at TIMESTAMP(3),
              WATERMARK FOR clicked_at AS clicked_at - INTERVAL '5' SECOND
            ) WITH (
              'connector' = 'filesystem',
              'path' = '${DATA}/clicks',
              'format' = 'csv'
            )"""));

    // script.sql:15
    tables.executeSql(
        job.createTable(
            "per_window",
            """
            CREATE TABLE per_window (
              page STRING,
              started TIMESTAMP(3),
              visits BIGINT,
              seconds INT
            ) WITH (
              'connector' = 'print'
            )"""));

    // script.sql:28: DISTRIBUTEBY('page'). Rows equal in page meet on one task, in order.
    Table perWindowFrom1DistributedQuery =
        tables.sqlQuery(
            """
            SELECT page, duration, clicked_at FROM clicks""");
    DataStream<Row> perWindowFrom1Distributed =
        Distribution.byHash(
            streams.toStream(perWindowFrom1DistributedQuery),
            perWindowFrom1DistributedQuery,
            List.of("page"),
            "insert/per_window/from 1/distribution");
    tables.createTemporaryView(
        "per_window_from_1_distributed",
        streams.toTable(perWindowFrom1Distributed, perWindowFrom1DistributedQuery));

    // script.sql:24
    inserts.addInsertSql(
        """
        INSERT INTO per_window
        SELECT page, window_start, COUNT(*), SUM(duration)
        FROM TABLE(
          TUMBLE(
            (SELECT * FROM per_window_from_1_distributed),
            DESCRIPTOR(clicked_at),
            INTERVAL '10' SECOND))
        GROUP BY page, window_start, window_end""");

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
