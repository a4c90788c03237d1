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
 * The job redis-lookups, written by hintflow from script.sql for Flink 1.20.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class RedisLookupsJob {
  private RedisLookupsJob() {}

  public static void main(String[] arguments) throws Exception {
    JobConfiguration job = JobConfiguration.load(arguments);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(job.flink());
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    TableStreams streams = new TableStreams(environment, tables);
    StreamStatementSet inserts = tables.createStatementSet();

    // script.sql:4
    tables.executeSql(
        job.createTable(
            "orders",
            """
            CREATE TABLE orders (id INT, customer STRING, product INT, amount INT, arrived AS PROCTIME()) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/orders', 'format' = 'csv', 'csv.null-literal' = ''
            )"""));

    // script.sql:7
    tables.executeSql(
        job.createTable(
            "customers",
            """
            CREATE TABLE customers (name STRING, age INT, address ROW<city STRING, zip ROW<code INT, area STRING>>) WITH (
              'connector' = 'redis',
              'hostname' = '127.0.0.1',
              'port' = '${REDIS_PORT}',
              'key-prefix' = 'customer:',
              'format' = 'json',
              'lookup.batch.size' = '3',
              'lookup.batch.interval' = '200 ms',
              'lookup.cache.max-rows' = '500',
              'lookup.cache.ttl' = '3600'
            )"""));

    // script.sql:18
    tables.executeSql(
        job.createTable(
            "products",
            """
            CREATE TABLE products (
              title STRING,
              id BIGINT,
              price DECIMAL(10, 2),
              PRIMARY KEY (id) NOT ENFORCED
            ) WITH (
              'connector' = 'redis',
              'hostname' = '127.0.0.1',
              'port' = '${REDIS_PORT}',
              'key-prefix' = 'product:',
              'format' = 'json',
              'lookup.batch' = 'false',
              'lookup.async' = 'true'
            )"""));

    // script.sql:33
    tables.executeSql(
        job.createTable(
            "delivered",
            """
            CREATE TABLE delivered (id INT, city STRING, area STRING) WITH ('connector' = 'logger', 'print-identifier' = 'delivered')"""));

    // script.sql:34
    tables.executeSql(
        job.createTable(
            "totals",
            """
            CREATE TABLE totals (city STRING, amount INT, PRIMARY KEY (city) NOT ENFORCED) WITH ('connector' = 'logger', 'print-identifier' = 'totals')"""));

    // script.sql:38: LOOKUP('table'='c', 'shuffle'='true'). Rows equal in customer meet on one
    // task, in order.
    Table ordersDistributedQuery =
        tables.sqlQuery(
            """
            SELECT id, customer, arrived
            FROM orders AS o""");
    DataStream<Row> ordersDistributed =
        Distribution.byHash(
            streams.toStream(ordersDistributedQuery),
            ordersDistributedQuery,
            List.of("customer"),
            "insert/delivered/lookup distribution");
    tables.createTemporaryView(
        "orders_distributed", streams.toTable(ordersDistributed, ordersDistributedQuery));

    // script.sql:37
    inserts.addInsertSql(
        """
        -- All orders of a customer ask on one task.
        INSERT INTO delivered
        SELECT /*+ LOOKUP('table'='c', 'shuffle'='true') */ o.id, c.address.city, c.address.zip.area
        FROM orders_distributed AS o LEFT JOIN customers FOR SYSTEM_TIME AS OF o.arrived AS c ON o.customer = c.name""");

    // script.sql:42
    tables.executeSql(
        """
        -- The time of the look-up comes through a view; both tables are looked up in turn.
        CREATE VIEW big_orders AS SELECT id, UPPER(customer) AS who, product, amount, arrived FROM orders WHERE amount > 2""");

    // script.sql:44
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            SELECT b.id, c.age, p.title, p.price
            FROM big_orders AS b
            JOIN customers FOR SYSTEM_TIME AS OF b.arrived AS c ON LOWER(b.who) = c.name
            LEFT JOIN products FOR SYSTEM_TIME AS OF b.arrived AS p ON b.product = p.id
            WHERE c.age > 20"""));

    // script.sql:53: DISTRIBUTEBY('customer'). Rows equal in customer meet on one task, in order.
    Table totalsFrom1DistributedQuery =
        tables.sqlQuery(
            """
            SELECT customer, amount, arrived FROM orders""");
    DataStream<Row> totalsFrom1Distributed =
        Distribution.byHash(
            streams.toStream(totalsFrom1DistributedQuery),
            totalsFrom1DistributedQuery,
            List.of("customer"),
            "insert/totals/from 1/distribution");
    tables.createTemporaryView(
        "totals_from_1_distributed",
        streams.toTable(totalsFrom1Distributed, totalsFrom1DistributedQuery));

    // script.sql:51
    inserts.addInsertSql(
        """
        -- The time of the look-up comes through another stage.
        INSERT INTO totals
        SELECT c.address.city, SUM(d.amount)
        FROM (SELECT * FROM totals_from_1_distributed) AS d
        JOIN customers FOR SYSTEM_TIME AS OF d.arrived AS c ON d.customer = c.name
        WHERE c.address.city IS NOT NULL
        GROUP BY c.address.city""");

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
