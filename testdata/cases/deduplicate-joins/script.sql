SET 'parallelism.default' = '3';

CREATE TABLE accounts (id INT, owner INT, balance INT, note STRING, seen INT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/accounts', 'format' = 'debezium-json', 'source.parallelism' = '1'
);
CREATE TABLE keyless_accounts (id INT, owner INT, balance INT, note STRING, seen INT) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/accounts', 'format' = 'debezium-json', 'source.parallelism' = '1'
);
CREATE TABLE owners (id INT, name STRING, city INT) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/owners', 'format' = 'csv'
);
CREATE TABLE cities (id INT, name STRING) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/cities', 'format' = 'csv'
);

-- Most updates of an account are to note and seen, which few queries read.
SELECT o.name, a.id, a.balance FROM owners AS o JOIN accounts /*+ OPTIONS('duplicate.left' = 'true', 'duplicate.right' = 'true') */ AS a ON o.id = a.owner;
-- The other option is the format's.
SELECT o.name, a.id, a.note FROM owners o LEFT JOIN keyless_accounts /*+ OPTIONS('duplicate.right' = 'true', 'debezium-json.ignore-parse-errors' = 'true') */ a ON a.owner = o.id AND a.balance > 300;
SELECT a.id, a.balance, o.name FROM accounts /*+ OPTIONS('duplicate.left' = 'true') */ a RIGHT JOIN owners o ON a.owner = o.id;
-- Directly behind JOIN.
SELECT o.name, a.id, a.balance FROM owners o FULL JOIN /*+ OPTIONS('duplicate.left' = 'false', 'duplicate.right' = 'true') */ keyless_accounts AS a ON o.id = a.owner;
SELECT o.name, k.id FROM owners o, keyless_accounts /*+ OPTIONS('duplicate.right' = 'true') */ k WHERE o.id = k.owner AND k.balance > o.city;
-- The left input of the second join is a join itself.
SELECT a.id, a.balance, o.name, c.name AS city
FROM accounts a JOIN owners o ON a.owner = o.id
  LEFT JOIN cities /*+ OPTIONS('duplicate.left' = 'true') */ c ON o.city = c.id;
SELECT c.name, COUNT(*) AS accounts, SUM(a.balance) AS total
FROM accounts /*+ OPTIONS('duplicate.left' = 'true') */ AS a JOIN owners o ON a.owner = o.id JOIN cities c ON o.city = c.id
GROUP BY c.name;
SELECT /*+ BROADCAST(o) */ a.id, a.balance, o.name FROM keyless_accounts /*+ OPTIONS('duplicate.left' = 'true') */ a JOIN owners o ON a.owner = o.id;
SELECT /*+ BROADCAST(o), HASH_BY_KEY('a'='id') */ a.id, a.balance, o.name FROM accounts a JOIN owners /*+ OPTIONS('duplicate.left' = 'true') */ o ON a.owner = o.id;
SELECT /*+ STATE_TTL('a'='1d') */ o.name, a.id, a.balance FROM owners AS o JOIN keyless_accounts /*+ OPTIONS('duplicate.right' = 'true') */ AS a ON o.id = a.owner;
-- Without a column to hash by.
SELECT o.name, a.id, a.balance FROM owners o JOIN keyless_accounts /*+ OPTIONS('duplicate.right' = 'true') */ a ON o.id <> a.owner AND a.balance > 1000;
