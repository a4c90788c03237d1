CREATE TABLE ticks (n INT) WITH ('connector' = 'datagen', 'number-of-rows' = '3');
CREATE TABLE printed (n INT) WITH ('connector' = 'print');
INSERT INTO printed SELECT n FROM ticks;
