package com.example;

import com.example.operators.Distribution;
import com.example.operators.JobConfiguration;
import com.example.operators.TableStreams;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableDescriptor;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;

/**
 * The job source-parallelism-changelog-without-key, written by hintflow from script.sql for Flink 1.20.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class SourceParallelismChangelogWithoutKeyJob {
  private SourceParallelismChangelogWithoutKeyJob() {}

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
            "stores",
            """
            CREATE TABLE stores (
              id INT,
              city STRING,
              stock INT
            ) WITH (
              'connector' = 'filesystem',
              'path' = '${DATA}/stores',
              'format' = 'debezium-json'
            )"""));

    // script.sql:14: 'source.parallelism' = '1'. The table is read with 1 task, then its rows are
    // spread over the job's tasks: by the whole row, for the table has updates and declares no
    // primary key, and a retraction must follow its row.
    Table storesSourceTable =
        tables.sqlQuery(
            """
            SELECT * FROM stores""");
    DataStream<Row> storesSource =
        Distribution.byWholeRow(
            streams.toStream(storesSourceTable, 1), storesSourceTable, "source/stores_source");
    tables.createTemporaryView("stores_source", streams.toTable(storesSource, storesSourceTable));

    // script.sql:14
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            SELECT id, city, stock FROM stores_source AS stores WHERE stock > 2"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
