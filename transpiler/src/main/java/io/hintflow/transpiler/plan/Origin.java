package io.hintflow.transpiler.plan;

/** The script and the 1-based lines, first and last, that a part of the plan comes from. */
public record Origin(String script, int line, int lastLine) {
  @Override
  public String toString() {
    return script + ":" + line;
  }
}
