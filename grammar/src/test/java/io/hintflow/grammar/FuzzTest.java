package io.hintflow.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever the text, reading ends, soon, and with findings rather than exceptions. */
class FuzzTest {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int SCRIPTS = 2_000;

  /** Of processor time, so that a busy machine is not taken for a slow reader. */
  private static final Duration LIMIT = Duration.ofSeconds(1);

  private static final List<String> SEEDS =
      List.of(
          """
          -- 订单
          CREATE TABLE orders (`id` BIGINT, amount DECIMAL(10, 2), ts TIMESTAMP(3),
            total AS amount * 2, WATERMARK FOR ts AS ts - INTERVAL '1' SECOND, PRIMARY KEY (id) NOT ENFORCED
          ) WITH ('connector' = 'kafka', 'topic' = 'it''s', 'source.parallelism' = '2',);
          INSERT INTO sink SELECT /*+ DISTRIBUTEBY('id') */ id, SUM(amount) FROM orders GROUP BY id;
          """,
          """
          SET execution.checkpointing.interval=10s;
          SET 'execution.runtime-mode' = 'streaming';
          EXECUTE STATEMENT SET BEGIN
          INSERT INTO a SELECT /*+ BROADCAST(s), HASH_BY_KEY('l'='x, y') */ l.x, s.y FROM big l
            JOIN small /*+ OPTIONS('duplicate.right'='true') */ AS s ON l.x = s.x;
          INSERT INTO b (c, d) SELECT 1, '😀' UNION ALL SELECT 2, '' ORDER BY 1 LIMIT 3;
          END;
          """,
          """
          # pasted
          Flink SQL> CREATE VIEW v AS WITH t (a) AS (SELECT 1), u AS (SELECT a FROM t WHERE a IN (VALUES (1), (2)))
          > SELECT CASE WHEN a > 1 THEN 'x' ELSE E'\\'' END, (SELECT MAX(a) FROM u) FROM t LEFT JOIN u USING (a);
          SELECT /*+ LATE_DATA_SINK('sink.name'='late', 'window.start.field'='w') */ window_start, COUNT(*)
          FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '5' MINUTE)) GROUP BY window_start, window_end;
          """,
          """
          SELECT * FROM a JOIN /*+ OPTIONS('duplicate.left'='true') */ b FOR SYSTEM_TIME AS OF a.p AS c ON a.k = c.k;
          EXPLAIN STATEMENT SET BEGIN INSERT INTO s SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY a ORDER BY b
            MEASURES A.x AS x PATTERN (A B+) DEFINE B AS B.x > A.x) m; END;
          ALTER TABLE t ADD (b ROW<c INT, d ARRAY<STRING>>); DROP TABLE t; USE CATALOG c; RESET;
          UPDATE t SET a = (SELECT 1) WHERE b = ${X:-1}; CALL p('a', 1); /* end */ -- INSERT INTO x
          """);

  @Test
  void neverThrowsAndNeverTakesLong() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    ScriptReader.read(new SourceText("warm.sql", String.join("", SEEDS)));
    for (int i = 0; i < SCRIPTS; i++) {
      String script = ScriptMutations.mutate(SEEDS.get(random.nextInt(SEEDS.size())), random);
      String about = "seed " + seed + ", script " + i + ":\n" + script;
      long start = THREADS.getCurrentThreadCpuTime();
      ScriptReader.Result result = read(script, about);
      assertThat(Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - start))
          .as(about)
          .isLessThan(LIMIT);
      assertThat(result.script().text().text()).as(about).hasSameSizeAs(script);
      for (Diagnostic diagnostic : result.diagnostics()) {
        assertThat(diagnostic.span().end()).as(about).isLessThanOrEqualTo(script.length());
        assertThat(diagnostic.message()).as(about).doesNotContain("\n").isNotBlank();
        diagnostic.location();
      }
      for (Statement statement : result.script().statements()) {
        for (Block block : Blocks.allOf(statement)) {
          assertThat(statement.span().contains(block.span())).as(about).isTrue();
        }
      }
    }
  }

  private static ScriptReader.Result read(String script, String about) {
    try {
      return ScriptReader.read(new SourceText("fuzz.sql", script));
    } catch (RuntimeException | Error e) {
      throw new AssertionError(about, e);
    }
  }
}
