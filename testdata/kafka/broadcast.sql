-- Parcels and their scans, told where they are. Parcels change as long as they travel, depots are
-- renamed, closed and opened again, scans only ever come in. Most parcels are in one depot.
SET 'parallelism.default' = '4';
SET 'execution.checkpointing.interval' = '1 s';
SET 'restart-strategy.type' = 'fixed-delay';
SET 'restart-strategy.fixed-delay.attempts' = '100';
SET 'restart-strategy.fixed-delay.delay' = '1 s';

CREATE TABLE parcels (
  parcel INT,
  version INT,
  depot INT,
  PRIMARY KEY (parcel) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = '${PARCELS:-parcels}',
  'properties.bootstrap.servers' = '${BROKERS}',
  'properties.group.id' = 'tracking',
  'scan.bounded.mode' = 'latest-offset',
  'key.format' = 'csv',
  'value.format' = 'csv'
);

CREATE TABLE scans (
  scan INT,
  depot INT
) WITH (
  'connector' = 'kafka',
  'topic' = '${SCANS:-scans}',
  'properties.bootstrap.servers' = '${BROKERS}',
  'properties.group.id' = 'tracking',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'csv'
);

CREATE TABLE depots (
  depot INT,
  name STRING
) WITH (
  'connector' = 'kafka',
  'topic' = '${DEPOTS:-depots}',
  'properties.bootstrap.servers' = '${BROKERS}',
  'properties.group.id' = 'tracking',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'debezium-json'
);

-- A task writes to one partition, so a partition has the order in which rows left their task.
CREATE TABLE parcel_places (
  parcel INT,
  version INT,
  depot_name STRING
) WITH (
  'connector' = 'kafka',
  'topic' = '${PARCEL_PLACES:-parcel_places}',
  'properties.bootstrap.servers' = '${BROKERS}',
  -- Not longer than the broker allows; Flink's own hour is.
  'properties.transaction.timeout.ms' = '900000',
  'key.format' = 'csv',
  'key.fields' = 'parcel',
  'value.format' = 'debezium-json',
  'sink.partitioner' = 'fixed',
  'sink.delivery-guarantee' = 'exactly-once',
  'sink.transactional-id-prefix' = '${PARCEL_PLACES:-parcel_places}'
);

CREATE TABLE scan_places (
  scan INT,
  depot_name STRING
) WITH (
  'connector' = 'kafka',
  'topic' = '${SCAN_PLACES:-scan_places}',
  'properties.bootstrap.servers' = '${BROKERS}',
  'properties.transaction.timeout.ms' = '900000',
  'key.format' = 'csv',
  'key.fields' = 'scan',
  'value.format' = 'debezium-json',
  'sink.partitioner' = 'fixed',
  'sink.delivery-guarantee' = 'exactly-once',
  'sink.transactional-id-prefix' = '${SCAN_PLACES:-scan_places}'
);

INSERT INTO parcel_places
SELECT /*+ BROADCAST(d), HASH_BY_KEY('p'='parcel') */ p.parcel, p.version, d.name
FROM parcels AS p
JOIN depots AS d ON p.depot = d.depot;

INSERT INTO scan_places
SELECT /*+ BROADCAST(d) */ s.scan, d.name
FROM scans AS s
LEFT JOIN depots AS d ON s.depot = d.depot;
