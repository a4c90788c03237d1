package io.hintflow.cli.bench;

import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.Transpilation;
import io.hintflow.transpiler.Transpiler;
import io.hintflow.transpiler.TranspilerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Whether time grows with the length of a script and not faster: a statement of a long script
 * against one of a short script, in this process when it is warm, and as a process of its own.
 */
final class LongScriptBench {
  private static final double TARGET = 1.5;
  private static final int WARM_UP_ROUNDS = 5;
  private static final int SHORT = 1_250;
  private static final List<Integer> LONG = List.of(2_500, 5_000);
  private static final double MICROS = 1e6;

  /** Five statements: tables, a view, an INSERT with hint and one without. */
  private static final String GROUP =
      """
      CREATE TABLE orders_%1$d (customer STRING, item STRING, amount INT, price DECIMAL(10, 2))
      WITH ('connector' = 'filesystem', 'path' = '/data/orders/%1$d', 'format' = 'csv',
        'source.parallelism' = '2');
      CREATE TABLE sales_%1$d (customer STRING, item STRING, total DECIMAL(20, 2))
      WITH ('connector' = 'filesystem', 'path' = '/data/sales/%1$d', 'format' = 'csv');
      CREATE VIEW large_orders_%1$d AS
      SELECT customer, item, amount * price AS total FROM orders_%1$d WHERE amount > %1$d;
      INSERT INTO sales_%1$d
      SELECT /*+ DISTRIBUTEBY('customer') */ customer, item, total FROM large_orders_%1$d;
      INSERT INTO sales_%1$d
      SELECT customer, UPPER(item), amount * price FROM orders_%1$d WHERE amount < 0;
      """;

  private static final int STATEMENTS_OF_GROUP = 5;

  private LongScriptBench() {}

  /** Compares the CPU time of a statement. */
  static List<Comparison> compare(int rounds) throws Exception {
    List<Comparison> comparisons = new ArrayList<>();
    for (int statements : LONG) {
      SideBySide warm =
          SideBySide.measure(
              WARM_UP_ROUNDS, rounds, () -> transpileHere(statements), () -> transpileHere(SHORT));
      comparisons.add(comparison(statements, "warm", warm));
    }
    for (int statements : LONG) {
      try (Folder folder = Folder.create()) {
        Path longScript = write(folder, statements);
        Path shortScript = write(folder, SHORT);
        SideBySide cold =
            SideBySide.measure(
                0,
                rounds,
                () -> ColdStartBench.transpile(longScript, folder),
                () -> ColdStartBench.transpile(shortScript, folder));
        comparisons.add(comparison(statements, "cold", cold));
      }
    }
    return comparisons;
  }

  private static Comparison comparison(int statements, String state, SideBySide costs) {
    return new Comparison(
        "a script of %,d statements, %s : of %,d".formatted(statements, state, SHORT),
        "CPU µs/stmt",
        costs.medianOfOurs(Cost::cpuSeconds) * MICROS / statements,
        costs.medianOfRival(Cost::cpuSeconds) * MICROS / SHORT,
        TARGET);
  }

  private static Path write(Folder folder, int statements) throws Exception {
    return Files.writeString(folder.path().resolve(statements + ".sql"), script(statements));
  }

  private static String script(int statements) {
    return IntStream.range(0, statements / STATEMENTS_OF_GROUP)
        .mapToObj(GROUP::formatted)
        .collect(Collectors.joining());
  }

  private static Cost transpileHere(int statements) {
    SourceText script = new SourceText("long.sql", script(statements));
    TranspilerOptions options =
        new TranspilerOptions(
            FlinkVersion.V2_2,
            TranspilerOptions.DEFAULT_PACKAGE,
            "long",
            TranspilerOptions.Emission.PROJECT);
    return Measured.inProcess(
        () -> {
          Transpilation transpilation = Transpiler.transpile(List.of(script), options);
          if (transpilation.hasErrors()) {
            throw new IllegalStateException("" + transpilation.diagnostics());
          }
        });
  }
}
