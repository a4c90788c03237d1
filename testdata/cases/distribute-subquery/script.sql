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
SELECT UPPER(who), page, duration
FROM (
  SELECT /*+ DISTRIBUTEBY('who') */ user_id AS who, page, duration
  FROM clicks
  WHERE page IN ('page1', 'page2')
) AS selected
WHERE duration < 25;
