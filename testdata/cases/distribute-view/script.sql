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

CREATE VIEW long_visits AS
SELECT /*+ DISTRIBUTEBY('visitor', 'page') */ user_id AS visitor, page, duration -- seconds
FROM clicks
WHERE duration > 5;

CREATE TABLE visits (
  user_id STRING,
  page STRING,
  duration INT
) WITH (
  'connector' = 'print'
);

CREATE TABLE pages (
  page STRING,
  visits BIGINT
) WITH (
  'connector' = 'print',
  'print-identifier' = 'pages'
);

INSERT INTO visits SELECT visitor, page, duration FROM long_visits;
INSERT INTO pages SELECT page, COUNT(*) FROM long_visits GROUP BY page;
