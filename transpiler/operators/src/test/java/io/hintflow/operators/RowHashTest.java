package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;

class RowHashTest {
  private static final RowHash HASH = new RowHash(List.of("a", "b"));

  @Property
  void equalValuesHaveEqualHashes(@ForAll("values") Object first, @ForAll("values") Object second) {
    assertThat(hash(copy(first), copy(second))).isEqualTo(hash(first, second));
  }

  @Property
  void otherColumnsAndTheKindOfTheRowDoNotCount(
      @ForAll("values") Object first,
      @ForAll("values") Object second,
      @ForAll("values") Object other,
      @ForAll RowKind kind) {
    Row row = Row.withNames(kind);
    row.setField("c", other);
    row.setField("b", second);
    row.setField("a", first);

    assertThat(HASH.getKey(row)).isEqualTo(hash(first, second));
  }

  @Property
  void decimalsCountWhateverTheirScale(@ForAll BigDecimal number) {
    assertThat(hash(number.setScale(number.scale() + 3), 1)).isEqualTo(hash(number, 1));
  }

  @Test
  void zeroHasNoSignAndEveryNotANumberIsTheSame() {
    assertThat(hash(-0.0, -0.0f)).isEqualTo(hash(0.0, 0.0f));
    assertThat(hash(Double.longBitsToDouble(0x7ff8000000000001L), Float.intBitsToFloat(0x7fc00001)))
        .isEqualTo(hash(Double.NaN, Float.NaN));
    assertThat(hash(new BigDecimal("0.00"), 1)).isEqualTo(hash(BigDecimal.ZERO, 1));
  }

  /** Other values may have equal hashes by chance; those that make up a column mostly do not. */
  @Test
  void differentValuesSpread() {
    List<IntFunction<Object>> columns =
        List.of(
            number -> number == 0 ? null : number,
            number -> "user-" + number,
            number -> ("user-" + number).getBytes(StandardCharsets.UTF_8),
            number -> Instant.ofEpochSecond(1_700_000_000L + number),
            number -> BigDecimal.valueOf(number, 2),
            number -> Map.of("x", number, "y", "z"),
            number -> new Integer[] {number, 1},
            number -> Row.of("z", number));

    assertThat(columns)
        .allSatisfy(
            column ->
                assertThat(
                        IntStream.range(0, 1_000)
                            .map(number -> hash(column.apply(number), 1))
                            .distinct()
                            .count())
                    .isEqualTo(1_000));
    assertThat(hash("a", "b")).isNotEqualTo(hash("b", "a"));
    assertThat(hash(Map.of("a", "b"), 1)).isNotEqualTo(hash(Map.of("b", "a"), 1));
  }

  /** A job that is restored on another machine has to find its rows where they were. */
  @Test
  void hashesStayTheSameInEveryVersion() {
    assertThat(hash("user-1", 1)).isEqualTo(31 * (31 + "user-1".hashCode()) + 1);
    assertThat(hash(null, null)).isEqualTo(31 * 31);
  }

  private static int hash(Object first, Object second) {
    Row row = Row.withNames();
    row.setField("a", first);
    row.setField("b", second);
    return HASH.getKey(row);
  }

  /** All that a column of a Row can hold, nested two deep. */
  @Provide
  Arbitrary<Object> values() {
    Arbitrary<Object> scalars =
        Arbitraries.oneOf(
                Arbitraries.of(true, false),
                Arbitraries.bytes(),
                Arbitraries.shorts(),
                Arbitraries.integers(),
                Arbitraries.longs(),
                Arbitraries.floats(),
                Arbitraries.doubles(),
                Arbitraries.bigDecimals(),
                Arbitraries.strings().ofMaxLength(10),
                Arbitraries.bytes().array(byte[].class).ofMaxSize(10),
                Arbitraries.longs().between(-100_000, 100_000).map(LocalDate::ofEpochDay),
                Arbitraries.longs().between(0, 86_399).map(LocalTime::ofSecondOfDay),
                Arbitraries.longs().between(0, 1L << 40).map(Instant::ofEpochMilli),
                Arbitraries.longs()
                    .between(-100_000, 100_000)
                    .map(day -> LocalDate.ofEpochDay(day).atTime(1, 2, 3, 4)))
            .map(value -> (Object) value)
            .injectNull(0.1);
    return Arbitraries.lazyOf(() -> scalars, () -> nested(scalars), () -> nested(nested(scalars)));
  }

  private static Arbitrary<Object> nested(Arbitrary<Object> values) {
    return Arbitraries.oneOf(
        values.array(Object[].class).ofMaxSize(3).map(array -> (Object) array),
        values.array(Object[].class).ofSize(2).map(fields -> Row.of(fields)),
        Arbitraries.maps(Arbitraries.strings().ofMaxLength(3), values)
            .ofMaxSize(3)
            .map(map -> (Object) map));
  }

  /** An equal value that shares no mutable object, with maps in another order. */
  private static Object copy(Object value) {
    if (value instanceof byte[] bytes) {
      return bytes.clone();
    } else if (value instanceof String text) {
      return new String(text.toCharArray());
    } else if (value instanceof Object[] array) {
      return Arrays.stream(array).map(RowHashTest::copy).toArray();
    } else if (value instanceof Row row) {
      Object[] fields = new Object[row.getArity()];
      Arrays.setAll(fields, field -> copy(row.getField(field)));
      return Row.of(fields);
    } else if (value instanceof Map<?, ?> map) {
      List<Object> keys = new ArrayList<>(map.keySet());
      Collections.reverse(keys);
      Map<Object, Object> reversed = new LinkedHashMap<>();
      keys.forEach(key -> reversed.put(key, copy(map.get(key))));
      return reversed;
    } else {
      return value;
    }
  }
}
