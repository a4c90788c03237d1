CREATE TABLE clicks (n INT) WITH (
  'connector' = 'datagen', /* 数据 😀 */ 'source.parallelism' = '2');
-- hintflow:ignore HF427
SELECT n FROM clicks;
