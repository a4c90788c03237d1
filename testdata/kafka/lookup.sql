-- Visits with the age of who came. A batch waits for 400 rows of its task, or two seconds.
SET 'is.dim.batch.mode' = 'true';
SET 'restart-strategy.type' = 'fixed-delay';
SET 'restart-strategy.fixed-delay.attempts' = '100';
SET 'restart-strategy.fixed-delay.delay' = '1 s';

CREATE TABLE visits (
  id BIGINT,
  visitor STRING,
  came AS PROCTIME()
) WITH (
  'connector' = 'kafka',
  'topic' = '${VISITS}',
  'properties.bootstrap.servers' = '${BROKERS}',
  'properties.group.id' = 'lookup',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'csv'
);

CREATE TABLE visitors (
  name STRING,
  age INT
) WITH (
  'connector' = 'redis',
  'hostname' = '127.0.0.1',
  'port' = '${REDIS_PORT}',
  'key-prefix' = 'visitor:',
  'format' = 'json',
  'lookup.batch.size' = '400',
  'lookup.batch.interval' = '2 s',
  'lookup.max-retries' = '20'
);

CREATE TABLE visits_with_age (
  id BIGINT,
  visitor STRING,
  age INT
) WITH (
  'connector' = 'kafka',
  'topic' = '${VISITS_WITH_AGE}',
  'properties.bootstrap.servers' = '${BROKERS}',
  -- Not longer than the broker allows; Flink's own hour is.
  'properties.transaction.timeout.ms' = '900000',
  'format' = 'csv',
  'sink.delivery-guarantee' = 'exactly-once',
  'sink.transactional-id-prefix' = '${VISITS_WITH_AGE}'
);

INSERT INTO visits_with_age
SELECT v.id, v.visitor, p.age
FROM visits AS v LEFT JOIN visitors FOR SYSTEM_TIME AS OF v.came AS p ON v.visitor = p.name;
