package io.hintflow.transpiler.testing;

import io.hintflow.transpiler.testing.RandomChangelogs.Mode;
import io.hintflow.transpiler.testing.RandomChangelogs.Table;
import io.hintflow.transpiler.testing.RandomJoins.Join;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Joins with BROADCAST and HASH_BY_KEY. */
public final class BroadcastJoins {
  private BroadcastJoins() {}

  /** The join type, and how the condition is written. */
  private enum Form {
    INNER,
    LEFT,
    RIGHT,
    COMMA;

    private static final String COLUMNS =
        "l.world, l.id, l.k, l.code, l.amount, l.note, s.world, s.id, s.k, s.code, s.cap, s.name";

    String query(String hints, String big, String small, String condition) {
      return switch (this) {
        case INNER ->
            "SELECT /*+ %s */ %s FROM %s AS l JOIN %s AS s ON %s"
                .formatted(hints, COLUMNS, big, small, condition);
        case LEFT ->
            "SELECT /*+ %s */ %s FROM %s AS l LEFT JOIN %s AS s ON %s"
                .formatted(hints, COLUMNS, big, small, condition);
        case RIGHT ->
            "SELECT /*+ %s */ %s FROM %s AS s RIGHT JOIN %s AS l ON %s"
                .formatted(hints, COLUMNS, small, big, condition);
        case COMMA ->
            "SELECT /*+ %s */ %s FROM %s l, %s s WHERE %s"
                .formatted(hints, COLUMNS, big, small, condition);
      };
    }
  }

  private static final List<String> HASHES =
      List.of(
          "",
          ", HASH_BY_KEY('l'='world, id')",
          "",
          ", HASH_BY_KEY('l'='k')",
          ", HASH_BY_KEY('l'='note, code')");

  private static final List<String> CONDITIONS =
      List.of(
          "l.world = s.world AND l.k = s.k",
          "l.world = s.world AND l.k = s.k AND l.amount < s.cap",
          "l.world = s.world AND l.k = s.id",
          "s.world = l.world AND l.code = s.code AND (l.amount >= s.cap OR l.note = s.name)",
          "l.world = s.world AND l.k + 1 = s.k AND l.amount <> 3 AND s.cap > 1",
          "l.world = s.world AND l.code = s.code AND l.k = s.k",
          "l.world = s.world AND l.k IS NOT DISTINCT FROM s.id",
          "l.world = s.world AND CAST(l.k AS DECIMAL(5, 1)) = CAST(s.k AS DECIMAL(10, 2))",
          "l.world = s.world AND CAST(l.code AS CHAR(1)) = s.code AND l.id <= s.id");

  /** All joins, the same in each run. */
  public static List<Join> all() {
    List<Join> joins = new ArrayList<>();
    for (int round = 0; round < 2; round++) {
      for (Mode big : Mode.values()) {
        for (Mode small : Mode.values()) {
          joins.add(combination(round, big, small));
        }
      }
    }
    joins.addAll(others());
    return List.copyOf(joins);
  }

  /**
   * Each mode of the big side with each of the small side, with forms, hashes and conditions so
   * that each form, and each hash, meets each mode of the big side.
   */
  private static Join combination(int round, Mode big, Mode small) {
    int number = 16 * round + 4 * big.ordinal() + small.ordinal();
    Form form = Form.values()[(big.ordinal() + small.ordinal() + 2 * round) % 4];
    String hash = HASHES.get(number % HASHES.size());
    String condition = CONDITIONS.get(number % CONDITIONS.size());
    Table bigTable = new Table(true, big);
    Table smallTable = new Table(false, small);
    return Join.ofHints(
        "combination_" + number,
        form.query("BROADCAST(s)" + hash, bigTable.name(), smallTable.name(), condition));
  }

  private static List<Join> others() {
    return Stream.of(
            Join.ofHints(
                "using_columns",
                """
                SELECT /*+ BROADCAST(s) */ world, code, l.id, l.k, s.id, s.k, s.cap
                FROM big_retract l JOIN small_keyed s USING (world, code)\
                """),
            Join.ofHints(
                "using_columns_left",
                """
                SELECT /*+ BROADCAST(small_upsert) */ world, code, amount, cap
                FROM big_keyed LEFT JOIN small_upsert USING (world, code)\
                """),
            Join.ofHints(
                "all_columns",
                """
                SELECT /*+ BROADCAST(s), HASH_BY_KEY('big_upsert' = 'world, id') */ *
                FROM big_upsert JOIN small_retract s
                  ON big_upsert.world = s.world AND big_upsert.k = s.k\
                """),
            Join.ofHints(
                "no_equality",
                """
                SELECT /*+ BROADCAST(s) */ l.world, l.id, l.k, l.amount, s.id, s.k, s.cap
                FROM big_retract l, small_upsert s
                WHERE l.world <= s.world AND l.world >= s.world AND l.amount <= s.cap
                  AND l.world <= FEW_WORLDS AND s.world <= FEW_WORLDS\
                """),
            Join.ofHints(
                "no_equality_left",
                """
                SELECT /*+ BROADCAST(s) */ l.world, l.id, l.k, l.amount, s.id, s.k, s.cap
                FROM (SELECT * FROM big_keyed WHERE world <= FEW_WORLDS) l LEFT JOIN small_retract s
                  ON l.world <= s.world AND l.world >= s.world AND l.k > s.k AND s.world <= FEW_WORLDS\
                """),
            Join.ofHints(
                "no_equality_right",
                """
                SELECT /*+ BROADCAST(s) */ l.world, l.id, l.k, l.amount, s.id, s.k, s.cap
                FROM small_insert s RIGHT JOIN (SELECT * FROM big_insert WHERE world <= FEW_WORLDS) l
                  ON l.world <= s.world AND l.world >= s.world AND l.note <> s.name
                    AND s.world <= FEW_WORLDS\
                """),
            Join.ofHints(
                "cross_join",
                """
                SELECT world, id, amount, small_id, cap FROM (
                  SELECT /*+ BROADCAST(s) */ l.world, l.id, l.amount,
                    s.world AS small_world, s.id AS small_id, s.cap
                  FROM big_upsert l CROSS JOIN small_keyed s
                  WHERE l.world <= FEW_WORLDS AND s.world <= FEW_WORLDS)
                WHERE world = small_world\
                """),
            Join.ofHints(
                "three_way",
                """
                SELECT /*+ BROADCAST(a, c) */ b.world, b.id, b.k, b.amount, a.id, a.cap, c.id, c.name
                FROM small_keyed a
                  JOIN big_retract b ON a.world = b.world AND a.k = b.k
                  JOIN small_upsert c ON c.world = b.world AND c.code = b.code AND c.cap >= a.cap\
                """),
            Join.ofHints(
                "three_way_comma",
                """
                SELECT /*+ BROADCAST(a, c), HASH_BY_KEY('b' = 'world, id') */
                  b.world, b.id, b.k, b.amount, a.id, a.cap, c.id, c.name
                FROM small_retract a, big_keyed b, small_insert c
                WHERE a.world = b.world AND a.k = b.k AND c.world = b.world AND c.id = b.k\
                """),
            Join.ofHints(
                "three_way_left",
                """
                SELECT /*+ BROADCAST(a, c) */ b.world, b.id, b.k, b.note, a.id, a.cap, c.id, c.name
                FROM big_upsert b
                  LEFT JOIN small_retract a ON a.world = b.world AND a.k = b.k
                  LEFT JOIN small_keyed c ON c.world = b.world AND c.code = b.code\
                """),
            Join.ofHints(
                "three_way_insert_only",
                """
                SELECT /*+ BROADCAST(a, c) */ b.world, b.id, b.k, b.amount, a.id, a.cap, c.id, c.name
                FROM big_insert b
                  JOIN small_insert a ON a.world = b.world AND a.k = b.k
                  LEFT JOIN small_retract c ON c.world = a.world AND c.code = a.code\
                """),
            Join.ofHints(
                "self_join",
                """
                SELECT /*+ BROADCAST(s) */ l.world, l.id, l.amount, s.id, s.amount
                FROM big_retract l LEFT JOIN big_retract s
                  ON l.world = s.world AND l.k = s.id AND l.amount > s.amount\
                """),
            Join.ofHints(
                "plain_join_below",
                """
                SELECT /*+ BROADCAST(s) */ l.world, l.id, r.note, s.id, s.cap
                FROM big_insert l JOIN big_keyed r ON l.world = r.world AND l.k = r.id
                  LEFT JOIN small_upsert s ON s.world = r.world AND s.code = r.code\
                """),
            Join.ofHints(
                "plain_join_above",
                """
                SELECT /*+ BROADCAST(s) */ l.world, l.id, s.id, s.cap, r.note
                FROM big_insert l JOIN small_retract s ON l.world = s.world AND l.k = s.k
                  JOIN big_upsert r ON r.world = l.world AND r.id = l.id AND r.amount < s.cap\
                """),
            Join.ofHints(
                "union_of_joins",
                """
                SELECT /*+ BROADCAST(s) */ l.world, l.id, s.cap
                FROM big_retract l, small_insert s WHERE l.world = s.world AND l.code = s.code
                UNION ALL
                SELECT /*+ BROADCAST(s) */ l.world, l.amount, s.id
                FROM small_keyed s RIGHT JOIN big_retract l ON l.world = s.world AND l.k = s.k\
                """),
            Join.ofHints(
                "aggregates_as_sides",
                """
                SELECT /*+ BROADCAST(s) */ l.world, l.k, l.total, s.highest
                FROM (SELECT world, k, SUM(amount) AS total FROM big_insert GROUP BY world, k) l
                  LEFT JOIN (SELECT world, k, MAX(cap) AS highest FROM small_upsert GROUP BY world, k) s
                  ON l.world = s.world AND l.k = s.k\
                """),
            Join.ofHints(
                "aggregate_above",
                """
                SELECT /*+ BROADCAST(s) */ l.world, s.name, COUNT(*) AS pairs, SUM(l.amount) AS total
                FROM big_retract l LEFT JOIN small_insert s ON l.world = s.world AND l.k = s.k
                GROUP BY l.world, s.name HAVING COUNT(*) > 1\
                """),
            Join.ofHints(
                "common_table",
                """
                WITH recent AS (SELECT world, id, k, name, cap + 1 AS cap FROM small_keyed WHERE cap > 0)
                SELECT /*+ BROADCAST(recent), HASH_BY_KEY('l'='id') */ l.world, l.id, recent.id, name, cap
                FROM big_insert l JOIN recent ON l.world = recent.world AND l.k = recent.k
                  AND l.amount < recent.cap\
                """))
        .map(
            join ->
                Join.ofHints(
                    join.name(), join.query().replace("FEW_WORLDS", "" + RandomJoins.FEW_WORLDS)))
        .toList();
  }
}
