SET 'parallelism.default' = '4';

CREATE TABLE facts (id INT, k INT, s STRING, v INT) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/facts', 'format' = 'csv', 'csv.null-literal' = 'null'
);
CREATE TABLE kinds (k INT, name STRING, n INT) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/kinds', 'format' = 'csv', 'csv.null-literal' = 'null'
);
CREATE TABLE sizes (s STRING, m INT) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/sizes', 'format' = 'csv', 'csv.null-literal' = 'null'
);

-- The rows of facts stay where the first join put them.
SELECT /*+ BROADCAST(kinds, sizes), HASH_BY_KEY('facts'='id') */ facts.id, kinds.name, sizes.m
FROM facts JOIN kinds ON facts.k = kinds.k JOIN sizes ON facts.s = sizes.s;

SELECT /*+ BROADCAST(kinds, sizes) */ f.id, kinds.name, sizes.m
FROM facts f LEFT JOIN kinds ON f.k = kinds.k LEFT JOIN sizes ON f.s = sizes.s AND kinds.n < sizes.m * 3 AND f.v > 1;

SELECT /*+ BROADCAST(kinds, sizes) */ f.id, kinds.name, sizes.m
FROM facts f, kinds, sizes WHERE f.k = kinds.k AND kinds.n + f.v > sizes.m AND f.s = sizes.s;

-- What the second join asks for only SQL can tell, so its rows pass through SQL before it.
SELECT /*+ BROADCAST(kinds, sizes), HASH_BY_KEY('f'='id') */ f.id, kinds.name, sizes.m
FROM facts f JOIN kinds ON f.k = kinds.k JOIN sizes ON kinds.n + f.v = sizes.m * 3 AND CONCAT(f.s, kinds.name) <> sizes.s;

SELECT /*+ BROADCAST(kinds, sizes) */ f.id, kinds.name, sizes.m
FROM facts f LEFT JOIN kinds ON f.k = kinds.k JOIN sizes ON COALESCE(kinds.n, 8) = sizes.m;

SELECT /*+ BROADCAST(kinds, sizes) */ * FROM sizes RIGHT JOIN (SELECT id, k, s FROM facts WHERE v > 0) AS f ON f.s = sizes.s LEFT JOIN kinds ON f.k = kinds.k;
