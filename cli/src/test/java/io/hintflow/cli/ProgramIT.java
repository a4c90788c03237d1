package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program, started as users start it; Maven runs this when it has packaged it. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ProgramIT {
  private static final Path PROGRAM = Path.of("bin", "hintflow").toAbsolutePath();

  private static final String ROWS =
      """
      CREATE TABLE numbers (n INT) WITH (
        'connector' = 'datagen', 'fields.n.kind' = 'sequence',
        'fields.n.start' = '1', 'fields.n.end' = '%s');
      CREATE TABLE printed (n INT) WITH ('connector' = 'print');
      INSERT INTO printed SELECT n FROM numbers;
      """;

  @TempDir private Path folder;

  private Path script(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private Process start(Map<String, String> environment, Object... command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(Stream.of(command).map(Object::toString).toList())
            .directory(folder.toFile());
    builder.environment().put("TMPDIR", folder.toString());
    builder.environment().putAll(environment);
    return builder.redirectError(folder.resolve("stderr").toFile()).start();
  }

  private Invocation run(Map<String, String> environment, Object... command) throws Exception {
    Process process = start(environment, command);
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Invocation(process.waitFor(), out, stderr());
  }

  private String stderr() throws IOException {
    return Files.readString(folder.resolve("stderr"));
  }

  /** A copy of the program in a folder of its own. */
  private Path install(String name) throws IOException {
    Path installed = folder.resolve(name);
    Path built = PROGRAM.resolveSibling("../target/hintflow").normalize();
    try (Stream<Path> paths = Files.walk(built)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        if (!path.toString().endsWith(".jsa")) {
          Path target = installed.resolve("target/hintflow").resolve(built.relativize(path));
          Files.createDirectories(target.getParent());
          Files.copy(path, target, StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
    Files.createDirectories(installed.resolve("bin"));
    return Files.copy(
        PROGRAM, installed.resolve("bin/hintflow"), StandardCopyOption.COPY_ATTRIBUTES);
  }

  @Test
  void startsFromAnyFolderThroughAnyLink() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link"), PROGRAM);
    Path relative = Files.createSymbolicLink(folder.resolve("relative"), Path.of("link"));
    for (Path program : List.of(PROGRAM, link, relative)) {
      Invocation version = run(Map.of(), program, "--version");
      assertThat(version.exitCode()).as(version.err()).isZero();
      assertThat(version.out()).matches("(?s)hintflow \\d+\\.\\d+\\.\\d+.*");
      assertThat(version.err()).isEmpty();
    }
  }

  @Test
  void startsFromAFolderWithSpacesWithAndWithoutAnArchive() throws Exception {
    Path program = install("a folder");
    Path archive = folder.resolve("a folder/target/hintflow/hintflow.jsa");
    Invocation without = run(Map.of(), program, "hints");
    assertThat(without.exitCode()).as(without.err()).isZero();
    Files.writeString(archive, "no archive");
    Invocation withBroken = run(Map.of(), program, "hints");
    assertThat(withBroken).isEqualTo(without);
  }

  @Test
  void saysWhenItIsNotBuiltOrHasNoJava() throws Exception {
    Path bare = Files.createDirectories(folder.resolve("bare/bin")).resolve("hintflow");
    Files.copy(PROGRAM, bare, StandardCopyOption.COPY_ATTRIBUTES);
    Invocation notBuilt = run(Map.of(), bare, "hints");
    assertThat(notBuilt.exitCode()).isEqualTo(ExitCode.USAGE_OR_FAULT);
    assertThat(notBuilt.err()).contains("make build");

    Invocation noJava = run(Map.of("JAVA_HOME", "/nowhere"), PROGRAM, "hints");
    assertThat(noJava.exitCode()).isEqualTo(ExitCode.USAGE_OR_FAULT);
    assertThat(noJava.err()).contains("/nowhere/bin/java");
  }

  @Test
  void readsAndShowsChineseWhateverTheLocale() throws Exception {
    script("订单.sql", "SELECT /*+ 广播('订单') */ 1;");
    Invocation refused =
        run(Map.of("LC_ALL", "C", "LANG", "C"), PROGRAM, "transpile", "订单.sql", "-o", "out");
    assertThat(refused.exitCode()).as(refused.err()).isEqualTo(ExitCode.INPUT_HAS_ERRORS);
    assertThat(refused.err()).contains(" --> 订单.sql:1:").contains("广播('订单')");
  }

  @Test
  void endsQuietlyWhenNobodyReadsItsOutput() throws Exception {
    Invocation piped =
        run(
            Map.of(),
            "bash",
            "-c",
            "set -o pipefail; \"$1\" completion | head -n 1",
            "bash",
            PROGRAM);
    assertThat(piped.exitCode()).isZero();
    assertThat(piped.err()).isEmpty();
    assertThat(piped.out().lines()).hasSize(1);
  }

  @Test
  void endsACheckQuietlyWhenNobodyReadsIt() throws Exception {
    script("wrong.sql", "SELECT FROM;\n".repeat(5_000));
    for (String format : List.of("text", "json", "junit")) {
      Invocation piped =
          run(
              Map.of(),
              "bash",
              "-c",
              "\"$1\" check wrong.sql --format $2 | head -n 1",
              "bash",
              PROGRAM,
              format);
      assertThat(piped.err()).as(format).isEmpty();
      assertThat(piped.out().lines()).hasSize(1);
    }
  }

  @Test
  void endsAWatchOnInterrupt() throws Exception {
    script("a.sql", "SELECT 1;\n");
    Process watch = start(Map.of(), PROGRAM, "check", "a.sql", "--watch");
    BufferedReader shown = watch.inputReader(StandardCharsets.UTF_8);
    String line = shown.readLine();
    while (!line.equals("nothing found in 1 script")) {
      line = shown.readLine();
    }
    new ProcessBuilder("kill", "-INT", Long.toString(watch.pid())).start().waitFor();
    assertThat(watch.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(watch.exitValue()).isIn(0, 130);
    assertThat(stderr()).isEmpty();
  }

  @Test
  void runsAScriptWithTheArgumentsOfItsJob() throws Exception {
    script("rows.sql", ROWS.formatted("${END}"));
    Invocation run =
        run(Map.of(), PROGRAM, "run", "rows.sql", "--parallelism", "1", "--", "-DEND=3");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().lines()).containsExactly("+I[1]", "+I[2]", "+I[3]");
    assertThat(run.err()).contains("hintflow: running the job").doesNotContain("\tat ");
    assertThat(temporaryFolders()).isEmpty();
  }

  @Test
  void passesOnTheJobsFailureWithoutItsStackTraceAndKeepsTheProject() throws Exception {
    script("rows.sql", ROWS.formatted("${END}"));
    Invocation run = run(Map.of(), PROGRAM, "run", "rows.sql", "--keep", "job");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("END", "--verbose").doesNotContain("\tat ");
    assertThat(folder.resolve("job/pom.xml")).exists();
    assertThat(temporaryFolders()).isEmpty();
  }

  @Test
  void endsTheJobWhenItIsTerminated() throws Exception {
    Process program = startEndlessJob();
    List<ProcessHandle> family = new ArrayList<>(program.descendants().toList());
    assertThat(family).isNotEmpty();
    program.destroy();
    assertThat(program.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(family).noneMatch(ProcessHandle::isAlive);
    assertThat(temporaryFolders()).isEmpty();
    assertThat(stderr()).doesNotContain("internal fault");
  }

  @Test
  void endsTheJobWhenNobodyReadsItsRows() throws Exception {
    Process program = startEndlessJob();
    List<ProcessHandle> family = new ArrayList<>(program.descendants().toList());
    program.getInputStream().close();
    assertThat(program.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(program.exitValue()).isZero();
    assertThat(family).noneMatch(ProcessHandle::isAlive);
    assertThat(temporaryFolders()).isEmpty();
  }

  /** Starts a job that never ends and waits for its first row. */
  private Process startEndlessJob() throws IOException {
    script(
        "endless.sql",
        """
        CREATE TABLE numbers (n INT) WITH ('connector' = 'datagen', 'rows-per-second' = '100');
        CREATE TABLE printed (n INT) WITH ('connector' = 'print');
        INSERT INTO printed SELECT n FROM numbers;
        """);
    Process program = start(Map.of(), PROGRAM, "run", "endless.sql");
    BufferedReader rows = program.inputReader(StandardCharsets.UTF_8);
    assertThat(rows.readLine()).as(stderr()).contains("+I[");
    return program;
  }

  private List<Path> temporaryFolders() throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths
          .filter(path -> path.getFileName().toString().startsWith("hintflow-run-"))
          .toList();
    }
  }
}
