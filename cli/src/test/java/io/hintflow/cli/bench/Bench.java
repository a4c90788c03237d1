package io.hintflow.cli.bench;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Measures what hintflow promises about time, each thing beside its rival in the same run, and
 * prints a table of medians. {@code make bench} starts it, from the folder of the repository.
 *
 * <p>The argument is the script for the cold start. System properties: {@code bench.rounds}, how
 * often each side is measured; {@code bench.rows}, how many rows the job of five columns moves, the
 * one of twenty a third of them; {@code bench.join.rows}, how many rows the big side of a join has;
 * {@code bench.changes}, how many changes a table that is updated all the time has; {@code
 * bench.late.rows}, how many rows of windows some of which come late; {@code bench.lookup.rows},
 * how many rows are looked up one by one; {@code bench.parts}, what to measure, with commas
 * between.
 */
public final class Bench {
  private static final int ROUNDS = Integer.getInteger("bench.rounds", 5);
  private static final int ROWS = Integer.getInteger("bench.rows", 1_500_000);
  private static final int JOIN_ROWS = Integer.getInteger("bench.join.rows", 3_000_000);
  private static final int CHANGES = Integer.getInteger("bench.changes", 2_000_000);
  private static final int LATE_ROWS = Integer.getInteger("bench.late.rows", 3_000_000);
  private static final int LOOKUP_ROWS = Integer.getInteger("bench.lookup.rows", 2_000);
  private static final List<String> PARTS =
      List.of(
          System.getProperty(
                  "bench.parts", "start,check,scripts,distribution,join,duplicates,late,lookup")
              .split(","));

  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private Bench() {}

  public static void main(String[] arguments) throws Exception {
    Path script = Path.of(arguments[0]);
    OUT.printf(
        "Medians of %d rounds; Java %s, %d processors.%n",
        ROUNDS, Runtime.version(), Runtime.getRuntime().availableProcessors());
    OUT.printf("Cold start: %s. Rows of 5 columns: %,d, of 20: %,d.%n", script, ROWS, ROWS / 3);
    OUT.printf(
        "Rows of the big side of a join: %,d. Changes: %,d. Rows of windows: %,d. Rows looked up one"
            + " by one: %,d.%n%n",
        JOIN_ROWS, CHANGES, LATE_ROWS, LOOKUP_ROWS);
    OUT.print(Comparison.header());
    if (PARTS.contains("start")) {
      print(ColdStartBench.compare(script, ROUNDS));
    }
    if (PARTS.contains("check")) {
      print(ColdStartBench.compareCheck(script, ROUNDS));
      print(CheckBench.compare(ROUNDS));
    }
    if (PARTS.contains("scripts")) {
      print(LongScriptBench.compare(ROUNDS));
    }
    if (PARTS.contains("distribution")) {
      print(List.of(DistributionBench.compare(5, ROWS, ROUNDS)));
      print(List.of(DistributionBench.compare(20, ROWS / 3, ROUNDS)));
    }
    if (PARTS.contains("join")) {
      compareJoins();
    }
    if (PARTS.contains("duplicates")) {
      compareDeduplication();
    }
    if (PARTS.contains("late")) {
      compareLateData();
    }
    if (PARTS.contains("lookup")) {
      compareLookups();
    }
    // Threads of the embedded Flink may be left.
    System.exit(0);
  }

  private static void compareJoins() throws Exception {
    try (BroadcastBench bench = new BroadcastBench(JOIN_ROWS, ROUNDS)) {
      print(List.of(bench.balance()));
      for (Backend backend : Backend.values()) {
        print(List.of(bench.cpu(backend)));
        print(bench.time(backend));
        print(bench.state(backend));
      }
    }
  }

  private static void compareDeduplication() throws Exception {
    try (DeduplicationBench bench = new DeduplicationBench(CHANGES, ROUNDS)) {
      for (Backend backend : Backend.values()) {
        print(List.of(bench.time(backend), bench.cpu(backend)));
      }
    }
  }

  private static void compareLateData() throws Exception {
    try (LateDataBench bench = new LateDataBench(LATE_ROWS, ROUNDS)) {
      for (LateDataBench.Keys keys : LateDataBench.Keys.values()) {
        print(bench.cpu(keys));
      }
    }
  }

  private static void compareLookups() throws Exception {
    try (LookupBench bench = new LookupBench(LOOKUP_ROWS, ROUNDS)) {
      OUT.println(bench.distance());
      for (LookupBench.Mode mode : LookupBench.Mode.values()) {
        if (mode != LookupBench.Mode.PLAIN) {
          print(List.of(bench.rate(mode)));
        }
      }
      for (LookupBench.Mode mode : LookupBench.Mode.values()) {
        if (mode.goesOn()) {
          print(List.of(bench.waiting(mode)));
        }
      }
    }
  }

  private static void print(List<Comparison> comparisons) {
    comparisons.forEach(comparison -> OUT.print(comparison.line()));
  }
}
