SET 'parallelism.default' = '4';

-- What the web servers write.
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

-- Visits of one user stay together, in the order in which they were made.
INSERT INTO visits
SELECT /*+ DISTRIBUTEBY('user_id') */ user_id, page, duration
FROM clicks
WHERE duration > 3;
