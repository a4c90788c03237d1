SET 'parallelism.default' = '3';
SET 'table.local-time-zone' = 'UTC';

CREATE TABLE big (
  id INT,
  flag BOOLEAN,
  tiny TINYINT,
  whole BIGINT,
  ratio DOUBLE,
  exact DECIMAL(10, 2),
  name STRING,
  payload BYTES,
  `day` DATE,
  at_time TIME(0),
  ts TIMESTAMP(6),
  ltz TIMESTAMP_LTZ(3),
  tags ARRAY<STRING>,
  counts MAP<STRING, INT>,
  place ROW<city STRING, `at` ROW<x INT, ys ARRAY<INT>>>
) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/big', 'format' = 'debezium-json',
  'debezium-json.timestamp-format.standard' = 'SQL', 'source.parallelism' = '1'
);
CREATE TABLE small (
  id INT,
  flag BOOLEAN,
  tiny TINYINT,
  whole BIGINT,
  ratio DOUBLE,
  exact DECIMAL(10, 2),
  name STRING,
  payload BYTES,
  `day` DATE,
  at_time TIME(0),
  ts TIMESTAMP(6),
  ltz TIMESTAMP_LTZ(3),
  tags ARRAY<STRING>,
  counts MAP<STRING, INT>,
  place ROW<city STRING, `at` ROW<x INT, ys ARRAY<INT>>>
) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/small', 'format' = 'json',
  'json.timestamp-format.standard' = 'SQL'
);

-- Every type as a key.
SELECT /*+ BROADCAST(s) */ b.id, s.id, b.flag FROM big b JOIN small s ON b.flag = s.flag;
SELECT /*+ BROADCAST(s) */ b.id, s.id, b.tiny FROM big b JOIN small s ON b.tiny = s.tiny;
SELECT /*+ BROADCAST(s) */ b.id, s.id, b.whole FROM big b JOIN small s ON b.whole = s.whole;
SELECT /*+ BROADCAST(s) */ b.id, s.id, b.ratio FROM big b JOIN small s ON b.ratio = s.ratio;
SELECT /*+ BROADCAST(s) */ b.id, s.id, b.exact FROM big b JOIN small s ON b.exact = s.exact;
SELECT /*+ BROADCAST(s) */ b.id, s.id, b.name FROM big b JOIN small s ON b.name = s.name;
SELECT /*+ BROADCAST(s) */ b.id, s.id, b.payload FROM big b JOIN small s ON b.payload = s.payload;
SELECT /*+ BROADCAST(s) */ b.id, s.id, b.`day` FROM big b JOIN small s ON b.`day` = s.`day`;
SELECT /*+ BROADCAST(s) */ b.id, s.id, b.at_time FROM big b JOIN small s ON b.at_time = s.at_time;
SELECT /*+ BROADCAST(s) */ b.id, s.id, b.ts FROM big b JOIN small s ON b.ts = s.ts;
SELECT /*+ BROADCAST(s) */ b.id, s.id, b.ltz FROM big b JOIN small s ON b.ltz = s.ltz;
SELECT /*+ BROADCAST(s) */ b.id, s.id, b.tags FROM big b JOIN small s ON b.tags = s.tags;
SELECT /*+ BROADCAST(s) */ b.id, s.id, b.place FROM big b JOIN small s ON b.place = s.place;

-- Every type in what is carried, and in comparisons.
SELECT /*+ BROADCAST(s) */ b.*, s.name, s.place.`at`.ys, s.place.city AS city, s.counts['a'], s.tags[1]
FROM big b LEFT JOIN small s ON b.flag = s.flag AND b.name >= s.name AND (b.exact < s.exact OR b.ts <> s.ts OR b.payload > s.payload);
SELECT /*+ BROADCAST(s) */ b.id, s.id, b.place, s.counts FROM big b JOIN small s
  ON b.ltz <= s.ltz AND (b.`day` > s.`day` OR b.at_time = s.at_time) AND b.tags <> s.tags;
SELECT /*+ BROADCAST(s) */ b.id, s.id FROM big b JOIN small s ON b.place.`at`.x = s.place.`at`.x AND CARDINALITY(b.tags) = CARDINALITY(s.tags);
