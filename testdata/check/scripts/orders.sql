-- 订单 🚚: what a shop sells, some of it written wrongly.
SET execution.checkpointing.interval = 10 s;

CREATE TABLE orders (
	订单 STRING, /* 数据 😀 */	价格 DECIMAL(10, 2), `客户` STRING,
  item_id INT,
) WITH ('connector' = 'kafka', 'topic' = 'orders', 'format' = 'no such format',
  'properties.bootstrap.servers' = '${BROKERS}', 'source.paralelism' = '2');

CREATE TABLE customers (`客户` STRING, city STRING) WITH ('connector' = 'datagen');
CREATE TABLE sales (city STRING, total DECIMAL(20, 2)) WITH ('connector' = 'print');

INSERT INTO sales
/* 😀 */	SELECT /*+ BROADCAS(c), DISTRIBUTEBY('city') */ c.city, SUM(o.`价格`)
FROM orders AS o JOIN customers AS c ON o.`客户` = c.`客户` GROUP BY c.city;
-- hintflow:ignore HF505
SET 'pipeline.name' = 'sales';

SELECT '😀😀', city	FORM sales;
