SET 'parallelism.default' = '4';

CREATE TABLE stores (
  id INT,
  city STRING,
  stock INT,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'filesystem',
  'path' = '${DATA}/stores',
  'format' = 'debezium-json',
  'source.parallelism' = '1'
);

SELECT id, city, stock FROM stores;
SELECT city, SUM(stock) AS stock FROM stores GROUP BY city;
