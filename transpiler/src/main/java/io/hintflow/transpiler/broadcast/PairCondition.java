package io.hintflow.transpiler.broadcast;

import java.util.ArrayList;
import java.util.List;

/**
 * A condition on a pair of rows: every clause must hold, and a clause holds if any of its
 * comparisons does. A comparison with NULL does not hold, as in SQL.
 */
record PairCondition(List<List<Comparison>> clauses) {
  static final PairCondition TRUE = new PairCondition(List.of());

  PairCondition {
    clauses = clauses.stream().map(List::copyOf).toList();
  }

  /** How two columns of the sides are compared. */
  enum Operator {
    EQUAL("=", "equal"),
    NOT_EQUAL("<>", "notEqual"),
    LESS_THAN("<", "lessThan"),
    LESS_OR_EQUAL("<=", "lessOrEqual"),
    GREATER_THAN(">", "greaterThan"),
    GREATER_OR_EQUAL(">=", "greaterOrEqual"),
    DISTINCT("IS DISTINCT FROM", "distinct"),
    NOT_DISTINCT("IS NOT DISTINCT FROM", "notDistinct"),
    /** The one column is a BOOLEAN, and it is TRUE. */
    TRUE("IS", "isTrue");

    private final String sql;
    private final String method;

    Operator(String sql, String method) {
      this.sql = sql;
      this.method = method;
    }

    String sql() {
      return sql;
    }

    /** Its name in JoinCondition. */
    String method() {
      return method;
    }

    static Operator ofSql(String sql) {
      for (Operator operator : values()) {
        if (operator.sql.equals(sql)) {
          return operator;
        }
      }
      throw new IllegalArgumentException(sql);
    }

    Operator negated() {
      return switch (this) {
        case EQUAL -> NOT_EQUAL;
        case NOT_EQUAL -> EQUAL;
        case LESS_THAN -> GREATER_OR_EQUAL;
        case LESS_OR_EQUAL -> GREATER_THAN;
        case GREATER_THAN -> LESS_OR_EQUAL;
        case GREATER_OR_EQUAL -> LESS_THAN;
        case DISTINCT -> NOT_DISTINCT;
        case NOT_DISTINCT -> DISTINCT;
        case TRUE -> throw new IllegalStateException("A BOOLEAN column is negated in SQL");
      };
    }
  }

  /**
   * @param left table and column
   * @param right the same; empty for {@link Operator#TRUE}
   */
  record Comparison(List<String> left, Operator operator, List<String> right) {
    static Comparison isTrue(List<String> column) {
      return new Comparison(column, Operator.TRUE, List.of());
    }
  }

  static PairCondition of(Comparison comparison) {
    return new PairCondition(List.of(List.of(comparison)));
  }

  PairCondition and(PairCondition other) {
    List<List<Comparison>> both = new ArrayList<>(clauses);
    both.addAll(other.clauses);
    return new PairCondition(both);
  }

  PairCondition or(PairCondition other) {
    List<List<Comparison>> either = new ArrayList<>();
    for (List<Comparison> mine : clauses) {
      for (List<Comparison> others : other.clauses) {
        List<Comparison> clause = new ArrayList<>(mine);
        clause.addAll(others);
        either.add(clause);
      }
    }
    return new PairCondition(either);
  }
}
