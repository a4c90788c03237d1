SET 'parallelism.default' = '4';

CREATE TABLE numbers (
  number BIGINT,
  square AS number * number
) WITH (
  'connector' = 'datagen',
  'source.parallelism' = '2', -- two is plenty
  'fields.number.kind' = 'sequence',
  'fields.number.start' = '1',
  'fields.number.end' = '50'
);

SELECT number, square FROM numbers;
SELECT COUNT(*) FROM numbers /*+ OPTIONS('source.parallelism' = '3') */;
