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
 * The job distribute-union, written by hintflow from script.sql for Flink 2.2.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class DistributeUnionJob {
  private DistributeUnionJob() {}

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

    // script.sql:23: DISTRIBUTEBY('user_id'). Rows equal in user_id meet on one task, in order.
    Table visitsUnion1DistributedQuery =
        tables.sqlQuery(
            """
            SELECT user_id, page, duration FROM clicks WHERE duration < 10""");
    DataStream<Row> visitsUnion1Distributed =
        Distribution.byHash(
            streams.toStream(visitsUnion1DistributedQuery),
            visitsUnion1DistributedQuery,
            List.of("user_id"),
            "insert/visits/union 1/distribution");
    tables.createTemporaryView(
        "visits_union_1_distributed",
        streams.toTable(visitsUnion1Distributed, visitsUnion1DistributedQuery));

    // script.sql:25: DISTRIBUTEBY(page). Rows equal in page meet on one task, in order.
    Table visitsUnion2DistributedQuery =
        tables.sqlQuery(
            """
            SELECT user_id, page, -duration FROM clicks WHERE duration >= 10""");
    DataStream<Row> visitsUnion2Distributed =
        Distribution.byHash(
            streams.toStream(visitsUnion2DistributedQuery),
            visitsUnion2DistributedQuery,
            List.of("page"),
            "insert/visits/union 2/distribution");
    tables.createTemporaryView(
        "visits_union_2_distributed",
        streams.toTable(visitsUnion2Distributed, visitsUnion2DistributedQuery));

    // script.sql:22
    inserts.addInsertSql(
        """
        INSERT INTO visits
        SELECT * FROM visits_union_1_distributed
        UNION ALL
        SELECT * FROM visits_union_2_distributed
        UNION ALL
        SELECT 'nobody', 'page0', 0""");

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
