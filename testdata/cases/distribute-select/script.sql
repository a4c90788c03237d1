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

SELECT /*+ DISTRIBUTEBY('user_id') */ user_id, page FROM clicks;
