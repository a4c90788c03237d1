package com.example;

import com.example.operators.JobConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.TableDescriptor;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * The job no-hints, written by hintflow from script.sql for Flink 2.2.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class NoHintsJob {
  private NoHintsJob() {}

  public static void main(String[] arguments) throws Exception {
    JobConfiguration job = JobConfiguration.load(arguments);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(job.flink());
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    StreamStatementSet inserts = tables.createStatementSet();

    // script.sql:5
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

    // script.sql:16
    tables.executeSql(
        """
        CREATE TEMPORARY VIEW `读者` AS
        SELECT user_id AS `用户`, COUNT(*) AS n   -- 每个用户的点击次数
        FROM clicks GROUP BY user_id""");

    // script.sql:20
    tables.executeSql(
        """
        SHOW VIEWS""").print();

    // script.sql:22
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            SELECT `用户`, n, 'a "quoted" \\ text''s end' AS note FROM `读者`"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
