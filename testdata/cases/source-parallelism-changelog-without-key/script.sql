SET 'parallelism.default' = '4';

CREATE TABLE stores (
  id INT,
  city STRING,
  stock INT
) WITH (
  'connector' = 'filesystem',
  'path' = '${DATA}/stores',
  'format' = 'debezium-json',
  'source.parallelism' = '1'
);

SELECT id, city, stock FROM stores WHERE stock > 2;
