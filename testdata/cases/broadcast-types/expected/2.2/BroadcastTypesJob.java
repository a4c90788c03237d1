package com.example;

import com.example.operators.BroadcastJoin;
import com.example.operators.Distribution;
import com.example.operators.JobConfiguration;
import com.example.operators.JoinCondition;
import com.example.operators.Placement;
import com.example.operators.TableStreams;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableDescriptor;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;

/**
 * The job broadcast-types, written by hintflow from script.sql for Flink 2.2.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class BroadcastTypesJob {
  private BroadcastTypesJob() {}

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
            "big",
            """
            CREATE TABLE big (
              id INT,
              flag BOOLEAN,
              tiny TINYINT,
              whole BIGINT,
              ratio DOUBLE,
              exact DECIMAL(10, 2),
              name STRING,
              payload BYTES,
              `day` DATE,
              at_time TIME(0),
              ts TIMESTAMP(6),
              ltz TIMESTAMP_LTZ(3),
              tags ARRAY<STRING>,
              counts MAP<STRING, INT>,
              place ROW<city STRING, `at` ROW<x INT, ys ARRAY<INT>>>
            ) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/big', 'format' = 'debezium-json',
              'debezium-json.timestamp-format.standard' = 'SQL'
            )"""));

    // script.sql:24
    tables.executeSql(
        job.createTable(
            "small",
            """
            CREATE TABLE small (
              id INT,
              flag BOOLEAN,
              tiny TINYINT,
              whole BIGINT,
              ratio DOUBLE,
              exact DECIMAL(10, 2),
              name STRING,
              payload BYTES,
              `day` DATE,
              at_time TIME(0),
              ts TIMESTAMP(6),
              ltz TIMESTAMP_LTZ(3),
              tags ARRAY<STRING>,
              counts MAP<STRING, INT>,
              place ROW<city STRING, `at` ROW<x INT, ys ARRAY<INT>>>
            ) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/small', 'format' = 'json',
              'json.timestamp-format.standard' = 'SQL'
            )"""));

    // script.sql:46: 'source.parallelism' = '1'. The table is read with 1 task, then its rows are
    // spread over the job's tasks: by the whole row, for the table has updates and declares no
    // primary key, and a retraction must follow its row.
    Table bigSourceTable =
        tables.sqlQuery(
            """
            SELECT * FROM big""");
    DataStream<Row> bigSource =
        Distribution.byWholeRow(
            streams.toStream(bigSourceTable, 1), bigSourceTable, "source/big_source");
    tables.createTemporaryView("big_source", streams.toTable(bigSource, bigSourceTable));

    // script.sql:46: BROADCAST(s). Every task has all rows of s. The rows of b go by the hash of
    // the whole row: b has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select1JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, flag
            FROM big_source b""");
    Table select1JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, flag
            FROM small s""");
    BroadcastJoin select1Joined =
        BroadcastJoin.inner(streams, "select/1/broadcast s")
            .big("b", select1JoinedBig, Placement.byWholeRow())
            .small("s", select1JoinedSmall)
            .on("b.flag", "s.flag")
            .select("b.id", "b_id")
            .select("b.flag", "b_flag")
            .select("s.id", "s_id");
    tables.createTemporaryView("select_1_joined", select1Joined.toTable());

    // script.sql:46
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            -- Every type as a key.
            SELECT b_id AS id, s_id AS id, b_flag AS flag FROM select_1_joined"""));

    // script.sql:47: BROADCAST(s). Every task has all rows of s. The rows of b go by the hash of
    // the whole row: b has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select2JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, tiny
            FROM big_source b""");
    Table select2JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, tiny
            FROM small s""");
    BroadcastJoin select2Joined =
        BroadcastJoin.inner(streams, "select/2/broadcast s")
            .big("b", select2JoinedBig, Placement.byWholeRow())
            .small("s", select2JoinedSmall)
            .on("b.tiny", "s.tiny")
            .select("b.id", "b_id")
            .select("b.tiny", "b_tiny")
            .select("s.id", "s_id");
    tables.createTemporaryView("select_2_joined", select2Joined.toTable());

    // script.sql:47
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/2").build(),
        tables.sqlQuery(
            """
            SELECT b_id AS id, s_id AS id, b_tiny AS tiny FROM select_2_joined"""));

    // script.sql:48: BROADCAST(s). Every task has all rows of s. The rows of b go by the hash of
    // the whole row: b has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select3JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, whole
            FROM big_source b""");
    Table select3JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, whole
            FROM small s""");
    BroadcastJoin select3Joined =
        BroadcastJoin.inner(streams, "select/3/broadcast s")
            .big("b", select3JoinedBig, Placement.byWholeRow())
            .small("s", select3JoinedSmall)
            .on("b.whole", "s.whole")
            .select("b.id", "b_id")
            .select("b.whole", "b_whole")
            .select("s.id", "s_id");
    tables.createTemporaryView("select_3_joined", select3Joined.toTable());

    // script.sql:48
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/3").build(),
        tables.sqlQuery(
            """
            SELECT b_id AS id, s_id AS id, b_whole AS whole FROM select_3_joined"""));

    // script.sql:49: BROADCAST(s). Every task has all rows of s. The rows of b go by the hash of
    // the whole row: b has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select4JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, ratio
            FROM big_source b""");
    Table select4JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, ratio
            FROM small s""");
    BroadcastJoin select4Joined =
        BroadcastJoin.inner(streams, "select/4/broadcast s")
            .big("b", select4JoinedBig, Placement.byWholeRow())
            .small("s", select4JoinedSmall)
            .on("b.ratio", "s.ratio")
            .select("b.id", "b_id")
            .select("b.ratio", "b_ratio")
            .select("s.id", "s_id");
    tables.createTemporaryView("select_4_joined", select4Joined.toTable());

    // script.sql:49
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/4").build(),
        tables.sqlQuery(
            """
            SELECT b_id AS id, s_id AS id, b_ratio AS ratio FROM select_4_joined"""));

    // script.sql:50: BROADCAST(s). Every task has all rows of s. The rows of b go by the hash of
    // the whole row: b has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select5JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, exact
            FROM big_source b""");
    Table select5JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, exact
            FROM small s""");
    BroadcastJoin select5Joined =
        BroadcastJoin.inner(streams, "select/5/broadcast s")
            .big("b", select5JoinedBig, Placement.byWholeRow())
            .small("s", select5JoinedSmall)
            .on("b.exact", "s.exact")
            .select("b.id", "b_id")
            .select("b.exact", "b_exact")
            .select("s.id", "s_id");
    tables.createTemporaryView("select_5_joined", select5Joined.toTable());

    // script.sql:50
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/5").build(),
        tables.sqlQuery(
            """
            SELECT b_id AS id, s_id AS id, b_exact AS exact FROM select_5_joined"""));

    // script.sql:51: BROADCAST(s). Every task has all rows of s. The rows of b go by the hash of
    // the whole row: b has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select6JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, name
            FROM big_source b""");
    Table select6JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, name
            FROM small s""");
    BroadcastJoin select6Joined =
        BroadcastJoin.inner(streams, "select/6/broadcast s")
            .big("b", select6JoinedBig, Placement.byWholeRow())
            .small("s", select6JoinedSmall)
            .on("b.name", "s.name")
            .select("b.id", "b_id")
            .select("b.name", "b_name")
            .select("s.id", "s_id");
    tables.createTemporaryView("select_6_joined", select6Joined.toTable());

    // script.sql:51
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/6").build(),
        tables.sqlQuery(
            """
            SELECT b_id AS id, s_id AS id, b_name AS name FROM select_6_joined"""));

    // script.sql:52: BROADCAST(s). Every task has all rows of s. The rows of b go by the hash of
    // the whole row: b has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select7JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, payload
            FROM big_source b""");
    Table select7JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, payload
            FROM small s""");
    BroadcastJoin select7Joined =
        BroadcastJoin.inner(streams, "select/7/broadcast s")
            .big("b", select7JoinedBig, Placement.byWholeRow())
            .small("s", select7JoinedSmall)
            .on("b.payload", "s.payload")
            .select("b.id", "b_id")
            .select("b.payload", "b_payload")
            .select("s.id", "s_id");
    tables.createTemporaryView("select_7_joined", select7Joined.toTable());

    // script.sql:52
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/7").build(),
        tables.sqlQuery(
            """
            SELECT b_id AS id, s_id AS id, b_payload AS payload FROM select_7_joined"""));

    // script.sql:53: BROADCAST(s). Every task has all rows of s. The rows of b go by the hash of
    // the whole row: b has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select8JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, `day`
            FROM big_source b""");
    Table select8JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, `day`
            FROM small s""");
    BroadcastJoin select8Joined =
        BroadcastJoin.inner(streams, "select/8/broadcast s")
            .big("b", select8JoinedBig, Placement.byWholeRow())
            .small("s", select8JoinedSmall)
            .on("b.day", "s.day")
            .select("b.id", "b_id")
            .select("b.day", "b_day")
            .select("s.id", "s_id");
    tables.createTemporaryView("select_8_joined", select8Joined.toTable());

    // script.sql:53
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/8").build(),
        tables.sqlQuery(
            """
            SELECT b_id AS id, s_id AS id, b_day AS `day` FROM select_8_joined"""));

    // script.sql:54: BROADCAST(s). Every task has all rows of s. The rows of b go by the hash of
    // the whole row: b has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select9JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, at_time
            FROM big_source b""");
    Table select9JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, at_time
            FROM small s""");
    BroadcastJoin select9Joined =
        BroadcastJoin.inner(streams, "select/9/broadcast s")
            .big("b", select9JoinedBig, Placement.byWholeRow())
            .small("s", select9JoinedSmall)
            .on("b.at_time", "s.at_time")
            .select("b.id", "b_id")
            .select("b.at_time", "b_at_time")
            .select("s.id", "s_id");
    tables.createTemporaryView("select_9_joined", select9Joined.toTable());

    // script.sql:54
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/9").build(),
        tables.sqlQuery(
            """
            SELECT b_id AS id, s_id AS id, b_at_time AS at_time FROM select_9_joined"""));

    // script.sql:55: BROADCAST(s). Every task has all rows of s. The rows of b go by the hash of
    // the whole row: b has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select10JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, ts
            FROM big_source b""");
    Table select10JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, ts
            FROM small s""");
    BroadcastJoin select10Joined =
        BroadcastJoin.inner(streams, "select/10/broadcast s")
            .big("b", select10JoinedBig, Placement.byWholeRow())
            .small("s", select10JoinedSmall)
            .on("b.ts", "s.ts")
            .select("b.id", "b_id")
            .select("b.ts", "b_ts")
            .select("s.id", "s_id");
    tables.createTemporaryView("select_10_joined", select10Joined.toTable());

    // script.sql:55
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/10").build(),
        tables.sqlQuery(
            """
            SELECT b_id AS id, s_id AS id, b_ts AS ts FROM select_10_joined"""));

    // script.sql:56: BROADCAST(s). Every task has all rows of s. The rows of b go by the hash of
    // the whole row: b has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select11JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, ltz
            FROM big_source b""");
    Table select11JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, ltz
            FROM small s""");
    BroadcastJoin select11Joined =
        BroadcastJoin.inner(streams, "select/11/broadcast s")
            .big("b", select11JoinedBig, Placement.byWholeRow())
            .small("s", select11JoinedSmall)
            .on("b.ltz", "s.ltz")
            .select("b.id", "b_id")
            .select("b.ltz", "b_ltz")
            .select("s.id", "s_id");
    tables.createTemporaryView("select_11_joined", select11Joined.toTable());

    // script.sql:56
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/11").build(),
        tables.sqlQuery(
            """
            SELECT b_id AS id, s_id AS id, b_ltz AS ltz FROM select_11_joined"""));

    // script.sql:57: BROADCAST(s). Every task has all rows of s. The rows of b go by the hash of
    // the whole row: b has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select12JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, tags
            FROM big_source b""");
    Table select12JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, tags
            FROM small s""");
    BroadcastJoin select12Joined =
        BroadcastJoin.inner(streams, "select/12/broadcast s")
            .big("b", select12JoinedBig, Placement.byWholeRow())
            .small("s", select12JoinedSmall)
            .on("b.tags", "s.tags")
            .select("b.id", "b_id")
            .select("b.tags", "b_tags")
            .select("s.id", "s_id");
    tables.createTemporaryView("select_12_joined", select12Joined.toTable());

    // script.sql:57
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/12").build(),
        tables.sqlQuery(
            """
            SELECT b_id AS id, s_id AS id, b_tags AS tags FROM select_12_joined"""));

    // script.sql:58: BROADCAST(s). Every task has all rows of s. The rows of b go by the hash of
    // the whole row: b has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select13JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, place
            FROM big_source b""");
    Table select13JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, place
            FROM small s""");
    BroadcastJoin select13Joined =
        BroadcastJoin.inner(streams, "select/13/broadcast s")
            .big("b", select13JoinedBig, Placement.byWholeRow())
            .small("s", select13JoinedSmall)
            .on("b.place", "s.place")
            .select("b.id", "b_id")
            .select("b.place", "b_place")
            .select("s.id", "s_id");
    tables.createTemporaryView("select_13_joined", select13Joined.toTable());

    // script.sql:58
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/13").build(),
        tables.sqlQuery(
            """
            SELECT b_id AS id, s_id AS id, b_place AS place FROM select_13_joined"""));

    // script.sql:61: BROADCAST(s). Every task has all rows of s. The rows of b go by the hash of
    // the whole row: b has updates and has no primary key to go by, and a retraction must follow
    // its row. Those that match nothing come out with NULLs.
    Table select14JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, flag, tiny, whole, ratio, exact, name, payload, `day`, at_time, ts, ltz, tags, counts, place
            FROM big_source b""");
    Table select14JoinedSmall =
        tables.sqlQuery(
            """
            SELECT flag, exact, name, payload, ts, tags, counts, place
            FROM small s""");
    BroadcastJoin select14Joined =
        BroadcastJoin.outer(streams, "select/14/broadcast s")
            .big("b", select14JoinedBig, Placement.byWholeRow())
            .small("s", select14JoinedSmall)
            .on("b.flag", "s.flag")
            .where(JoinCondition.greaterOrEqual("b.name", "s.name")
                    .and(JoinCondition.lessThan("b.exact", "s.exact")
                            .or(JoinCondition.notEqual("b.ts", "s.ts"))
                            .or(JoinCondition.greaterThan("b.payload", "s.payload"))))
            .select("b.id", "b_id")
            .select("b.flag", "b_flag")
            .select("b.tiny", "b_tiny")
            .select("b.whole", "b_whole")
            .select("b.ratio", "b_ratio")
            .select("b.exact", "b_exact")
            .select("b.name", "b_name")
            .select("b.payload", "b_payload")
            .select("b.day", "b_day")
            .select("b.at_time", "b_at_time")
            .select("b.ts", "b_ts")
            .select("b.ltz", "b_ltz")
            .select("b.tags", "b_tags")
            .select("b.counts", "b_counts")
            .select("b.place", "b_place")
            .select("s.name", "s_name")
            .select("s.tags", "s_tags")
            .select("s.counts", "s_counts")
            .select("s.place", "s_place");
    tables.createTemporaryView("select_14_joined", select14Joined.toTable());

    // script.sql:61
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/14").build(),
        tables.sqlQuery(
            """
            -- Every type in what is carried, and in comparisons.
            SELECT b_id AS id, b_flag AS flag, b_tiny AS tiny, b_whole AS whole, b_ratio AS ratio, b_exact AS exact, b_name AS name, b_payload AS payload, b_day AS `day`, b_at_time AS at_time, b_ts AS ts, b_ltz AS ltz, b_tags AS tags, b_counts AS counts, b_place AS place, s_name AS name, s_place.`at`.ys, s_place.city AS city, s_counts['a'], s_tags[1]
            FROM select_14_joined"""));

    // script.sql:63: BROADCAST(s). Every task has all rows of s. The rows of b go by the hash of
    // the whole row: b has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select15JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, `day`, at_time, ltz, tags, place
            FROM big_source b""");
    Table select15JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, `day`, at_time, ltz, tags, counts
            FROM small s""");
    BroadcastJoin select15Joined =
        BroadcastJoin.inner(streams, "select/15/broadcast s")
            .big("b", select15JoinedBig, Placement.byWholeRow())
            .small("s", select15JoinedSmall)
            .where(JoinCondition.lessOrEqual("b.ltz", "s.ltz")
                    .and(JoinCondition.greaterThan("b.day", "s.day")
                            .or(JoinCondition.equal("b.at_time", "s.at_time")))
                    .and(JoinCondition.notEqual("b.tags", "s.tags")))
            .select("b.id", "b_id")
            .select("b.place", "b_place")
            .select("s.id", "s_id")
            .select("s.counts", "s_counts");
    tables.createTemporaryView("select_15_joined", select15Joined.toTable());

    // script.sql:63
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/15").build(),
        tables.sqlQuery(
            """
            SELECT b_id AS id, s_id AS id, b_place AS place, s_counts AS counts FROM select_15_joined"""));

    // script.sql:65: BROADCAST(s). Every task has all rows of s. The rows of b go by the hash of
    // the whole row: b has updates and has no primary key to go by, and a retraction must follow
    // its row.
    Table select16JoinedBig =
        tables.sqlQuery(
            """
            SELECT id, b.place.`at`.x AS key, CARDINALITY(b.tags) AS key_2
            FROM big_source b""");
    Table select16JoinedSmall =
        tables.sqlQuery(
            """
            SELECT id, s.place.`at`.x AS key, CARDINALITY(s.tags) AS key_2
            FROM small s""");
    BroadcastJoin select16Joined =
        BroadcastJoin.inner(streams, "select/16/broadcast s")
            .big("b", select16JoinedBig, Placement.byWholeRow())
            .small("s", select16JoinedSmall)
            .on("b.key", "s.key")
            .on("b.key_2", "s.key_2")
            .select("b.id", "b_id")
            .select("s.id", "s_id");
    tables.createTemporaryView("select_16_joined", select16Joined.toTable());

    // script.sql:65
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/16").build(),
        tables.sqlQuery(
            """
            SELECT b_id AS id, s_id AS id FROM select_16_joined"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
