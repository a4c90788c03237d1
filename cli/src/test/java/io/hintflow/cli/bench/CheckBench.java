package io.hintflow.cli.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * {@code hintflow check} as its user runs it, over the scripts of {@code testdata}, repeated: what
 * a script more takes when the program is warm, whether the memory it needs grows with their
 * number, and how soon a save is seen.
 */
final class CheckBench {
  private static final int FEW = 300;
  private static final int MANY = 3_000;
  private static final String SMALL_HEAP = "-Xmx64m";

  private static final double MOST_MILLIS_A_SCRIPT = 10;
  private static final double MOST_SECONDS_TO_SEE_A_SAVE = 1.0 / 3;
  private static final double MOST_FOR_A_SMALL_HEAP = 1.2;

  private CheckBench() {}

  static List<Comparison> compare(int rounds) throws Exception {
    try (Folder folder = Folder.create()) {
      Path few = write(folder.path().resolve("few"), FEW);
      Path many = write(folder.path().resolve("many"), MANY);
      SideBySide byNumber =
          SideBySide.measure(0, rounds, () -> check(many, ""), () -> check(few, ""));
      SideBySide byHeap =
          SideBySide.measure(0, rounds, () -> check(many, SMALL_HEAP), () -> check(many, ""));
      return List.of(
          eachFurtherScript("ms", byNumber, Cost::wallSeconds),
          eachFurtherScript("CPU ms", byNumber, Cost::cpuSeconds),
          new Comparison(
              "hintflow check, %,d scripts in %s : as much as it likes".formatted(MANY, SMALL_HEAP),
              "CPU s",
              byHeap.medianOfOurs(Cost::cpuSeconds),
              byHeap.medianOfRival(Cost::cpuSeconds),
              MOST_FOR_A_SMALL_HEAP),
          new Comparison(
              "hintflow check --watch, from a save to its findings : most",
              "s",
              secondsToSeeASave(folder.path(), rounds),
              MOST_SECONDS_TO_SEE_A_SAVE,
              1));
    }
  }

  private static Comparison eachFurtherScript(
      String unit, SideBySide byNumber, ToDoubleFunction<Cost> what) {
    double seconds = byNumber.medianOfOurs(what) - byNumber.medianOfRival(what);
    return new Comparison(
        "hintflow check, each script from the %dth to the %,dth : most".formatted(FEW, MANY),
        unit,
        seconds * 1_000 / (MANY - FEW),
        MOST_MILLIS_A_SCRIPT,
        1);
  }

  /** Writes so many scripts: those there are, again and again, under other names. */
  private static Path write(Path folder, int count) throws IOException {
    Files.createDirectories(folder);
    List<String> texts = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Path.of("testdata"))) {
      for (Path file : (Iterable<Path>) files.filter(CheckBench::isScript).sorted()::iterator) {
        texts.add(Files.readString(file));
      }
    }
    for (int i = 0; i < count; i++) {
      Files.writeString(
          folder.resolve("script-%04d.sql".formatted(i)), texts.get(i % texts.size()));
    }
    return folder;
  }

  private static boolean isScript(Path file) {
    return file.toString().endsWith(".sql")
        && Stream.of("cases", "demo", "kafka")
            .anyMatch(folder -> file.startsWith(Path.of("testdata", folder)));
  }

  private static Cost check(Path folder, String javaOptions)
      throws IOException, InterruptedException {
    return Measured.process(
        List.of(
            "env",
            "HINTFLOW_JAVA_OPTIONS=" + javaOptions,
            "" + ColdStartBench.PROGRAM,
            "check",
            "" + folder));
  }

  private static double secondsToSeeASave(Path folder, int rounds) throws IOException {
    Path script = Files.writeString(folder.resolve("saved.sql"), "SELECT 0;\n");
    Process watch =
        new ProcessBuilder("" + ColdStartBench.PROGRAM, "check", "--watch", "" + script)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader shown = watch.inputReader(StandardCharsets.UTF_8)) {
      awaitSummary(shown);
      double[] seconds = new double[rounds];
      for (int round = 0; round < rounds; round++) {
        long saved = System.nanoTime();
        Files.writeString(script, "SELECT %d;\n".formatted(round));
        awaitSummary(shown);
        seconds[round] = (System.nanoTime() - saved) / 1e9;
      }
      Arrays.sort(seconds);
      return seconds[rounds / 2];
    } finally {
      watch.destroy();
    }
  }

  private static void awaitSummary(BufferedReader shown) throws IOException {
    String line = shown.readLine();
    while (!line.equals("nothing found in 1 script")) {
      line = shown.readLine();
    }
  }
}
