package io.hintflow.transpiler.plan;

/** The script and the 1-based line that a part of the plan comes from. */
public record Origin(String script, int line) {
  @Override
  public String toString() {
    return script + ":" + line;
  }
}
