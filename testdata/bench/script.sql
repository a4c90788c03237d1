-- The orders of all shops, from one topic to another. The orders of one customer stay in the order
-- in which the shops sent them, though more tasks write than read.
CREATE TABLE shop_orders (
  `customer_id` VARCHAR,
  `article` VARCHAR,
  `pieces` INT
) WITH (
  'connector' = 'kafka',
  'topic' = 'shop_orders',
  'properties.bootstrap.servers' = 'broker-1.example.org:21007,broker-2.example.org:21007',
  'properties.group.id' = 'order-archive',
  'scan.startup.mode' = 'latest-offset',
  'format' = 'csv',
  'properties.sasl.kerberos.service.name' = 'kafka',
  'properties.security.protocol' = 'SASL_PLAINTEXT',
  'properties.kerberos.domain.name' = 'hadoop.example.org',
  -- 两个任务读取 (two tasks read)
  'source.parallelism' = '2'
);

CREATE TABLE order_archive (
  `customer_id` VARCHAR,
  `article` VARCHAR,
  `pieces` INT
) WITH (
  'connector' = 'kafka',
  'topic' = 'order_archive',
  'properties.bootstrap.servers' = 'broker-1.example.org:21007,broker-2.example.org:21007',
  'value.format' = 'csv',
  'properties.sasl.kerberos.service.name' = 'kafka',
  'properties.security.protocol' = 'SASL_PLAINTEXT',
  'properties.kerberos.domain.name' = 'hadoop.example.org'
);

-- Without the hint: INSERT INTO order_archive SELECT customer_id, article, pieces FROM shop_orders;
INSERT INTO order_archive
SELECT /*+ DISTRIBUTEBY('customer_id') */ customer_id, article, pieces
FROM shop_orders;
