package io.hintflow.cli.bench;

import io.hintflow.grammar.ScriptReader;
import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.testing.FlinkRuntime;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * The start of the program on a script, against Flink's planner explaining the script in a JVM of
 * its own. Every run is a process of its own.
 *
 * <p>The rival gets the JVM options of {@code bin/hintflow} but its archive of classes: without
 * them it would be slower still.
 */
final class ColdStartBench {
  /** The program as its user starts it. */
  static final Path PROGRAM = Path.of("cli", "bin", "hintflow").toAbsolutePath();

  private static final double TARGET = 0.4;
  private static final int WARM_UP_ROUNDS = 1;

  private ColdStartBench() {}

  /** Compares wall and CPU time of {@code transpile}. */
  static List<Comparison> compare(Path script, int rounds) throws Exception {
    try (Folder folder = Folder.create()) {
      return compare("transpile", () -> transpile(script, folder), script, folder, rounds);
    }
  }

  /** Compares wall and CPU time of {@code check}. */
  static List<Comparison> compareCheck(Path script, int rounds) throws Exception {
    try (Folder folder = Folder.create()) {
      List<String> check = List.of("" + PROGRAM, "check", "" + script);
      return compare("check", () -> Measured.process(check), script, folder, rounds);
    }
  }

  private static List<Comparison> compare(
      String command, SideBySide.Measurement ours, Path script, Folder folder, int rounds)
      throws Exception {
    List<String> explain = explainCommand(script, folder.path());
    SideBySide costs =
        SideBySide.measure(WARM_UP_ROUNDS, rounds, ours, () -> Measured.process(explain));
    String name = "hintflow " + command + ", cold : Flink's planner explaining";
    return List.of(
        new Comparison(
            name,
            "wall s",
            costs.medianOfOurs(Cost::wallSeconds),
            costs.medianOfRival(Cost::wallSeconds),
            TARGET),
        new Comparison(
            name,
            "CPU s",
            costs.medianOfOurs(Cost::cpuSeconds),
            costs.medianOfRival(Cost::cpuSeconds),
            TARGET));
  }

  /** Runs the program as its user would, into a folder that is not there yet. */
  static Cost transpile(Path script, Folder folder) throws IOException, InterruptedException {
    Path job = folder.path().resolve("job");
    Cost cost = Measured.process(List.of("" + PROGRAM, "transpile", "" + script, "-o", "" + job));
    folder.delete("job");
    return cost;
  }

  private static List<String> explainCommand(Path script, Path folder) throws IOException {
    Path statements = Files.writeString(folder.resolve("statements"), stockStatements(script));
    Path source = folder.resolve("ExplainScript.java");
    try (InputStream text = ColdStartBench.class.getResourceAsStream("ExplainScript.java.txt")) {
      Files.copy(text, source);
    }
    String flink = classPath(FlinkRuntime.of(FlinkVersion.V2_2).classPath().stream());
    int compiled =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, "-cp", flink, "" + source);
    if (compiled != 0) {
      throw new IllegalStateException("ExplainScript does not compile");
    }
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return List.of(
        "" + java,
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        folder + File.pathSeparator + flink,
        "ExplainScript",
        "" + statements);
  }

  private static String classPath(Stream<Path> paths) {
    return paths.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * The statements as stock Flink takes them, with a zero character behind each: the hints are
   * gone, or replaced by the native option.
   */
  private static String stockStatements(Path script) throws IOException {
    ScriptReader.Result read =
        ScriptReader.read(new SourceText(script.toString(), Files.readString(script)));
    String text = read.script().text().text();
    return read.script().statements().stream()
        .map(statement -> statement.span())
        .map(span -> text.substring(span.start(), span.end()))
        .map(
            statement ->
                statement.replaceAll("(?i)/\\*\\+\\s*DISTRIBUTEBY\\([^)]*\\)\\s*\\*/", " "))
        .map(statement -> statement.replace("'source.parallelism'", "'scan.parallelism'"))
        .collect(Collectors.joining("\0"));
  }
}
