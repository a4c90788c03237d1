package com.example;

import com.example.operators.Deduplication;
import com.example.operators.Distribution;
import com.example.operators.JobConfiguration;
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
 * The job deduplicate-columns, written by hintflow from script.sql for Flink 1.20.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class DeduplicateColumnsJob {
  private DeduplicateColumnsJob() {}

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
            "parts",
            """
            CREATE TABLE parts (
              id INT, kind STRING, size ROW<width INT, height INT>, tags ARRAY<STRING>, price DECIMAL(10, 2), checked INT,
              PRIMARY KEY (id) NOT ENFORCED
            ) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/parts', 'format' = 'debezium-json'
            )"""));

    // script.sql:9
    tables.executeSql(
        job.createTable(
            "orders",
            """
            CREATE TABLE orders (id INT, kind STRING, amount INT, ordered TIMESTAMP(3), read_at AS PROCTIME(), WATERMARK FOR ordered AS ordered - INTERVAL '1' SECOND) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/orders', 'format' = 'csv'
            )"""));

    // script.sql:12
    tables.executeSql(
        job.createTable(
            "one",
            """
            CREATE TABLE `one` (n INT, kind STRING) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/one', 'format' = 'csv'
            )"""));

    // script.sql:15
    tables.executeSql(
        """
        CREATE VIEW small_parts (part, sort, height) AS
        SELECT id, kind, size.height FROM parts WHERE size.width < 9""");

    // script.sql:19: 'duplicate.left' = 'true'. Updates of v that change none of these columns are
    // dropped by the task that reads them. The query is planned with the 1 task of its source, so
    // that the two rows of an update stay together.
    Table smallPartsDeduplicatedQuery =
        tables.sqlQuery(
            """
            SELECT part, sort, height
            FROM small_parts AS v""");
    DataStream<Row> smallPartsDeduplicated =
        Deduplication.dropUnchangedUpdates(
            streams.toStream(smallPartsDeduplicatedQuery, 1),
            smallPartsDeduplicatedQuery,
            "select/1/deduplication v");
    tables.createTemporaryView(
        "small_parts_deduplicated",
        streams.toTable(smallPartsDeduplicated, smallPartsDeduplicatedQuery, "part"));

    // script.sql:19
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            -- A star uses all columns, a nested field uses its column.
            SELECT * FROM small_parts_deduplicated AS v JOIN `one` AS x ON v.sort <> x.kind"""));

    // script.sql:20: 'duplicate.right' = 'true'. Updates of p that change none of these columns are
    // dropped by the task that reads them. The query is planned with the 1 task of its source, so
    // that the two rows of an update stay together.
    Table partsDeduplicatedQuery =
        tables.sqlQuery(
            """
            SELECT id, kind, size, tags, price, checked
            FROM parts p""");
    DataStream<Row> partsDeduplicated =
        Deduplication.dropUnchangedUpdates(
            streams.toStream(partsDeduplicatedQuery, 1),
            partsDeduplicatedQuery,
            "select/2/deduplication p");
    tables.createTemporaryView(
        "parts_deduplicated", streams.toTable(partsDeduplicated, partsDeduplicatedQuery, "id"));

    // script.sql:20
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/2").build(),
        tables.sqlQuery(
            """
            SELECT o.id, p.* FROM orders o JOIN parts_deduplicated AS p ON o.kind = p.kind"""));

    // script.sql:21: 'duplicate.right' = 'true'. Updates of p that change none of these columns are
    // dropped by the task that reads them. The query is planned with the 1 task of its source, so
    // that the two rows of an update stay together.
    Table partsDeduplicated2Query =
        tables.sqlQuery(
            """
            SELECT id, size
            FROM parts p""");
    DataStream<Row> partsDeduplicated2 =
        Deduplication.dropUnchangedUpdates(
            streams.toStream(partsDeduplicated2Query, 1),
            partsDeduplicated2Query,
            "select/3/deduplication p");
    tables.createTemporaryView(
        "parts_deduplicated_2", streams.toTable(partsDeduplicated2, partsDeduplicated2Query, "id"));

    // script.sql:21
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/3").build(),
        tables.sqlQuery(
            """
            SELECT o.id, p.id AS part, p.size.width FROM orders o JOIN parts_deduplicated_2 AS p ON o.amount = p.size.height"""));

    // script.sql:23: 'duplicate.left' = 'true'. Of rows of orders that are equal in these columns,
    // only the first goes on, and the deletion of the last. They go by the hash of kind: equal rows
    // meet, and those of one key stay in order.
    Table ordersDeduplicatedQuery =
        tables.sqlQuery(
            """
            SELECT kind, amount
            FROM orders""");
    DataStream<Row> ordersDeduplicated =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(ordersDeduplicatedQuery),
            ordersDeduplicatedQuery,
            Placement.byHash("kind"),
            "select/4/deduplication orders");
    tables.createTemporaryView(
        "orders_deduplicated", streams.toTable(ordersDeduplicated, ordersDeduplicatedQuery));

    // script.sql:23: 'duplicate.right' = 'true'. Updates of parts that change none of these columns
    // are dropped by the task that reads them. The query is planned with the 1 task of its source,
    // so that the two rows of an update stay together.
    Table partsDeduplicated3Query =
        tables.sqlQuery(
            """
            SELECT id, kind, price
            FROM parts""");
    DataStream<Row> partsDeduplicated3 =
        Deduplication.dropUnchangedUpdates(
            streams.toStream(partsDeduplicated3Query, 1),
            partsDeduplicated3Query,
            "select/4/deduplication parts");
    tables.createTemporaryView(
        "parts_deduplicated_3", streams.toTable(partsDeduplicated3, partsDeduplicated3Query, "id"));

    // script.sql:23
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/4").build(),
        tables.sqlQuery(
            """
            -- Columns that two tables share.
            SELECT kind, amount, price, parts.id FROM orders_deduplicated AS orders LEFT JOIN parts_deduplicated_3 AS parts USING (kind)"""));

    // script.sql:24: 'duplicate.left' = 'true'. Of rows of one that are equal in these columns,
    // only the first goes on, and the deletion of the last. They go by the hash of kind: equal rows
    // meet, and those of one key stay in order.
    Table oneDeduplicatedQuery =
        tables.sqlQuery(
            """
            SELECT n, kind
            FROM `one`""");
    DataStream<Row> oneDeduplicated =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(oneDeduplicatedQuery),
            oneDeduplicatedQuery,
            Placement.byHash("kind"),
            "select/5/deduplication one");
    tables.createTemporaryView(
        "one_deduplicated", streams.toTable(oneDeduplicated, oneDeduplicatedQuery));

    // script.sql:24: 'duplicate.right' = 'true'. Of rows of orders that are equal in these columns,
    // only the first goes on, and the deletion of the last. They go by the hash of kind: equal rows
    // meet, and those of one key stay in order.
    Table ordersDeduplicated2Query =
        tables.sqlQuery(
            """
            SELECT kind, amount
            FROM orders""");
    DataStream<Row> ordersDeduplicated2 =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(ordersDeduplicated2Query),
            ordersDeduplicated2Query,
            Placement.byHash("kind"),
            "select/5/deduplication orders");
    tables.createTemporaryView(
        "orders_deduplicated_2", streams.toTable(ordersDeduplicated2, ordersDeduplicated2Query));

    // script.sql:24
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/5").build(),
        tables.sqlQuery(
            """
            SELECT orders.kind, n, amount FROM one_deduplicated AS `one` NATURAL JOIN orders_deduplicated_2 AS orders"""));

    // script.sql:26: 'duplicate.left' = 'true'. Of rows of o that are equal in these columns, only
    // the first goes on, and the deletion of the last. They go by the hash of kind: equal rows
    // meet, and those of one key stay in order.
    Table ordersDeduplicated3Query =
        tables.sqlQuery(
            """
            SELECT kind, amount, read_at
            FROM orders o""");
    DataStream<Row> ordersDeduplicated3 =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(ordersDeduplicated3Query),
            ordersDeduplicated3Query,
            Placement.byHash("kind"),
            "select/6/deduplication o");
    tables.createTemporaryView(
        "orders_deduplicated_3", streams.toTable(ordersDeduplicated3, ordersDeduplicated3Query));

    // script.sql:26
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/6").build(),
        tables.sqlQuery(
            """
            -- Processing time has no value that could be equal.
            SELECT o.amount, x.n FROM orders_deduplicated_3 AS o JOIN `one` x ON o.kind = x.kind WHERE o.read_at IS NOT NULL"""));

    // script.sql:28: 'duplicate.right' = 'true'. Updates of v that change none of these columns are
    // dropped by the task that reads them. The query is planned with the 1 task of its source, so
    // that the two rows of an update stay together.
    Table smallPartsDeduplicated2Query =
        tables.sqlQuery(
            """
            SELECT part, sort, height
            FROM small_parts v""");
    DataStream<Row> smallPartsDeduplicated2 =
        Deduplication.dropUnchangedUpdates(
            streams.toStream(smallPartsDeduplicated2Query, 1),
            smallPartsDeduplicated2Query,
            "select/7/deduplication v");
    tables.createTemporaryView(
        "small_parts_deduplicated_2",
        streams.toTable(smallPartsDeduplicated2, smallPartsDeduplicated2Query, "part"));

    // script.sql:28
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/7").build(),
        tables.sqlQuery(
            """
            -- A view, a WITH table, a subquery, an alias with columns, names with their database.
            SELECT o.id, v.part, v.height FROM orders o JOIN small_parts_deduplicated_2 AS v ON o.kind = v.sort"""));

    // script.sql:29: 'source.parallelism' = '1'. The table is read with 1 task, then its rows are
    // spread over the job's tasks: by the primary key, for the table has updates, and those of one
    // key must stay in order.
    Table partsSourceTable =
        tables.sqlQuery(
            """
            SELECT * FROM parts""");
    DataStream<Row> partsSource =
        Distribution.byHash(
            streams.toStream(partsSourceTable, 1),
            partsSourceTable,
            List.of("id"),
            "source/parts_source");
    tables.createTemporaryView(
        "parts_source", streams.toTable(partsSource, partsSourceTable, "id"));

    // script.sql:30: 'duplicate.left' = 'true'. Updates of d that change none of these columns are
    // dropped by the task that reads them.
    Table dearDeduplicatedQuery =
        tables.sqlQuery(
            """
            WITH dear AS (SELECT id, kind, price FROM parts_source AS parts WHERE price > 4)
            SELECT id, kind
            FROM dear AS d""");
    DataStream<Row> dearDeduplicated =
        Deduplication.dropUnchangedUpdates(
            streams.toStream(dearDeduplicatedQuery),
            dearDeduplicatedQuery,
            "select/8/deduplication d");
    tables.createTemporaryView(
        "dear_deduplicated", streams.toTable(dearDeduplicated, dearDeduplicatedQuery, "id"));

    // script.sql:29
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/8").build(),
        tables.sqlQuery(
            """
            WITH dear AS (SELECT id, kind, price FROM parts_source AS parts WHERE price > 4)
            SELECT d.id, o.id AS ordered_by FROM dear_deduplicated AS d JOIN orders AS o ON d.kind = o.kind"""));

    // script.sql:31: 'duplicate.left' = 'true'. Updates of t that change none of these columns are
    // dropped by the task that reads them.
    Table tDeduplicatedQuery =
        tables.sqlQuery(
            """
            SELECT kind, total
            FROM (SELECT kind, SUM(price) AS total FROM parts_source AS parts GROUP BY kind) AS t""");
    DataStream<Row> tDeduplicated =
        Deduplication.dropUnchangedUpdates(
            streams.toStream(tDeduplicatedQuery), tDeduplicatedQuery, "select/9/deduplication t");
    tables.createTemporaryView(
        "t_deduplicated", streams.toTable(tDeduplicated, tDeduplicatedQuery));

    // script.sql:31
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/9").build(),
        tables.sqlQuery(
            """
            SELECT t.kind, t.total, o.id FROM t_deduplicated AS t JOIN orders o ON t.kind = o.kind"""));

    // script.sql:32: 'duplicate.right' = 'true'. Updates of p that change none of these columns are
    // dropped by the task that reads them. The query is planned with the 1 task of its source, so
    // that the two rows of an update stay together.
    Table partsDeduplicated4Query =
        tables.sqlQuery(
            """
            SELECT number, sort
            FROM parts AS p (number, sort, size, tags, price, checked)""");
    DataStream<Row> partsDeduplicated4 =
        Deduplication.dropUnchangedUpdates(
            streams.toStream(partsDeduplicated4Query, 1),
            partsDeduplicated4Query,
            "select/10/deduplication p");
    tables.createTemporaryView(
        "parts_deduplicated_4",
        streams.toTable(partsDeduplicated4, partsDeduplicated4Query, "number"));

    // script.sql:32
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/10").build(),
        tables.sqlQuery(
            """
            SELECT p.number, o.id FROM orders o JOIN parts_deduplicated_4 AS p ON o.kind = p.sort"""));

    // script.sql:33: 'duplicate.left' = 'true'. Updates of parts that change none of these columns
    // are dropped by the task that reads them. The query is planned with the 1 task of its source,
    // so that the two rows of an update stay together.
    Table partsDeduplicated5Query =
        tables.sqlQuery(
            """
            SELECT id, kind
            FROM default_database.parts""");
    DataStream<Row> partsDeduplicated5 =
        Deduplication.dropUnchangedUpdates(
            streams.toStream(partsDeduplicated5Query, 1),
            partsDeduplicated5Query,
            "select/11/deduplication parts");
    tables.createTemporaryView(
        "parts_deduplicated_5", streams.toTable(partsDeduplicated5, partsDeduplicated5Query, "id"));

    // script.sql:33
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/11").build(),
        tables.sqlQuery(
            """
            SELECT parts.id, o.amount FROM parts_deduplicated_5 AS parts JOIN orders o ON o.kind = parts.kind"""));

    // script.sql:35: 'duplicate.right' = 'true'. Updates of p that change none of these columns are
    // dropped by the task that reads them. The query is planned with the 1 task of its source, so
    // that the two rows of an update stay together.
    Table partsDeduplicated6Query =
        tables.sqlQuery(
            """
            SELECT id, kind, price
            FROM parts p""");
    DataStream<Row> partsDeduplicated6 =
        Deduplication.dropUnchangedUpdates(
            streams.toStream(partsDeduplicated6Query, 1),
            partsDeduplicated6Query,
            "select/12/deduplication p");
    tables.createTemporaryView(
        "parts_deduplicated_6", streams.toTable(partsDeduplicated6, partsDeduplicated6Query, "id"));

    // script.sql:35
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/12").build(),
        tables.sqlQuery(
            """
            -- In clauses besides, and in a subquery.
            SELECT o.kind, COUNT(DISTINCT p.id) AS parts FROM orders o JOIN parts_deduplicated_6 AS p ON o.kind = p.kind
            WHERE EXISTS (SELECT 1 FROM `one` x WHERE x.n > p.price) GROUP BY o.kind HAVING MAX(p.price) > 1"""));

    // script.sql:38: 'duplicate.right' = 'true'. Of rows of one that are equal in these columns,
    // only the first goes on, and the deletion of the last. They go by the hash of the whole row:
    // equal rows meet, and the join has no column of one to go by.
    Table oneDeduplicated2Query =
        tables.sqlQuery(
            """
            SELECT TRUE AS present
            FROM `one`""");
    DataStream<Row> oneDeduplicated2 =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(oneDeduplicated2Query),
            oneDeduplicated2Query,
            Placement.byWholeRow(),
            "select/13/deduplication one");
    tables.createTemporaryView(
        "one_deduplicated_2", streams.toTable(oneDeduplicated2, oneDeduplicated2Query));

    // script.sql:38
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/13").build(),
        tables.sqlQuery(
            """
            -- No column at all.
            SELECT o.id FROM orders o CROSS JOIN one_deduplicated_2 AS `one`"""));

    // script.sql:40: 'duplicate.left' = 'true'. Of rows of a that are equal in these columns, only
    // the first goes on, and the deletion of the last. They go by the hash of kind: equal rows
    // meet, and those of one key stay in order.
    Table ordersDeduplicated4Query =
        tables.sqlQuery(
            """
            SELECT id, kind, ordered
            FROM orders a""");
    DataStream<Row> ordersDeduplicated4 =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(ordersDeduplicated4Query),
            ordersDeduplicated4Query,
            Placement.byHash("kind"),
            "select/14/deduplication a");
    tables.createTemporaryView(
        "orders_deduplicated_4", streams.toTable(ordersDeduplicated4, ordersDeduplicated4Query));

    // script.sql:40: 'duplicate.right' = 'true'. Of rows of b that are equal in these columns, only
    // the first goes on, and the deletion of the last. They go by the hash of kind: equal rows
    // meet, and those of one key stay in order.
    Table ordersDeduplicated5Query =
        tables.sqlQuery(
            """
            SELECT id, kind, ordered
            FROM orders b""");
    DataStream<Row> ordersDeduplicated5 =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(ordersDeduplicated5Query),
            ordersDeduplicated5Query,
            Placement.byHash("kind"),
            "select/14/deduplication b");
    tables.createTemporaryView(
        "orders_deduplicated_5", streams.toTable(ordersDeduplicated5, ordersDeduplicated5Query));

    // script.sql:40
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/14").build(),
        tables.sqlQuery(
            """
            -- An interval join keeps its event time.
            SELECT a.id, b.id AS later FROM orders_deduplicated_4 AS a JOIN orders_deduplicated_5 AS b
            ON a.kind = b.kind AND b.ordered BETWEEN a.ordered + INTERVAL '1' SECOND AND a.ordered + INTERVAL '8' SECOND"""));

    // script.sql:43: 'duplicate.right' = 'true'. Updates of p that change none of these columns are
    // dropped by the task that reads them. The query is planned with the 1 task of its source, so
    // that the two rows of an update stay together.
    Table partsDeduplicated7Query =
        tables.sqlQuery(
            """
            SELECT id, kind
            FROM parts p""");
    DataStream<Row> partsDeduplicated7 =
        Deduplication.dropUnchangedUpdates(
            streams.toStream(partsDeduplicated7Query, 1),
            partsDeduplicated7Query,
            "select/15/deduplication p");
    tables.createTemporaryView(
        "parts_deduplicated_7", streams.toTable(partsDeduplicated7, partsDeduplicated7Query, "id"));

    // script.sql:43: DISTRIBUTEBY('kind'). Rows equal in kind meet on one task, in order.
    Table select15DistributedQuery =
        tables.sqlQuery(
            """
            SELECT o.kind, p.id FROM orders o JOIN parts_deduplicated_7 AS p ON o.kind = p.kind""");
    DataStream<Row> select15Distributed =
        Distribution.byHash(
            streams.toStream(select15DistributedQuery),
            select15DistributedQuery,
            List.of("kind"),
            "select/15/distribution");
    tables.createTemporaryView(
        "select_15_distributed", streams.toTable(select15Distributed, select15DistributedQuery));

    // script.sql:43
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/15").build(),
        tables.sqlQuery(
            """
            -- Behind it, a distribution.
            SELECT * FROM select_15_distributed"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
