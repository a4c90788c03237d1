package io.hintflow.operators;

import static io.hintflow.operators.JoinCondition.distinct;
import static io.hintflow.operators.JoinCondition.equal;
import static io.hintflow.operators.JoinCondition.greaterOrEqual;
import static io.hintflow.operators.JoinCondition.greaterThan;
import static io.hintflow.operators.JoinCondition.isTrue;
import static io.hintflow.operators.JoinCondition.lessOrEqual;
import static io.hintflow.operators.JoinCondition.lessThan;
import static io.hintflow.operators.JoinCondition.notDistinct;
import static io.hintflow.operators.JoinCondition.notEqual;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.types.DataType;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class JoinConditionTest {
  static Stream<Arguments> smallerAndLarger() {
    return Stream.of(
        Arguments.of(DataTypes.INT(), -1, 2),
        Arguments.of(DataTypes.BIGINT(), -1L, 2L),
        Arguments.of(DataTypes.BOOLEAN(), false, true),
        Arguments.of(DataTypes.DOUBLE(), -1.5, 0.0),
        Arguments.of(DataTypes.FLOAT(), -1.5f, 0.0f),
        Arguments.of(DataTypes.DECIMAL(9, 2), new BigDecimal("1.50"), new BigDecimal("10.5")),
        Arguments.of(DataTypes.STRING(), "abc", "abd"),
        Arguments.of(DataTypes.STRING(), "ab", "abc"),
        Arguments.of(DataTypes.STRING(), "\uFFFD", "\uD83D\uDE00"),
        Arguments.of(DataTypes.STRING(), "\uD83D\uDE00", "\uD83D\uDE01"),
        Arguments.of(DataTypes.BYTES(), new byte[] {1, 127}, new byte[] {1, -128}),
        Arguments.of(DataTypes.DATE(), LocalDate.of(2024, 2, 29), LocalDate.of(2024, 3, 1)),
        Arguments.of(DataTypes.TIMESTAMP_LTZ(3), Instant.EPOCH, Instant.EPOCH.plusNanos(1)),
        Arguments.of(DataTypes.INTERVAL(DataTypes.DAY()), Duration.ofHours(5), Duration.ofDays(1)),
        Arguments.of(
            DataTypes.INTERVAL(DataTypes.MONTH()), Period.ofMonths(11), Period.ofYears(1)));
  }

  @ParameterizedTest
  @MethodSource("smallerAndLarger")
  void comparisonsFollowTheOrderOfTheType(DataType type, Object smaller, Object larger) {
    assertThat(holds(lessThan("b.x", "s.x"), type, smaller, larger)).isTrue();
    assertThat(holds(lessOrEqual("b.x", "s.x"), type, smaller, larger)).isTrue();
    assertThat(holds(notEqual("b.x", "s.x"), type, smaller, larger)).isTrue();
    assertThat(holds(distinct("b.x", "s.x"), type, smaller, larger)).isTrue();
    assertThat(holds(greaterThan("b.x", "s.x"), type, smaller, larger)).isFalse();
    assertThat(holds(greaterOrEqual("b.x", "s.x"), type, smaller, larger)).isFalse();
    assertThat(holds(equal("b.x", "s.x"), type, smaller, larger)).isFalse();
    assertThat(holds(notDistinct("b.x", "s.x"), type, smaller, larger)).isFalse();
    assertThat(holds(greaterThan("b.x", "s.x"), type, larger, smaller)).isTrue();
    assertThat(holds(lessThan("s.x", "b.x"), type, larger, smaller)).isTrue();
  }

  static Stream<Arguments> equals() {
    return Stream.of(
        Arguments.of(DataTypes.INT(), 1_000, 1_000),
        Arguments.of(DataTypes.DOUBLE(), 0.0, -0.0),
        Arguments.of(DataTypes.FLOAT(), -0.0f, 0.0f),
        Arguments.of(DataTypes.DECIMAL(9, 2), new BigDecimal("1.50"), new BigDecimal("1.5")),
        Arguments.of(DataTypes.STRING(), "a", new String("a")),
        Arguments.of(DataTypes.BYTES(), new byte[] {1, -1}, new byte[] {1, -1}),
        Arguments.of(DataTypes.INTERVAL(DataTypes.MONTH()), Period.ofMonths(12), Period.ofYears(1)),
        Arguments.of(
            DataTypes.ARRAY(DataTypes.INT()), new Integer[] {1, null}, new Integer[] {1, null}),
        Arguments.of(
            DataTypes.MAP(DataTypes.STRING(), DataTypes.ARRAY(DataTypes.INT())),
            Map.of("a", new Integer[] {1}),
            Map.of("a", new Integer[] {1})),
        Arguments.of(
            DataTypes.ROW(DataTypes.BYTES()), Row.of(new byte[] {1}), Row.of(new byte[] {1})));
  }

  @ParameterizedTest
  @MethodSource("equals")
  void equalityLooksIntoValues(DataType type, Object left, Object right) {
    assertThat(holds(equal("b.x", "s.x"), type, left, right)).isTrue();
    assertThat(holds(notDistinct("b.x", "s.x"), type, left, right)).isTrue();
    assertThat(holds(notEqual("b.x", "s.x"), type, left, right)).isFalse();
    assertThat(holds(distinct("b.x", "s.x"), type, left, right)).isFalse();
  }

  @Test
  void noComparisonWithNullIsTrueButTheTwoThatAskForIt() {
    Stream.of(
            equal("b.x", "s.x"),
            notEqual("b.x", "s.x"),
            lessThan("b.x", "s.x"),
            lessOrEqual("b.x", "s.x"),
            greaterThan("b.x", "s.x"),
            greaterOrEqual("b.x", "s.x"))
        .forEach(
            condition -> {
              assertThat(holds(condition, DataTypes.INT(), null, 1)).isFalse();
              assertThat(holds(condition, DataTypes.INT(), 1, null)).isFalse();
              assertThat(holds(condition, DataTypes.INT(), null, null)).isFalse();
            });
    assertThat(holds(notDistinct("b.x", "s.x"), DataTypes.INT(), null, null)).isTrue();
    assertThat(holds(notDistinct("b.x", "s.x"), DataTypes.INT(), null, 1)).isFalse();
    assertThat(holds(distinct("b.x", "s.x"), DataTypes.INT(), null, null)).isFalse();
    assertThat(holds(distinct("b.x", "s.x"), DataTypes.INT(), 1, null)).isTrue();
  }

  @Test
  void nothingButNotEqualHoldsForNaN() {
    for (Double other : new Double[] {1.0, Double.NaN}) {
      assertThat(holds(notEqual("b.x", "s.x"), DataTypes.DOUBLE(), Double.NaN, other)).isTrue();
      Stream.of(
              equal("b.x", "s.x"),
              lessThan("b.x", "s.x"),
              lessOrEqual("b.x", "s.x"),
              greaterThan("b.x", "s.x"),
              greaterOrEqual("b.x", "s.x"))
          .forEach(
              condition ->
                  assertThat(holds(condition, DataTypes.DOUBLE(), Double.NaN, other)).isFalse());
    }
  }

  @Test
  void conditionsCombine() {
    JoinCondition condition = lessThan("b.x", "s.x").and(isTrue("b.flag")).or(isTrue("s.flag"));
    DataType type = DataTypes.INT();

    assertThat(holdsForRows(condition, type, Row.of(1, true), Row.of(2, null))).isTrue();
    assertThat(holdsForRows(condition, type, Row.of(1, false), Row.of(2, null))).isFalse();
    assertThat(holdsForRows(condition, type, Row.of(3, true), Row.of(2, null))).isFalse();
    assertThat(holdsForRows(condition, type, Row.of(3, null), Row.of(2, true))).isTrue();
  }

  @Test
  void typesMustFit() {
    assertThatThrownBy(() -> holds(isTrue("b.x"), DataTypes.INT(), 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Column 'b.x' is of type INT, where a condition needs a BOOLEAN: compare it in the query.");
    assertThatThrownBy(() -> holds(equal("b.x", "s.flag"), DataTypes.INT(), 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Columns 'b.x' of type INT and 's.flag' of type BOOLEAN cannot be compared: cast them to one type in the queries.");
    assertThatThrownBy(
            () -> holds(lessThan("b.x", "s.x"), DataTypes.ARRAY(DataTypes.INT()), null, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Column 'b.x' is of type ARRAY<INT>, which has no order: only equality can be asked of it.");
  }

  private static boolean holds(JoinCondition condition, DataType type, Object big, Object small) {
    return holdsForRows(condition, type, Row.of(big, null), Row.of(small, null));
  }

  /** Each row has a column x of the type, and a column flag. */
  private static boolean holdsForRows(JoinCondition condition, DataType type, Row big, Row small) {
    Map<String, JoinColumn> columns =
        Map.of(
            "b.x", column("b.x", true, 0, type),
            "b.flag", column("b.flag", true, 1, DataTypes.BOOLEAN()),
            "s.x", column("s.x", false, 0, type),
            "s.flag", column("s.flag", false, 1, DataTypes.BOOLEAN()));
    return condition.resolve(columns::get).holds(big, small);
  }

  private static JoinColumn column(String name, boolean big, int field, DataType type) {
    return new JoinColumn(name, big, JoinColumn.ONLY_TABLE, field, type.getLogicalType());
  }
}
