SET 'parallelism.default' = '4';

CREATE TABLE stock (id INT, store INT, units INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/stock', 'format' = 'debezium-json', 'source.parallelism' = '1'
);
CREATE TABLE keyless_stock (id INT, store INT, units INT) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/stock', 'format' = 'debezium-json', 'source.parallelism' = '1'
);
CREATE TABLE stores (id INT, city STRING) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/stores', 'format' = 'debezium-json', 'source.parallelism' = '1'
);

-- By the primary key, by the whole row, by a column that changes.
SELECT /*+ BROADCAST(s) */ k.id, k.units, s.city FROM stock k JOIN stores s ON k.store = s.id;
SELECT /*+ BROADCAST(s) */ k.id, k.units, s.city FROM keyless_stock k LEFT JOIN stores s ON k.store = s.id;
SELECT /*+ BROADCAST(s), HASH_BY_KEY('k'='store') */ k.id, k.units, s.city FROM keyless_stock k LEFT JOIN stores s ON k.store = s.id AND k.units > s.id;
SELECT /*+ BROADCAST(s, t) */ k.id, s.city, t.id AS twin FROM stock k LEFT JOIN stores s ON k.store = s.id LEFT JOIN stores t ON s.city = t.city;
SELECT /*+ BROADCAST(s) */ s.city, SUM(k.units) AS units, COUNT(*) AS n FROM stock k JOIN stores s ON k.store = s.id GROUP BY s.city;
SELECT /*+ BROADCAST(s) */ k.store, k.units, s.city FROM (SELECT store, SUM(units) AS units FROM stock GROUP BY store) AS k JOIN stores s ON k.store = s.id;
