-- The points of the members of a club, under each name that a member has had. Both systems that
-- tell of them send again what they have sent before.
CREATE TABLE members (
  member STRING,
  nickname STRING
) WITH (
  'connector' = 'kafka',
  'topic' = '${MEMBERS:-members}',
  'properties.bootstrap.servers' = '${BROKERS}',
  'properties.group.id' = 'club',
  'scan.startup.mode' = 'earliest-offset',
  'value.format' = 'csv'
);

CREATE TABLE points (
  member STRING,
  points INT
) WITH (
  'connector' = 'kafka',
  'topic' = '${POINTS:-points}',
  'properties.bootstrap.servers' = '${BROKERS}',
  'properties.group.id' = 'club',
  'scan.startup.mode' = 'earliest-offset',
  'value.format' = 'csv'
);

CREATE TABLE board (
  member STRING,
  nickname STRING,
  points INT
) WITH ('connector' = 'print');

INSERT INTO board
SELECT m.member, m.nickname, p.points
FROM members AS m
JOIN points /*+ OPTIONS('duplicate.left'='true', 'duplicate.right'='true') */ AS p
ON m.member = p.member;
