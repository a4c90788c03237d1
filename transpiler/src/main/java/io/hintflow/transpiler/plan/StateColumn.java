package io.hintflow.transpiler.plan;

/**
 * A column of the rows in a state.
 *
 * @param name or the expression that it is the value of
 * @param type as Flink SQL writes it, without NOT NULL
 */
public record StateColumn(String name, String type) {
  @Override
  public String toString() {
    return name + " " + type;
  }
}
