CREATE TABLE readings (sensor STRING, celsius DOUBLE) WITH ('connector' = 'datagen');
CREATE TABLE copies (celsius DOUBLE, sensor DOUBLE) WITH ('connector' = 'print');
CREATE VIEW hot AS
  SELECT '很热 🔥' AS what,	sensr FROM readings -- no such column
  WHERE celsius > 30;
-- hintflow:ignore HF305 the sensor is called otherwise from May on
SELECT sensorr FROM readings;
-- hintflow:ignore HF999
/* 两行 */ SELECT /*+ OPTIONS('scan.parallelism' = '2',
  'rows-per-second' = '5') */ celsius
FROM readings
