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

CREATE TABLE totals (
  user_id STRING,
  visits BIGINT,
  PRIMARY KEY (user_id) NOT ENFORCED
) WITH (
  'connector' = 'print',
  'print-identifier' = 'totals'
);

EXECUTE STATEMENT SET
BEGIN
  INSERT INTO visits
  SELECT /*+ DISTRIBUTEBY('user_id') */ user_id, page, duration FROM clicks;

  INSERT INTO totals
  SELECT user_id, COUNT(*) FROM clicks GROUP BY user_id;
END;
