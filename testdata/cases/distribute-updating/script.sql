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

CREATE TABLE page_totals (
  page STRING,
  visits BIGINT,
  longest INT,
  PRIMARY KEY (page) NOT ENFORCED
) WITH (
  'connector' = 'print'
);

INSERT INTO page_totals
SELECT /*+ DISTRIBUTEBY('page') */ page, COUNT(*) AS visits, MAX(duration) AS longest
FROM clicks
GROUP BY page;
