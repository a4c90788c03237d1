package io.hintflow.transpiler.testing;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Scripts of windows with LATE_DATA_SINK over the tables of {@link RandomLateRows}. */
public final class LateDataQueries {
  /** How far apart two rows of one session are at most. */
  public static final Duration GAP = Duration.ofMinutes(3);

  private static final String PLAIN = "TIMESTAMP(3)";

  private LateDataQueries() {}

  /**
   * The last window of a row.
   *
   * @param slide in minutes, from one start to the next; 0 for a session of one row
   * @param size in minutes
   * @param offset in seconds
   */
  public record LastWindow(long slide, long size, long offset) {
    /** The start of the last window that holds a local time; empty if there is none. */
    public Optional<LocalDateTime> start(LocalDateTime time) {
      if (slide == 0) {
        return Optional.of(time);
      }
      long milliseconds = time.toInstant(ZoneOffset.UTC).toEpochMilli();
      long since = Math.floorMod(milliseconds - offset * 1000, slide * 60_000);
      return since < size * 60_000
          ? Optional.of(time.minus(Duration.ofMillis(since)))
          : Optional.empty();
    }

    public Optional<LocalDateTime> end(LocalDateTime time) {
      return start(time).map(start -> start.plusMinutes(size));
    }
  }

  /**
   * A statement with a hint.
   *
   * @param sql with HINT for the hint
   * @param window of which the bounds are written; empty if none are
   * @param books whether the last two columns count each row in time once: as 1 and its id, or
   *     summed up. Then WHERE rejects no row
   * @param windows how many windows the statement has, each with a counter
   * @param weight how often stock Flink counts a late row; 0 if it does not count all
   */
  public record Query(
      String name,
      String sql,
      Optional<LastWindow> window,
      boolean books,
      int windows,
      int weight) {
    private static Query of(String name, String sql) {
      return new Query(name, sql, Optional.empty(), false, 1, 1);
    }

    private Query in(long slide, long size, long offset) {
      return new Query(
          name, sql, Optional.of(new LastWindow(slide, size, offset)), books, windows, weight);
    }

    private Query balanced() {
      return new Query(name, sql, window, true, windows, weight);
    }

    private Query ofTwoWindows() {
      return new Query(name, sql, window, books, 2, weight);
    }

    private Query weighing(int weight) {
      return new Query(name, sql, window, books, windows, weight);
    }

    public String sink() {
      return "late_" + name;
    }

    private String hint() {
      return "/*+ LATE_DATA_SINK('sink.name' = '%s'%s) */"
          .formatted(
              sink(),
              window.isPresent()
                  ? ", 'window.start.field' = 'started', 'window.end.field' = 'ended'"
                  : "");
    }

    private String sinkTable() {
      return """
      CREATE TABLE %s (%sworld INT, id BIGINT) WITH ('connector' = 'print', 'print-identifier' = '%s');
      """
          .formatted(
              sink(),
              window.isPresent() ? "ended TIMESTAMP(3), started TIMESTAMP(3), " : "",
              sink());
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * Queries of one job.
   *
   * @param settings statements before all others
   * @param time the type of the tables' event time
   */
  public record Script(
      String name, String settings, String time, String zone, List<Query> queries) {
    /** With a watermark, and a path and a run that arguments fill in. */
    private String tables(String watermark) {
      return RandomLateRows.TABLES.stream()
          .map(
              table ->
                  """
                  CREATE TABLE %s (source INT, id BIGINT, world INT, k STRING, v INT, ts %s,
                    WATERMARK FOR ts AS %s)
                  WITH ('connector' = 'changelog', 'path' = '${DATA}/%s', 'changelog-mode' = '+I', 'run' = '${RUN}');
                  """
                      .formatted(table, time, watermark, table))
          .collect(Collectors.joining());
    }

    /** Its watermarks come with the rows. */
    public String hinted() {
      return hinted("SOURCE_WATERMARK()");
    }

    public String hinted(String watermark) {
      return settings
          + tables(watermark)
          + queries.stream().map(Query::sinkTable).collect(Collectors.joining())
          + queries.stream()
              .map(query -> query.sql().replace("HINT", query.hint()) + ";\n")
              .collect(Collectors.joining());
    }

    /** For stock Flink, which counts rows and not the sums of a first phase. */
    public String stock() {
      return "SET 'table.optimizer.agg-phase-strategy' = 'ONE_PHASE';\n"
          + settings
          + tables("SOURCE_WATERMARK()")
          + queries.stream()
              .map(query -> query.sql().replace("HINT ", "") + ";\n")
              .collect(Collectors.joining());
    }

    @Override
    public String toString() {
      return name;
    }
  }

  public static List<Script> all() {
    return List.of(
        new Script("functions", "", PLAIN, "UTC", functions()),
        new Script("work by window", "", PLAIN, "UTC", workByWindow()),
        new Script("over and groups", "", PLAIN, "UTC", overAndGroups()),
        new Script(
            "time zone",
            "SET 'table.local-time-zone' = 'Europe/Berlin';\n",
            "TIMESTAMP_LTZ(3)",
            "Europe/Berlin",
            timeZone()),
        new Script(
            "late fire",
            """
            SET 'table.exec.emit.late-fire.enabled' = 'true';
            SET 'table.exec.emit.late-fire.delay' = '0 s';
            SET 'table.exec.emit.allow-lateness' = '12 min';
            """,
            PLAIN,
            "UTC",
            lateFire()));
  }

  /** Queries whose books balance whatever comes when. */
  public static Script ofAnyTiming() {
    return new Script(
        "any timing",
        "",
        PLAIN,
        "UTC",
        Stream.of(functions(), workByWindow(), overAndGroups())
            .flatMap(List::stream)
            .filter(
                query ->
                    Set.of("tumble", "session", "over_rows", "over_range").contains(query.name()))
            .toList());
  }

  private static List<Query> functions() {
    return List.of(
        Query.of(
                "tumble",
                """
                SELECT HINT world, k, window_start, window_end, MAX(v), COUNT(*), SUM(id)
                FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' MINUTE))
                GROUP BY world, k, window_start, window_end\
                """)
            .in(5, 5, 0)
            .balanced(),
        Query.of(
                "tumble_without_keys",
                """
                SELECT HINT window_start, window_end, COUNT(DISTINCT k), COUNT(*), SUM(id)
                FROM TABLE(TUMBLE(DATA => TABLE events, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '4' MINUTE))
                GROUP BY window_start, window_end\
                """)
            .in(4, 4, 0)
            .balanced(),
        Query.of(
                "tumble_offset",
                """
                SELECT HINT world, window_start, COUNT(*), SUM(id)
                FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '90' SECOND)) AS w
                GROUP BY world, window_start, window_end\
                """)
            .in(5, 5, 90)
            .balanced(),
        Query.of(
                "tumble_where",
                """
                SELECT HINT world, window_start, COUNT(*), SUM(id)
                FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' MINUTE))
                WHERE v > 2 AND (k IS NULL OR v < 9) AND (window_start >= TIMESTAMP '2023-01-01 00:00:00' OR v < 8)
                GROUP BY world, window_start, window_end\
                """)
            .in(5, 5, 0),
        Query.of(
                "hop",
                """
                SELECT HINT world, window_start, window_end, COUNT(*), SUM(id), SUM(id * id)
                FROM TABLE(HOP(TABLE events, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '15' MINUTE))
                GROUP BY world, window_start, window_end\
                """)
            .in(5, 15, 0),
        Query.of(
                "hop_offset",
                """
                SELECT HINT world, k, window_end, COUNT(*), SUM(id), SUM(id * id)
                FROM TABLE(HOP(
                  DATA => TABLE events, TIMECOL => DESCRIPTOR(ts),
                  SLIDE => INTERVAL '2' MINUTE, SIZE => INTERVAL '10' MINUTE, `OFFSET` => INTERVAL '30' SECOND))
                GROUP BY world, k, window_start, window_end\
                """)
            .in(2, 10, 30),
        Query.of(
                "cumulate",
                """
                SELECT HINT world, window_start, window_end, COUNT(*), SUM(id), SUM(id * id)
                FROM TABLE(CUMULATE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '20' MINUTE))
                GROUP BY world, window_start, window_end\
                """)
            .in(20, 20, 0),
        Query.of(
                "cumulate_offset",
                """
                SELECT HINT window_start, window_end, COUNT(*), SUM(id), SUM(id * id)
                FROM TABLE(CUMULATE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE, INTERVAL '1' MINUTE))
                GROUP BY window_start, window_end\
                """)
            .in(10, 10, 60),
        Query.of(
                "grouping_sets",
                """
                SELECT HINT world, k, window_start, COUNT(*), SUM(id)
                FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' MINUTE))
                GROUP BY window_start, window_end, GROUPING SETS ((world, k), (world), ())\
                """)
            .in(5, 5, 0)
            .weighing(3),
        Query.of(
                "view",
                """
                CREATE VIEW small AS SELECT ts, k AS name, id, world FROM events WHERE v < 7;
                CREATE VIEW small_counts AS SELECT HINT world, name, window_end, COUNT(*) AS n, SUM(id) AS ids
                FROM TABLE(TUMBLE(TABLE small, DESCRIPTOR(ts), INTERVAL '5' MINUTE))
                GROUP BY world, name, window_start, window_end;
                SELECT * FROM small_counts\
                """)
            .in(5, 5, 0),
        Query.of(
                "subquery",
                """
                SELECT HINT world, window_start, COUNT(*), SUM(id)
                FROM TABLE(HOP(
                  (SELECT id, world, ts AS rowtime FROM events WHERE v <> 4 AND k = 'a'),
                  DESCRIPTOR(rowtime), INTERVAL '3' MINUTE, INTERVAL '6' MINUTE))
                GROUP BY world, window_start, window_end\
                """)
            .in(3, 6, 0),
        Query.of(
                "common_table",
                """
                WITH higher AS (SELECT id, world, ts, v + 1 AS w FROM events WHERE v > 2)
                SELECT HINT world, window_start, SUM(w), COUNT(*), SUM(id)
                FROM TABLE(TUMBLE(TABLE higher, DESCRIPTOR(ts), INTERVAL '7' MINUTE))
                GROUP BY world, window_start, window_end\
                """)
            .in(7, 7, 0),
        // What a window gives out in time is in time for the next.
        Query.of(
                "window_of_window",
                """
                WITH counted AS (
                  SELECT HINT world, MAX(id) AS id, COUNT(*) AS n, window_time AS wt
                  FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '2' MINUTE))
                  GROUP BY world, window_start, window_end, window_time)
                SELECT HINT world, window_start, SUM(n), SUM(id)
                FROM TABLE(TUMBLE(TABLE counted, DESCRIPTOR(wt), INTERVAL '10' MINUTE))
                GROUP BY world, window_start, window_end\
                """)
            .in(2, 2, 0)
            .ofTwoWindows());
  }

  private static List<Query> workByWindow() {
    return List.of(
        Query.of(
                "session",
                """
                SELECT HINT world, k, window_start, window_end, MIN(v), COUNT(*), SUM(id)
                FROM TABLE(SESSION(TABLE events PARTITION BY (world, k), DESCRIPTOR(ts), INTERVAL '3' MINUTE))
                GROUP BY world, k, window_start, window_end\
                """)
            .in(0, 3, 0)
            .balanced(),
        // Of one reader, or which row comes first and opens a session would be left to chance.
        Query.of(
                "session_of_all",
                """
                SELECT HINT window_start, window_end, COUNT(*), SUM(id), SUM(id * id)
                FROM TABLE(SESSION(
                  DATA => (SELECT * FROM events WHERE source = 1 AND MOD(world, 50) < 25),
                  TIMECOL => DESCRIPTOR(ts), GAP => INTERVAL '3' MINUTE))
                GROUP BY window_start, window_end\
                """)
            .in(0, 3, 0),
        Query.of(
                "top",
                """
                SELECT world, id, n FROM (
                  SELECT HINT *, ROW_NUMBER() OVER (
                    PARTITION BY world, window_start, window_end ORDER BY v DESC, id) AS n
                  FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' MINUTE)))
                WHERE n <= 2\
                """)
            .in(5, 5, 0),
        Query.of(
                "top_of_aggregate",
                """
                SELECT * FROM (
                  SELECT *, ROW_NUMBER() OVER (PARTITION BY world, window_start, window_end ORDER BY n DESC, ids, k) AS rn
                  FROM (
                    SELECT HINT world, k, window_start, window_end, COUNT(*) AS n, SUM(id) AS ids
                    FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '6' MINUTE))
                    GROUP BY world, k, window_start, window_end))
                WHERE rn = 1\
                """)
            .in(6, 6, 0),
        Query.of(
                "deduplication",
                """
                SELECT world, k, ts FROM (
                  SELECT HINT *, ROW_NUMBER() OVER (
                    PARTITION BY world, k, window_start, window_end ORDER BY ts DESC) AS n
                  FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' MINUTE)))
                WHERE n = 1\
                """)
            .in(5, 5, 0),
        Query.of(
                "join",
                """
                SELECT HINT l.world, l.window_start, l.id, r.id
                FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '8' MINUTE)) AS l
                JOIN TABLE(TUMBLE(TABLE others, DESCRIPTOR(ts), INTERVAL '8' MINUTE)) AS r
                  ON l.window_start = r.window_start AND l.window_end = r.window_end AND l.world = r.world
                WHERE l.v > 3 AND r.k = 'b'\
                """)
            .in(8, 8, 0)
            .ofTwoWindows(),
        Query.of(
                "outer_join",
                """
                SELECT HINT l.world, l.id, r.world, r.id
                FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' MINUTE)) AS l
                FULL JOIN TABLE(TUMBLE(TABLE others, DESCRIPTOR(ts), INTERVAL '5' MINUTE)) AS r
                  ON l.window_start = r.window_start AND l.window_end = r.window_end
                    AND l.world = r.world AND l.k = r.k\
                """)
            .in(5, 5, 0)
            .ofTwoWindows(),
        Query.of(
                "shared_sink",
                """
                SELECT HINT world, window_start, COUNT(*), SUM(id)
                FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '5' MINUTE))
                GROUP BY world, window_start, window_end
                UNION ALL
                SELECT HINT world, window_start, COUNT(*), SUM(id)
                FROM TABLE(CUMULATE(TABLE others, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE))
                GROUP BY world, window_start, window_end\
                """)
            .in(5, 5, 0)
            .ofTwoWindows());
  }

  private static List<Query> overAndGroups() {
    return List.of(
        Query.of(
                "over_rows",
                """
                SELECT HINT world, k, ts, SUM(id) OVER (
                    PARTITION BY world, k ORDER BY ts ROWS BETWEEN 2 PRECEDING AND CURRENT ROW), 1, id
                FROM events\
                """)
            .balanced(),
        Query.of(
                "over_range",
                """
                SELECT HINT world, k, SUM(id) OVER w, COUNT(*) OVER w, MAX(v) OVER w, 1, id
                FROM events
                WINDOW w AS (PARTITION BY world, k ORDER BY ts RANGE BETWEEN INTERVAL '6' MINUTE PRECEDING AND CURRENT ROW)\
                """)
            .balanced(),
        // When a row without successors is forgotten hangs on the order in which rows come.
        Query.of(
            "over_range_without_keys",
            """
                SELECT HINT ts, SUM(id) OVER (
                    ORDER BY ts RANGE BETWEEN INTERVAL '2' MINUTE PRECEDING AND CURRENT ROW), 1, id
                FROM (SELECT * FROM events WHERE source = 1)\
                """),
        Query.of(
                "over_unbounded_range",
                """
                SELECT HINT world, SUM(id) OVER (PARTITION BY world ORDER BY ts), 1, id
                FROM events\
                """)
            .balanced(),
        Query.of(
                "over_unbounded_rows",
                """
                SELECT HINT world, k, SUM(id) OVER w, MIN(v) OVER w, 1, id
                FROM events
                WINDOW w AS (PARTITION BY world, k ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)\
                """)
            .balanced(),
        Query.of(
            "over_where",
            """
            SELECT HINT world, id, SUM(id) OVER (
                PARTITION BY world, k ORDER BY ts RANGE BETWEEN INTERVAL '4' MINUTE PRECEDING AND CURRENT ROW)
            FROM events
            WHERE v > 3 AND k IS NOT NULL\
            """),
        Query.of(
                "group_tumble",
                """
                SELECT HINT world, k, TUMBLE_START(ts, INTERVAL '5' MINUTE), COUNT(*), SUM(id)
                FROM events
                GROUP BY world, k, TUMBLE(ts, INTERVAL '5' MINUTE)\
                """)
            .in(5, 5, 0)
            .balanced(),
        Query.of(
                "group_hop",
                """
                SELECT HINT world, HOP_END(ts, INTERVAL '4' MINUTE, INTERVAL '10' MINUTE), COUNT(*), SUM(id), SUM(id * id)
                FROM events
                WHERE v < 8
                GROUP BY HOP(ts, INTERVAL '4' MINUTE, INTERVAL '10' MINUTE), world\
                """)
            .in(4, 10, 0),
        // Stock Flink drops what is in no window, but counts of that only what is late too.
        Query.of(
                "group_hop_with_gaps",
                """
                SELECT HINT world, HOP_START(ts, INTERVAL '10' MINUTE, INTERVAL '4' MINUTE), COUNT(*), SUM(id)
                FROM events
                GROUP BY HOP(ts, INTERVAL '10' MINUTE, INTERVAL '4' MINUTE), world\
                """)
            .in(10, 4, 0)
            .balanced()
            .weighing(0),
        Query.of(
                "group_session",
                """
                SELECT HINT world, k, SESSION_START(ts, INTERVAL '3' MINUTE), COUNT(*), SUM(id)
                FROM events
                GROUP BY world, k, SESSION(ts, INTERVAL '3' MINUTE)\
                """)
            .in(0, 3, 0)
            .balanced());
  }

  private static List<Query> timeZone() {
    return List.of(
        Query.of(
                "zoned_tumble",
                """
                SELECT HINT world, window_start, window_end, COUNT(*), SUM(id)
                FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '1' HOUR))
                GROUP BY world, window_start, window_end\
                """)
            .in(60, 60, 0)
            .balanced(),
        Query.of(
                "zoned_short_tumble",
                """
                SELECT HINT world, window_start, window_end, COUNT(*), SUM(id)
                FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '10' MINUTE))
                GROUP BY world, window_start, window_end\
                """)
            .in(10, 10, 0)
            .balanced(),
        Query.of(
                "zoned_hop",
                """
                SELECT HINT world, window_start, window_end, COUNT(*), SUM(id), SUM(id * id)
                FROM TABLE(HOP(TABLE events, DESCRIPTOR(ts), INTERVAL '30' MINUTE, INTERVAL '90' MINUTE))
                GROUP BY world, window_start, window_end\
                """)
            .in(30, 90, 0),
        Query.of(
                "zoned_cumulate",
                """
                SELECT HINT world, window_start, window_end, COUNT(*), SUM(id), SUM(id * id)
                FROM TABLE(CUMULATE(TABLE events, DESCRIPTOR(ts), INTERVAL '20' MINUTE, INTERVAL '2' HOUR))
                GROUP BY world, window_start, window_end\
                """)
            .in(120, 120, 0),
        Query.of(
                "zoned_session",
                """
                SELECT HINT world, k, window_start, window_end, COUNT(*), SUM(id)
                FROM TABLE(SESSION(TABLE events PARTITION BY (world, k), DESCRIPTOR(ts), INTERVAL '3' MINUTE))
                GROUP BY world, k, window_start, window_end\
                """)
            .in(0, 3, 0)
            .balanced(),
        // Windows that end in the hour which clocks leave out end together with others, and stock
        // Flink
        // gives out now this count for them and now that.
        Query.of(
                "zoned_group_hop",
                """
                SELECT HINT world, HOP_START(ts, INTERVAL '20' MINUTE, INTERVAL '1' HOUR), COUNT(*), SUM(id), SUM(id * id)
                FROM events
                GROUP BY world, HOP(ts, INTERVAL '20' MINUTE, INTERVAL '1' HOUR)
                HAVING EXTRACT(HOUR FROM HOP_END(ts, INTERVAL '20' MINUTE, INTERVAL '1' HOUR)) <> 2\
                """)
            .in(20, 60, 0),
        Query.of(
                "zoned_group_session",
                """
                SELECT HINT world, k, SESSION_END(ts, INTERVAL '3' MINUTE), COUNT(*), SUM(id)
                FROM events
                GROUP BY world, k, SESSION(ts, INTERVAL '3' MINUTE)\
                """)
            .in(0, 3, 0)
            .balanced(),
        Query.of(
                "zoned_over",
                """
                SELECT HINT world, SUM(id) OVER (
                    PARTITION BY world, k ORDER BY ts RANGE BETWEEN INTERVAL '5' MINUTE PRECEDING AND CURRENT ROW), 1, id
                FROM events\
                """)
            .balanced());
  }

  private static List<Query> lateFire() {
    return List.of(
        Query.of(
                "late_fire_tumble",
                """
                SELECT HINT world, k, TUMBLE_END(ts, INTERVAL '5' MINUTE), COUNT(*), SUM(id)
                FROM events
                GROUP BY world, k, TUMBLE(ts, INTERVAL '5' MINUTE)\
                """)
            .in(5, 5, 0)
            .balanced(),
        Query.of(
                "late_fire_hop",
                """
                SELECT HINT world, HOP_END(ts, INTERVAL '4' MINUTE, INTERVAL '10' MINUTE), COUNT(*), SUM(id), SUM(id * id)
                FROM events
                GROUP BY world, HOP(ts, INTERVAL '4' MINUTE, INTERVAL '10' MINUTE)\
                """)
            .in(4, 10, 0));
  }
}
