SET 'parallelism.default' = '4';

CREATE TABLE readings (n INT, sensor STRING, kind INT) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/readings', 'format' = 'csv', 'source.parallelism' = '1'
);
CREATE TABLE kinds (kind INT, label STRING) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/kinds', 'format' = 'csv'
);

-- Rows of one sensor reach one task in the order in which they were read.
SELECT /*+ BROADCAST(k), HASH_BY_KEY('r'='sensor') */ r.sensor, r.n, k.label
FROM readings r LEFT JOIN kinds k ON r.kind = k.kind;
