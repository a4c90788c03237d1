package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiffCommandTest {
  private static final String SCRIPT =
      """
      CREATE TABLE clicks (user_id STRING, page STRING) WITH ('connector' = 'datagen');
      CREATE TABLE pages (page STRING, n BIGINT) WITH ('connector' = 'print');
      INSERT INTO pages SELECT page, COUNT(*) FROM clicks GROUP BY page;
      """;

  @TempDir Path folder;
  private Path before;

  @BeforeEach
  void writeTheOldScript() throws IOException {
    before = write("before.sql", SCRIPT);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void layoutMakesNoDifference() throws IOException {
    Path after = write("after.sql", "-- anew\n" + SCRIPT.replace(", ", ",\n  "));
    Invocation diff = Invocation.of("diff", before, after);
    assertThat(diff.exitCode()).isZero();
    assertThat(diff.out()).isEqualTo("The plans are the same.\n");
    assertThat(diff.err()).isEmpty();
  }

  @Test
  void aDifferenceIsToldAndGivesOne() throws IOException {
    Path after = write("after.sql", SCRIPT.replace("GROUP BY page", "GROUP BY page, user_id"));
    Invocation diff = Invocation.of("diff", before, after);
    assertThat(diff.exitCode()).isEqualTo(1);
    assertThat(diff.out())
        .contains("insert/pages  changed", "GROUP BY page{+, user_id+}", "state incompatible");
  }

  @ParameterizedTest
  @CsvSource({
    "text, insert/pages",
    "json, '{'",
    "markdown, '### hintflow: the plans differ'",
    "html, <!DOCTYPE html>"
  })
  void everyForm(String format, String begin) throws IOException {
    Path after = write("after.sql", SCRIPT.replace("GROUP BY page", "GROUP BY page, user_id"));
    Invocation diff = Invocation.of("diff", before, after, "--format", format);
    assertThat(diff.exitCode()).isEqualTo(1);
    assertThat(diff.out()).startsWith(begin);
    assertThat(diff.err()).isEmpty();
  }

  @Test
  void aWrittenPlanIsASideToo() {
    Path job = folder.resolve("job");
    assertThat(Invocation.of("transpile", before, "-o", job).exitCode()).isZero();
    Invocation diff = Invocation.of("diff", before, job.resolve("plan.json"));
    assertThat(diff.out()).isEqualTo("The plans are the same.\n");
    assertThat(diff.exitCode()).isZero();
  }

  @Test
  void aPlanOfAnotherFormIsRefused() throws IOException {
    Path plan = write("plan.json", "{\"version\": 1, \"stages\": []}");
    Invocation diff = Invocation.of("diff", plan, before);
    assertThat(diff.exitCode()).isEqualTo(2);
    assertThat(diff.out()).isEmpty();
    assertThat(diff.err())
        .isEqualTo(
            "error: %s cannot be read as a plan: it is of version 1, written by an earlier hintflow, and this one reads version 2; transpile its script again\n"
                .formatted(plan));
  }

  @Test
  void aSideWithErrorsCannotBeCompared() throws IOException {
    Path after = write("after.sql", SCRIPT.replace("FROM clicks", "FORM clicks"));
    Invocation diff = Invocation.of("diff", before, after);
    assertThat(diff.exitCode()).isEqualTo(2);
    assertThat(diff.out()).isEmpty();
    assertThat(diff.err())
        .contains("error[HF101]")
        .endsWith("error: NEW has errors: " + after + "\n");
  }

  @Test
  void aMissingFileIsNamed() {
    Invocation diff = Invocation.of("diff", folder.resolve("no.sql"), before);
    assertThat(diff.exitCode()).isEqualTo(2);
    assertThat(diff.err())
        .isEqualTo(
            "error: cannot read %s: no such file or folder\n".formatted(folder.resolve("no.sql")));
  }

  @Test
  void standardInputIsOneSideOnly() {
    Invocation diff = Invocation.of("diff", "-", "-");
    assertThat(diff.exitCode()).isEqualTo(2);
    assertThat(diff.err()).contains("standard input can be OLD or NEW, and not both");
  }

  @Test
  void aPlanWithSomethingBehindItIsRefused() throws IOException {
    Path plan = write("plan.json", "{\"version\": 2, \"stages\": []} {}");
    assertThat(Invocation.of("diff", plan, before).err()).contains("it is not JSON");
  }

  @ParameterizedTest
  @CsvSource({"git:", "git:main", "git:main:", "git::a.sql", "git:--help:a.sql"})
  void aRevisionHasItsForm(String given) {
    Invocation diff = Invocation.of("diff", given, before);
    assertThat(diff.exitCode()).isEqualTo(2);
    assertThat(diff.err()).contains("is not of the form git:REVISION:PATH");
  }

  /** The program's own folder decides which repository it is, so it runs as a process. */
  @Test
  void asGitHasIt() throws Exception {
    git("init", "-q");
    git("add", "before.sql");
    git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "first");
    assertThat(diff("git:HEAD:before.sql", "before.sql")).isEqualTo("0: The plans are the same.\n");

    Files.writeString(before, SCRIPT.replace("datagen", "kafka"));
    assertThat(diff("git:HEAD:before.sql", "before.sql"))
        .startsWith("1: ")
        .contains("option 'connector': [-datagen-] {+kafka+}");

    assertThat(diff("git:HEAD:Other.sql", "before.sql"))
        .startsWith("2: ")
        .contains("error: cannot read git:HEAD:Other.sql: git says: path 'Other.sql'");
  }

  private void git(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process git = new ProcessBuilder(command).directory(folder.toFile()).inheritIO().start();
    assertThat(git.waitFor()).isZero();
  }

  /** Its exit code and what it says. */
  private String diff(String old, String now) throws Exception {
    Process diff =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-XX:TieredStopAtLevel=1",
                "io.hintflow.cli.Main",
                "diff",
                old,
                now)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    diff.getOutputStream().close();
    String said = new String(diff.getInputStream().readAllBytes());
    return diff.waitFor() + ": " + said;
  }
}
