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
WITH long_clicks AS (SELECT * FROM clicks WHERE duration > 4),
     first_pages AS (SELECT user_id, page, duration FROM long_clicks WHERE page <> 'page5')
SELECT /*+ DISTRIBUTEBY('user_id') */ user_id, page, duration FROM first_pages;
