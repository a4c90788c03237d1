SET 'parallelism.default' = '1';

CREATE TABLE readings (id INT, room STRING, degrees INT, measured TIMESTAMP(3), WATERMARK FOR measured AS measured - INTERVAL '2' SECOND) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/readings', 'format' = 'csv', 'csv.null-literal' = ''
);
CREATE TABLE late_readings (measured TIMESTAMP(3), id INT) WITH ('connector' = 'print', 'print-identifier' = 'late/readings');
CREATE TABLE late_windows (ended TIMESTAMP(3), id BIGINT, room STRING, began TIMESTAMP_LTZ(3)) WITH (
  'connector' = 'print', 'print-identifier' = 'late/windows'
);

SELECT /*+ LATE_DATA_SINK('sink.name'='late_readings') */ room, window_start, COUNT(*) AS readings, SUM(id) AS ids
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(measured), INTERVAL '5' SECOND))
GROUP BY room, window_start, window_end;

-- A reading is late when the last of its windows has passed.
SELECT /*+ LATE_DATA_SINK('sink.name'='late_windows', 'window.start.field'='began', 'window.end.field'='ended') */ window_end, MAX(degrees) AS degrees, SUM(id) AS ids
FROM TABLE(HOP(DATA => TABLE readings, TIMECOL => DESCRIPTOR(measured), SIZE => INTERVAL '10' SECOND, SLIDE => INTERVAL '5' SECOND, `OFFSET` => INTERVAL '1' SECOND)) AS w
WHERE w.degrees > 10 AND window_start >= TIMESTAMP '2026-03-01 08:00:00'
GROUP BY window_start, window_end;

SELECT /*+ LATE_DATA_SINK('sink.name'='late_windows', 'window.start.field'='began', 'window.end.field'='ended') */ room, window_end, COUNT(*) AS readings, SUM(id) AS ids
FROM TABLE(CUMULATE(TABLE readings, DESCRIPTOR(measured), INTERVAL '5' SECOND, INTERVAL '20' SECOND))
GROUP BY GROUPING SETS ((window_start, window_end, room), (window_start, window_end));

SELECT /*+ LATE_DATA_SINK('sink.name'='late_windows', 'window.start.field'='began', 'window.end.field'='ended') */ room, window_start, window_end, SUM(id) AS ids
FROM TABLE(SESSION(TABLE readings PARTITION BY room, DESCRIPTOR(measured), INTERVAL '5' SECOND))
GROUP BY room, window_start, window_end;

-- The warmest two of a window, of a query.
SELECT room, degrees, id FROM (
  SELECT /*+ LATE_DATA_SINK('sink.name'='late_readings') */ *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY degrees DESC, id) AS place
  FROM TABLE(TUMBLE((SELECT id, room, degrees, measured FROM readings WHERE room IS NOT NULL), DESCRIPTOR(measured), INTERVAL '10' SECOND))
) WHERE place <= 2;

-- The last one of each room in a window.
SELECT room, id FROM (
  SELECT /*+ LATE_DATA_SINK('sink.name'='late_readings') */ room, id, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, room ORDER BY measured DESC) AS place
  FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(measured), INTERVAL '10' SECOND))
) WHERE place = 1;

-- Windows of windows: the hint is in each, and in a view.
CREATE VIEW by_room AS
SELECT /*+ LATE_DATA_SINK('sink.name'='late_readings') */ room, SUM(id) AS ids, window_time AS ended
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(measured), INTERVAL '5' SECOND))
GROUP BY room, window_start, window_end, window_time;
CREATE TABLE late_rooms (room STRING, ended TIMESTAMP(3)) WITH ('connector' = 'print', 'print-identifier' = 'late/rooms');
SELECT /*+ LATE_DATA_SINK('sink.name'='late_rooms'), DISTRIBUTEBY('window_end') */ window_end, SUM(ids) AS ids, COUNT(*) AS rooms
FROM TABLE(TUMBLE(TABLE by_room, DESCRIPTOR(ended), INTERVAL '20' SECOND))
GROUP BY window_start, window_end;

-- In WITH and in a branch; the table for late readings is an ordinary one too.
WITH warm AS (SELECT id, measured FROM readings WHERE degrees > 12)
SELECT /*+ LATE_DATA_SINK('sink.name'='late_readings') */ window_end, SUM(id) AS ids
FROM TABLE(TUMBLE(TABLE warm, DESCRIPTOR(measured), INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
