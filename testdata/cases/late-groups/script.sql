SET 'parallelism.default' = '1';

CREATE TABLE readings (id INT, room STRING, degrees INT, measured TIMESTAMP(3), WATERMARK FOR measured AS measured - INTERVAL '2' SECOND) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/readings', 'format' = 'csv', 'csv.null-literal' = ''
);
CREATE TABLE late_readings (measured TIMESTAMP(3), id INT) WITH ('connector' = 'print', 'print-identifier' = 'late/readings');
CREATE TABLE late_windows (ended TIMESTAMP(3), id BIGINT, room STRING, began TIMESTAMP(3)) WITH (
  'connector' = 'print', 'print-identifier' = 'late/windows'
);

SELECT /*+ LATE_DATA_SINK('sink.name'='late_windows', 'window.start.field'='began', 'window.end.field'='ended') */ room, TUMBLE_END(measured, INTERVAL '5' SECOND) AS ended, SUM(id) AS ids
FROM readings GROUP BY room, TUMBLE(measured, INTERVAL '5' SECOND);

-- Seconds 6 to 9 of every ten are in no window.
SELECT /*+ LATE_DATA_SINK('sink.name'='late_windows', 'window.start.field'='began', 'window.end.field'='ended') */ HOP_START(measured, INTERVAL '10' SECOND, INTERVAL '6' SECOND) AS began, SUM(id) AS ids
FROM readings AS r WHERE r.degrees > 9 GROUP BY HOP(r.measured, INTERVAL '10' SECOND, INTERVAL '6' SECOND);

SELECT /*+ LATE_DATA_SINK('sink.name'='late_windows', 'window.end.field'='ended', 'window.start.field'='began') */ room, SESSION_START(measured, INTERVAL '5' SECOND) AS began, SUM(id) AS ids
FROM readings GROUP BY SESSION(measured, INTERVAL '5' SECOND), room;

-- Without a lower bound, a reading is late when its time has passed.
SELECT /*+ LATE_DATA_SINK('sink.name'='late_readings') */ id, SUM(id) OVER w AS ids, MAX(degrees) OVER w AS degrees
FROM readings WINDOW w AS (PARTITION BY room ORDER BY measured);
-- With one, when its room has had a newer one that counts already.
SELECT /*+ LATE_DATA_SINK('sink.name'='late_readings') */ id, SUM(id) OVER (PARTITION BY room ORDER BY measured ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS ids
FROM readings WHERE degrees > 10;
SELECT /*+ LATE_DATA_SINK('sink.name'='late_readings') */ id, SUM(id) OVER (PARTITION BY room ORDER BY measured RANGE BETWEEN INTERVAL '6' SECOND PRECEDING AND CURRENT ROW) AS ids
FROM (SELECT * FROM readings) AS r;
SELECT /*+ LATE_DATA_SINK('sink.name'='late_readings') */ *, ROW_NUMBER() OVER (PARTITION BY room ORDER BY measured) AS place FROM default_catalog.default_database.readings WHERE default_database.readings.degrees > 12;
