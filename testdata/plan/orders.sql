-- Orders of a shop in one currency, by country and by minute; orders that come too late are kept aside.
SET 'parallelism.default' = '4';

CREATE TABLE orders (
  order_id STRING,
  customer_id STRING,
  currency STRING,
  amount DECIMAL(10, 2),
  ordered_at TIMESTAMP(3),
  WATERMARK FOR ordered_at AS ordered_at - INTERVAL '5' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'orders',
  'properties.bootstrap.servers' = '${BROKERS}',
  'properties.sasl.jaas.config' = 'PlainLoginModule required username="shop" password="never shown";',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);

CREATE TABLE customers (
  customer_id STRING,
  country STRING,
  last_seen TIMESTAMP(3),
  PRIMARY KEY (customer_id) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = 'customers',
  'properties.bootstrap.servers' = '${BROKERS}',
  'key.format' = 'json',
  'value.format' = 'json'
);

CREATE TABLE rates (currency STRING, euros DECIMAL(10, 4)) WITH (
  'connector' = 'filesystem',
  'path' = '${DATA}/rates',
  'format' = 'csv'
);

CREATE TABLE revenue (currency STRING, began TIMESTAMP(3), total DECIMAL(38, 2)) WITH ('connector' = 'print');
CREATE TABLE late_orders (order_id STRING, ordered_at TIMESTAMP(3)) WITH ('connector' = 'print');

-- Most orders are in euros: no task gets more of them than another.
CREATE VIEW in_euros AS
SELECT /*+ BROADCAST(r) */ o.customer_id, o.amount * r.euros AS euros
FROM orders AS o JOIN rates AS r ON o.currency = r.currency;

-- When a customer was last seen makes no difference here.
CREATE VIEW by_country AS
SELECT /*+ DISTRIBUTEBY('country') */ c.country, o.euros
FROM in_euros AS o
JOIN customers /*+ OPTIONS('duplicate.right' = 'true') */ AS c ON o.customer_id = c.customer_id;

SELECT country, COUNT(*) AS orders, SUM(euros) AS euros FROM by_country GROUP BY country;

INSERT INTO revenue
SELECT /*+ LATE_DATA_SINK('sink.name'='late_orders') */ currency, window_start, SUM(amount)
FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ordered_at), INTERVAL '1' MINUTE))
GROUP BY currency, window_start, window_end;
