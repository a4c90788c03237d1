SET 'parallelism.default' = '4';

CREATE TABLE a (a1 INT, a2 STRING) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/a', 'format' = 'csv'
);
CREATE TABLE b (b1 INT, b2 STRING, b3 INT) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/b', 'format' = 'csv'
);
CREATE TABLE c (c1 INT, c2 STRING) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/c', 'format' = 'csv'
);

SELECT /*+ BROADCAST(a) */ a2, b2 FROM a JOIN b ON a1 = b1;

SELECT /*+ BROADCAST(a) */ a2, b2 FROM a, b WHERE a1 = b1;

-- Two small tables, one big.
SELECT /*+ BROADCAST(a, c) */ a2, b2, c2 FROM a JOIN b ON a1 = b1 JOIN c ON a1 = c1;

SELECT /*+ BROADCAST(a), HASH_BY_KEY('b'='b2') */ a2, b2 FROM a JOIN b ON a1 = b1;

SELECT /*+ BROADCAST(a), HASH_BY_KEY('b'='b2, b3') */ a2, b2 FROM a JOIN b ON a1 = b1;
