SET 'parallelism.default' = '2';

CREATE TABLE parts (
  id INT, kind STRING, size ROW<width INT, height INT>, tags ARRAY<STRING>, price DECIMAL(10, 2), checked INT,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/parts', 'format' = 'debezium-json', 'source.parallelism' = '1'
);
CREATE TABLE orders (id INT, kind STRING, amount INT, ordered TIMESTAMP(3), read_at AS PROCTIME(), WATERMARK FOR ordered AS ordered - INTERVAL '1' SECOND) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/orders', 'format' = 'csv'
);
CREATE TABLE `one` (n INT, kind STRING) WITH (
  'connector' = 'filesystem', 'path' = '${DATA}/one', 'format' = 'csv'
);
CREATE VIEW small_parts (part, sort, height) AS
SELECT id, kind, size.height FROM parts WHERE size.width < 9;

-- A star uses all columns, a nested field uses its column.
SELECT * FROM small_parts /*+ OPTIONS('duplicate.left' = 'true') */ AS v JOIN `one` AS x ON v.sort <> x.kind;
SELECT o.id, p.* FROM orders o JOIN parts /*+ OPTIONS('duplicate.right' = 'true') */ p ON o.kind = p.kind;
SELECT o.id, p.id AS part, p.size.width FROM orders o JOIN parts /*+ OPTIONS('duplicate.right' = 'true') */ p ON o.amount = p.size.height;
-- Columns that two tables share.
SELECT kind, amount, price, parts.id FROM orders LEFT JOIN parts /*+ OPTIONS('duplicate.left' = 'true', 'duplicate.right' = 'true') */ USING (kind);
SELECT orders.kind, n, amount FROM `one` NATURAL JOIN orders /*+ OPTIONS('duplicate.left' = 'true', 'duplicate.right' = 'true') */;
-- Processing time has no value that could be equal.
SELECT o.amount, x.n FROM orders /*+ OPTIONS('duplicate.left' = 'true') */ o JOIN `one` x ON o.kind = x.kind WHERE o.read_at IS NOT NULL;
-- A view, a WITH table, a subquery, an alias with columns, names with their database.
SELECT o.id, v.part, v.height FROM orders o JOIN small_parts /*+ OPTIONS('duplicate.right' = 'true') */ v ON o.kind = v.sort;
WITH dear AS (SELECT id, kind, price FROM parts WHERE price > 4)
SELECT d.id, o.id AS ordered_by FROM dear AS d JOIN orders /*+ OPTIONS('duplicate.left' = 'true') */ AS o ON d.kind = o.kind;
SELECT t.kind, t.total, o.id FROM (SELECT kind, SUM(price) AS total FROM parts GROUP BY kind) AS t JOIN orders /*+ OPTIONS('duplicate.left' = 'true') */ o ON t.kind = o.kind;
SELECT p.number, o.id FROM orders o JOIN parts /*+ OPTIONS('duplicate.right' = 'true') */ AS p (number, sort, size, tags, price, checked) ON o.kind = p.sort;
SELECT default_database.parts.id, o.amount FROM default_database.parts /*+ OPTIONS('duplicate.left' = 'true') */ JOIN orders o ON o.kind = default_catalog.default_database.parts.kind;
-- In clauses besides, and in a subquery.
SELECT o.kind, COUNT(DISTINCT p.id) AS parts FROM orders o JOIN parts /*+ OPTIONS('duplicate.right' = 'true') */ p ON o.kind = p.kind
WHERE EXISTS (SELECT 1 FROM `one` x WHERE x.n > p.price) GROUP BY o.kind HAVING MAX(p.price) > 1;
-- No column at all.
SELECT o.id FROM orders o CROSS JOIN `one` /*+ OPTIONS('duplicate.right' = 'true') */;
-- An interval join keeps its event time.
SELECT a.id, b.id AS later FROM orders /*+ OPTIONS('duplicate.left' = 'true', 'duplicate.right' = 'true') */ a JOIN orders b
ON a.kind = b.kind AND b.ordered BETWEEN a.ordered + INTERVAL '1' SECOND AND a.ordered + INTERVAL '8' SECOND;
-- Behind it, a distribution.
SELECT /*+ DISTRIBUTEBY('kind') */ o.kind, p.id FROM orders o JOIN parts /*+ OPTIONS('duplicate.right' = 'true') */ p ON o.kind = p.kind;
