package io.hintflow.cli.bench;

import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;

/**
 * What a row takes in each of two jobs: the whole job without the same job on a handful of rows,
 * which is Flink's planning and start and would draw ratios towards 1.
 */
record RowCosts(int rows, SideBySide whole, SideBySide start) {
  private static final int HANDFUL = 8;

  /** Before all rows, this part of them, for the compiler to see the code. */
  private static final int WARM_UP_SHARE = 10;

  private static final double MICROS = 1e6;

  /**
   * Runs both jobs in this process, in turns.
   *
   * @param arguments for the main of either, so that it reads that many rows
   */
  static RowCosts measure(
      EmbeddedJob ours,
      EmbeddedJob rival,
      int rows,
      int rounds,
      IntFunction<List<String>> arguments)
      throws Exception {
    measure(ours, rival, rounds, arguments.apply(rows / WARM_UP_SHARE));
    return new RowCosts(
        rows,
        measure(ours, rival, rounds, arguments.apply(rows)),
        measure(ours, rival, rounds, arguments.apply(HANDFUL)));
  }

  private static SideBySide measure(
      EmbeddedJob ours, EmbeddedJob rival, int rounds, List<String> arguments) throws Exception {
    return SideBySide.measure(
        0,
        rounds,
        () -> Measured.inProcess(() -> ours.run(arguments)),
        () -> Measured.inProcess(() -> rival.run(arguments)));
  }

  /**
   * Medians of something, in microseconds.
   *
   * @param what in seconds
   */
  Comparison compare(String name, String unit, ToDoubleFunction<Cost> what, double target) {
    return new Comparison(
        name,
        unit,
        (whole.medianOfOurs(what) - start.medianOfOurs(what)) * MICROS / rows,
        (whole.medianOfRival(what) - start.medianOfRival(what)) * MICROS / rows,
        target);
  }
}
