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
 * The job late-time-zone, written by hintflow from script.sql for Flink 2.2.
 *
 * <p>Settings and options of tables can be replaced at deploy time: see config.yaml.
 */
public final class LateTimeZoneJob {
  private LateTimeZoneJob() {}

  public static void main(String[] arguments) throws Exception {
    JobConfiguration job = JobConfiguration.load(arguments);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(job.flink());
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    TableStreams streams = new TableStreams(environment, tables);
    StreamStatementSet inserts = tables.createStatementSet();

    // script.sql:5
    tables.executeSql(
        job.createTable(
            "calls",
            """
            -- On 29 March the clock goes from 2 to 3, on 25 October back from 3 to 2.
            CREATE TABLE calls (id INT, made TIMESTAMP_LTZ(3), WATERMARK FOR made AS made) WITH (
              'connector' = 'filesystem', 'path' = '${DATA}/calls', 'format' = 'csv'
            )"""));

    // script.sql:8
    tables.executeSql(
        job.createTable(
            "late_calls",
            """
            CREATE TABLE late_calls (id INT, began TIMESTAMP(3), ended TIMESTAMP(3)) WITH ('connector' = 'print', 'print-identifier' = 'late/calls')"""));

    // script.sql:10: LATE_DATA_SINK('sink.name'='late_calls', 'window.start.field'='began',
    // 'window.end.field'='ended'). Rows of calls that come after the last of their windows has
    // passed go to late_calls.
    Table callsRowsQuery =
        tables.sqlQuery(
            """
            SELECT id, made
            FROM calls""");
    LateRows callsRows =
        LateRows.split(
            streams,
            callsRowsQuery,
            EventTimeWindow.tumble("made", Duration.ofHours(1)),
            "select/1/late rows");
    tables.createTemporaryView("calls_on_time", callsRows.onTime());
    tables.createTemporaryView("calls_late", callsRows.late("window_start", "window_end"));

    // script.sql:10
    inserts.addInsertSql(
        """
        INSERT INTO late_calls
        SELECT id, window_start AS began, window_end AS ended
        FROM calls_late""");

    // script.sql:10
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/1").build(),
        tables.sqlQuery(
            """
            SELECT window_start, window_end, SUM(id) AS ids
            FROM TABLE(TUMBLE(TABLE calls_on_time, DESCRIPTOR(made), INTERVAL '1' HOUR)) GROUP BY window_start, window_end"""));

    // script.sql:12: LATE_DATA_SINK('sink.name'='late_calls', 'window.start.field'='began',
    // 'window.end.field'='ended'). Rows of calls that come after the last of their windows has
    // passed go to late_calls.
    Table callsRows2Query =
        tables.sqlQuery(
            """
            SELECT id, made
            FROM calls""");
    LateRows callsRows2 =
        LateRows.split(
            streams,
            callsRows2Query,
            EventTimeWindow.cumulate("made", Duration.ofDays(1)),
            "select/2/late rows");
    tables.createTemporaryView("calls_on_time_2", callsRows2.onTime());
    tables.createTemporaryView("calls_late_2", callsRows2.late("window_start", "window_end"));

    // script.sql:12
    inserts.addInsertSql(
        """
        INSERT INTO late_calls
        SELECT id, window_start AS began, window_end AS ended
        FROM calls_late_2""");

    // script.sql:12
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/2").build(),
        tables.sqlQuery(
            """
            SELECT window_start, window_end, SUM(id) AS ids
            FROM TABLE(CUMULATE(TABLE calls_on_time_2, DESCRIPTOR(made), INTERVAL '1' HOUR, INTERVAL '1' DAY)) GROUP BY window_start, window_end"""));

    // script.sql:14: LATE_DATA_SINK('sink.name'='late_calls', 'window.start.field'='began',
    // 'window.end.field'='ended'). Rows of calls that come after the last of their windows has
    // passed go to late_calls.
    Table callsRows3Query =
        tables.sqlQuery(
            """
            SELECT id, made
            FROM calls""");
    LateRows callsRows3 =
        LateRows.split(
            streams,
            callsRows3Query,
            EventTimeWindow.groupHop("made", Duration.ofMinutes(30), Duration.ofHours(1)),
            "select/3/late rows");
    tables.createTemporaryView("calls_on_time_3", callsRows3.onTime());
    tables.createTemporaryView("calls_late_3", callsRows3.late("window_start", "window_end"));

    // script.sql:14
    inserts.addInsertSql(
        """
        INSERT INTO late_calls
        SELECT id, window_start AS began, window_end AS ended
        FROM calls_late_3""");

    // script.sql:14
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/3").build(),
        tables.sqlQuery(
            """
            SELECT HOP_START(made, INTERVAL '30' MINUTE, INTERVAL '1' HOUR) AS began, SUM(id) AS ids
            FROM calls_on_time_3 AS calls GROUP BY HOP(made, INTERVAL '30' MINUTE, INTERVAL '1' HOUR)"""));

    // script.sql:16: LATE_DATA_SINK('sink.name'='late_calls', 'window.start.field'='began',
    // 'window.end.field'='ended'). Rows of calls that come after their session has passed, and that
    // no open session takes in, go to late_calls.
    Table callsRows4Query =
        tables.sqlQuery(
            """
            SELECT id, made
            FROM calls""");
    LateRows callsRows4 =
        LateRows.split(
            streams,
            callsRows4Query,
            EventTimeWindow.session("made", Duration.ofMinutes(20)),
            "select/4/late rows");
    tables.createTemporaryView("calls_on_time_4", callsRows4.onTime());
    tables.createTemporaryView("calls_late_4", callsRows4.late("window_start", "window_end"));

    // script.sql:16
    inserts.addInsertSql(
        """
        INSERT INTO late_calls
        SELECT id, window_start AS began, window_end AS ended
        FROM calls_late_4""");

    // script.sql:16
    inserts.addInsert(
        TableDescriptor.forConnector("print").option("print-identifier", "select/4").build(),
        tables.sqlQuery(
            """
            SELECT window_start, window_end, SUM(id) AS ids
            FROM TABLE(SESSION(TABLE calls_on_time_4, DESCRIPTOR(made), INTERVAL '20' MINUTE)) GROUP BY window_start, window_end"""));

    job.requireAllTablesUsed();
    inserts.attachAsDataStream();
    environment.execute();
  }
}
