package io.hintflow.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The costs of two things that were measured in turns, so that whatever else the machine does meets
 * both.
 */
record SideBySide(List<Cost> ours, List<Cost> rival) {

  /** Does something once. */
  @FunctionalInterface
  interface Measurement {
    Cost measure() throws Exception;
  }

  /** Measures both in turns, and keeps nothing of the rounds that warm up. */
  static SideBySide measure(int warmUpRounds, int rounds, Measurement ours, Measurement rival)
      throws Exception {
    SideBySide costs = new SideBySide(new ArrayList<>(), new ArrayList<>());
    for (int round = -warmUpRounds; round < rounds; round++) {
      Cost ofOurs = ours.measure();
      Cost ofRival = rival.measure();
      if (round >= 0) {
        costs.ours.add(ofOurs);
        costs.rival.add(ofRival);
      }
    }
    return costs;
  }

  double medianOfOurs(ToDoubleFunction<Cost> what) {
    return median(ours, what);
  }

  double medianOfRival(ToDoubleFunction<Cost> what) {
    return median(rival, what);
  }

  private static double median(List<Cost> costs, ToDoubleFunction<Cost> what) {
    double[] sorted = costs.stream().mapToDouble(what).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
