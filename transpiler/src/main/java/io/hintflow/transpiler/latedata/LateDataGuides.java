package io.hintflow.transpiler.latedata;

import io.hintflow.transpiler.HintGuide;
import java.util.List;

/** What a user is told of LATE_DATA_SINK. */
final class LateDataGuides {
  static final List<HintGuide> ALL =
      List.of(
          new HintGuide(
              "LATE_DATA_SINK",
              "Writes the rows that an event-time window would drop, because they come too late, to a table: rows that"
                  + " count and rows in that table are all rows there are.",
              List.of(
                  "SELECT /*+ LATE_DATA_SINK('sink.name'='late') */ … FROM TABLE(TUMBLE(TABLE t, …)) GROUP BY …,"
                      + " window_start, window_end",
                  "SELECT /*+ LATE_DATA_SINK('sink.name'='late', 'window.start.field'='began',"
                      + " 'window.end.field'='ended') */ …"),
              List.of(
                  "Behind a SELECT that groups by the windows of TUMBLE, HOP, CUMULATE or SESSION in its FROM, numbers"
                      + " rows within them, or joins two such windows.",
                  "Behind a SELECT with OVER (… ORDER BY rowtime), or with GROUP BY TUMBLE, HOP or SESSION(rowtime, …),"
                      + " over one table, view or subquery.",
                  "Of an INSERT, a view, a subquery, a WITH table, a branch of a UNION, a statement set, or one that"
                      + " stands alone."),
              List.of(
                  "The table must be declared before. Its columns are filled by name with those that the window reads,"
                      + " in any order; types must be such that an INSERT would take them.",
                  "A row is late when stock Flink would drop it: TUMBLE, HOP and CUMULATE, when the last of its windows"
                      + " has passed; SESSION, when its own has passed and no open one of its key takes it in; OVER"
                      + " without a lower bound, when its time has passed; OVER with one, when a row of its key that is"
                      + " not older has been worked on.",
                  "The start and end are those of its last window; OVER has none.",
                  "Rows that WHERE rejects are not late.",
                  "One exchange more: watermarks go from every task to every task. Rows keep their task and their order;"
                      + " SESSION and OVER with a lower bound go by key.",
                  "Windows that wait (table.exec.emit.allow-lateness with late fire, GROUP BY only) are waited for here"
                      + " too.",
                  "In batch mode it is left out, for nothing comes late there."),
              """
              CREATE TABLE readings (
                id INT,
                measured AS TO_TIMESTAMP_LTZ(id * 1000, 3),
                WATERMARK FOR measured AS measured - INTERVAL '2' SECOND
              ) WITH (
                'connector' = 'datagen',
                'number-of-rows' = '20',
                'fields.id.kind' = 'sequence',
                'fields.id.start' = '1',
                'fields.id.end' = '20'
              );
              CREATE TABLE counts (
                window_start TIMESTAMP(3),
                readings BIGINT
              ) WITH (
                'connector' = 'print'
              );
              CREATE TABLE late_readings (
                id INT,
                measured TIMESTAMP_LTZ(3),
                window_end TIMESTAMP(3)
              ) WITH (
                'connector' = 'print'
              );
              INSERT INTO counts
              SELECT /*+ LATE_DATA_SINK('sink.name'='late_readings', 'window.end.field'='window_end') */
                window_start, COUNT(*)
              FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(measured), INTERVAL '1' SECOND))
              GROUP BY window_start, window_end;
              """));

  private LateDataGuides() {}
}
