package io.hintflow.cli.bench;

import java.util.Locale;
import java.util.function.DoublePredicate;

/**
 * What the ratio of ours to the rival's shall be.
 *
 * @param text for the table
 */
record Target(String text, DoublePredicate isMetBy) {
  static Target atMost(double most) {
    return new Target("≤ " + number(most), ratio -> ratio <= most);
  }

  static Target atLeast(double least) {
    return new Target("≥ " + number(least), ratio -> ratio >= least);
  }

  /** For what is measured to be known, and promised to nobody. */
  static Target none() {
    return new Target("", ratio -> true);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
