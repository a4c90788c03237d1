-- Readings of sensors in windows; some come minutes after the others. Each sensor has its own pace.
SET 'parallelism.default' = '2';
SET 'execution.checkpointing.interval' = '1 s';

CREATE TABLE readings (
  id INT,
  sensor INT,
  measured TIMESTAMP(3),
  WATERMARK FOR measured AS measured - INTERVAL '2' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = '${READINGS:-readings}',
  'properties.bootstrap.servers' = '${BROKERS}',
  'properties.group.id' = 'weather',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'csv'
);

-- A line for each window, session or reading that counted; of the late ones, each reading.
CREATE TABLE counted (
  kind STRING,
  readings BIGINT,
  ids BIGINT
) WITH (
  'connector' = 'kafka',
  'topic' = '${COUNTED:-counted}',
  'properties.bootstrap.servers' = '${BROKERS}',
  -- Not longer than the broker allows; Flink's own hour is.
  'properties.transaction.timeout.ms' = '900000',
  'sink.delivery-guarantee' = 'exactly-once',
  'sink.transactional-id-prefix' = '${COUNTED:-counted}',
  'format' = 'csv'
);
CREATE TABLE late_in_windows (id INT) WITH (
  'connector' = 'kafka',
  'topic' = '${LATE_IN_WINDOWS:-late_in_windows}',
  'properties.bootstrap.servers' = '${BROKERS}',
  'properties.transaction.timeout.ms' = '900000',
  'sink.delivery-guarantee' = 'exactly-once',
  'sink.transactional-id-prefix' = '${LATE_IN_WINDOWS:-late_in_windows}',
  'format' = 'csv'
);
CREATE TABLE late_in_sessions (id INT) WITH (
  'connector' = 'kafka',
  'topic' = '${LATE_IN_SESSIONS:-late_in_sessions}',
  'properties.bootstrap.servers' = '${BROKERS}',
  'properties.transaction.timeout.ms' = '900000',
  'sink.delivery-guarantee' = 'exactly-once',
  'sink.transactional-id-prefix' = '${LATE_IN_SESSIONS:-late_in_sessions}',
  'format' = 'csv'
);
CREATE TABLE late_in_order (id INT) WITH (
  'connector' = 'kafka',
  'topic' = '${LATE_IN_ORDER:-late_in_order}',
  'properties.bootstrap.servers' = '${BROKERS}',
  'properties.transaction.timeout.ms' = '900000',
  'sink.delivery-guarantee' = 'exactly-once',
  'sink.transactional-id-prefix' = '${LATE_IN_ORDER:-late_in_order}',
  'format' = 'csv'
);

INSERT INTO counted
SELECT /*+ LATE_DATA_SINK('sink.name'='late_in_windows') */ 'window', COUNT(*), SUM(CAST(id AS BIGINT))
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(measured), INTERVAL '10' SECOND))
GROUP BY window_start, window_end
UNION ALL
SELECT /*+ LATE_DATA_SINK('sink.name'='late_in_sessions') */ 'session', COUNT(*), SUM(CAST(id AS BIGINT))
FROM TABLE(SESSION(TABLE readings PARTITION BY sensor, DESCRIPTOR(measured), INTERVAL '1' SECOND))
GROUP BY sensor, window_start, window_end
UNION ALL
SELECT /*+ LATE_DATA_SINK('sink.name'='late_in_order') */ 'order',
  1 + 0 * COUNT(*) OVER (PARTITION BY sensor ORDER BY measured ROWS BETWEEN 3 PRECEDING AND CURRENT ROW), CAST(id AS BIGINT)
FROM readings;
