package io.hintflow.cli.bench;

import java.util.Locale;

/**
 * One line of the table.
 *
 * @param name what is compared with what
 * @param unit of {@code ours} and {@code rival}
 * @param target the most that the ratio of ours to the rival's may be
 */
record Comparison(String name, String unit, double ours, double rival, double target) {
  private static final String COLUMNS = "%-62s %9s %9s  %-12s %6s %7s%n";

  static String header() {
    return COLUMNS.formatted("", "ours", "rival", "", "ratio", "target");
  }

  double ratio() {
    return ours / rival;
  }

  String line() {
    return COLUMNS.formatted(
            name, number(ours), number(rival), unit, number(ratio()), "≤ " + number(target))
        + (ratio() <= target ? "" : "  ↑ misses its target%n".formatted());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
