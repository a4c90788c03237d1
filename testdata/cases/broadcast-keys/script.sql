SET 'parallelism.default' = '2';

CREATE TABLE big (k INT, s VARCHAR(5), d DECIMAL(5, 2), id INT, r INT) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/big', 'format' = 'csv', 'csv.null-literal' = 'null'
);
CREATE TABLE small (k BIGINT, s STRING, d DECIMAL(10, 3), n INT) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/small', 'format' = 'csv', 'csv.null-literal' = 'null'
);

-- Keys of other types on the other side, and several of them.
SELECT /*+ BROADCAST(t) */ b.id, t.n FROM big b JOIN small t ON b.k = t.k;
SELECT /*+ BROADCAST(t) */ b.id, t.n FROM big b JOIN small t ON b.s = t.s AND b.d = t.d;
SELECT /*+ BROADCAST(t) */ b.id, t.n FROM big b JOIN small t ON b.k + 1 = t.k * 2 - 1 AND UPPER(b.s) = UPPER(t.s);
SELECT /*+ BROADCAST(t) */ b.id, t.n FROM big b JOIN small t ON CAST(b.s AS CHAR(2)) = t.s;

-- Comparisons across the sides, in every form.
SELECT /*+ BROADCAST(t) */ b.id, t.n FROM big b JOIN small t ON b.k = t.k AND b.id < t.n AND b.d <> t.d;
SELECT /*+ BROADCAST(t) */ b.id, t.n FROM big b JOIN small t ON b.id BETWEEN t.n AND t.n + 3;
SELECT /*+ BROADCAST(t) */ b.id, t.n FROM big b JOIN small t ON b.s = t.s AND (b.k IS DISTINCT FROM t.k OR NOT (b.id > t.n AND b.r = 1));
SELECT /*+ BROADCAST(t) */ b.id, t.n FROM big b JOIN small t ON CAST(b.k AS BIGINT) IS NOT DISTINCT FROM t.k AND t.n > 4;
SELECT /*+ BROADCAST(t) */ b.id, t.n FROM big b JOIN small t ON b.s LIKE CONCAT(SUBSTRING(t.s, 1, 1), '%') AND b.k = t.k AND b.id + t.n > 10;
SELECT /*+ BROADCAST(t) */ b.id, t.n FROM big b JOIN small t ON b.s IN (t.s, 'e') OR b.r = 0;
-- No equality at all.
SELECT /*+ BROADCAST(t) */ COUNT(*) AS pairs FROM big b CROSS JOIN small t;
SELECT /*+ BROADCAST(t) */ b.id, t.n FROM big b, small t WHERE b.id > t.n;
SELECT /*+ BROADCAST(t) */ b.id, t.n FROM big b JOIN small t ON TRUE WHERE (b.k = t.k AND t.n < 9) AND (b.r = 1 OR b.r = t.n);
