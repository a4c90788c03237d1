package com.example;

import com.example.operators.BroadcastJoin;
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
 * The job broadcast-above, written by hintflow from script.sql for Flink 1.20.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class BroadcastAboveJob {
  private BroadcastAboveJob() {}

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
            "payments",
            """
            CREATE TABLE payments (id INT, currency STRING, amount INT, paid_at TIMESTAMP(3), read_at AS PROCTIME(), WATERMARK FOR paid_at AS paid_at) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/payments', 'format' = 'csv'
            )"""));

    // script.sql:6
    tables.executeSql(
        job.createTable(
            "currencies",
            """
            CREATE TABLE currencies (code STRING, rate DOUBLE) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/currencies', 'format' = 'csv'
            )"""));

    // script.sql:9
    tables.executeSql(
        job.createTable(
            "countries",
            """
            CREATE TABLE countries (code STRING, country STRING) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/countries', 'format' = 'csv'
            )"""));

    // script.sql:13: BROADCAST(c). Every task has all rows of c. The rows of p go to the tasks in
    // turn: p is only ever inserted into, so no row of it has to be found again.
    Table convertedJoinedBig =
        tables.sqlQuery(
            """
            SELECT id, currency, amount
            FROM payments p""");
    Table convertedJoinedSmall =
        tables.sqlQuery(
            """
            SELECT code, rate
            FROM currencies c""");
    BroadcastJoin convertedJoined =
        BroadcastJoin.inner(streams, "view/converted/broadcast c")
            .big("p", convertedJoinedBig, Placement.inTurn())
            .small("c", convertedJoinedSmall)
            .on("p.currency", "c.code")
            .select("p.id", "id")
            .select("p.amount", "amount")
            .select("c.code", "code")
            .select("c.rate", "rate");
    tables.createTemporaryView("converted_joined", convertedJoined.toTable());

    // script.sql:12
    tables.executeSql(
        """
        CREATE TEMPORARY VIEW converted AS
        SELECT id, amount * rate AS euros, code FROM converted_joined""");

    // script.sql:15: BROADCAST(c). Every task has all rows of c. The rows of p go to the tasks in
    // turn: p is only ever inserted into, so no row of it has to be found again.
    Table select1JoinedBig =
        tables.sqlQuery(
            """
            SELECT currency, amount
            FROM payments p""");
    Table select1JoinedSmall =
        tables.sqlQuery(
            """
            SELECT code
            FROM currencies c""");
    BroadcastJoin select1Joined =
        BroadcastJoin.inner(streams, "select/1/broadcast c")
            .big("p", select1JoinedBig, Placement.inTurn())
            .small("c", select1JoinedSmall)
            .on("p.currency", "c.code")
            .select("p.amount", "amount")
            .select("c.code", "code");
    tables.createTemporaryView("select_1_joined", select1Joined.toTable());

    // script.sql:15
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            SELECT code, COUNT(*) AS n, SUM(amount) AS total
            FROM select_1_joined
            GROUP BY code HAVING SUM(amount) > 20"""));

    // script.sql:19: BROADCAST(c). Every task has all rows of c. The rows of p go to the tasks in
    // turn: p is only ever inserted into, so no row of it has to be found again.
    Table select2JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, currency, amount
            FROM payments p""");
    Table select2JoinedSmall =
        tables.sqlQuery(
            """
            SELECT code
            FROM currencies c""");
    BroadcastJoin select2Joined =
        BroadcastJoin.inner(streams, "select/2/broadcast c")
            .big("p", select2JoinedBig, Placement.inTurn())
            .small("c", select2JoinedSmall)
            .on("p.currency", "c.code")
            .select("p.id", "id")
            .select("p.amount", "amount")
            .select("c.code", "code");
    tables.createTemporaryView("select_2_joined", select2Joined.toTable());

    // script.sql:19
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/2").build(),
        tables.sqlQuery(
            """
            SELECT id, code AS currency, amount FROM select_2_joined
            ORDER BY select_2_joined.amount DESC, id LIMIT 5"""));

    // script.sql:22: BROADCAST(c). Every task has all rows of c. The rows of p go to the tasks in
    // turn: p is only ever inserted into, so no row of it has to be found again.
    Table select3JoinedBig =
        tables.sqlQuery(
            """
            SELECT currency, paid_at
            FROM payments p""");
    Table select3JoinedSmall =
        tables.sqlQuery(
            """
            SELECT code
            FROM currencies c""");
    BroadcastJoin select3Joined =
        BroadcastJoin.inner(streams, "select/3/broadcast c")
            .big("p", select3JoinedBig, Placement.inTurn())
            .small("c", select3JoinedSmall)
            .on("p.currency", "c.code")
            .select("p.paid_at", "paid_at")
            .select("c.code", "code");
    tables.createTemporaryView("select_3_joined", select3Joined.toTable());

    // script.sql:22
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/3").build(),
        tables.sqlQuery(
            """
            SELECT DISTINCT code, CAST(paid_at AS DATE) AS paid_on FROM select_3_joined"""));

    // script.sql:26: BROADCAST(c). Every task has all rows of c. The rows of p go to the tasks in
    // turn: p is only ever inserted into, so no row of it has to be found again.
    Table select4Union2JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, currency
            FROM payments p
            WHERE p.amount < 4""");
    Table select4Union2JoinedSmall =
        tables.sqlQuery(
            """
            SELECT code, rate
            FROM currencies c""");
    BroadcastJoin select4Union2Joined =
        BroadcastJoin.inner(streams, "select/4/union 2/broadcast c")
            .big("p", select4Union2JoinedBig, Placement.inTurn())
            .small("c", select4Union2JoinedSmall)
            .on("p.currency", "c.code")
            .select("p.id", "id")
            .select("c.rate", "rate");
    tables.createTemporaryView("select_4_union_2_joined", select4Union2Joined.toTable());

    // script.sql:24
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/4").build(),
        tables.sqlQuery(
            """
            SELECT id, euros FROM converted WHERE euros > 10
            UNION ALL
            SELECT id, rate FROM select_4_union_2_joined"""));

    // script.sql:29: BROADCAST(c). Every task has all rows of c. The rows of p go to the tasks in
    // turn: p is only ever inserted into, so no row of it has to be found again.
    Table select5JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, currency
            FROM payments p""");
    Table select5JoinedSmall =
        tables.sqlQuery(
            """
            SELECT code, rate
            FROM currencies c""");
    BroadcastJoin select5Joined =
        BroadcastJoin.inner(streams, "select/5/broadcast c")
            .big("p", select5JoinedBig, Placement.inTurn())
            .small("c", select5JoinedSmall)
            .on("p.currency", "c.code")
            .select("p.id", "id")
            .select("c.code", "c_code")
            .select("c.rate", "rate");
    tables.createTemporaryView("select_5_joined", select5Joined.toTable());

    // script.sql:29
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/5").build(),
        tables.sqlQuery(
            """
            -- A further join that stays Flink's own, of a table that is in no hint.
            SELECT id, rate, l.country
            FROM select_5_joined JOIN countries l ON c_code = l.code AND id > 3"""));

    // script.sql:32: BROADCAST(c). Every task has all rows of c. The rows of big go to the tasks in
    // turn: the big side is only ever inserted into, so no row of it has to be found again.
    Table select6JoinedBig =
        tables.sqlQuery(
            """
            SELECT p.id, l.code AS l_code, l.country
            FROM payments p JOIN countries l ON p.currency = l.code""");
    Table select6JoinedSmall =
        tables.sqlQuery(
            """
            SELECT code, rate
            FROM currencies c""");
    BroadcastJoin select6Joined =
        BroadcastJoin.inner(streams, "select/6/broadcast c")
            .big("big", select6JoinedBig, Placement.inTurn())
            .small("c", select6JoinedSmall)
            .on("big.l_code", "c.code")
            .select("big.id", "id")
            .select("big.country", "country")
            .select("c.rate", "rate");
    tables.createTemporaryView("select_6_joined", select6Joined.toTable());

    // script.sql:32
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/6").build(),
        tables.sqlQuery(
            """
            SELECT id, rate, country
            FROM select_6_joined"""));

    // script.sql:35: BROADCAST(c). Every task has all rows of c. The rows of p go to the tasks in
    // turn: p is only ever inserted into, so no row of it has to be found again.
    Table select7JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, currency, amount
            FROM payments p""");
    Table select7JoinedSmall =
        tables.sqlQuery(
            """
            SELECT code
            FROM currencies c""");
    BroadcastJoin select7Joined =
        BroadcastJoin.inner(streams, "select/7/broadcast c")
            .big("p", select7JoinedBig, Placement.inTurn())
            .small("c", select7JoinedSmall)
            .on("p.currency", "c.code")
            .select("p.id", "id")
            .select("p.amount", "amount")
            .select("c.code", "code");
    tables.createTemporaryView("select_7_joined", select7Joined.toTable());

    // script.sql:35
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/7").build(),
        tables.sqlQuery(
            """
            SELECT id, code FROM select_7_joined
            WHERE EXISTS (SELECT 1 FROM countries l WHERE l.code = select_7_joined.code AND l.country <> 'usa') AND amount IN (SELECT amount FROM payments WHERE id < 9)"""));

    // script.sql:39: BROADCAST(c). Every task has all rows of c. The rows of p go to the tasks in
    // turn: p is only ever inserted into, so no row of it has to be found again. Those that match
    // nothing come out with NULLs.
    Table select8From1JoinedBig =
        tables.sqlQuery(
            """
            SELECT currency
            FROM payments p""");
    Table select8From1JoinedSmall =
        tables.sqlQuery(
            """
            SELECT code
            FROM currencies c""");
    BroadcastJoin select8From1Joined =
        BroadcastJoin.outer(streams, "select/8/from 1/broadcast c")
            .big("p", select8From1JoinedBig, Placement.inTurn())
            .small("c", select8From1JoinedSmall)
            .on("p.currency", "c.code")
            .select("c.code", "code");
    tables.createTemporaryView("select_8_from_1_joined", select8From1Joined.toTable());

    // script.sql:38
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/8").build(),
        tables.sqlQuery(
            """
            SELECT big.n, big.code FROM (
              SELECT code, COUNT(*) AS n FROM select_8_from_1_joined GROUP BY code
            ) AS big WHERE n > 1"""));

    // script.sql:42: BROADCAST(c). Every task has all rows of c. The rows of w go to the tasks in
    // turn: w is only ever inserted into, so no row of it has to be found again.
    Table select9JoinedBig =
        tables.sqlQuery(
            """
            SELECT window_start, currency, total
            FROM (
              SELECT window_start, currency, SUM(amount) AS total
              FROM TABLE(TUMBLE(TABLE payments, DESCRIPTOR(paid_at), INTERVAL '1' MINUTE))
              GROUP BY window_start, window_end, currency
            ) w""");
    Table select9JoinedSmall =
        tables.sqlQuery(
            """
            SELECT code, rate
            FROM currencies c""");
    BroadcastJoin select9Joined =
        BroadcastJoin.inner(streams, "select/9/broadcast c")
            .big("w", select9JoinedBig, Placement.inTurn())
            .small("c", select9JoinedSmall)
            .on("w.currency", "c.code")
            .select("w.window_start", "window_start")
            .select("w.currency", "currency")
            .select("w.total", "total")
            .select("c.rate", "rate");
    tables.createTemporaryView("select_9_joined", select9Joined.toTable());

    // script.sql:42
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/9").build(),
        tables.sqlQuery(
            """
            SELECT window_start, currency, total, rate
            FROM select_9_joined"""));

    // script.sql:49: BROADCAST(c). Every task has all rows of c. The rows of p go to the tasks in
    // turn: p is only ever inserted into, so no row of it has to be found again.
    Table select10JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, currency
            FROM payments p""");
    Table select10JoinedSmall =
        tables.sqlQuery(
            """
            SELECT code, rate
            FROM currencies c""");
    BroadcastJoin select10Joined =
        BroadcastJoin.inner(streams, "select/10/broadcast c")
            .big("p", select10JoinedBig, Placement.inTurn())
            .small("c", select10JoinedSmall)
            .on("p.currency", "c.code")
            .select("p.id", "id")
            .select("c.code", "code")
            .select("c.rate", "rate");
    tables.createTemporaryView("select_10_joined", select10Joined.toTable());

    // script.sql:49
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/10").build(),
        tables.sqlQuery(
            """
            SELECT id, t.piece, rate
            FROM select_10_joined CROSS JOIN UNNEST(ARRAY[code, 'all']) AS t (piece)"""));

    // script.sql:52: BROADCAST(c). Every task has all rows of c. The rows of p go to the tasks in
    // turn: p is only ever inserted into, so no row of it has to be found again.
    Table select11JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, currency
            FROM payments p""");
    Table select11JoinedSmall =
        tables.sqlQuery(
            """
            SELECT code
            FROM currencies c""");
    BroadcastJoin select11Joined =
        BroadcastJoin.inner(streams, "select/11/broadcast c")
            .big("p", select11JoinedBig, Placement.inTurn())
            .small("c", select11JoinedSmall)
            .on("p.currency", "c.code")
            .select("p.id", "id")
            .select("c.code", "code");
    tables.createTemporaryView("select_11_joined", select11Joined.toTable());

    // script.sql:52: DISTRIBUTEBY('code'). Rows equal in code meet on one task, in order.
    Table select11DistributedQuery =
        tables.sqlQuery(
            """
            SELECT id, code FROM select_11_joined""");
    DataStream<Row> select11Distributed =
        Distribution.byHash(
            streams.toStream(select11DistributedQuery),
            select11DistributedQuery,
            List.of("code"),
            "select/11/distribution");
    tables.createTemporaryView(
        "select_11_distributed", streams.toTable(select11Distributed, select11DistributedQuery));

    // script.sql:52
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/11").build(),
        tables.sqlQuery(
            """
            SELECT * FROM select_11_distributed"""));

    // script.sql:54: BROADCAST(c). Every task has all rows of c. The rows of p go to the tasks in
    // turn: p is only ever inserted into, so no row of it has to be found again.
    Table select12JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, currency
            FROM payments p""");
    Table select12JoinedSmall =
        tables.sqlQuery(
            """
            SELECT code, rate
            FROM currencies c""");
    BroadcastJoin select12Joined =
        BroadcastJoin.inner(streams, "select/12/broadcast c")
            .big("p", select12JoinedBig, Placement.inTurn())
            .small("c", select12JoinedSmall)
            .on("p.currency", "c.code")
            .select("p.id", "id")
            .select("c.code", "c_code")
            .select("c.rate", "rate");
    tables.createTemporaryView("select_12_joined", select12Joined.toTable());

    // script.sql:54
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/12").build(),
        tables.sqlQuery(
            """
            SELECT id, c_code AS code, country, rate
            FROM select_12_joined LEFT JOIN countries ON c_code = countries.code"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
