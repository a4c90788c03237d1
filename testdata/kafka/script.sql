-- Readings of electricity meters, from one topic to another. Two tasks read the topic, four write.
-- DISTRIBUTEBY has all readings of a meter pass through one task, so they keep the order in which
-- the meter sent them; the keyed sink topic keeps it further on.
SET 'parallelism.default' = '4';
SET 'execution.checkpointing.interval' = '1 s';
SET 'restart-strategy.type' = 'fixed-delay';
SET 'restart-strategy.fixed-delay.attempts' = '100';
SET 'restart-strategy.fixed-delay.delay' = '1 s';

CREATE TABLE readings (
  meter STRING,
  reading_number INT,
  watt_hours INT
) WITH (
  'connector' = 'kafka',
  'topic' = '${READINGS:-readings}',
  'properties.bootstrap.servers' = '${BROKERS}',
  'properties.group.id' = 'archive',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'csv',
  'source.parallelism' = '2'
);

CREATE TABLE archive (
  meter STRING,
  reading_number INT,
  watt_hours INT
) WITH (
  'connector' = 'kafka',
  'topic' = '${ARCHIVE:-archive}',
  'properties.bootstrap.servers' = '${BROKERS}',
  -- Not longer than the broker allows; Flink's own hour is.
  'properties.transaction.timeout.ms' = '900000',
  'key.format' = 'csv',
  'key.fields' = 'meter',
  'value.format' = 'csv',
  'sink.delivery-guarantee' = 'exactly-once',
  'sink.transactional-id-prefix' = '${ARCHIVE:-archive}'
);

INSERT INTO archive
SELECT /*+ DISTRIBUTEBY('meter') */ meter, reading_number, watt_hours
FROM readings;
