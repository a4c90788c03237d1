package com.example;

import com.example.operators.BroadcastJoin;
import com.example.operators.JobConfiguration;
import com.example.operators.JoinCondition;
import com.example.operators.Placement;
import com.example.operators.TableStreams;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableDescriptor;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * The job broadcast-names, written by hintflow from script.sql for Flink 2.2.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class BroadcastNamesJob {
  private BroadcastNamesJob() {}

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
            "orders",
            """
            CREATE TABLE orders (id INT, customer INT, name STRING, amount INT) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/orders', 'format' = 'csv'
            )"""));

    // script.sql:6
    tables.executeSql(
        job.createTable(
            "customers",
            """
            CREATE TABLE customers (id INT, name STRING, credit INT) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/customers', 'format' = 'csv'
            )"""));

    // script.sql:9
    tables.executeSql(
        """
        CREATE VIEW rich_customers (id, label) AS
        SELECT id, name FROM customers WHERE credit > 4""");

    // script.sql:13: BROADCAST(customers). Every task has all rows of customers. The rows of orders
    // go to the tasks in turn: orders is only ever inserted into, so no row of it has to be found
    // again.
    Table select1JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, customer, amount
            FROM orders""");
    Table select1JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, name, credit
            FROM customers""");
    BroadcastJoin select1Joined =
        BroadcastJoin.inner(streams, "select/1/broadcast customers")
            .big("orders", select1JoinedBig, Placement.inTurn())
            .small("customers", select1JoinedSmall)
            .on("orders.customer", "customers.id")
            .where(JoinCondition.lessThan("orders.amount", "customers.credit"))
            .select("orders.id", "orders_id")
            .select("orders.amount", "amount")
            .select("customers.id", "customers_id")
            .select("customers.name", "customers_name");
    tables.createTemporaryView("select_1_joined", select1Joined.toTable());

    // script.sql:13
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            -- Both tables have columns of one name; some are qualified, some need not be.
            SELECT orders_id AS id, customers_id AS id, customers_name AS customer_name, amount
            FROM select_1_joined"""));

    // script.sql:16: BROADCAST(c). Every task has all rows of c. The rows of o go to the tasks in
    // turn: o is only ever inserted into, so no row of it has to be found again.
    Table select2JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, customer, name, amount
            FROM orders AS o""");
    Table select2JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, name, credit
            FROM customers AS c""");
    BroadcastJoin select2Joined =
        BroadcastJoin.inner(streams, "select/2/broadcast c")
            .big("o", select2JoinedBig, Placement.inTurn())
            .small("c", select2JoinedSmall)
            .on("o.customer", "c.id")
            .select("o.id", "o_id")
            .select("o.customer", "customer")
            .select("o.name", "o_name")
            .select("o.amount", "amount")
            .select("c.id", "c_id")
            .select("c.name", "c_name")
            .select("c.credit", "credit");
    tables.createTemporaryView("select_2_joined", select2Joined.toTable());

    // script.sql:16
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/2").build(),
        tables.sqlQuery(
            """
            SELECT o_id AS id, customer, o_name AS name, amount, c_id AS id0, c_name AS name0, credit FROM select_2_joined"""));

    // script.sql:18: BROADCAST(c). Every task has all rows of c. The rows of o go to the tasks in
    // turn: o is only ever inserted into, so no row of it has to be found again.
    Table select3JoinedBig =
        tables.sqlQuery(
            """
            SELECT customer, name, amount
            FROM orders o
            WHERE o.amount > 2""");
    Table select3JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, name, credit
            FROM customers c""");
    BroadcastJoin select3Joined =
        BroadcastJoin.inner(streams, "select/3/broadcast c")
            .big("o", select3JoinedBig, Placement.inTurn())
            .small("c", select3JoinedSmall)
            .on("o.customer", "c.id")
            .select("o.name", "o_name")
            .select("o.amount", "amount")
            .select("c.id", "c_id")
            .select("c.name", "c_name")
            .select("c.credit", "credit");
    tables.createTemporaryView("select_3_joined", select3Joined.toTable());

    // script.sql:18
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/3").build(),
        tables.sqlQuery(
            """
            SELECT c_id AS id, c_name AS name, credit, amount + 1 AS more, o_name AS name FROM select_3_joined
            WHERE credit + amount > 10"""));

    // script.sql:23: BROADCAST(v). Every task has all rows of v. The rows of o go to the tasks in
    // turn: o is only ever inserted into, so no row of it has to be found again.
    Table select4JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, customer
            FROM orders o""");
    Table select4JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, label
            FROM rich_customers v""");
    BroadcastJoin select4Joined =
        BroadcastJoin.inner(streams, "select/4/broadcast v")
            .big("o", select4JoinedBig, Placement.inTurn())
            .small("v", select4JoinedSmall)
            .on("o.customer", "v.id")
            .select("o.id", "o_id")
            .select("v.label", "label");
    tables.createTemporaryView("select_4_joined", select4Joined.toTable());

    // script.sql:23
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/4").build(),
        tables.sqlQuery(
            """
            SELECT o_id AS id, label FROM select_4_joined"""));

    // script.sql:25: BROADCAST(s), HASH_BY_KEY('b'='b id'). Every task has all rows of s. The rows
    // of b go by the hash of b id: HASH_BY_KEY asks for it.
    Table select5JoinedBig =
        tables.sqlQuery(
            """
            SELECT `b id`, customer
            FROM (SELECT id AS `b id`, customer FROM orders WHERE amount > 1) AS b""");
    Table select5JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id
            FROM (SELECT id FROM customers) AS s""");
    BroadcastJoin select5Joined =
        BroadcastJoin.inner(streams, "select/5/broadcast s")
            .big("b", select5JoinedBig, Placement.byHash("b id"))
            .small("s", select5JoinedSmall)
            .on("b.customer", "s.id")
            .select("b.b id", "b id")
            .select("s.id", "id");
    tables.createTemporaryView("select_5_joined", select5Joined.toTable());

    // script.sql:25
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/5").build(),
        tables.sqlQuery(
            """
            SELECT `b id`, id FROM
              select_5_joined"""));

    // script.sql:30: BROADCAST(small). Every task has all rows of small. The rows of big go to the
    // tasks in turn: big is only ever inserted into, so no row of it has to be found again.
    Table select6JoinedBig =
        tables.sqlQuery(
            """
            WITH big AS (SELECT * FROM orders WHERE amount > 0)
            SELECT id, customer
            FROM big""");
    Table select6JoinedSmall =
        tables.sqlQuery(
            """
            WITH small AS (SELECT id, name FROM customers)
            SELECT id, name
            FROM small""");
    BroadcastJoin select6Joined =
        BroadcastJoin.inner(streams, "select/6/broadcast small")
            .big("big", select6JoinedBig, Placement.inTurn())
            .small("small", select6JoinedSmall)
            .on("big.customer", "small.id")
            .select("big.id", "big_id")
            .select("small.name", "small_name");
    tables.createTemporaryView("select_6_joined", select6Joined.toTable());

    // script.sql:29
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/6").build(),
        tables.sqlQuery(
            """
            WITH small AS (SELECT id, name FROM customers), big AS (SELECT * FROM orders WHERE amount > 0)
            SELECT big_id AS id, small_name AS name FROM select_6_joined"""));

    // script.sql:33: BROADCAST(y). Every task has all rows of y. The rows of x go to the tasks in
    // turn: x is only ever inserted into, so no row of it has to be found again.
    Table select7JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, customer, name
            FROM orders x""");
    Table select7JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, customer
            FROM orders y""");
    BroadcastJoin select7Joined =
        BroadcastJoin.inner(streams, "select/7/broadcast y")
            .big("x", select7JoinedBig, Placement.inTurn())
            .small("y", select7JoinedSmall)
            .on("x.customer", "y.customer")
            .where(JoinCondition.lessThan("x.id", "y.id"))
            .select("x.id", "x_id")
            .select("x.name", "x_name")
            .select("y.id", "y_id");
    tables.createTemporaryView("select_7_joined", select7Joined.toTable());

    // script.sql:33
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/7").build(),
        tables.sqlQuery(
            """
            -- A table with itself.
            SELECT x_id AS id, y_id AS other, x_name AS name FROM select_7_joined"""));

    // script.sql:35: BROADCAST(c). Every task has all rows of c. The rows of o go to the tasks in
    // turn: o is only ever inserted into, so no row of it has to be found again.
    Table select8JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, name
            FROM orders o""");
    Table select8JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, name
            FROM customers c""");
    BroadcastJoin select8Joined =
        BroadcastJoin.inner(streams, "select/8/broadcast c")
            .big("o", select8JoinedBig, Placement.inTurn())
            .small("c", select8JoinedSmall)
            .on("o.id", "c.id")
            .select("o.id", "o_id")
            .select("o.name", "o_name")
            .select("c.name", "c_name");
    tables.createTemporaryView("select_8_joined", select8Joined.toTable());

    // script.sql:35
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/8").build(),
        tables.sqlQuery(
            """
            SELECT o_id AS id, o_name AS name, c_name AS name FROM select_8_joined"""));

    // script.sql:37: BROADCAST(c). Every task has all rows of c. The rows of o go to the tasks in
    // turn: o is only ever inserted into, so no row of it has to be found again. Those that match
    // nothing come out with NULLs.
    Table select9JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, customer, name, amount
            FROM orders o""");
    Table select9JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, name, credit
            FROM customers c""");
    BroadcastJoin select9Joined =
        BroadcastJoin.outer(streams, "select/9/broadcast c")
            .big("o", select9JoinedBig, Placement.inTurn())
            .small("c", select9JoinedSmall)
            .on("o.id", "c.id")
            .select("o.id", "o_id")
            .select("o.customer", "customer")
            .select("o.name", "o_name")
            .select("o.amount", "amount")
            .select("c.name", "c_name")
            .select("c.credit", "credit");
    tables.createTemporaryView("select_9_joined", select9Joined.toTable());

    // script.sql:37
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/9").build(),
        tables.sqlQuery(
            """
            SELECT o_id AS id, customer, o_name AS name, amount, c_name AS name0, credit FROM select_9_joined"""));

    // script.sql:39: BROADCAST(c). Every task has all rows of c. The rows of o go to the tasks in
    // turn: o is only ever inserted into, so no row of it has to be found again.
    Table select10JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, amount
            FROM (SELECT customer AS id, amount FROM orders) o""");
    Table select10JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, name, credit
            FROM customers c""");
    BroadcastJoin select10Joined =
        BroadcastJoin.inner(streams, "select/10/broadcast c")
            .big("o", select10JoinedBig, Placement.inTurn())
            .small("c", select10JoinedSmall)
            .on("o.id", "c.id")
            .select("o.id", "o_id")
            .select("o.amount", "amount")
            .select("c.name", "name")
            .select("c.credit", "credit");
    tables.createTemporaryView("select_10_joined", select10Joined.toTable());

    // script.sql:39
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/10").build(),
        tables.sqlQuery(
            """
            SELECT o_id AS id, amount, name, credit FROM select_10_joined"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
