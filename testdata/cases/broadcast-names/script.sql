SET 'parallelism.default' = '3';

CREATE TABLE orders (id INT, customer INT, name STRING, amount INT) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/orders', 'format' = 'csv'
);
CREATE TABLE customers (id INT, name STRING, credit INT) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/customers', 'format' = 'csv'
);
CREATE VIEW rich_customers (id, label) AS
SELECT id, name FROM customers WHERE credit > 4;

-- Both tables have columns of one name; some are qualified, some need not be.
SELECT /*+ BROADCAST(customers) */ orders.id, customers.id, customers.name AS customer_name, amount
FROM orders JOIN customers ON customer = customers.id AND orders.amount < credit;

SELECT /*+ BROADCAST(c) */ * FROM orders AS o JOIN customers AS c ON o.customer = c.id;

SELECT /*+ BROADCAST(c) */ c.*, o.amount + 1 AS more, o.name FROM orders o, customers c
WHERE o.customer = c.id
  AND o.amount > 2 -- not the free ones
  AND c.credit + o.amount > 10;

SELECT /*+ BROADCAST(v) */ o.id, label FROM orders o JOIN rich_customers v ON o.customer = v.id;

SELECT /*+ BROADCAST(s), HASH_BY_KEY('b'='b id') */ b.`b id`, s.id FROM
  (SELECT id AS `b id`, customer FROM orders WHERE amount > 1) AS b
  JOIN (SELECT id FROM customers) AS s ON b.customer = s.id;

WITH small AS (SELECT id, name FROM customers), big AS (SELECT * FROM orders WHERE amount > 0)
SELECT /*+ BROADCAST(small) */ big.id, small.name FROM big JOIN small ON big.customer = small.id;

-- A table with itself.
SELECT /*+ BROADCAST(y) */ x.id, y.id AS other, x.name FROM orders x JOIN orders y ON x.customer = y.customer AND x.id < y.id;

SELECT /*+ BROADCAST(c) */ id, o.name, c.name FROM orders o JOIN customers c USING (id);

SELECT /*+ BROADCAST(c) */ * FROM orders o LEFT JOIN customers c USING (id);

SELECT /*+ BROADCAST(c) */ * FROM (SELECT customer AS id, amount FROM orders) o NATURAL JOIN customers c;
