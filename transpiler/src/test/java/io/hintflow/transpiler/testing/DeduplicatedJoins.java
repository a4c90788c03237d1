package io.hintflow.transpiler.testing;

import io.hintflow.transpiler.testing.RandomChangelogs.Mode;
import io.hintflow.transpiler.testing.RandomChangelogs.Table;
import io.hintflow.transpiler.testing.RandomJoins.Join;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Joins with duplicate.left and duplicate.right. Stock SQL reads a side with such an option as
 * SELECT DISTINCT of the columns that the join uses, or as it is where these hold its key.
 */
public final class DeduplicatedJoins {
  private DeduplicatedJoins() {}

  /** Which inputs have the option, and where it stands. */
  private enum Hinted {
    RIGHT(false, true, "", "OPTIONS('duplicate.right'='true')"),
    LEFT(true, false, "OPTIONS('duplicate.left'='true')", ""),
    BOTH(true, true, "", "OPTIONS('duplicate.left'='true', 'duplicate.right'='true')"),
    CROSSWISE(true, true, "OPTIONS('duplicate.right'='true')", "OPTIONS('duplicate.left'='true')");

    private final boolean left;
    private final boolean right;
    private final String onLeft;
    private final String onRight;

    Hinted(boolean left, boolean right, String onLeft, String onRight) {
      this.left = left;
      this.right = right;
      this.onLeft = onLeft;
      this.onRight = onRight;
    }
  }

  private static final List<String> JOINS =
      List.of("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", ",");

  /** Of the big side and of the small side: without the key, so that rows repeat, and with it. */
  private static final List<String> BIG_COLUMNS = List.of("world, k, code", "world, id, k, amount");

  private static final List<String> SMALL_COLUMNS = List.of("world, k, name", "world, id, k, cap");

  /** All joins, the same in each run. */
  public static List<Join> all() {
    List<Join> joins = new ArrayList<>();
    for (Mode big : Mode.values()) {
      for (Mode small : Mode.values()) {
        joins.add(combination(big, small));
      }
    }
    joins.addAll(others());
    return List.copyOf(joins);
  }

  /** Each mode of one side with each of the other, so that each form meets each mode. */
  private static Join combination(Mode big, Mode small) {
    int number = 4 * big.ordinal() + small.ordinal();
    Hinted hinted = Hinted.values()[(big.ordinal() + small.ordinal()) % 4];
    String join = JOINS.get(number % JOINS.size());
    boolean withKey = number % 3 == 0;
    String bigColumns = BIG_COLUMNS.get(withKey ? 1 : 0);
    String smallColumns = SMALL_COLUMNS.get(withKey ? 1 : 0);
    Table bigTable = new Table(true, big);
    Table smallTable = new Table(false, small);
    String template =
        "SELECT COALESCE(l.world, s.world), %s, %s FROM %%s AS l %s %%s AS s %s l.world = s.world AND l.k = s.k"
            .formatted(
                qualified("l", bigColumns),
                qualified("s", smallColumns),
                join,
                join.equals(",") ? "WHERE" : "ON");
    return new Join(
        "combination_" + number,
        template.formatted(
            withOptions(bigTable, hinted.onLeft), withOptions(smallTable, hinted.onRight)),
        template.formatted(
            hinted.left ? distinct(bigTable, bigColumns, withKey) : bigTable.name(),
            hinted.right ? distinct(smallTable, smallColumns, withKey) : smallTable.name()));
  }

  private static String qualified(String table, String columns) {
    return Stream.of(columns.split(", "))
        .map(column -> table + "." + column)
        .reduce((one, other) -> one + ", " + other)
        .orElseThrow();
  }

  private static String withOptions(Table table, String options) {
    return options.isEmpty() ? table.name() : table.name() + " /*+ " + options + " */";
  }

  private static String distinct(Table table, String columns, boolean withKey) {
    return withKey && table.mode().isKeyed()
        ? table.name()
        : "(SELECT DISTINCT %s FROM %s)".formatted(columns, table.name());
  }

  private static List<Join> others() {
    return List.of(
        new Join(
            "three_way",
            """
            SELECT a.world, a.k, a.name, b.code, c.cap
            FROM small_upsert a
              LEFT JOIN big_retract b ON a.world = b.world AND a.k = b.k
              JOIN small_keyed /*+ OPTIONS('duplicate.left'='true', 'duplicate.right'='true') */ c
                ON c.world = a.world AND c.code = b.code\
            """,
            """
            SELECT a.world, a.k, a.name, b.code, c.cap
            FROM (SELECT DISTINCT world, k, name FROM small_upsert) a
              LEFT JOIN (SELECT DISTINCT world, k, code FROM big_retract) b
                ON a.world = b.world AND a.k = b.k
              JOIN (SELECT DISTINCT world, code, cap FROM small_keyed) c
                ON c.world = a.world AND c.code = b.code\
            """),
        new Join(
            "first_of_three",
            """
            SELECT a.world, a.k, b.amount, c.cap
            FROM small_retract /*+ OPTIONS('duplicate.left'='true') */ a
              JOIN big_keyed b ON a.world = b.world AND a.k = b.k
              LEFT JOIN small_keyed c ON c.world = b.world AND c.code = b.code\
            """,
            """
            SELECT a.world, a.k, b.amount, c.cap
            FROM (SELECT DISTINCT world, k FROM small_retract) a
              JOIN big_keyed b ON a.world = b.world AND a.k = b.k
              LEFT JOIN small_keyed c ON c.world = b.world AND c.code = b.code\
            """),
        new Join(
            "with_broadcast",
            """
            SELECT /*+ BROADCAST(s) */ l.world, l.k, l.code, s.name
            FROM big_keyed l
              LEFT JOIN /*+ OPTIONS('duplicate.left'='true', 'duplicate.right'='true') */ small_upsert s
              ON l.world = s.world AND l.k = s.k\
            """,
            """
            SELECT l.world, l.k, l.code, s.name
            FROM (SELECT DISTINCT world, k, code FROM big_keyed) l
              LEFT JOIN (SELECT DISTINCT world, k, name FROM small_upsert) s
              ON l.world = s.world AND l.k = s.k\
            """),
        new Join(
            "with_broadcast_by_key",
            """
            SELECT /*+ BROADCAST(s), HASH_BY_KEY('l'='world, id') */ l.world, l.id, l.k, s.cap
            FROM big_upsert /*+ OPTIONS('duplicate.left'='true') */ l
              JOIN small_insert /*+ OPTIONS('duplicate.right'='true') */ s
              ON l.world = s.world AND l.k = s.k\
            """,
            """
            SELECT l.world, l.id, l.k, s.cap
            FROM big_upsert l JOIN (SELECT DISTINCT world, k, cap FROM small_insert) s
              ON l.world = s.world AND l.k = s.k\
            """),
        new Join(
            "self_join",
            """
            SELECT l.world, l.k, l.code, s.code
            FROM big_retract l JOIN big_retract /*+ OPTIONS('duplicate.right'='true') */ s
              ON l.world = s.world AND l.k = s.k AND l.code <> s.code\
            """,
            """
            SELECT l.world, l.k, l.code, s.code
            FROM big_retract l JOIN (SELECT DISTINCT world, k, code FROM big_retract) s
              ON l.world = s.world AND l.k = s.k AND l.code <> s.code\
            """),
        new Join(
            "aggregates",
            """
            SELECT l.world, s.name, COUNT(*) AS pairs, SUM(l.total) AS total
            FROM (SELECT world, k, SUM(amount) AS total FROM big_keyed GROUP BY world, k) l
              LEFT JOIN small_retract /*+ OPTIONS('duplicate.left'='true', 'duplicate.right'='true') */ s
              ON l.world = s.world AND l.k = s.k
            GROUP BY l.world, s.name\
            """,
            """
            SELECT l.world, s.name, COUNT(*) AS pairs, SUM(l.total) AS total
            FROM (SELECT world, k, SUM(amount) AS total FROM big_keyed GROUP BY world, k) l
              LEFT JOIN (SELECT DISTINCT world, k, name FROM small_retract) s
              ON l.world = s.world AND l.k = s.k
            GROUP BY l.world, s.name\
            """),
        new Join(
            "using_columns",
            """
            SELECT world, code, amount, cap
            FROM big_insert FULL JOIN small_keyed /*+ OPTIONS('duplicate.left'='true', 'duplicate.right'='true') */
              USING (world, code)\
            """,
            """
            SELECT world, code, amount, cap
            FROM (SELECT DISTINCT world, code, amount FROM big_insert) l
              FULL JOIN (SELECT DISTINCT world, code, cap FROM small_keyed) s USING (world, code)\
            """));
  }
}
