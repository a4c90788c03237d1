package io.hintflow.transpiler.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A case of testdata/cases. */
public record ScriptCase(Path folder) {
  private static final Path ROOT = Path.of(System.getProperty("hintflow.testdata"), "cases");

  public static Stream<ScriptCase> all() {
    try (Stream<Path> folders = Files.list(ROOT)) {
      return folders.sorted().toList().stream().map(ScriptCase::new);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  public static ScriptCase named(String name) {
    return new ScriptCase(ROOT.resolve(name));
  }

  public String name() {
    return folder.getFileName().toString();
  }

  public String script() {
    return read("script.sql");
  }

  /**
   * The script as stock Flink is given it: without any hint of ours, and with look-ups as joins.
   */
  public String scriptWithoutHints() {
    return script()
        .replaceAll(
            "/\\*\\+ (BROADCAST|HASH_BY_KEY|DISTRIBUTEBY|LATE_DATA_SINK)\\([^)]*\\)(, (HASH_BY_KEY|DISTRIBUTEBY)\\([^)]*\\))? \\*/ ",
            "")
        .replaceAll("/\\*\\+ LOOKUP\\([^)]*\\) \\*/ ", "")
        .replaceAll(" FOR SYSTEM_TIME AS OF \\S+", "")
        .replace("'connector' = 'redis'", "'connector' = 'filesystem'")
        .replaceAll("/\\*\\+ OPTIONS\\(('duplicate\\.\\w+' = '\\w+'(, )?)+\\) \\*/ ", "")
        .replaceAll("'duplicate\\.\\w+' = '\\w+', ", "")
        .replaceAll("/\\*\\+ OPTIONS\\('source.parallelism' = '\\d+'\\) \\*/", "")
        .replaceAll("'source.parallelism' = '\\d+', --", "--")
        .replaceAll(",\\s*'source.parallelism' = '\\d+'", "");
  }

  /** The arguments with which the job finds its data. */
  public String[] arguments() {
    return new String[] {"-DDATA=" + folder.resolve("data")};
  }

  /** Those with which stock Flink does: it has other connectors for some tables. */
  public String[] stockArguments() {
    Path stock = folder.resolve("stock.yaml");
    return Files.exists(stock)
        ? new String[] {arguments()[0], "--config", stock.toString()}
        : arguments();
  }

  /** What its look-ups find in Redis, values by key; none if it has no such table. */
  public Map<String, String> redis() {
    Map<String, String> values = new LinkedHashMap<>();
    if (Files.exists(folder.resolve("redis.txt"))) {
      read("redis.txt")
          .lines()
          .map(line -> line.split(" ", 2))
          .forEach(pair -> values.put(pair[0], pair[1]));
    }
    return values;
  }

  /** What its tables for late rows get, sorted; none if it has no such table. */
  public List<String> lateRows() {
    return Files.exists(folder.resolve("late.txt")) ? read("late.txt").lines().toList() : List.of();
  }

  public String read(String file) {
    try {
      return Files.readString(folder.resolve(file));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** As {@code name}, for the names of parameterized tests. */
  @Override
  public String toString() {
    return name();
  }
}
