-- The points of the members of a club, under each name that a member has had. Both systems that
-- tell of them send again what they have sent before.
CREATE TABLE members (
  member_id STRING,
  nickname STRING
) WITH (
  'connector' = 'kafka',
  'topic' = 'members',
  'properties.bootstrap.servers' = 'localhost:9092',
  'properties.group.id' = 'club',
  'scan.startup.mode' = 'earliest-offset',
  'value.format' = 'csv'
);

CREATE TABLE points (
  member_id STRING,
  points INT
) WITH (
  'connector' = 'kafka',
  'topic' = 'points',
  'properties.bootstrap.servers' = 'localhost:9092',
  'properties.group.id' = 'club',
  'scan.startup.mode' = 'earliest-offset',
  'value.format' = 'csv'
);

CREATE TABLE board (
  member_id STRING,
  nickname STRING,
  points INT
) WITH ('connector' = 'print');

INSERT INTO board
SELECT m.member_id, m.nickname, p.points
FROM members AS m
JOIN points /*+ OPTIONS('duplicate.left'='true', 'duplicate.right'='true') */ AS p
ON m.member_id = p.member_id;
