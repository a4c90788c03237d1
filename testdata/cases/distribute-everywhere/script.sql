SET 'parallelism.default' = '3';

CREATE DATABASE shop;
USE shop;

CREATE TABLE `用户 clicks` (
  user_id STRING,
  page STRING,
  duration INT,
  clicked_at TIMESTAMP(3),
  seen_at AS PROCTIME(),
  WATERMARK FOR clicked_at AS clicked_at
) WITH (
  'connector' = 'filesystem',
  'path' = '${DATA}/clicks',
  'format' = 'csv'
);

CREATE TABLE more_clicks (late AS duration > 20) WITH (
  'source.parallelism' = '2'
) LIKE `用户 clicks`;

CREATE VIEW inner_view AS
SELECT /*+ DISTRIBUTEBY('user_id') */ * FROM `用户 clicks`;

CREATE VIEW outer_view (who, what, `when`) AS
SELECT /*+ DISTRIBUTEBY('page') */ user_id, page, clicked_at FROM inner_view
UNION ALL
SELECT user_id, page, clicked_at FROM more_clicks WHERE late;

CREATE TABLE sink (
  a STRING,
  b STRING,
  n BIGINT
) WITH (
  'connector' = 'print',
  'print-identifier' = 'sink'
);

USE default_database;

-- A hinted WITH table that is read twice.
INSERT INTO shop.sink
WITH busy AS (
  SELECT /*+ DISTRIBUTEBY('what') */ who, what FROM shop.outer_view WHERE who <> 'gus'
)
SELECT x.what, y.who, 0 FROM busy AS x JOIN (SELECT DISTINCT who FROM busy) AS y ON x.who = y.who;

-- The result of a window, its event time included, hashed before another window.
INSERT INTO shop.sink
SELECT CAST(window_start AS STRING), page, SUM(n)
FROM TABLE(TUMBLE((
  SELECT /*+ DISTRIBUTEBY('page') */ page, window_time AS t, COUNT(*) AS n
  FROM TABLE(TUMBLE(TABLE shop.`用户 clicks`, DESCRIPTOR(clicked_at), INTERVAL '5' SECOND))
  GROUP BY page, window_start, window_end, window_time
), DESCRIPTOR(t), INTERVAL '10' SECOND))
GROUP BY page, window_start, window_end;

-- A subquery that does not read the query around it, an INSERT of some columns, a limit of the block's own.
SELECT page, COUNT(*) AS visits
FROM shop.more_clicks
WHERE user_id IN (SELECT /*+ DISTRIBUTEBY('user_id') */ user_id FROM shop.inner_view WHERE duration > 15)
GROUP BY page;

INSERT INTO shop.sink (n, a)
SELECT /*+ DISTRIBUTEBY(a) */ duration, user_id AS a FROM shop.inner_view;

SELECT /*+ DISTRIBUTEBY('user_id', 'longest') */ user_id, MAX(duration) AS longest
FROM shop.inner_view
GROUP BY user_id
HAVING COUNT(*) > 2
ORDER BY longest DESC, user_id
LIMIT 4;
