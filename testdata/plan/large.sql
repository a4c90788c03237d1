-- A whole shop: each stream joined with the products, hashed by customer, and counted by minute; late rows go aside.
SET 'parallelism.default' = '8';

CREATE TABLE products (product_id STRING, category STRING) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/products', 'format' = 'csv'
);
CREATE TABLE customers (customer_id STRING, country STRING) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/customers', 'format' = 'csv'
);
CREATE TABLE too_late (source STRING, happened_at TIMESTAMP(3)) WITH ('connector' = 'print', 'print-identifier' = 'late');

CREATE TABLE clicks (
  customer_id STRING,
  product_id STRING,
  page STRING,
  happened_at TIMESTAMP(3),
  source AS 'clicks',
  WATERMARK FOR happened_at AS happened_at - INTERVAL '10' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'clicks',
  'properties.bootstrap.servers' = '${BROKERS}',
  'format' = 'json'
);
CREATE TABLE visits (product_id STRING, began TIMESTAMP(3), clicks BIGINT) WITH ('connector' = 'print', 'print-identifier' = 'visits');

CREATE VIEW clicks_of_products AS
SELECT /*+ BROADCAST(p) */ s.customer_id, s.page, p.category
FROM clicks AS s JOIN products AS p ON s.product_id = p.product_id;

CREATE VIEW clicks_of_customers AS
SELECT /*+ DISTRIBUTEBY('customer_id') */ customer_id, category, COUNT(*) AS clicks
FROM clicks_of_products
GROUP BY customer_id, category;

INSERT INTO visits
SELECT /*+ LATE_DATA_SINK('sink.name'='too_late') */ product_id, window_start, COUNT(*)
FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(happened_at), INTERVAL '1' MINUTE))
GROUP BY product_id, window_start, window_end;

CREATE TABLE orders (
  customer_id STRING,
  product_id STRING,
  amount DECIMAL(10, 2),
  happened_at TIMESTAMP(3),
  source AS 'orders',
  WATERMARK FOR happened_at AS happened_at - INTERVAL '10' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'orders',
  'properties.bootstrap.servers' = '${BROKERS}',
  'format' = 'json'
);
CREATE TABLE revenue (product_id STRING, began TIMESTAMP(3), orders BIGINT) WITH ('connector' = 'print', 'print-identifier' = 'revenue');

CREATE VIEW orders_of_products AS
SELECT /*+ BROADCAST(p) */ s.customer_id, s.amount, p.category
FROM orders AS s JOIN products AS p ON s.product_id = p.product_id;

CREATE VIEW orders_of_customers AS
SELECT /*+ DISTRIBUTEBY('customer_id') */ customer_id, category, COUNT(*) AS orders
FROM orders_of_products
GROUP BY customer_id, category;

INSERT INTO revenue
SELECT /*+ LATE_DATA_SINK('sink.name'='too_late') */ product_id, window_start, COUNT(*)
FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(happened_at), INTERVAL '1' MINUTE))
GROUP BY product_id, window_start, window_end;

CREATE TABLE payments (
  customer_id STRING,
  product_id STRING,
  amount DECIMAL(10, 2),
  happened_at TIMESTAMP(3),
  source AS 'payments',
  WATERMARK FOR happened_at AS happened_at - INTERVAL '10' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'payments',
  'properties.bootstrap.servers' = '${BROKERS}',
  'format' = 'json'
);
CREATE TABLE income (product_id STRING, began TIMESTAMP(3), payments BIGINT) WITH ('connector' = 'print', 'print-identifier' = 'income');

CREATE VIEW payments_of_products AS
SELECT /*+ BROADCAST(p) */ s.customer_id, s.amount, p.category
FROM payments AS s JOIN products AS p ON s.product_id = p.product_id;

CREATE VIEW payments_of_customers AS
SELECT /*+ DISTRIBUTEBY('customer_id') */ customer_id, category, COUNT(*) AS payments
FROM payments_of_products
GROUP BY customer_id, category;

INSERT INTO income
SELECT /*+ LATE_DATA_SINK('sink.name'='too_late') */ product_id, window_start, COUNT(*)
FROM TABLE(TUMBLE(TABLE payments, DESCRIPTOR(happened_at), INTERVAL '1' MINUTE))
GROUP BY product_id, window_start, window_end;

CREATE TABLE shipments (
  customer_id STRING,
  product_id STRING,
  weight INT,
  happened_at TIMESTAMP(3),
  source AS 'shipments',
  WATERMARK FOR happened_at AS happened_at - INTERVAL '10' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'shipments',
  'properties.bootstrap.servers' = '${BROKERS}',
  'format' = 'json'
);
CREATE TABLE freight (product_id STRING, began TIMESTAMP(3), shipments BIGINT) WITH ('connector' = 'print', 'print-identifier' = 'freight');

CREATE VIEW shipments_of_products AS
SELECT /*+ BROADCAST(p) */ s.customer_id, s.weight, p.category
FROM shipments AS s JOIN products AS p ON s.product_id = p.product_id;

CREATE VIEW shipments_of_customers AS
SELECT /*+ DISTRIBUTEBY('customer_id') */ customer_id, category, COUNT(*) AS shipments
FROM shipments_of_products
GROUP BY customer_id, category;

INSERT INTO freight
SELECT /*+ LATE_DATA_SINK('sink.name'='too_late') */ product_id, window_start, COUNT(*)
FROM TABLE(TUMBLE(TABLE shipments, DESCRIPTOR(happened_at), INTERVAL '1' MINUTE))
GROUP BY product_id, window_start, window_end;

CREATE TABLE refunds (
  customer_id STRING,
  product_id STRING,
  reason STRING,
  happened_at TIMESTAMP(3),
  source AS 'refunds',
  WATERMARK FOR happened_at AS happened_at - INTERVAL '10' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'refunds',
  'properties.bootstrap.servers' = '${BROKERS}',
  'format' = 'json'
);
CREATE TABLE refunded (product_id STRING, began TIMESTAMP(3), refunds BIGINT) WITH ('connector' = 'print', 'print-identifier' = 'refunded');

CREATE VIEW refunds_of_products AS
SELECT /*+ BROADCAST(p) */ s.customer_id, s.reason, p.category
FROM refunds AS s JOIN products AS p ON s.product_id = p.product_id;

CREATE VIEW refunds_of_customers AS
SELECT /*+ DISTRIBUTEBY('customer_id') */ customer_id, category, COUNT(*) AS refunds
FROM refunds_of_products
GROUP BY customer_id, category;

INSERT INTO refunded
SELECT /*+ LATE_DATA_SINK('sink.name'='too_late') */ product_id, window_start, COUNT(*)
FROM TABLE(TUMBLE(TABLE refunds, DESCRIPTOR(happened_at), INTERVAL '1' MINUTE))
GROUP BY product_id, window_start, window_end;

CREATE TABLE reviews (
  customer_id STRING,
  product_id STRING,
  stars INT,
  happened_at TIMESTAMP(3),
  source AS 'reviews',
  WATERMARK FOR happened_at AS happened_at - INTERVAL '10' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'reviews',
  'properties.bootstrap.servers' = '${BROKERS}',
  'format' = 'json'
);
CREATE TABLE ratings (product_id STRING, began TIMESTAMP(3), reviews BIGINT) WITH ('connector' = 'print', 'print-identifier' = 'ratings');

CREATE VIEW reviews_of_products AS
SELECT /*+ BROADCAST(p) */ s.customer_id, s.stars, p.category
FROM reviews AS s JOIN products AS p ON s.product_id = p.product_id;

CREATE VIEW reviews_of_customers AS
SELECT /*+ DISTRIBUTEBY('customer_id') */ customer_id, category, COUNT(*) AS reviews
FROM reviews_of_products
GROUP BY customer_id, category;

INSERT INTO ratings
SELECT /*+ LATE_DATA_SINK('sink.name'='too_late') */ product_id, window_start, COUNT(*)
FROM TABLE(TUMBLE(TABLE reviews, DESCRIPTOR(happened_at), INTERVAL '1' MINUTE))
GROUP BY product_id, window_start, window_end;

SELECT o.customer_id, o.category, o.orders, r.refunds
FROM orders_of_customers AS o
LEFT JOIN refunds_of_customers /*+ OPTIONS('duplicate.right' = 'true') */ AS r
  ON o.customer_id = r.customer_id AND o.category = r.category;

SELECT /*+ BROADCAST(c) */ k.category, k.clicks, c.country
FROM clicks_of_customers AS k JOIN customers AS c ON k.customer_id = c.customer_id;
