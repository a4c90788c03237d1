SET 'parallelism.default' = '4';

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

CREATE TABLE visits (
  user_id STRING,
  page STRING,
  duration INT
) WITH (
  'connector' = 'print'
);

INSERT INTO visits
SELECT /*+ DISTRIBUTEBY('user_id') */ user_id, page, duration FROM clicks WHERE duration < 10
UNION ALL
SELECT /*+ DISTRIBUTEBY(page) */ user_id, page, -duration FROM clicks WHERE duration >= 10
UNION ALL
SELECT 'nobody', 'page0', 0;
