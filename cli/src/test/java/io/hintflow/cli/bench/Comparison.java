package io.hintflow.cli.bench;

import java.util.Locale;

/**
 * One line of the table.
 *
 * @param name what is compared with what
 * @param unit of {@code ours} and {@code rival}
 * @param target of the ratio of ours to the rival's
 */
record Comparison(String name, String unit, double ours, double rival, Target target) {
  private static final String COLUMNS = "%-62s %9s %9s  %-12s %6s %8s%n";

  /**
   * @param target the most that the ratio may be
   */
  Comparison(String name, String unit, double ours, double rival, double target) {
    this(name, unit, ours, rival, Target.atMost(target));
  }

  static String header() {
    return COLUMNS.formatted("", "ours", "rival", "", "ratio", "target");
  }

  double ratio() {
    return ours / rival;
  }

  String line() {
    return COLUMNS.formatted(
            name, number(ours), number(rival), unit, number(ratio()), target.text())
        + (target.isMetBy().test(ratio()) ? "" : "  ↑ misses its target%n".formatted());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
