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
 * The job distribute-updating, written by hintflow from script.sql for Flink 1.20.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class DistributeUpdatingJob {
  private DistributeUpdatingJob() {}

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
            "page_totals",
            """
            CREATE TABLE page_totals (
              page STRING,
              visits BIGINT,
              longest INT,
              PRIMARY KEY (page) NOT ENFORCED
            ) WITH (
              'connector' = 'print'
            )"""));

    // script.sql:24: DISTRIBUTEBY('page'). Rows equal in page meet on one task, in order.
    Table pageTotalsDistributedQuery =
        tables.sqlQuery(
            """
            SELECT page, COUNT(*) AS visits, MAX(duration) AS longest
            FROM clicks
            GROUP BY page""");
    DataStream<Row> pageTotalsDistributed =
        Distribution.byHash(
            streams.toStream(pageTotalsDistributedQuery),
            pageTotalsDistributedQuery,
            List.of("page"),
            "insert/page_totals/distribution");
    tables.createTemporaryView(
        "page_totals_distributed",
        streams.toTable(pageTotalsDistributed, pageTotalsDistributedQuery));

    // script.sql:23
    inserts.addInsertSql(
        """
        INSERT INTO page_totals
        SELECT * FROM page_totals_distributed""");

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
