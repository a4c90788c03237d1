-- Two tasks read the orders and four print them. DISTRIBUTEBY has all orders of one customer meet on
-- one task, in the order of its file: every line that is printed begins with the number of its task.
SET 'parallelism.default' = '4';

CREATE TABLE orders (
  customer STRING,
  item STRING,
  amount INT
) WITH (
  'connector' = 'filesystem',
  'path' = '${ORDERS:-testdata/demo/orders}',
  'format' = 'csv',
  'source.parallelism' = '2'
);

CREATE TABLE printed (
  customer STRING,
  item STRING,
  amount INT
) WITH (
  'connector' = 'print'
);

INSERT INTO printed
SELECT /*+ DISTRIBUTEBY('customer') */ customer, item, amount
FROM orders;
