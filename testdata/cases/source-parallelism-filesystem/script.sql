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

CREATE TABLE visits (
  user_id STRING,
  page STRING,
  duration INT
) WITH (
  'connector' = 'print'
);

INSERT INTO visits SELECT user_id, c.page, duration FROM clicks AS c;
INSERT INTO visits SELECT clicks.user_id, page, 0 FROM clicks /*+ OPTIONS('csv.ignore-parse-errors' = 'true', 'source.parallelism' = '3') */;
