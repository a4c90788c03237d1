SET 'parallelism.default' = '4';

CREATE TABLE clicks (
  user_id STRING,
  page STRING,
  duration INT,
  clicked_at TIMESTAMP(3)
) WITH (
  'connector' = 'filesystem',
  'path' = '${DATA}/clicks',
  'format' = 'csv',
  'source.parallelism' = '2'
);

CREATE VIEW long_clicks AS SELECT user_id, page, duration FROM clicks WHERE duration > 4;

CREATE TABLE visits (
  user_id STRING,
  page STRING,
  duration INT
) WITH (
  'connector' = 'print'
);

INSERT INTO visits SELECT /*+ DISTRIBUTEBY('user_id') */ * FROM long_clicks;
SELECT page, COUNT(*) AS visits FROM long_clicks GROUP BY page;
