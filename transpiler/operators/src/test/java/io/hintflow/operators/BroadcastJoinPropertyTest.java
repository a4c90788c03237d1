package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;

/**
 * The join against a model that keeps all rows in two lists and joins them anew after each change.
 */
class BroadcastJoinPropertyTest {
  /** What happens next; retractions take back one of the rows that are there. */
  private enum Step {
    ADD_BIG,
    REMOVE_BIG,
    ADD_SMALL,
    REMOVE_SMALL,
    RESCALE
  }

  /**
   * @param key of the added row; two of them have one hash
   * @param number of the added row; else which row to take back, or how many tasks to go on with
   * @param update whether the kind of the change is that of an update
   */
  private record Action(Step step, String key, Integer number, boolean update) {}

  /** Whether rows are equal in their keys, compared by their numbers, or both. */
  private enum On {
    KEY,
    KEY_AND_NUMBER,
    NUMBER
  }

  @Provide
  Arbitrary<Action> actions() {
    return Combinators.combine(
            Arbitraries.frequency(
                Tuple.of(6, Step.ADD_BIG),
                Tuple.of(3, Step.REMOVE_BIG),
                Tuple.of(4, Step.ADD_SMALL),
                Tuple.of(3, Step.REMOVE_SMALL),
                Tuple.of(1, Step.RESCALE)),
            Arbitraries.of("Aa", "BB", "C").injectNull(0.1),
            Arbitraries.integers().between(0, 3).injectNull(0.1),
            Arbitraries.of(true, false))
        .as(Action::new);
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  void theResultIsThatOfTheModel(
      @ForAll @Size(max = 60) List<@From("actions") Action> actions,
      @ForAll boolean outer,
      @ForAll boolean insertOnlyBig,
      @ForAll On on)
      throws Exception {
    check(actions, outer, insertOnlyBig, on, "hashmap");
  }

  @Property(tries = 2, edgeCases = EdgeCasesMode.NONE)
  void theResultIsThatOfTheModelWithRocksDb(
      @ForAll @Size(min = 30, max = 60) List<@From("actions") Action> actions,
      @ForAll boolean outer,
      @ForAll boolean insertOnlyBig,
      @ForAll On on)
      throws Exception {
    check(actions, outer, insertOnlyBig, on, "rocksdb");
  }

  private static void check(
      List<Action> actions, boolean outer, boolean insertOnlyBig, On on, String backend)
      throws Exception {
    List<Row> bigRows = new ArrayList<>();
    List<Row> smallRows = new ArrayList<>();
    Map<Row, Integer> result = new HashMap<>();
    // Rows that are never taken back may go anywhere.
    int[] turn = {0};
    KeySelector<Row, Long> distribution =
        insertOnlyBig ? row -> (long) turn[0]++ : row -> (long) RowHash.hash(row.getField(1));
    try (JoinTasks tasks =
        new JoinTasks(
            List.of(
                new JoinTasks.Join(
                    () -> operator(outer, insertOnlyBig, on), Types.ROW(BIG, SMALL))),
            distribution,
            backend,
            2)) {
      for (Action action : actions) {
        switch (action.step) {
          case ADD_BIG -> {
            Row row = Row.of(action.key, action.number);
            bigRows.add(row);
            apply(tasks.big(changed(row, true, action.update && !insertOnlyBig)), result);
          }
          case REMOVE_BIG -> {
            if (!insertOnlyBig && !bigRows.isEmpty()) {
              Row row = takeOne(bigRows, action.number);
              apply(tasks.big(changed(row, false, action.update)), result);
            }
          }
          case ADD_SMALL -> {
            Row row = Row.of(action.number, action.key);
            smallRows.add(row);
            apply(tasks.small(changed(row, true, action.update)), result);
          }
          case REMOVE_SMALL -> {
            if (!smallRows.isEmpty()) {
              Row row = takeOne(smallRows, action.number);
              apply(tasks.small(changed(row, false, action.update)), result);
            }
          }
          case RESCALE -> tasks.rescale(action.number == null ? 1 : action.number + 1);
        }
        assertThat(result).as("after %s", action).isEqualTo(model(bigRows, smallRows, outer, on));
      }
    }
  }

  /**
   * Rows of the first join are taken back when a small row goes, perhaps by another task than the
   * one that let them out: then the second join has to have moved there with the first.
   */
  @Property(tries = 50, edgeCases = EdgeCasesMode.NONE)
  void twoJoinsInARowStayTogether(
      @ForAll @Size(max = 60) List<@From("actions") Action> actions,
      @ForAll boolean firstOuter,
      @ForAll boolean secondOuter)
      throws Exception {
    List<Row> bigRows = new ArrayList<>();
    List<Row> smallRows = new ArrayList<>();
    List<Row> furtherRows = new ArrayList<>();
    Map<Row, Integer> result = new HashMap<>();
    int[] turn = {0};
    try (JoinTasks tasks =
        new JoinTasks(
            List.of(
                new JoinTasks.Join(() -> first(firstOuter), Types.ROW(BIG, SMALL, Types.INT)),
                new JoinTasks.Join(() -> second(secondOuter), Types.ROW(BIG, SMALL, SMALL))),
            row -> (long) turn[0]++,
            "hashmap",
            2)) {
      for (Action action : actions) {
        switch (action.step) {
          case ADD_BIG -> {
            Row row = Row.of(action.key, action.number);
            bigRows.add(row);
            apply(tasks.big(row), result);
          }
          case ADD_SMALL -> {
            Row row = Row.of(action.number, action.key);
            List<Row> rows = action.update ? furtherRows : smallRows;
            rows.add(row);
            apply(tasks.small(action.update ? 1 : 0, row), result);
          }
          case REMOVE_SMALL, REMOVE_BIG -> {
            List<Row> rows = action.update ? furtherRows : smallRows;
            if (!rows.isEmpty()) {
              Row row = takeOne(rows, action.number);
              apply(tasks.small(action.update ? 1 : 0, changed(row, false, false)), result);
            }
          }
          case RESCALE -> tasks.rescale(action.number == null ? 1 : action.number + 1);
        }
        assertThat(result)
            .as("after %s", action)
            .isEqualTo(model(bigRows, smallRows, furtherRows, firstOuter, secondOuter));
      }
    }
  }

  private static Map<Row, Integer> model(
      List<Row> bigRows,
      List<Row> smallRows,
      List<Row> furtherRows,
      boolean firstOuter,
      boolean secondOuter) {
    Map<Row, Integer> result = new HashMap<>();
    model(bigRows, smallRows, firstOuter, On.KEY)
        .forEach(
            (pair, count) -> {
              Row small = pair.getFieldAs(1);
              List<Row> partners =
                  furtherRows.stream()
                      .filter(
                          further ->
                              small != null
                                  && small.getField(0) != null
                                  && small.getField(0).equals(further.getField(0)))
                      .toList();
              partners.forEach(
                  further ->
                      result.merge(Row.of(pair.getField(0), small, further), count, Integer::sum));
              if (secondOuter && partners.isEmpty()) {
                result.merge(Row.of(pair.getField(0), small, null), count, Integer::sum);
              }
            });
    return result;
  }

  private static Row takeOne(List<Row> rows, Integer number) {
    return rows.remove(number == null ? 0 : number * 7 % rows.size());
  }

  private static Row changed(Row row, boolean added, boolean update) {
    Row changed = Row.copy(row);
    if (update) {
      changed.setKind(added ? RowKind.UPDATE_AFTER : RowKind.UPDATE_BEFORE);
    } else {
      changed.setKind(added ? RowKind.INSERT : RowKind.DELETE);
    }
    return changed;
  }

  private static void apply(List<Row> changes, Map<Row, Integer> result) {
    for (Row change : changes) {
      boolean added =
          change.getKind() == RowKind.INSERT || change.getKind() == RowKind.UPDATE_AFTER;
      Row row = Row.copy(change);
      row.setKind(RowKind.INSERT);
      assertThat(added || result.containsKey(row))
          .as("%s takes back what is there", change)
          .isTrue();
      result.merge(row, added ? 1 : -1, Integer::sum);
      result.remove(row, 0);
    }
  }

  private static Map<Row, Integer> model(
      List<Row> bigRows, List<Row> smallRows, boolean outer, On on) {
    BiPredicate<Row, Row> sameKey =
        (big, small) -> big.getField(0) != null && big.getField(0).equals(small.getField(1));
    BiPredicate<Row, Row> lessNumber =
        (big, small) ->
            big.getField(1) != null
                && small.getField(0) != null
                && big.<Integer>getFieldAs(1) < small.<Integer>getFieldAs(0);
    BiPredicate<Row, Row> matches =
        switch (on) {
          case KEY -> sameKey;
          case KEY_AND_NUMBER -> sameKey.and(lessNumber);
          case NUMBER -> lessNumber;
        };
    Map<Row, Integer> result = new HashMap<>();
    for (Row big : bigRows) {
      List<Row> partners = smallRows.stream().filter(small -> matches.test(big, small)).toList();
      partners.forEach(small -> result.merge(Row.of(big, small), 1, Integer::sum));
      if (outer && partners.isEmpty()) {
        result.merge(Row.of(big, null), 1, Integer::sum);
      }
    }
    return result;
  }

  private static final TypeInformation<Row> BIG = Types.ROW(Types.STRING, Types.INT);
  private static final TypeInformation<Row> SMALL = Types.ROW(Types.INT, Types.STRING);
  private static final JoinColumn BIG_KEY =
      new JoinColumn("b.key", true, JoinColumn.ONLY_TABLE, 0, new VarCharType(9));
  private static final JoinColumn BIG_NUMBER =
      new JoinColumn("b.number", true, JoinColumn.ONLY_TABLE, 1, new IntType());
  private static final JoinColumn SMALL_NUMBER =
      new JoinColumn("s.number", false, JoinColumn.ONLY_TABLE, 0, new IntType());
  private static final JoinColumn SMALL_KEY =
      new JoinColumn("s.key", false, JoinColumn.ONLY_TABLE, 1, new VarCharType(9));

  private static BroadcastJoinOperator operator(boolean outer, boolean insertOnlyBig, On on) {
    boolean keyed = on != On.NUMBER;
    return new BroadcastJoinOperator(
        side(BIG, keyed ? List.of(BIG_KEY) : List.of()),
        side(SMALL, keyed ? List.of(SMALL_KEY) : List.of()),
        on == On.KEY
            ? (big, small) -> true
            : JoinCondition.lessThan("b.number", "s.number")
                .resolve(name -> name.equals("b.number") ? BIG_NUMBER : SMALL_NUMBER),
        insertOnlyBig
            ? BroadcastJoinOperator.GroupChoice.own()
            : BroadcastJoinOperator.GroupChoice.of(row -> (long) RowHash.hash(row.getField(1))),
        new BroadcastJoinOperator.Result(outer, 0, List.of(), false));
  }

  /** Joins big rows, which are never taken back, with small rows by their keys. */
  private static BroadcastJoinOperator first(boolean outer) {
    return new BroadcastJoinOperator(
        side(BIG, List.of(BIG_KEY)),
        side(SMALL, List.of(SMALL_KEY)),
        (big, small) -> true,
        BroadcastJoinOperator.GroupChoice.own(),
        new BroadcastJoinOperator.Result(outer, 0, List.of(), true));
  }

  /** Joins the pairs of the first join with further small rows, by the numbers of both. */
  private static BroadcastJoinOperator second(boolean outer) {
    JoinColumn number = new JoinColumn("s.number", true, 1, 0, new IntType());
    return new BroadcastJoinOperator(
        side(Types.ROW(BIG, SMALL, Types.INT), List.of(number)),
        side(SMALL, List.of(SMALL_NUMBER)),
        (big, small) -> true,
        BroadcastJoinOperator.GroupChoice.inField(2),
        new BroadcastJoinOperator.Result(outer, 2, List.of(), false));
  }

  private static BroadcastJoinOperator.Side side(TypeInformation<Row> type, List<JoinColumn> key) {
    return new BroadcastJoinOperator.Side(type, new JoinKey(key), Duration.ZERO);
  }
}
