SET 'parallelism.default' = '2';

CREATE TABLE orders (
  id INT,
  customer VARCHAR(20),
  currency STRING,
  amount INT,
  note STRING,
  ordered_at TIMESTAMP(3),
  WATERMARK FOR ordered_at AS ordered_at - INTERVAL '5' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'orders',
  'properties.bootstrap.servers' = '${BROKERS}',
  'properties.sasl.jaas.config' = 'user and password',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);

CREATE TABLE rates (
  currency STRING,
  rate DECIMAL(10, 4),
  PRIMARY KEY (currency) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = 'rates',
  'properties.bootstrap.servers' = '${BROKERS}',
  'key.format' = 'csv',
  'value.format' = 'json'
);

CREATE TABLE visits (customer STRING, page STRING, seen_at TIMESTAMP(3)) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/visits', 'format' = 'csv'
);

CREATE TABLE converted (id INT, customer STRING, worth DECIMAL(20, 4)) WITH ('connector' = 'blackhole');

CREATE TABLE paths (customer STRING, page STRING) WITH ('connector' = 'print');

CREATE TABLE totals (customer STRING, amount BIGINT) WITH ('connector' = 'print');

CREATE TABLE per_minute (currency STRING, minute_end TIMESTAMP(3), amount INT) WITH ('connector' = 'print');

CREATE TABLE late_orders (id INT, ordered_at TIMESTAMP(3)) WITH ('connector' = 'print');

CREATE TABLE viewers (customer STRING, amount INT, page STRING) WITH ('connector' = 'print');

CREATE VIEW large_orders AS
SELECT id, customer, currency, amount FROM orders WHERE amount > 5;

-- What large orders are worth.
INSERT INTO converted
SELECT /*+ BROADCAST(r), HASH_BY_KEY('o'='customer') */ o.id, o.customer, o.amount * r.rate
FROM large_orders o JOIN rates r ON o.currency = r.currency;

-- The pages of a customer, in order.
INSERT INTO paths
SELECT /*+ DISTRIBUTEBY('customer') */ customer, page FROM visits WHERE page <> 'home';

INSERT INTO totals
SELECT customer, CAST(SUM(amount) AS BIGINT) FROM orders GROUP BY customer;

INSERT INTO per_minute
SELECT /*+ LATE_DATA_SINK('sink.name'='late_orders') */ currency, window_end, SUM(amount)
FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ordered_at), INTERVAL '1' MINUTE))
GROUP BY currency, window_start, window_end;

INSERT INTO viewers
SELECT o.customer, o.amount, v.page
FROM orders o JOIN visits /*+ OPTIONS('duplicate.right'='true') */ AS v ON o.customer = v.customer;
