package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckCommandTest {
  private static final String TABLES =
      """
      CREATE TABLE orders (id INT, name STRING) WITH ('connector' = 'datagen');
      CREATE TABLE printed (id INT, name STRING) WITH ('connector' = 'print');
      """;

  private static final String CLEAN = TABLES + "INSERT INTO printed SELECT id, name FROM orders;\n";
  private static final String WARNED = CLEAN.stripTrailing().replaceFirst(";$", "");
  private static final String NOTED =
      CLEAN.replace("'datagen'", "'datagen', 'source.parallelism' = '2'");
  private static final String WRONG = CLEAN.replace("SELECT id", "SELECT idd");

  @TempDir private Path folder;

  private Path script(String name, String text) throws IOException {
    Path script = folder.resolve(name);
    Files.createDirectories(script.getParent());
    return Files.writeString(script, text);
  }

  private static Invocation check(Object... words) {
    return Invocation.of(Stream.concat(Stream.of("check"), Stream.of(words)).toArray());
  }

  private static Invocation checkInput(String input, Object... words) {
    return checkInput(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), words);
  }

  private static Invocation checkInput(InputStream input, Object... words) {
    InputStream before = System.in;
    System.setIn(input);
    try {
      return check(words);
    } finally {
      System.setIn(before);
    }
  }

  private static JsonNode json(Invocation checked) throws IOException {
    return new ObjectMapper().readTree(checked.out());
  }

  /** The paths of the scripts that were checked, below the folder of the test. */
  private List<String> checked(Object... words) throws IOException {
    List<String> files = new ArrayList<>();
    Object[] line = Stream.concat(Stream.of(words), Stream.of("--format", "json")).toArray();
    json(check(line))
        .get("files")
        .forEach(file -> files.add(folder.relativize(Path.of(file.textValue())).toString()));
    return files;
  }

  @Test
  void tellsWhatIsCleanAndWhatIsNot() throws IOException {
    Invocation clean = check(script("clean.sql", CLEAN));
    assertThat(clean).isEqualTo(new Invocation(0, "nothing found in 1 script\n", ""));

    Invocation wrong = check(script("wrong.sql", WRONG));
    assertThat(wrong.exitCode()).isEqualTo(ExitCode.INPUT_HAS_ERRORS);
    assertThat(wrong.out())
        .contains("error[HF305]", " --> " + folder.resolve("wrong.sql") + ":3:28\n")
        .endsWith("1 error in 1 script\n");
    assertThat(wrong.err()).isEmpty();
  }

  @Test
  void countsWarningsOnlyIfItIsStrictAndNotesNever() throws IOException {
    Path warned = script("warned.sql", WARNED);
    Path noted = script("noted.sql", NOTED);
    assertThat(check(warned, noted).exitCode()).isZero();
    assertThat(check(warned, noted).out()).endsWith("1 warning, 1 note in 2 scripts\n");
    assertThat(check(warned, "--strict").exitCode()).isEqualTo(ExitCode.INPUT_HAS_ERRORS);
    assertThat(check(noted, "--strict").exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "json", "sarif", "github", "junit"})
  void endsTheSameInEveryFormat(String format) throws IOException {
    assertThat(check(script("a.sql", CLEAN), "--format", format).exitCode()).isZero();
    assertThat(check(script("b.sql", WRONG), "--format", format).exitCode())
        .isEqualTo(ExitCode.INPUT_HAS_ERRORS);
    assertThat(check(folder.resolve("none.sql"), "--format", format).exitCode())
        .isEqualTo(ExitCode.USAGE_OR_FAULT);
  }

  @Test
  void checksTheOthersIfOneCannotBeRead() throws IOException {
    Path missing = folder.resolve("missing.sql");
    Invocation checked = check(missing, script("wrong.sql", WRONG), "--format", "json");
    assertThat(checked.exitCode()).isEqualTo(ExitCode.USAGE_OR_FAULT);
    String sentence = "cannot read " + missing + ": no such file or folder";
    assertThat(checked.err()).isEqualTo("error: " + sentence + "\n");
    assertThat(json(checked).get("faults").get(0).textValue()).isEqualTo(sentence);
    assertThat(json(checked).get("findings").get(0).get("code").textValue()).isEqualTo("HF305");
  }

  @Test
  void takesAScriptThatIsNotUtf8ForAFinding() throws IOException {
    Path latin = folder.resolve("a.sql");
    Files.write(latin, "SELECT 'ä';".getBytes(StandardCharsets.ISO_8859_1));
    Invocation checked = check(latin, script("b.sql", WRONG));
    assertThat(checked.exitCode()).isEqualTo(ExitCode.INPUT_HAS_ERRORS);
    assertThat(checked.out()).contains("HF100", "HF305").endsWith("2 errors in 2 scripts\n");
  }

  @Test
  void looksIntoQueriesWithoutHintsToo() throws IOException {
    Path script = script("wrong.sql", TABLES + "SELECT amount FROM orders;\n");
    assertThat(check(script).out()).contains("HF305");
  }

  @Test
  void checksForAVersionOfFlink() throws IOException {
    Path script =
        script("kafka.sql", CLEAN.replace("'print'", "'kafka', 'topic' = 't', 'format' = 'json'"));
    assertThat(check(script).out()).isEqualTo("nothing found in 1 script\n");
    assertThat(check(script, "--flink-version", "2.3").out()).contains("HF504");
  }

  @Test
  void ignoresWhatAScriptAsksItTo() throws IOException {
    String ignored = WRONG.replace("INSERT", "-- hintflow:ignore HF305\nINSERT");
    assertThat(check(script("a.sql", ignored)).exitCode()).isZero();
    Path unused = script("b.sql", CLEAN.replace("INSERT", "-- hintflow:ignore HF305\nINSERT"));
    assertThat(check(unused).out()).contains("HF113", "b.sql:3:20");
    assertThat(check(unused, "--strict").exitCode()).isEqualTo(ExitCode.INPUT_HAS_ERRORS);
  }

  @Test
  void checksEachByItselfOrAllAsOne() throws IOException {
    Path tables = script("b/tables.sql", TABLES);
    Path job = script("a/job.sql", "SELECT idd FROM orders;\n");
    assertThat(check(tables, job).out()).contains("HF310").doesNotContain("HF305");
    Invocation asOne = check(tables, job, "--as-one");
    assertThat(asOne.exitCode()).isEqualTo(ExitCode.INPUT_HAS_ERRORS);
    assertThat(asOne.out()).contains("HF305", "job.sql:1:8").endsWith("1 error in 2 scripts\n");
    // In the order given, a table is there before its query.
    assertThat(check(job, tables, "--as-one").out()).contains("HF301");
  }

  @Test
  void readsFoldersToTheirDepthsInOrder() throws IOException {
    for (String name :
        List.of("b.sql", "a/z.SQL", "a/c/deep.sql", "a.sql", ".git/x.sql", ".x.sql", "a/y.txt")) {
      script(name, CLEAN);
    }
    Files.createSymbolicLink(folder.resolve("a/cycle"), folder);
    Files.createSymbolicLink(folder.resolve("a/link.sql"), folder.resolve(".x.sql"));
    Files.createSymbolicLink(folder.resolve("a/broken.sql"), folder.resolve("nothing.sql"));
    Files.createDirectories(folder.resolve("a/folder.sql"));
    assertThat(checked(folder))
        .containsExactly("a.sql", "a/c/deep.sql", "a/link.sql", "a/z.SQL", "b.sql");
    // What is named is not hidden, and a link that is named is followed.
    assertThat(checked(folder.resolve(".git"))).containsExactly(".git/x.sql");
    assertThat(checked(folder.resolve("a/cycle/.git"))).containsExactly("a/cycle/.git/x.sql");
  }

  @Test
  void expandsGlobsThatTheShellLeftAsTheyAre() throws IOException {
    for (String name : List.of("a.sql", "b/c.sql", "b/d/e.sql", "b/d/f.hql", "b/[x].sql")) {
      script(name, CLEAN);
    }
    assertThat(checked(folder + "/*.sql")).containsExactly("a.sql");
    assertThat(checked(folder + "/**/*.sql"))
        .containsExactly("a.sql", "b/[x].sql", "b/c.sql", "b/d/e.sql");
    assertThat(checked(folder + "/b/**/*.{sql,hql}"))
        .containsExactly("b/[x].sql", "b/c.sql", "b/d/e.sql", "b/d/f.hql");
    assertThat(checked(folder + "/b/?.sql")).containsExactly("b/c.sql");
    assertThat(checked(folder + "/b/[x].sql")).containsExactly("b/[x].sql");
  }

  @Test
  void checksAScriptOnceHoweverOftenItIsNamed() throws IOException {
    Path script = script("a/b.sql", CLEAN);
    Path link = Files.createSymbolicLink(folder.resolve("link.sql"), script);
    assertThat(checked(script, folder.resolve("a/../a/b.sql"), link, folder, folder + "/**/*.sql"))
        .containsExactly("a/b.sql");
  }

  @Test
  void leavesDotsOutOfPaths() throws IOException {
    Path script = script("a.sql", CLEAN);
    Path here = Path.of("").toAbsolutePath().relativize(script);
    JsonNode report = json(check("./" + here, "--format", "json"));
    assertThat(report.get("files").get(0).textValue()).isEqualTo(here.toString());
  }

  @Test
  void saysWhichWordsStandForNoScript() throws IOException {
    Path empty = Files.createDirectories(folder.resolve("empty"));
    Invocation checked =
        check(empty, folder + "/*.sql", folder + "/x/**", "[", script("x.sq", CLEAN), "--as-one");
    assertThat(checked.exitCode()).isEqualTo(ExitCode.USAGE_OR_FAULT);
    assertThat(checked.err())
        .isEqualTo(
            """
            error: no .sql file is in %1$s/empty
            error: no file matches %1$s/*.sql
            error: cannot read %1$s/x: no such file or folder
            error: '[' is neither a path nor a glob
            """
                .formatted(folder));
    assertThat(checked.out()).isEqualTo("nothing found in 1 script\n");
    assertThat(check(empty, "--as-one").out()).isEqualTo("nothing found in 0 scripts\n");
  }

  @Test
  void readsStandardInput() throws IOException {
    Invocation named = checkInput(WRONG, "-", "-", "--stdin-name", "jobs/orders.sql");
    assertThat(named.exitCode()).isEqualTo(ExitCode.INPUT_HAS_ERRORS);
    assertThat(named.out())
        .contains(" --> jobs/orders.sql:3:28\n")
        .endsWith("1 error in 1 script\n");
    assertThat(checkInput(WRONG, "-").out()).contains(" --> <stdin>:3:28\n");
    Path tables = script("tables.sql", TABLES);
    assertThat(checkInput("SELECT idd FROM orders;", "--as-one", tables, "-").out())
        .contains(" --> <stdin>:1:8\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a.sql --format yaml",
        "a.sql --flink-version 1.17",
        "a.sql --stdin-name b.sql",
        "- --watch",
        "a.sql --watch --format json",
      })
  void endsWithTwoOnWrongUsage(String words) {
    Invocation refused = check(words.isEmpty() ? new Object[0] : (Object[]) words.split(" "));
    assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE_OR_FAULT);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).startsWith("error: ").doesNotContain("internal fault");
  }

  @Test
  void leavesAWholeReportBehindAFaultOfItsOwn() throws IOException {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() {
            throw new IllegalStateException("broken");
          }
        };
    Path script = script("wrong.sql", WRONG);
    Invocation failed = checkInput(broken, script, "-", "--format", "json");
    assertThat(failed.exitCode()).isEqualTo(ExitCode.USAGE_OR_FAULT);
    assertThat(failed.err()).startsWith("error: internal fault (IllegalStateException)");
    assertThat(json(failed).get("findings")).hasSize(1);
    assertThat(json(failed).get("faults").get(0).textValue())
        .isEqualTo("an internal fault ended the check: IllegalStateException");
  }

  @Test
  void colorsTextOnATerminal() throws IOException {
    Path script = script("wrong.sql", WRONG);
    assertThat(Invocation.onColorTerminal("check", script).out()).contains("\u001b[");
    assertThat(Invocation.onColorTerminal("check", script, "--format", "github").out())
        .doesNotContain("\u001b");
  }
}
