-- Nothing here is ours: all of it goes through byte for byte.
SET 'parallelism.default' = '2';
SET 'table.exec.mini-batch.enabled' = 'false';

CREATE TABLE clicks (
  user_id STRING,
  page STRING,
  duration INT,
  clicked_at TIMESTAMP(3)
) WITH (
  'connector' = 'filesystem',
  'path' = '${DATA}/clicks',
  'format' = 'csv'
);

CREATE TEMPORARY VIEW `读者` AS
SELECT user_id AS `用户`, COUNT(*) AS n   -- 每个用户的点击次数
FROM clicks GROUP BY user_id;

SHOW VIEWS;

SELECT `用户`, n, 'a "quoted" \ text''s end' AS note FROM `读者`;
