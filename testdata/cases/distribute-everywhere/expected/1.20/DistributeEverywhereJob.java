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
 * The job distribute-everywhere, written by hintflow from script.sql for Flink 1.20.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class DistributeEverywhereJob {
  private DistributeEverywhereJob() {}

  public static void main(String[] arguments) throws Exception {
    JobConfiguration job = JobConfiguration.load(arguments);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(job.flink());
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    TableStreams streams = new TableStreams(environment, tables);
    StreamStatementSet inserts = tables.createStatementSet();

    // script.sql:3
    tables.executeSql(
        """
        CREATE DATABASE shop""");

    // script.sql:4
    tables.executeSql(
        """
        USE shop""");

    // script.sql:6
    tables.executeSql(
        job.createTable(
            "用户 clicks",
            """
            CREATE TABLE `用户 clicks` (
              user_id STRING,
              page STRING,
              duration INT,
              clicked_at TIMESTAMP(3),
              seen_at AS PROCTIME(),
              WATERMARK FOR clicked_at AS clicked_at
            ) WITH (
              'connector' = 'filesystem',
              'path' = '${DATA}/clicks',
              'format' = 'csv'
            )"""));

    // script.sql:19
    tables.executeSql(
        job.createTable(
            "more_clicks",
            """
            CREATE TABLE more_clicks (late AS duration > 20) WITH () LIKE `用户 clicks`"""));

    // script.sql:24: DISTRIBUTEBY('user_id'). Rows equal in user_id meet on one task, in order.
    Table innerViewDistributedQuery =
        tables.sqlQuery(
            """
            SELECT * FROM `用户 clicks`""");
    DataStream<Row> innerViewDistributed =
        Distribution.byHash(
            streams.toStream(innerViewDistributedQuery),
            innerViewDistributedQuery,
            List.of("user_id"),
            "view/inner_view/distribution");
    tables.createTemporaryView(
        "inner_view_distributed", streams.toTable(innerViewDistributed, innerViewDistributedQuery));

    // script.sql:23
    tables.executeSql(
        """
        CREATE TEMPORARY VIEW inner_view AS
        SELECT * FROM inner_view_distributed""");

    // script.sql:27: DISTRIBUTEBY('page'). Rows equal in page meet on one task, in order.
    Table outerViewUnion1DistributedQuery =
        tables.sqlQuery(
            """
            SELECT user_id, page, clicked_at FROM inner_view""");
    DataStream<Row> outerViewUnion1Distributed =
        Distribution.byHash(
            streams.toStream(outerViewUnion1DistributedQuery),
            outerViewUnion1DistributedQuery,
            List.of("page"),
            "view/outer_view/union 1/distribution");
    tables.createTemporaryView(
        "outer_view_union_1_distributed",
        streams.toTable(outerViewUnion1Distributed, outerViewUnion1DistributedQuery));

    // script.sql:29: 'source.parallelism' = '2'. The table is read with 2 tasks, then its rows are
    // spread over the job's tasks: in turn, for the table only ever inserts.
    Table moreClicksSourceTable =
        tables.sqlQuery(
            """
            SELECT * FROM more_clicks""");
    DataStream<Row> moreClicksSource =
        Distribution.rebalance(
            streams.toStream(moreClicksSourceTable, 2), "source/more_clicks_source");
    tables.createTemporaryView(
        "more_clicks_source", streams.toTable(moreClicksSource, moreClicksSourceTable));

    // script.sql:26
    tables.executeSql(
        """
        CREATE TEMPORARY VIEW outer_view (who, what, `when`) AS
        SELECT * FROM outer_view_union_1_distributed
        UNION ALL
        SELECT user_id, page, clicked_at FROM more_clicks_source AS more_clicks WHERE late""");

    // script.sql:31
    tables.executeSql(
        job.createTable(
            "sink",
            """
            CREATE TABLE sink (
              a STRING,
              b STRING,
              n BIGINT
            ) WITH (
              'connector' = 'print',
              'print-identifier' = 'sink'
            )"""));

    // script.sql:40
    tables.executeSql(
        """
        USE default_database""");

    // script.sql:45: DISTRIBUTEBY('what'). Rows equal in what meet on one task, in order.
    Table sinkCteBusyDistributedQuery =
        tables.sqlQuery(
            """
            SELECT who, what FROM shop.outer_view WHERE who <> 'gus'""");
    DataStream<Row> sinkCteBusyDistributed =
        Distribution.byHash(
            streams.toStream(sinkCteBusyDistributedQuery),
            sinkCteBusyDistributedQuery,
            List.of("what"),
            "insert/shop.sink/cte busy/distribution");
    tables.createTemporaryView(
        "sink_cte_busy_distributed",
        streams.toTable(sinkCteBusyDistributed, sinkCteBusyDistributedQuery));

    // script.sql:43
    inserts.addInsertSql(
        """
        -- A hinted WITH table that is read twice.
        INSERT INTO shop.sink
        WITH busy AS (
          SELECT * FROM sink_cte_busy_distributed
        )
        SELECT x.what, y.who, 0 FROM busy AS x JOIN (SELECT DISTINCT who FROM busy) AS y ON x.who = y.who""");

    // script.sql:53: DISTRIBUTEBY('page'). Rows equal in page meet on one task, in order.
    Table sinkFrom1DistributedQuery =
        tables.sqlQuery(
            """
            SELECT page, window_time AS t, COUNT(*) AS n
              FROM TABLE(TUMBLE(TABLE shop.`用户 clicks`, DESCRIPTOR(clicked_at), INTERVAL '5' SECOND))
              GROUP BY page, window_start, window_end, window_time""");
    DataStream<Row> sinkFrom1Distributed =
        Distribution.byHash(
            streams.toStream(sinkFrom1DistributedQuery),
            sinkFrom1DistributedQuery,
            List.of("page"),
            "insert/shop.sink-2/from 1/distribution");
    tables.createTemporaryView(
        "sink_from_1_distributed",
        streams.toTable(sinkFrom1Distributed, sinkFrom1DistributedQuery));

    // script.sql:50
    inserts.addInsertSql(
        """
        -- The result of a window, its event time included, hashed before another window.
        INSERT INTO shop.sink
        SELECT CAST(window_start AS STRING), page, SUM(n)
        FROM TABLE(TUMBLE((
          SELECT * FROM sink_from_1_distributed
        ), DESCRIPTOR(t), INTERVAL '10' SECOND))
        GROUP BY page, window_start, window_end""");

    // script.sql:62: DISTRIBUTEBY('user_id'). Rows equal in user_id meet on one task, in order.
    Table select1Where1DistributedQuery =
        tables.sqlQuery(
            """
            SELECT user_id FROM shop.inner_view WHERE duration > 15""");
    DataStream<Row> select1Where1Distributed =
        Distribution.byHash(
            streams.toStream(select1Where1DistributedQuery),
            select1Where1DistributedQuery,
            List.of("user_id"),
            "select/1/where 1/distribution");
    tables.createTemporaryView(
        "select_1_where_1_distributed",
        streams.toTable(select1Where1Distributed, select1Where1DistributedQuery));

    // script.sql:61: 'source.parallelism' = '2'. The table is read with 2 tasks, then its rows are
    // spread over the job's tasks: in turn, for the table only ever inserts.
    Table moreClicksSource2Table =
        tables.sqlQuery(
            """
            SELECT * FROM shop.more_clicks""");
    DataStream<Row> moreClicksSource2 =
        Distribution.rebalance(
            streams.toStream(moreClicksSource2Table, 2), "source/more_clicks_source_2");
    tables.createTemporaryView(
        "more_clicks_source_2", streams.toTable(moreClicksSource2, moreClicksSource2Table));

    // script.sql:60
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            -- A subquery that does not read the query around it, an INSERT of some columns, a limit of the block's own.
            SELECT page, COUNT(*) AS visits
            FROM more_clicks_source_2 AS more_clicks
            WHERE user_id IN (SELECT * FROM select_1_where_1_distributed)
            GROUP BY page"""));

    // script.sql:66: DISTRIBUTEBY(a). Rows equal in a meet on one task, in order.
    Table sinkDistributedQuery =
        tables.sqlQuery(
            """
            SELECT duration, user_id AS a FROM shop.inner_view""");
    DataStream<Row> sinkDistributed =
        Distribution.byHash(
            streams.toStream(sinkDistributedQuery),
            sinkDistributedQuery,
            List.of("a"),
            "insert/shop.sink-3/distribution");
    tables.createTemporaryView(
        "sink_distributed", streams.toTable(sinkDistributed, sinkDistributedQuery));

    // script.sql:65
    inserts.addInsertSql(
        """
        INSERT INTO shop.sink (n, a)
        SELECT duration, a FROM sink_distributed""");

    // script.sql:68: DISTRIBUTEBY('user_id', 'longest'). Rows equal in user_id, longest meet on one
    // task, in order.
    Table select2DistributedQuery =
        tables.sqlQuery(
            """
            SELECT user_id, MAX(duration) AS longest
            FROM shop.inner_view
            GROUP BY user_id
            HAVING COUNT(*) > 2
            ORDER BY longest DESC, user_id
            LIMIT 4""");
    DataStream<Row> select2Distributed =
        Distribution.byHash(
            streams.toStream(select2DistributedQuery),
            select2DistributedQuery,
            List.of("user_id", "longest"),
            "select/2/distribution");
    tables.createTemporaryView(
        "select_2_distributed", streams.toTable(select2Distributed, select2DistributedQuery));

    // script.sql:68
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/2").build(),
        tables.sqlQuery(
            """
            SELECT * FROM select_2_distributed"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
