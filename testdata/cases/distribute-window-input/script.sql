SET 'parallelism.default' = '4';

CREATE TABLE clicks (
  user_id STRING,
  page STRING,
  duration INT,
  clicked_at TIMESTAMP(3),
  WATERMARK FOR clicked_at AS clicked_at - INTERVAL '5' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = '${DATA}/clicks',
  'format' = 'csv'
);

CREATE TABLE per_window (
  page STRING,
  started TIMESTAMP(3),
  visits BIGINT,
  seconds INT
) WITH (
  'connector' = 'print'
);

INSERT INTO per_window
SELECT page, window_start, COUNT(*), SUM(duration)
FROM TABLE(
  TUMBLE(
    (SELECT /*+ DISTRIBUTEBY('page') */ page, duration, clicked_at FROM clicks),
    DESCRIPTOR(clicked_at),
    INTERVAL '10' SECOND))
GROUP BY page, window_start, window_end;
