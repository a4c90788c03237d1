CREATE TABLE clicks (visitor STRING, page STRING) WITH (
  'connector' = 'datagen', 'rows-per-second' = '10'
);

CREATE TABLE visits (visitor STRING, page STRING) WITH ('connector' = 'print');

INSERT INTO visits
SELECT /*+ DISTRIBUTEBY('visitor') */ visitor, page FROM clicks;
