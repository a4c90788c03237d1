-- Orders, with what Redis knows of their customers and products.
SET 'is.dim.batch.mode' = 'true';

CREATE TABLE orders (id INT, customer STRING, product INT, amount INT, arrived AS PROCTIME()) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/orders', 'format' = 'csv', 'csv.null-literal' = ''
);
CREATE TABLE customers (name STRING, age INT, address ROW<city STRING, zip ROW<code INT, area STRING>>) WITH (
  'connector' = 'redis',
  'hostname' = '127.0.0.1',
  'port' = '${REDIS_PORT}',
  'key-prefix' = 'customer:',
  'format' = 'json',
  'lookup.batch.size' = '3',
  'lookup.batch.interval' = '200 ms',
  'lookup.cache.max-rows' = '500',
  'lookup.cache.ttl' = '3600'
);
CREATE TABLE products (
  title STRING,
  id BIGINT,
  price DECIMAL(10, 2),
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'redis',
  'hostname' = '127.0.0.1',
  'port' = '${REDIS_PORT}',
  'key-prefix' = 'product:',
  'format' = 'json',
  'lookup.batch' = 'false',
  'lookup.async' = 'true'
);

CREATE TABLE delivered (id INT, city STRING, area STRING) WITH ('connector' = 'logger', 'print-identifier' = 'delivered');
CREATE TABLE totals (city STRING, amount INT, PRIMARY KEY (city) NOT ENFORCED) WITH ('connector' = 'logger', 'print-identifier' = 'totals');

-- All orders of a customer ask on one task.
INSERT INTO delivered
SELECT /*+ LOOKUP('table'='c', 'shuffle'='true') */ o.id, c.address.city, c.address.zip.area
FROM orders AS o LEFT JOIN customers FOR SYSTEM_TIME AS OF o.arrived AS c ON o.customer = c.name;

-- The time of the look-up comes through a view; both tables are looked up in turn.
CREATE VIEW big_orders AS SELECT id, UPPER(customer) AS who, product, amount, arrived FROM orders WHERE amount > 2;

SELECT b.id, c.age, p.title, p.price
FROM big_orders AS b
JOIN customers FOR SYSTEM_TIME AS OF b.arrived AS c ON LOWER(b.who) = c.name
LEFT JOIN products FOR SYSTEM_TIME AS OF b.arrived AS p ON b.product = p.id
WHERE c.age > 20;

-- The time of the look-up comes through another stage.
INSERT INTO totals
SELECT c.address.city, SUM(d.amount)
FROM (SELECT /*+ DISTRIBUTEBY('customer') */ customer, amount, arrived FROM orders) AS d
JOIN customers FOR SYSTEM_TIME AS OF d.arrived AS c ON d.customer = c.name
WHERE c.address.city IS NOT NULL
GROUP BY c.address.city;
