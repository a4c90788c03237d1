SET 'parallelism.default' = '2';

CREATE TABLE payments (id INT, currency STRING, amount INT, paid_at TIMESTAMP(3), read_at AS PROCTIME(), WATERMARK FOR paid_at AS paid_at) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/payments', 'format' = 'csv'
);
CREATE TABLE currencies (code STRING, rate DOUBLE) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/currencies', 'format' = 'csv'
);
CREATE TABLE countries (code STRING, country STRING) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/countries', 'format' = 'csv'
);
CREATE VIEW converted AS
SELECT /*+ BROADCAST(c) */ p.id, p.amount * c.rate AS euros, c.code FROM payments p JOIN currencies c ON p.currency = c.code;

SELECT /*+ BROADCAST(c) */ c.code, COUNT(*) AS n, SUM(p.amount) AS total
FROM payments p JOIN currencies c ON p.currency = c.code
GROUP BY c.code HAVING SUM(p.amount) > 20;

SELECT /*+ BROADCAST(c) */ p.id, c.code AS currency, p.amount FROM payments p JOIN currencies c ON p.currency = c.code
ORDER BY p.amount DESC, id LIMIT 5;

SELECT /*+ BROADCAST(c) */ DISTINCT c.code, CAST(p.paid_at AS DATE) AS paid_on FROM payments p JOIN currencies c ON p.currency = c.code;

SELECT id, euros FROM converted WHERE euros > 10
UNION ALL
SELECT /*+ BROADCAST(c) */ p.id, c.rate FROM payments p JOIN currencies c ON p.currency = c.code WHERE p.amount < 4;

-- A further join that stays Flink's own, of a table that is in no hint.
SELECT /*+ BROADCAST(c) */ p.id, c.rate, l.country
FROM payments p JOIN currencies c ON p.currency = c.code JOIN countries l ON c.code = l.code AND p.id > 3;

SELECT /*+ BROADCAST(c) */ p.id, c.rate, l.country
FROM payments p JOIN countries l ON p.currency = l.code JOIN currencies c ON l.code = c.code;

SELECT /*+ BROADCAST(c) */ p.id, c.code FROM payments p JOIN currencies c ON p.currency = c.code
WHERE EXISTS (SELECT 1 FROM countries l WHERE l.code = c.code AND l.country <> 'usa') AND p.amount IN (SELECT amount FROM payments WHERE id < 9);

SELECT big.n, big.code FROM (
  SELECT /*+ BROADCAST(c) */ c.code, COUNT(*) AS n FROM payments p LEFT JOIN currencies c ON p.currency = c.code GROUP BY c.code
) AS big WHERE n > 1;

SELECT /*+ BROADCAST(c) */ w.window_start, w.currency, w.total, c.rate
FROM (
  SELECT window_start, currency, SUM(amount) AS total
  FROM TABLE(TUMBLE(TABLE payments, DESCRIPTOR(paid_at), INTERVAL '1' MINUTE))
  GROUP BY window_start, window_end, currency
) w JOIN currencies c ON w.currency = c.code;

SELECT /*+ BROADCAST(c) */ p.id, t.piece, c.rate
FROM payments p JOIN currencies c ON p.currency = c.code CROSS JOIN UNNEST(ARRAY[c.code, 'all']) AS t (piece);

SELECT /*+ BROADCAST(c), DISTRIBUTEBY('code') */ p.id, c.code FROM payments p JOIN currencies c ON p.currency = c.code;

SELECT /*+ BROADCAST(c) */ id, code, country, rate
FROM payments p JOIN currencies c ON p.currency = c.code LEFT JOIN countries USING (code);
