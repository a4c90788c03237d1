package com.example;

import com.example.operators.Distribution;
import com.example.operators.EventTimeWindow;
import com.example.operators.JobConfiguration;
import com.example.operators.LateRows;
import com.example.operators.TableStreams;
import java.time.Duration;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableDescriptor;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;

/**
 * The job late-functions, written by hintflow from script.sql for Flink 1.20.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class LateFunctionsJob {
  private LateFunctionsJob() {}

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
            "readings",
            """
            CREATE TABLE readings (id INT, room STRING, degrees INT, measured TIMESTAMP(3), WATERMARK FOR measured AS measured - INTERVAL '2' SECOND) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/readings', 'format' = 'csv', 'csv.null-literal' = ''
            )"""));

    // script.sql:6
    tables.executeSql(
        job.createTable(
            "late_readings",
            """
            CREATE TABLE late_readings (measured TIMESTAMP(3), id INT) WITH ('connector' = 'print', 'print-identifier' = 'late/readings')"""));

    // script.sql:7
    tables.executeSql(
        job.createTable(
            "late_windows",
            """
            CREATE TABLE late_windows (ended TIMESTAMP(3), id BIGINT, room STRING, began TIMESTAMP_LTZ(3)) WITH (
              'connector' = 'print', 'print-identifier' = 'late/windows'
            )"""));

    // script.sql:11: LATE_DATA_SINK('sink.name'='late_readings'). Rows of readings that come after
    // the last of their windows has passed go to late_readings.
    Table readingsRowsQuery =
        tables.sqlQuery(
            """
            SELECT id, room, measured
            FROM readings""");
    LateRows readingsRows =
        LateRows.split(
            streams,
            readingsRowsQuery,
            EventTimeWindow.tumble("measured", Duration.ofSeconds(5)),
            "select/1/late rows");
    tables.createTemporaryView("readings_on_time", readingsRows.onTime());
    tables.createTemporaryView("readings_late", readingsRows.late());

    // script.sql:11
    inserts.addInsertSql(
        """
        INSERT INTO late_readings
        SELECT measured, id
        FROM readings_late""");

    // script.sql:11
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            SELECT room, window_start, COUNT(*) AS readings, SUM(id) AS ids
            FROM TABLE(TUMBLE(TABLE readings_on_time, DESCRIPTOR(measured), INTERVAL '5' SECOND))
            GROUP BY room, window_start, window_end"""));

    // script.sql:16: LATE_DATA_SINK('sink.name'='late_windows', 'window.start.field'='began',
    // 'window.end.field'='ended'). Rows of readings that come after the last of their windows has
    // passed go to late_windows.
    Table readingsRows2Query =
        tables.sqlQuery(
            """
            SELECT id, room, degrees, measured
            FROM readings AS w
            WHERE w.degrees > 10""");
    LateRows readingsRows2 =
        LateRows.split(
            streams,
            readingsRows2Query,
            EventTimeWindow.hop("measured", Duration.ofSeconds(5), Duration.ofSeconds(10))
                .withOffset(Duration.ofSeconds(1)),
            "select/2/late rows");
    tables.createTemporaryView("readings_on_time_2", readingsRows2.onTime());
    tables.createTemporaryView("readings_late_2", readingsRows2.late("window_start", "window_end"));

    // script.sql:16
    inserts.addInsertSql(
        """
        INSERT INTO late_windows
        SELECT window_end AS ended, id, room, window_start AS began
        FROM readings_late_2""");

    // script.sql:16
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/2").build(),
        tables.sqlQuery(
            """
            -- A reading is late when the last of its windows has passed.
            SELECT window_end, MAX(degrees) AS degrees, SUM(id) AS ids
            FROM TABLE(HOP(DATA => TABLE readings_on_time_2, TIMECOL => DESCRIPTOR(measured), SIZE => INTERVAL '10' SECOND, SLIDE => INTERVAL '5' SECOND, `OFFSET` => INTERVAL '1' SECOND)) AS w
            WHERE window_start >= TIMESTAMP '2026-03-01 08:00:00'
            GROUP BY window_start, window_end"""));

    // script.sql:21: LATE_DATA_SINK('sink.name'='late_windows', 'window.start.field'='began',
    // 'window.end.field'='ended'). Rows of readings that come after the last of their windows has
    // passed go to late_windows.
    Table readingsRows3Query =
        tables.sqlQuery(
            """
            SELECT id, room, measured
            FROM readings""");
    LateRows readingsRows3 =
        LateRows.split(
            streams,
            readingsRows3Query,
            EventTimeWindow.cumulate("measured", Duration.ofSeconds(20)),
            "select/3/late rows");
    tables.createTemporaryView("readings_on_time_3", readingsRows3.onTime());
    tables.createTemporaryView("readings_late_3", readingsRows3.late("window_start", "window_end"));

    // script.sql:21
    inserts.addInsertSql(
        """
        INSERT INTO late_windows
        SELECT window_end AS ended, id, room, window_start AS began
        FROM readings_late_3""");

    // script.sql:21
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/3").build(),
        tables.sqlQuery(
            """
            SELECT room, window_end, COUNT(*) AS readings, SUM(id) AS ids
            FROM TABLE(CUMULATE(TABLE readings_on_time_3, DESCRIPTOR(measured), INTERVAL '5' SECOND, INTERVAL '20' SECOND))
            GROUP BY GROUPING SETS ((window_start, window_end, room), (window_start, window_end))"""));

    // script.sql:25: LATE_DATA_SINK('sink.name'='late_windows', 'window.start.field'='began',
    // 'window.end.field'='ended'). Rows of readings that come after their session has passed, and
    // that no open session takes in, go to late_windows.
    Table readingsRows4Query =
        tables.sqlQuery(
            """
            SELECT id, room, measured
            FROM readings""");
    LateRows readingsRows4 =
        LateRows.split(
            streams,
            readingsRows4Query,
            EventTimeWindow.session("measured", Duration.ofSeconds(5), "room"),
            "select/4/late rows");
    tables.createTemporaryView("readings_on_time_4", readingsRows4.onTime());
    tables.createTemporaryView("readings_late_4", readingsRows4.late("window_start", "window_end"));

    // script.sql:25
    inserts.addInsertSql(
        """
        INSERT INTO late_windows
        SELECT window_end AS ended, id, room, window_start AS began
        FROM readings_late_4""");

    // script.sql:25
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/4").build(),
        tables.sqlQuery(
            """
            SELECT room, window_start, window_end, SUM(id) AS ids
            FROM TABLE(SESSION(TABLE readings_on_time_4 PARTITION BY room, DESCRIPTOR(measured), INTERVAL '5' SECOND))
            GROUP BY room, window_start, window_end"""));

    // script.sql:31: LATE_DATA_SINK('sink.name'='late_readings'). Rows of subquery that come after
    // the last of their windows has passed go to late_readings.
    Table subqueryRowsQuery =
        tables.sqlQuery(
            """
            SELECT id, room, degrees, measured
            FROM (SELECT id, room, degrees, measured FROM readings WHERE room IS NOT NULL)""");
    LateRows subqueryRows =
        LateRows.split(
            streams,
            subqueryRowsQuery,
            EventTimeWindow.tumble("measured", Duration.ofSeconds(10)),
            "select/5/from 1/late rows");
    tables.createTemporaryView("subquery_on_time", subqueryRows.onTime());
    tables.createTemporaryView("subquery_late", subqueryRows.late());

    // script.sql:31
    inserts.addInsertSql(
        """
        INSERT INTO late_readings
        SELECT measured, id
        FROM subquery_late""");

    // script.sql:30
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/5").build(),
        tables.sqlQuery(
            """
            -- The warmest two of a window, of a query.
            SELECT room, degrees, id FROM (
              SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY degrees DESC, id) AS place
              FROM TABLE(TUMBLE(TABLE subquery_on_time, DESCRIPTOR(measured), INTERVAL '10' SECOND))
            ) WHERE place <= 2"""));

    // script.sql:37: LATE_DATA_SINK('sink.name'='late_readings'). Rows of readings that come after
    // the last of their windows has passed go to late_readings.
    Table readingsRows5Query =
        tables.sqlQuery(
            """
            SELECT id, room, measured
            FROM readings""");
    LateRows readingsRows5 =
        LateRows.split(
            streams,
            readingsRows5Query,
            EventTimeWindow.tumble("measured", Duration.ofSeconds(10)),
            "select/6/from 1/late rows");
    tables.createTemporaryView("readings_on_time_5", readingsRows5.onTime());
    tables.createTemporaryView("readings_late_5", readingsRows5.late());

    // script.sql:37
    inserts.addInsertSql(
        """
        INSERT INTO late_readings
        SELECT measured, id
        FROM readings_late_5""");

    // script.sql:36
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/6").build(),
        tables.sqlQuery(
            """
            -- The last one of each room in a window.
            SELECT room, id FROM (
              SELECT room, id, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, room ORDER BY measured DESC) AS place
              FROM TABLE(TUMBLE(TABLE readings_on_time_5, DESCRIPTOR(measured), INTERVAL '10' SECOND))
            ) WHERE place = 1"""));

    // script.sql:43: LATE_DATA_SINK('sink.name'='late_readings'). Rows of readings that come after
    // the last of their windows has passed go to late_readings.
    Table readingsRows6Query =
        tables.sqlQuery(
            """
            SELECT id, room, measured
            FROM readings""");
    LateRows readingsRows6 =
        LateRows.split(
            streams,
            readingsRows6Query,
            EventTimeWindow.tumble("measured", Duration.ofSeconds(5)),
            "view/by_room/late rows");
    tables.createTemporaryView("readings_on_time_6", readingsRows6.onTime());
    tables.createTemporaryView("readings_late_6", readingsRows6.late());

    // script.sql:43
    inserts.addInsertSql(
        """
        INSERT INTO late_readings
        SELECT measured, id
        FROM readings_late_6""");

    // script.sql:42
    tables.executeSql(
        """
        -- Windows of windows: the hint is in each, and in a view.
        CREATE TEMPORARY VIEW by_room AS
        SELECT room, SUM(id) AS ids, window_time AS ended
        FROM TABLE(TUMBLE(TABLE readings_on_time_6, DESCRIPTOR(measured), INTERVAL '5' SECOND))
        GROUP BY room, window_start, window_end, window_time""");

    // script.sql:46
    tables.executeSql(
        job.createTable(
            "late_rooms",
            """
            CREATE TABLE late_rooms (room STRING, ended TIMESTAMP(3)) WITH ('connector' = 'print', 'print-identifier' = 'late/rooms')"""));

    // script.sql:47: LATE_DATA_SINK('sink.name'='late_rooms'). Rows of by_room that come after the
    // last of their windows has passed go to late_rooms.
    Table byRoomRowsQuery =
        tables.sqlQuery(
            """
            SELECT room, ids, ended
            FROM by_room""");
    LateRows byRoomRows =
        LateRows.split(
            streams,
            byRoomRowsQuery,
            EventTimeWindow.tumble("ended", Duration.ofSeconds(20)),
            "select/7/late rows");
    tables.createTemporaryView("by_room_on_time", byRoomRows.onTime());
    tables.createTemporaryView("by_room_late", byRoomRows.late());

    // script.sql:47
    inserts.addInsertSql(
        """
        INSERT INTO late_rooms
        SELECT room, ended
        FROM by_room_late""");

    // script.sql:47: DISTRIBUTEBY('window_end'). Rows equal in window_end meet on one task, in
    // order.
    Table select7DistributedQuery =
        tables.sqlQuery(
            """
            SELECT window_end, SUM(ids) AS ids, COUNT(*) AS rooms
            FROM TABLE(TUMBLE(TABLE by_room_on_time, DESCRIPTOR(ended), INTERVAL '20' SECOND))
            GROUP BY window_start, window_end""");
    DataStream<Row> select7Distributed =
        Distribution.byHash(
            streams.toStream(select7DistributedQuery),
            select7DistributedQuery,
            List.of("window_end"),
            "select/7/distribution");
    tables.createTemporaryView(
        "select_7_distributed", streams.toTable(select7Distributed, select7DistributedQuery));

    // script.sql:47
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/7").build(),
        tables.sqlQuery(
            """
            SELECT * FROM select_7_distributed"""));

    // script.sql:53: LATE_DATA_SINK('sink.name'='late_readings'). Rows of warm that come after the
    // last of their windows has passed go to late_readings.
    Table warmRowsQuery =
        tables.sqlQuery(
            """
            WITH warm AS (SELECT id, measured FROM readings WHERE degrees > 12)
            SELECT id, measured
            FROM warm""");
    LateRows warmRows =
        LateRows.split(
            streams,
            warmRowsQuery,
            EventTimeWindow.tumble("measured", Duration.ofSeconds(10)),
            "select/8/late rows");
    tables.createTemporaryView("warm_on_time", warmRows.onTime());
    tables.createTemporaryView("warm_late", warmRows.late());

    // script.sql:53
    inserts.addInsertSql(
        """
        INSERT INTO late_readings
        SELECT measured, id
        FROM warm_late""");

    // script.sql:52
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/8").build(),
        tables.sqlQuery(
            """
            -- In WITH and in a branch; the table for late readings is an ordinary one too.
            WITH warm AS (SELECT id, measured FROM readings WHERE degrees > 12)
            SELECT window_end, SUM(id) AS ids
            FROM TABLE(TUMBLE(TABLE warm_on_time, DESCRIPTOR(measured), INTERVAL '10' SECOND)) GROUP BY window_start, window_end"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
