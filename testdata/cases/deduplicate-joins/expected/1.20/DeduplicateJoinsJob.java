package com.example;

import com.example.operators.BroadcastJoin;
import com.example.operators.Deduplication;
import com.example.operators.JobConfiguration;
import com.example.operators.Placement;
import com.example.operators.TableStreams;
import java.time.Duration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableDescriptor;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;

/**
 * The job deduplicate-joins, written by hintflow from script.sql for Flink 1.20.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class DeduplicateJoinsJob {
  private DeduplicateJoinsJob() {}

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
            "accounts",
            """
            CREATE TABLE accounts (id INT, owner INT, balance INT, note STRING, seen INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/accounts', 'format' = 'debezium-json'
            )"""));

    // script.sql:6
    tables.executeSql(
        job.createTable(
            "keyless_accounts",
            """
            CREATE TABLE keyless_accounts (id INT, owner INT, balance INT, note STRING, seen INT) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/accounts', 'format' = 'debezium-json'
            )"""));

    // script.sql:9
    tables.executeSql(
        job.createTable(
            "owners",
            """
            CREATE TABLE owners (id INT, name STRING, city INT) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/owners', 'format' = 'csv'
            )"""));

    // script.sql:12
    tables.executeSql(
        job.createTable(
            "cities",
            """
            CREATE TABLE cities (id INT, name STRING) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/cities', 'format' = 'csv'
            )"""));

    // script.sql:17: 'duplicate.left' = 'true'. Of rows of o that are equal in these columns, only
    // the first goes on, and the deletion of the last. They go by the hash of id: equal rows meet,
    // and those of one key stay in order.
    Table ownersDeduplicatedQuery =
        tables.sqlQuery(
            """
            SELECT id, name
            FROM owners AS o""");
    DataStream<Row> ownersDeduplicated =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(ownersDeduplicatedQuery),
            ownersDeduplicatedQuery,
            Placement.byHash("id"),
            "select/1/deduplication o");
    tables.createTemporaryView(
        "owners_deduplicated", streams.toTable(ownersDeduplicated, ownersDeduplicatedQuery));

    // script.sql:17: 'duplicate.right' = 'true'. Updates of a that change none of these columns are
    // dropped by the task that reads them. The query is planned with the 1 task of its source, so
    // that the two rows of an update stay together.
    Table accountsDeduplicatedQuery =
        tables.sqlQuery(
            """
            SELECT id, owner, balance
            FROM accounts AS a""");
    DataStream<Row> accountsDeduplicated =
        Deduplication.dropUnchangedUpdates(
            streams.toStream(accountsDeduplicatedQuery, 1),
            accountsDeduplicatedQuery,
            "select/1/deduplication a");
    tables.createTemporaryView(
        "accounts_deduplicated",
        streams.toTable(accountsDeduplicated, accountsDeduplicatedQuery, "id"));

    // script.sql:17
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            -- Most updates of an account are to note and seen, which few queries read.
            SELECT o.name, a.id, a.balance FROM owners_deduplicated AS o JOIN accounts_deduplicated AS a ON o.id = a.owner"""));

    // script.sql:19: 'duplicate.right' = 'true'. Of rows of a that are equal in these columns, only
    // the first goes on, and the deletion of the last. They go by the hash of owner: equal rows
    // meet, and those of one key stay in order. The query is planned with the 1 task of its source,
    // so that the two rows of an update stay together.
    Table keylessAccountsDeduplicatedQuery =
        tables.sqlQuery(
            """
            SELECT id, owner, balance, note
            FROM keyless_accounts /*+ OPTIONS('debezium-json.ignore-parse-errors' = 'true') */ a""");
    DataStream<Row> keylessAccountsDeduplicated =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(keylessAccountsDeduplicatedQuery, 1),
            keylessAccountsDeduplicatedQuery,
            Placement.byHash("owner"),
            "select/2/deduplication a");
    tables.createTemporaryView(
        "keyless_accounts_deduplicated",
        streams.toTable(keylessAccountsDeduplicated, keylessAccountsDeduplicatedQuery));

    // script.sql:19
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/2").build(),
        tables.sqlQuery(
            """
            -- The other option is the format's.
            SELECT o.name, a.id, a.note FROM owners o LEFT JOIN keyless_accounts_deduplicated AS a ON a.owner = o.id AND a.balance > 300"""));

    // script.sql:20: 'duplicate.left' = 'true'. Updates of a that change none of these columns are
    // dropped by the task that reads them. The query is planned with the 1 task of its source, so
    // that the two rows of an update stay together.
    Table accountsDeduplicated2Query =
        tables.sqlQuery(
            """
            SELECT id, owner, balance
            FROM accounts a""");
    DataStream<Row> accountsDeduplicated2 =
        Deduplication.dropUnchangedUpdates(
            streams.toStream(accountsDeduplicated2Query, 1),
            accountsDeduplicated2Query,
            "select/3/deduplication a");
    tables.createTemporaryView(
        "accounts_deduplicated_2",
        streams.toTable(accountsDeduplicated2, accountsDeduplicated2Query, "id"));

    // script.sql:20
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/3").build(),
        tables.sqlQuery(
            """
            SELECT a.id, a.balance, o.name FROM accounts_deduplicated_2 AS a RIGHT JOIN owners o ON a.owner = o.id"""));

    // script.sql:22: 'duplicate.right' = 'true'. Of rows of a that are equal in these columns, only
    // the first goes on, and the deletion of the last. They go by the hash of owner: equal rows
    // meet, and those of one key stay in order. The query is planned with the 1 task of its source,
    // so that the two rows of an update stay together.
    Table keylessAccountsDeduplicated2Query =
        tables.sqlQuery(
            """
            SELECT id, owner, balance
            FROM keyless_accounts AS a""");
    DataStream<Row> keylessAccountsDeduplicated2 =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(keylessAccountsDeduplicated2Query, 1),
            keylessAccountsDeduplicated2Query,
            Placement.byHash("owner"),
            "select/4/deduplication a");
    tables.createTemporaryView(
        "keyless_accounts_deduplicated_2",
        streams.toTable(keylessAccountsDeduplicated2, keylessAccountsDeduplicated2Query));

    // script.sql:22
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/4").build(),
        tables.sqlQuery(
            """
            -- Directly behind JOIN.
            SELECT o.name, a.id, a.balance FROM owners o FULL JOIN keyless_accounts_deduplicated_2 AS a ON o.id = a.owner"""));

    // script.sql:23: 'duplicate.right' = 'true'. Of rows of k that are equal in these columns, only
    // the first goes on, and the deletion of the last. They go by the hash of owner: equal rows
    // meet, and those of one key stay in order. The query is planned with the 1 task of its source,
    // so that the two rows of an update stay together.
    Table keylessAccountsDeduplicated3Query =
        tables.sqlQuery(
            """
            SELECT id, owner, balance
            FROM keyless_accounts k""");
    DataStream<Row> keylessAccountsDeduplicated3 =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(keylessAccountsDeduplicated3Query, 1),
            keylessAccountsDeduplicated3Query,
            Placement.byHash("owner"),
            "select/5/deduplication k");
    tables.createTemporaryView(
        "keyless_accounts_deduplicated_3",
        streams.toTable(keylessAccountsDeduplicated3, keylessAccountsDeduplicated3Query));

    // script.sql:23
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/5").build(),
        tables.sqlQuery(
            """
            SELECT o.name, k.id FROM owners o, keyless_accounts_deduplicated_3 AS k WHERE o.id = k.owner AND k.balance > o.city"""));

    // script.sql:27: 'duplicate.left' = 'true'. Updates of a that change none of these columns are
    // dropped by the task that reads them. The query is planned with the 1 task of its source, so
    // that the two rows of an update stay together.
    Table accountsDeduplicated3Query =
        tables.sqlQuery(
            """
            SELECT id, owner, balance
            FROM accounts a""");
    DataStream<Row> accountsDeduplicated3 =
        Deduplication.dropUnchangedUpdates(
            streams.toStream(accountsDeduplicated3Query, 1),
            accountsDeduplicated3Query,
            "select/6/deduplication a");
    tables.createTemporaryView(
        "accounts_deduplicated_3",
        streams.toTable(accountsDeduplicated3, accountsDeduplicated3Query, "id"));

    // script.sql:27: 'duplicate.left' = 'true'. Of rows of o that are equal in these columns, only
    // the first goes on, and the deletion of the last. They go by the hash of id: equal rows meet,
    // and those of one key stay in order.
    Table ownersDeduplicated2Query =
        tables.sqlQuery(
            """
            SELECT id, name, city
            FROM owners o""");
    DataStream<Row> ownersDeduplicated2 =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(ownersDeduplicated2Query),
            ownersDeduplicated2Query,
            Placement.byHash("id"),
            "select/6/deduplication o");
    tables.createTemporaryView(
        "owners_deduplicated_2", streams.toTable(ownersDeduplicated2, ownersDeduplicated2Query));

    // script.sql:25
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/6").build(),
        tables.sqlQuery(
            """
            -- The left input of the second join is a join itself.
            SELECT a.id, a.balance, o.name, c.name AS city
            FROM accounts_deduplicated_3 AS a JOIN owners_deduplicated_2 AS o ON a.owner = o.id
              LEFT JOIN cities c ON o.city = c.id"""));

    // script.sql:29: 'duplicate.left' = 'true'. Of rows of a that are equal in these columns, only
    // the first goes on, and the deletion of the last. They go by the hash of owner: equal rows
    // meet, and those of one key stay in order. The query is planned with the 1 task of its source,
    // so that the two rows of an update stay together.
    Table accountsDeduplicated4Query =
        tables.sqlQuery(
            """
            SELECT owner, balance
            FROM accounts AS a""");
    DataStream<Row> accountsDeduplicated4 =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(accountsDeduplicated4Query, 1),
            accountsDeduplicated4Query,
            Placement.byHash("owner"),
            "select/7/deduplication a");
    tables.createTemporaryView(
        "accounts_deduplicated_4",
        streams.toTable(accountsDeduplicated4, accountsDeduplicated4Query));

    // script.sql:28
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/7").build(),
        tables.sqlQuery(
            """
            SELECT c.name, COUNT(*) AS accounts, SUM(a.balance) AS total
            FROM accounts_deduplicated_4 AS a JOIN owners o ON a.owner = o.id JOIN cities c ON o.city = c.id
            GROUP BY c.name"""));

    // script.sql:31: 'duplicate.left' = 'true'. Of rows of a that are equal in these columns, only
    // the first goes on, and the deletion of the last. They go by the hash of the whole row: equal
    // rows meet, and a frequent key does not pile up. The query is planned with the 1 task of its
    // source, so that the two rows of an update stay together.
    Table keylessAccountsDeduplicated4Query =
        tables.sqlQuery(
            """
            SELECT id, owner, balance
            FROM keyless_accounts a""");
    DataStream<Row> keylessAccountsDeduplicated4 =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(keylessAccountsDeduplicated4Query, 1),
            keylessAccountsDeduplicated4Query,
            Placement.byWholeRow(),
            "select/8/deduplication a");
    tables.createTemporaryView(
        "keyless_accounts_deduplicated_4",
        streams.toTable(keylessAccountsDeduplicated4, keylessAccountsDeduplicated4Query));

    // script.sql:31: BROADCAST(o). Every task has all rows of o. The rows of a go by the hash of
    // the whole row: a has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select8JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, owner, balance
            FROM keyless_accounts_deduplicated_4 AS a""");
    Table select8JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, name
            FROM owners o""");
    BroadcastJoin select8Joined =
        BroadcastJoin.inner(streams, "select/8/broadcast o")
            .big("a", select8JoinedBig, Placement.byWholeRow())
            .small("o", select8JoinedSmall)
            .on("a.owner", "o.id")
            .select("a.id", "a_id")
            .select("a.balance", "balance")
            .select("o.name", "name");
    tables.createTemporaryView("select_8_joined", select8Joined.toTable());

    // script.sql:31
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/8").build(),
        tables.sqlQuery(
            """
            SELECT a_id AS id, balance, name FROM select_8_joined"""));

    // script.sql:32: 'duplicate.left' = 'true'. Updates of a that change none of these columns are
    // dropped by the task that reads them. The query is planned with the 1 task of its source, so
    // that the two rows of an update stay together.
    Table accountsDeduplicated5Query =
        tables.sqlQuery(
            """
            SELECT id, owner, balance
            FROM accounts a""");
    DataStream<Row> accountsDeduplicated5 =
        Deduplication.dropUnchangedUpdates(
            streams.toStream(accountsDeduplicated5Query, 1),
            accountsDeduplicated5Query,
            "select/9/deduplication a");
    tables.createTemporaryView(
        "accounts_deduplicated_5",
        streams.toTable(accountsDeduplicated5, accountsDeduplicated5Query, "id"));

    // script.sql:32: BROADCAST(o), HASH_BY_KEY('a'='id'). Every task has all rows of o. The rows of
    // a go by the hash of id: HASH_BY_KEY asks for it.
    Table select9JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, owner, balance
            FROM accounts_deduplicated_5 AS a""");
    Table select9JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, name
            FROM owners o""");
    BroadcastJoin select9Joined =
        BroadcastJoin.inner(streams, "select/9/broadcast o")
            .big("a", select9JoinedBig, Placement.byHash("id"))
            .small("o", select9JoinedSmall)
            .on("a.owner", "o.id")
            .select("a.id", "a_id")
            .select("a.balance", "balance")
            .select("o.name", "name");
    tables.createTemporaryView("select_9_joined", select9Joined.toTable());

    // script.sql:32
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/9").build(),
        tables.sqlQuery(
            """
            SELECT a_id AS id, balance, name FROM select_9_joined"""));

    // script.sql:33: 'duplicate.right' = 'true'. Of rows of a that are equal in these columns, only
    // the first goes on, and the deletion of the last. They go by the hash of owner: equal rows
    // meet, and those of one key stay in order. The query is planned with the 1 task of its source,
    // so that the two rows of an update stay together.
    Table keylessAccountsDeduplicated5Query =
        tables.sqlQuery(
            """
            SELECT id, owner, balance
            FROM keyless_accounts AS a""");
    DataStream<Row> keylessAccountsDeduplicated5 =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(keylessAccountsDeduplicated5Query, 1),
            keylessAccountsDeduplicated5Query,
            Placement.byHash("owner"),
            Duration.ofDays(1),
            "select/10/deduplication a");
    tables.createTemporaryView(
        "keyless_accounts_deduplicated_5",
        streams.toTable(keylessAccountsDeduplicated5, keylessAccountsDeduplicated5Query));

    // script.sql:33
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/10").build(),
        tables.sqlQuery(
            """
            SELECT /*+ STATE_TTL('a'='1d') */ o.name, a.id, a.balance FROM owners AS o JOIN keyless_accounts_deduplicated_5 AS a ON o.id = a.owner"""));

    // script.sql:35: 'duplicate.right' = 'true'. Of rows of a that are equal in these columns, only
    // the first goes on, and the deletion of the last. They go by the hash of the whole row: equal
    // rows meet, and the join has no column of a to go by. The query is planned with the 1 task of
    // its source, so that the two rows of an update stay together.
    Table keylessAccountsDeduplicated6Query =
        tables.sqlQuery(
            """
            SELECT id, owner, balance
            FROM keyless_accounts a""");
    DataStream<Row> keylessAccountsDeduplicated6 =
        Deduplication.dropRepeatedRows(
            streams,
            streams.toStream(keylessAccountsDeduplicated6Query, 1),
            keylessAccountsDeduplicated6Query,
            Placement.byWholeRow(),
            "select/11/deduplication a");
    tables.createTemporaryView(
        "keyless_accounts_deduplicated_6",
        streams.toTable(keylessAccountsDeduplicated6, keylessAccountsDeduplicated6Query));

    // script.sql:35
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/11").build(),
        tables.sqlQuery(
            """
            -- Without a column to hash by.
            SELECT o.name, a.id, a.balance FROM owners o JOIN keyless_accounts_deduplicated_6 AS a ON o.id <> a.owner AND a.balance > 1000"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
