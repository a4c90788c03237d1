package com.example;

import com.example.operators.EventTimeWindow;
import com.example.operators.JobConfiguration;
import com.example.operators.LateRows;
import com.example.operators.TableStreams;
import java.time.Duration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableDescriptor;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * The job late-groups, written by hintflow from script.sql for Flink 2.2.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class LateGroupsJob {
  private LateGroupsJob() {}

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
            CREATE TABLE late_windows (ended TIMESTAMP(3), id BIGINT, room STRING, began TIMESTAMP(3)) WITH (
              'connector' = 'print', 'print-identifier' = 'late/windows'
            )"""));

    // script.sql:11: LATE_DATA_SINK('sink.name'='late_windows', 'window.start.field'='began',
    // 'window.end.field'='ended'). Rows of readings that come after the last of their windows has
    // passed go to late_windows.
    Table readingsRowsQuery =
        tables.sqlQuery(
            """
            SELECT id, room, measured
            FROM readings""");
    LateRows readingsRows =
        LateRows.split(
            streams,
            readingsRowsQuery,
            EventTimeWindow.groupTumble("measured", Duration.ofSeconds(5)),
            "select/1/late rows");
    tables.createTemporaryView("readings_on_time", readingsRows.onTime());
    tables.createTemporaryView("readings_late", readingsRows.late("window_start", "window_end"));

    // script.sql:11
    inserts.addInsertSql(
        """
        INSERT INTO late_windows
        SELECT window_end AS ended, id, room, window_start AS began
        FROM readings_late""");

    // script.sql:11
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            SELECT room, TUMBLE_END(measured, INTERVAL '5' SECOND) AS ended, SUM(id) AS ids
            FROM readings_on_time AS readings GROUP BY room, TUMBLE(measured, INTERVAL '5' SECOND)"""));

    // script.sql:15: LATE_DATA_SINK('sink.name'='late_windows', 'window.start.field'='began',
    // 'window.end.field'='ended'). Rows of readings that come after the last of their windows has
    // passed go to late_windows.
    Table readingsRows2Query =
        tables.sqlQuery(
            """
            SELECT id, room, measured
            FROM readings AS r
            WHERE r.degrees > 9""");
    LateRows readingsRows2 =
        LateRows.split(
            streams,
            readingsRows2Query,
            EventTimeWindow.groupHop("measured", Duration.ofSeconds(10), Duration.ofSeconds(6)),
            "select/2/late rows");
    tables.createTemporaryView("readings_on_time_2", readingsRows2.onTime());
    tables.createTemporaryView("readings_late_2", readingsRows2.late("window_start", "window_end"));

    // script.sql:15
    inserts.addInsertSql(
        """
        INSERT INTO late_windows
        SELECT window_end AS ended, id, room, window_start AS began
        FROM readings_late_2""");

    // script.sql:15
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/2").build(),
        tables.sqlQuery(
            """
            -- Seconds 6 to 9 of every ten are in no window.
            SELECT HOP_START(measured, INTERVAL '10' SECOND, INTERVAL '6' SECOND) AS began, SUM(id) AS ids
            FROM readings_on_time_2 AS r GROUP BY HOP(r.measured, INTERVAL '10' SECOND, INTERVAL '6' SECOND)"""));

    // script.sql:18: LATE_DATA_SINK('sink.name'='late_windows', 'window.end.field'='ended',
    // 'window.start.field'='began'). Rows of readings that come after their session has passed, and
    // that no open session takes in, go to late_windows.
    Table readingsRows3Query =
        tables.sqlQuery(
            """
            SELECT id, room, measured
            FROM readings""");
    LateRows readingsRows3 =
        LateRows.split(
            streams,
            readingsRows3Query,
            EventTimeWindow.groupSession("measured", Duration.ofSeconds(5), "room"),
            "select/3/late rows");
    tables.createTemporaryView("readings_on_time_3", readingsRows3.onTime());
    tables.createTemporaryView("readings_late_3", readingsRows3.late("window_start", "window_end"));

    // script.sql:18
    inserts.addInsertSql(
        """
        INSERT INTO late_windows
        SELECT window_end AS ended, id, room, window_start AS began
        FROM readings_late_3""");

    // script.sql:18
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/3").build(),
        tables.sqlQuery(
            """
            SELECT room, SESSION_START(measured, INTERVAL '5' SECOND) AS began, SUM(id) AS ids
            FROM readings_on_time_3 AS readings GROUP BY SESSION(measured, INTERVAL '5' SECOND), room"""));

    // script.sql:22: LATE_DATA_SINK('sink.name'='late_readings'). Rows of readings that come after
    // their time has passed go to late_readings.
    Table readingsRows4Query =
        tables.sqlQuery(
            """
            SELECT id, room, degrees, measured
            FROM readings""");
    LateRows readingsRows4 =
        LateRows.split(
            streams, readingsRows4Query, EventTimeWindow.over("measured"), "select/4/late rows");
    tables.createTemporaryView("readings_on_time_4", readingsRows4.onTime());
    tables.createTemporaryView("readings_late_4", readingsRows4.late());

    // script.sql:22
    inserts.addInsertSql(
        """
        INSERT INTO late_readings
        SELECT measured, id
        FROM readings_late_4""");

    // script.sql:22
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/4").build(),
        tables.sqlQuery(
            """
            -- Without a lower bound, a reading is late when its time has passed.
            SELECT id, SUM(id) OVER w AS ids, MAX(degrees) OVER w AS degrees
            FROM readings_on_time_4 AS readings WINDOW w AS (PARTITION BY room ORDER BY measured)"""));

    // script.sql:25: LATE_DATA_SINK('sink.name'='late_readings'). Rows of readings that are not
    // newer than those of their key that the window has worked on go to late_readings.
    Table readingsRows5Query =
        tables.sqlQuery(
            """
            SELECT id, room, measured
            FROM readings
            WHERE degrees > 10""");
    LateRows readingsRows5 =
        LateRows.split(
            streams,
            readingsRows5Query,
            EventTimeWindow.overRows("measured", "room"),
            "select/5/late rows");
    tables.createTemporaryView("readings_on_time_5", readingsRows5.onTime());
    tables.createTemporaryView("readings_late_5", readingsRows5.late());

    // script.sql:25
    inserts.addInsertSql(
        """
        INSERT INTO late_readings
        SELECT measured, id
        FROM readings_late_5""");

    // script.sql:25
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/5").build(),
        tables.sqlQuery(
            """
            -- With one, when its room has had a newer one that counts already.
            SELECT id, SUM(id) OVER (PARTITION BY room ORDER BY measured ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS ids
            FROM readings_on_time_5 AS readings"""));

    // script.sql:27: LATE_DATA_SINK('sink.name'='late_readings'). Rows of r that are not newer than
    // those of their key that the window has worked on go to late_readings.
    Table rRowsQuery =
        tables.sqlQuery(
            """
            SELECT id, room, measured
            FROM (SELECT * FROM readings) AS r""");
    LateRows rRows =
        LateRows.split(
            streams,
            rRowsQuery,
            EventTimeWindow.overRange("measured", Duration.ofSeconds(6), "room"),
            "select/6/late rows");
    tables.createTemporaryView("r_on_time", rRows.onTime());
    tables.createTemporaryView("r_late", rRows.late());

    // script.sql:27
    inserts.addInsertSql(
        """
        INSERT INTO late_readings
        SELECT measured, id
        FROM r_late""");

    // script.sql:27
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/6").build(),
        tables.sqlQuery(
            """
            SELECT id, SUM(id) OVER (PARTITION BY room ORDER BY measured RANGE BETWEEN INTERVAL '6' SECOND PRECEDING AND CURRENT ROW) AS ids
            FROM r_on_time AS r"""));

    // script.sql:29: LATE_DATA_SINK('sink.name'='late_readings'). Rows of readings that come after
    // their time has passed go to late_readings.
    Table readingsRows6Query =
        tables.sqlQuery(
            """
            SELECT id, room, degrees, measured
            FROM default_catalog.default_database.readings
            WHERE default_database.readings.degrees > 12""");
    LateRows readingsRows6 =
        LateRows.split(
            streams, readingsRows6Query, EventTimeWindow.over("measured"), "select/7/late rows");
    tables.createTemporaryView("readings_on_time_6", readingsRows6.onTime());
    tables.createTemporaryView("readings_late_6", readingsRows6.late());

    // script.sql:29
    inserts.addInsertSql(
        """
        INSERT INTO late_readings
        SELECT measured, id
        FROM readings_late_6""");

    // script.sql:29
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/7").build(),
        tables.sqlQuery(
            """
            SELECT *, ROW_NUMBER() OVER (PARTITION BY room ORDER BY measured) AS place FROM readings_on_time_6 AS readings"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
