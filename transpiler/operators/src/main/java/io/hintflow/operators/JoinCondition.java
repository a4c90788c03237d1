package io.hintflow.operators;

import java.io.Serializable;
import java.time.Period;
import java.util.Arrays;
import java.util.function.Function;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.types.Row;

/**
 * A condition on a pair of rows, for what is not an equality of the join's keys. Columns are given
 * as in {@link BroadcastJoin#on}, and both columns of a comparison must have the same type: cast
 * them in the queries.
 *
 * <p>A comparison with NULL is neither true nor false in SQL. Here it is false: a pair comes out
 * only if its condition is true, and without a NOT the difference cannot be seen.
 */
public final class JoinCondition {
  /** A condition that knows where to find its columns. */
  interface Test extends Serializable {
    boolean holds(Row big, Row small);
  }

  private enum Relation {
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL
  }

  private final Function<Function<String, JoinColumn>, Test> resolution;

  private JoinCondition(Function<Function<String, JoinColumn>, Test> resolution) {
    this.resolution = resolution;
  }

  public static JoinCondition equal(String left, String right) {
    return comparison(left, Relation.EQUAL, right);
  }

  public static JoinCondition notEqual(String left, String right) {
    return comparison(left, Relation.NOT_EQUAL, right);
  }

  public static JoinCondition lessThan(String left, String right) {
    return comparison(left, Relation.LESS, right);
  }

  public static JoinCondition lessOrEqual(String left, String right) {
    return comparison(left, Relation.LESS_OR_EQUAL, right);
  }

  public static JoinCondition greaterThan(String left, String right) {
    return comparison(left, Relation.GREATER, right);
  }

  public static JoinCondition greaterOrEqual(String left, String right) {
    return comparison(left, Relation.GREATER_OR_EQUAL, right);
  }

  /** IS NOT DISTINCT FROM: equal, or both NULL. */
  public static JoinCondition notDistinct(String left, String right) {
    return distinction(left, right, false);
  }

  /** IS DISTINCT FROM: not equal, or exactly one of them NULL. */
  public static JoinCondition distinct(String left, String right) {
    return distinction(left, right, true);
  }

  /** A BOOLEAN column is TRUE. */
  public static JoinCondition isTrue(String column) {
    return new JoinCondition(
        columns -> {
          JoinColumn resolved = columns.apply(column);
          if (!resolved.type().is(LogicalTypeRoot.BOOLEAN)) {
            throw new IllegalArgumentException(
                "Column '%s' is of type %s, where a condition needs a BOOLEAN: compare it in the query."
                    .formatted(column, resolved.type()));
          }
          return (big, small) -> Boolean.TRUE.equals(resolved.value(big, small));
        });
  }

  public JoinCondition and(JoinCondition other) {
    return new JoinCondition(
        columns -> {
          Test left = resolve(columns);
          Test right = other.resolve(columns);
          return (big, small) -> left.holds(big, small) && right.holds(big, small);
        });
  }

  public JoinCondition or(JoinCondition other) {
    return new JoinCondition(
        columns -> {
          Test left = resolve(columns);
          Test right = other.resolve(columns);
          return (big, small) -> left.holds(big, small) || right.holds(big, small);
        });
  }

  /**
   * @param columns finds a column by its name, or throws an error that the user understands
   */
  Test resolve(Function<String, JoinColumn> columns) {
    return resolution.apply(columns);
  }

  private static JoinCondition comparison(String left, Relation relation, String right) {
    return new JoinCondition(
        columns -> {
          JoinColumn first = columns.apply(left);
          JoinColumn second = columns.apply(right);
          requireComparable(first, second);
          if (relation != Relation.EQUAL && relation != Relation.NOT_EQUAL) {
            requireOrder(first);
          }
          return (big, small) -> {
            Object firstValue = first.value(big, small);
            Object secondValue = second.value(big, small);
            return firstValue != null
                && secondValue != null
                && isIn(relation, firstValue, secondValue);
          };
        });
  }

  private static JoinCondition distinction(String left, String right, boolean distinct) {
    return new JoinCondition(
        columns -> {
          JoinColumn first = columns.apply(left);
          JoinColumn second = columns.apply(right);
          requireComparable(first, second);
          return (big, small) -> {
            Object firstValue = first.value(big, small);
            Object secondValue = second.value(big, small);
            boolean same =
                firstValue == null || secondValue == null
                    ? firstValue == secondValue
                    : equal(firstValue, secondValue);
            return same != distinct;
          };
        });
  }

  /** Values of two columns can be compared if Java holds them in objects of one class. */
  static void requireComparable(JoinColumn left, JoinColumn right) {
    if (left.type().getDefaultConversion() != right.type().getDefaultConversion()) {
      throw new IllegalArgumentException(
          "Columns '%s' of type %s and '%s' of type %s cannot be compared: cast them to one type in the queries."
              .formatted(left.name(), left.type(), right.name(), right.type()));
    }
  }

  private static void requireOrder(JoinColumn column) {
    Class<?> values = column.type().getDefaultConversion();
    if (!Comparable.class.isAssignableFrom(values)
        && values != byte[].class
        && values != Period.class) {
      throw new IllegalArgumentException(
          "Column '%s' is of type %s, which has no order: only equality can be asked of it."
              .formatted(column.name(), column.type()));
    }
  }

  private static boolean isIn(Relation relation, Object left, Object right) {
    return switch (relation) {
      case EQUAL -> equal(left, right);
      case NOT_EQUAL -> !equal(left, right);
      case LESS -> isOrdered(left, right) && compare(left, right) < 0;
      case LESS_OR_EQUAL -> isOrdered(left, right) && compare(left, right) <= 0;
      case GREATER -> isOrdered(left, right) && compare(left, right) > 0;
      case GREATER_OR_EQUAL -> isOrdered(left, right) && compare(left, right) >= 0;
    };
  }

  private static boolean equal(Object left, Object right) {
    if (left instanceof Double number) {
      return number.doubleValue() == (Double) right;
    } else if (left instanceof Float number) {
      return number.floatValue() == (Float) right;
    } else if (left instanceof Period) {
      return compare(left, right) == 0;
    }
    return JoinColumn.equalAsKeys(left, right);
  }

  /** NaN is neither less than, equal to nor greater than any number, itself included. */
  private static boolean isOrdered(Object left, Object right) {
    return !isNaN(left) && !isNaN(right);
  }

  private static boolean isNaN(Object value) {
    return value instanceof Double number && number.isNaN()
        || value instanceof Float small && small.isNaN();
  }

  @SuppressWarnings("unchecked") // requireOrder and requireComparable have seen to it.
  private static int compare(Object left, Object right) {
    if (left instanceof String text) {
      return compareCodePoints(text, (String) right);
    } else if (left instanceof byte[] bytes) {
      return Arrays.compareUnsigned(bytes, (byte[]) right);
    } else if (left instanceof Double number) {
      return Double.compare(number + 0.0, (Double) right + 0.0); // -0.0 + 0.0 is 0.0
    } else if (left instanceof Float number) {
      return Float.compare(number + 0.0f, (Float) right + 0.0f);
    } else if (left instanceof Period period) {
      return Long.compare(period.toTotalMonths(), ((Period) right).toTotalMonths());
    }
    return ((Comparable<Object>) left).compareTo(right);
  }

  /**
   * Flink compares the UTF-8 bytes of strings. Java's own order differs where a character beyond
   * U+FFFF, written as two surrogates, meets one of U+E000 to U+FFFF.
   */
  private static int compareCodePoints(String left, String right) {
    int length = Math.min(left.length(), right.length());
    for (int index = 0; index < length; index++) {
      char first = left.charAt(index);
      char second = right.charAt(index);
      if (first != second) {
        boolean surrogate = Character.isSurrogate(first);
        return surrogate == Character.isSurrogate(second) ? first - second : surrogate ? 1 : -1;
      }
    }
    return left.length() - right.length();
  }
}
