SET 'parallelism.default' = '1';
SET 'table.local-time-zone' = 'Europe/Berlin';

-- On 29 March the clock goes from 2 to 3, on 25 October back from 3 to 2.
CREATE TABLE calls (id INT, made TIMESTAMP_LTZ(3), WATERMARK FOR made AS made) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/calls', 'format' = 'csv'
);
CREATE TABLE late_calls (id INT, began TIMESTAMP(3), ended TIMESTAMP(3)) WITH ('connector' = 'print', 'print-identifier' = 'late/calls');

SELECT /*+ LATE_DATA_SINK('sink.name'='late_calls', 'window.start.field'='began', 'window.end.field'='ended') */ window_start, window_end, SUM(id) AS ids
FROM TABLE(TUMBLE(TABLE calls, DESCRIPTOR(made), INTERVAL '1' HOUR)) GROUP BY window_start, window_end;
SELECT /*+ LATE_DATA_SINK('sink.name'='late_calls', 'window.start.field'='began', 'window.end.field'='ended') */ window_start, window_end, SUM(id) AS ids
FROM TABLE(CUMULATE(TABLE calls, DESCRIPTOR(made), INTERVAL '1' HOUR, INTERVAL '1' DAY)) GROUP BY window_start, window_end;
SELECT /*+ LATE_DATA_SINK('sink.name'='late_calls', 'window.start.field'='began', 'window.end.field'='ended') */ HOP_START(made, INTERVAL '30' MINUTE, INTERVAL '1' HOUR) AS began, SUM(id) AS ids
FROM calls GROUP BY HOP(made, INTERVAL '30' MINUTE, INTERVAL '1' HOUR);
SELECT /*+ LATE_DATA_SINK('sink.name'='late_calls', 'window.start.field'='began', 'window.end.field'='ended') */ window_start, window_end, SUM(id) AS ids
FROM TABLE(SESSION(TABLE calls, DESCRIPTOR(made), INTERVAL '20' MINUTE)) GROUP BY window_start, window_end;
