SET 'parallelism.default' = '4';

CREATE TABLE big (k INT, id INT, r INT) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/big', 'format' = 'csv', 'csv.null-literal' = 'null'
);
CREATE TABLE small (k INT, n INT) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/small', 'format' = 'csv', 'csv.null-literal' = 'null'
);

SELECT /*+ BROADCAST(s) */ b.id, s.n FROM big b LEFT JOIN small s ON b.k = s.k;
SELECT /*+ BROADCAST(s) */ b.id, s.n FROM small s RIGHT JOIN big b ON b.k = s.k AND b.id < s.n;
-- What concerns one side only decides what matches, not what comes out.
SELECT /*+ BROADCAST(s) */ b.id, s.n FROM big b LEFT JOIN small s ON b.k = s.k AND b.r > 2 AND s.n > 1;
SELECT /*+ BROADCAST(s) */ b.id, s.n FROM big b LEFT JOIN small s ON b.k = s.k AND (b.r = 1 OR s.n > b.id OR s.n = 0);
SELECT /*+ BROADCAST(s) */ b.id, s.n FROM big b LEFT JOIN small s ON b.id > s.n;
SELECT /*+ BROADCAST(s) */ b.id, s.n FROM big b LEFT JOIN small s ON 1 = 0;
SELECT /*+ BROADCAST(s) */ b.id, s.n FROM big b LEFT JOIN small s ON TRUE;
SELECT /*+ BROADCAST(s) */ * FROM small s RIGHT JOIN big b USING (k);
-- WHERE filters what comes out.
SELECT /*+ BROADCAST(s) */ b.id, s.n FROM big b LEFT JOIN small s ON b.k = s.k WHERE s.n IS NULL AND b.id > 3;
SELECT /*+ BROADCAST(s) */ b.id, s.n, s.k FROM big b LEFT JOIN small s ON b.k = s.k WHERE COALESCE(s.n, b.id) > 4;
