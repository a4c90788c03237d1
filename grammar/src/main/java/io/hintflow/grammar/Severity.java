package io.hintflow.grammar;

/**
 * How much a diagnostic matters: an error stops the run, a warning names a risk, a note tells what
 * was decided.
 */
public enum Severity {
  ERROR("error"),
  WARNING("warning"),
  NOTE("note");

  private final String label;

  Severity(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
