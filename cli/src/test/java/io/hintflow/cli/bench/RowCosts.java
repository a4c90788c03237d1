package io.hintflow.cli.bench;

import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;

/**
 * What a row takes in each of two jobs: the whole job without the same job on a handful of rows,
 * which is Flink's planning and start and would draw ratios towards 1.
 *
 * @param rows of our job
 * @param rivalRows of the rival's
 */
record RowCosts(int rows, int rivalRows, SideBySide whole, SideBySide start) {
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
    return measure(ours, rows, rival, rows, rounds, arguments);
  }

  /**
   * As above, where as many rows of one as of the other would take far too long, or too short a
   * time.
   */
  static RowCosts measure(
      EmbeddedJob ours,
      int rows,
      EmbeddedJob rival,
      int rivalRows,
      int rounds,
      IntFunction<List<String>> arguments)
      throws Exception {
    IntFunction<Run> ofOurs = count -> new Run(ours, arguments.apply(count));
    IntFunction<Run> ofRival = count -> new Run(rival, arguments.apply(count));
    measure(ofOurs.apply(rows / WARM_UP_SHARE), ofRival.apply(rivalRows / WARM_UP_SHARE), rounds);
    return new RowCosts(
        rows,
        rivalRows,
        measure(ofOurs.apply(rows), ofRival.apply(rivalRows), rounds),
        measure(ofOurs.apply(HANDFUL), ofRival.apply(HANDFUL), rounds));
  }

  private record Run(EmbeddedJob job, List<String> arguments) {
    Cost measure() {
      return Measured.inProcess(() -> job.run(arguments));
    }
  }

  private static SideBySide measure(Run ours, Run rival, int rounds) throws Exception {
    return SideBySide.measure(0, rounds, ours::measure, rival::measure);
  }

  /**
   * Medians of something, in microseconds.
   *
   * @param what in seconds
   */
  Comparison compare(String name, String unit, ToDoubleFunction<Cost> what, double target) {
    return new Comparison(name, unit, ours(what) * MICROS, rival(what) * MICROS, target);
  }

  /** Medians of how many rows go through in a second. */
  Comparison compareRates(String name, Target target) {
    return new Comparison(
        name, "rows/s", 1 / ours(Cost::wallSeconds), 1 / rival(Cost::wallSeconds), target);
  }

  private double ours(ToDoubleFunction<Cost> what) {
    return (whole.medianOfOurs(what) - start.medianOfOurs(what)) / rows;
  }

  private double rival(ToDoubleFunction<Cost> what) {
    return (whole.medianOfRival(what) - start.medianOfRival(what)) / rivalRows;
  }
}
