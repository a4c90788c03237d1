package com.example;

import com.example.operators.BroadcastJoin;
import com.example.operators.Distribution;
import com.example.operators.JobConfiguration;
import com.example.operators.JoinCondition;
import com.example.operators.Placement;
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
 * The job broadcast-changelog, written by hintflow from script.sql for Flink 1.20.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class BroadcastChangelogJob {
  private BroadcastChangelogJob() {}

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
            "stock",
            """
            CREATE TABLE stock (id INT, store INT, units INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/stock', 'format' = 'debezium-json'
            )"""));

    // script.sql:6
    tables.executeSql(
        job.createTable(
            "keyless_stock",
            """
            CREATE TABLE keyless_stock (id INT, store INT, units INT) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/stock', 'format' = 'debezium-json'
            )"""));

    // script.sql:9
    tables.executeSql(
        job.createTable(
            "stores",
            """
            CREATE TABLE stores (id INT, city STRING) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/stores', 'format' = 'debezium-json'
            )"""));

    // script.sql:14: 'source.parallelism' = '1'. The table is read with 1 task, then its rows are
    // spread over the job's tasks: by the primary key, for the table has updates, and those of one
    // key must stay in order.
    Table stockSourceTable =
        tables.sqlQuery(
            """
            SELECT * FROM stock""");
    DataStream<Row> stockSource =
        Distribution.byHash(
            streams.toStream(stockSourceTable, 1),
            stockSourceTable,
            List.of("id"),
            "source/stock_source");
    tables.createTemporaryView(
        "stock_source", streams.toTable(stockSource, stockSourceTable, "id"));

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

    // script.sql:14: BROADCAST(s). Every task has all rows of s. The rows of k go by the hash of
    // id: k has updates, and changes of one primary key must meet.
    Table select1JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, store, units
            FROM stock_source k""");
    Table select1JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, city
            FROM stores_source s""");
    BroadcastJoin select1Joined =
        BroadcastJoin.inner(streams, "select/1/broadcast s")
            .big("k", select1JoinedBig, Placement.byHash("id"))
            .small("s", select1JoinedSmall)
            .on("k.store", "s.id")
            .select("k.id", "k_id")
            .select("k.units", "units")
            .select("s.city", "city");
    tables.createTemporaryView("select_1_joined", select1Joined.toTable());

    // script.sql:14
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            -- By the primary key, by the whole row, by a column that changes.
            SELECT k_id AS id, units, city FROM select_1_joined"""));

    // script.sql:15: 'source.parallelism' = '1'. The table is read with 1 task, then its rows are
    // spread over the job's tasks: by the whole row, for the table has updates and declares no
    // primary key, and a retraction must follow its row.
    Table keylessStockSourceTable =
        tables.sqlQuery(
            """
            SELECT * FROM keyless_stock""");
    DataStream<Row> keylessStockSource =
        Distribution.byWholeRow(
            streams.toStream(keylessStockSourceTable, 1),
            keylessStockSourceTable,
            "source/keyless_stock_source");
    tables.createTemporaryView(
        "keyless_stock_source", streams.toTable(keylessStockSource, keylessStockSourceTable));

    // script.sql:15: BROADCAST(s). Every task has all rows of s. The rows of k go by the hash of
    // the whole row: k has updates and has no primary key to go by, and a retraction must follow
    // its row. Those that match nothing come out with NULLs.
    Table select2JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, store, units
            FROM keyless_stock_source k""");
    Table select2JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, city
            FROM stores_source s""");
    BroadcastJoin select2Joined =
        BroadcastJoin.outer(streams, "select/2/broadcast s")
            .big("k", select2JoinedBig, Placement.byWholeRow())
            .small("s", select2JoinedSmall)
            .on("k.store", "s.id")
            .select("k.id", "k_id")
            .select("k.units", "units")
            .select("s.city", "city");
    tables.createTemporaryView("select_2_joined", select2Joined.toTable());

    // script.sql:15
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/2").build(),
        tables.sqlQuery(
            """
            SELECT k_id AS id, units, city FROM select_2_joined"""));

    // script.sql:16: BROADCAST(s), HASH_BY_KEY('k'='store'). Every task has all rows of s. The rows
    // of k go by the hash of store: HASH_BY_KEY asks for it. Those that match nothing come out with
    // NULLs.
    Table select3JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, store, units
            FROM keyless_stock k""");
    Table select3JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, city
            FROM stores_source s""");
    BroadcastJoin select3Joined =
        BroadcastJoin.outer(streams, "select/3/broadcast s")
            .big("k", select3JoinedBig, Placement.byHash("store"), 1)
            .small("s", select3JoinedSmall)
            .on("k.store", "s.id")
            .where(JoinCondition.greaterThan("k.units", "s.id"))
            .select("k.id", "k_id")
            .select("k.units", "units")
            .select("s.city", "city");
    tables.createTemporaryView("select_3_joined", select3Joined.toTable());

    // script.sql:16
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/3").build(),
        tables.sqlQuery(
            """
            SELECT k_id AS id, units, city FROM select_3_joined"""));

    // script.sql:17: BROADCAST(s, t). Every task has all rows of s. The rows of k go by the hash of
    // id: k has updates, and changes of one primary key must meet. Those that match nothing come
    // out with NULLs.
    Table select4JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, store
            FROM stock_source k""");
    Table select4JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, city
            FROM stores_source s""");
    BroadcastJoin select4Joined =
        BroadcastJoin.outer(streams, "select/4/broadcast s")
            .big("k", select4JoinedBig, Placement.byHash("id"))
            .small("s", select4JoinedSmall)
            .on("k.store", "s.id");

    // script.sql:17: BROADCAST(s, t). Every task has all rows of t. The rows of the join above stay
    // on their tasks. Those that match nothing come out with NULLs.
    Table select4Joined2Small =
        tables.sqlQuery(
            """
            SELECT id, city
            FROM stores_source t""");
    BroadcastJoin select4Joined2 =
        BroadcastJoin.outer(streams, "select/4/broadcast t")
            .big(select4Joined)
            .small("t", select4Joined2Small)
            .on("s.city", "t.city")
            .select("k.id", "k_id")
            .select("s.city", "s_city")
            .select("t.id", "t_id");
    tables.createTemporaryView("select_4_joined_2", select4Joined2.toTable());

    // script.sql:17
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/4").build(),
        tables.sqlQuery(
            """
            SELECT k_id AS id, s_city AS city, t_id AS twin FROM select_4_joined_2"""));

    // script.sql:18: BROADCAST(s). Every task has all rows of s. The rows of k go by the hash of
    // id: k has updates, and changes of one primary key must meet.
    Table select5JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, store, units
            FROM stock_source k""");
    Table select5JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, city
            FROM stores_source s""");
    BroadcastJoin select5Joined =
        BroadcastJoin.inner(streams, "select/5/broadcast s")
            .big("k", select5JoinedBig, Placement.byHash("id"))
            .small("s", select5JoinedSmall)
            .on("k.store", "s.id")
            .select("k.units", "units")
            .select("s.city", "city");
    tables.createTemporaryView("select_5_joined", select5Joined.toTable());

    // script.sql:18
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/5").build(),
        tables.sqlQuery(
            """
            SELECT city, SUM(units) AS units, COUNT(*) AS n FROM select_5_joined GROUP BY city"""));

    // script.sql:19: BROADCAST(s). Every task has all rows of s. The rows of k go by the hash of
    // the whole row: k has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select6JoinedBig =
        tables.sqlQuery(
            """
            SELECT store, units
            FROM (SELECT store, SUM(units) AS units FROM stock_source AS stock GROUP BY store) AS k""");
    Table select6JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, city
            FROM stores_source s""");
    BroadcastJoin select6Joined =
        BroadcastJoin.inner(streams, "select/6/broadcast s")
            .big("k", select6JoinedBig, Placement.byWholeRow())
            .small("s", select6JoinedSmall)
            .on("k.store", "s.id")
            .select("k.store", "store")
            .select("k.units", "units")
            .select("s.city", "city");
    tables.createTemporaryView("select_6_joined", select6Joined.toTable());

    // script.sql:19
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/6").build(),
        tables.sqlQuery(
            """
            SELECT store, units, city FROM select_6_joined"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
