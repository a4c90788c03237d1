package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TranspileCommandTest {
  private static final String TABLES =
      """
      CREATE TABLE orders (id INT, name STRING) WITH (
        'connector' = 'datagen', 'number-of-rows' = '10', 'source.parallelism' = '%s');
      CREATE TABLE printed (id INT, name STRING) WITH ('connector' = 'print');
      """;

  private static final String GOOD =
      TABLES.formatted("2")
          + "INSERT INTO printed SELECT /*+ DISTRIBUTEBY('id') */ id, name FROM orders;\n";

  @TempDir private Path folder;

  private Path output() {
    return folder.resolve("job");
  }

  private Path script(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private Invocation transpile(Path... scripts) {
    return Invocation.of(
        Stream.concat(Stream.of("transpile", "-o", output()), Stream.of(scripts)).toArray());
  }

  private void assertRefused(Invocation invocation, int exitCode) {
    assertThat(invocation.exitCode()).as(invocation.err()).isEqualTo(exitCode);
    assertThat(invocation.out()).isEmpty();
    assertThat(invocation.err()).contains("error").doesNotContain("\tat ", "internal fault");
    assertThat(output()).doesNotExist();
  }

  @Test
  void writesTheJob() throws IOException {
    Invocation first = transpile(script("big orders.sql", GOOD));
    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.out()).isEmpty();
    assertThat(output().resolve("plan.json")).content().contains("\"big-orders\"");
    assertThat(output().resolve("pom.xml")).exists();

    Invocation second = transpile(folder.resolve("big orders.sql"));
    assertThat(second.err()).contains(": 0 written, ").contains(" 0 removed");
  }

  @Test
  void checksThatTheFolderIsWhatTheScriptGives() throws IOException {
    Path script = script("orders.sql", GOOD);
    Object[] check = {"transpile", "--check", "-o", output(), script};
    Invocation before = Invocation.of(check);
    assertThat(before.exitCode()).isEqualTo(ExitCode.INPUT_HAS_ERRORS);
    assertThat(before.out()).startsWith("missing: " + output().resolve("README.md") + "\n");
    assertThat(output()).doesNotExist();

    transpile(script);
    Invocation upToDate = Invocation.of(check);
    assertThat(upToDate).isEqualTo(new Invocation(0, output() + " is what the scripts give\n", ""));

    script("orders.sql", GOOD.replace("'2'", "'3'"));
    Files.delete(output().resolve("pom.xml"));
    List<String> there = contents(output());
    Invocation outdated = Invocation.of(check);
    assertThat(outdated.exitCode()).isEqualTo(ExitCode.INPUT_HAS_ERRORS);
    assertThat(outdated.out().lines())
        .contains("differs: " + output().resolve("plan.json"))
        .contains("missing: " + output().resolve("pom.xml"));
    assertThat(outdated.err()).startsWith("error: " + output() + " is not what the scripts give\n");
    assertThat(contents(output())).isEqualTo(there);

    Invocation otherPackage =
        Invocation.of("transpile", "--check", "-o", output(), script, "--package", "a.b");
    assertThat(otherPackage.out())
        .contains("left over: " + output().resolve("src/main/java/flinkjob/OrdersJob.java"));
  }

  @Test
  void removesTheSourcesOfAnotherPackage() throws IOException {
    Path script = script("orders.sql", GOOD);
    transpile(script);
    Path sources = output().resolve("src/main/java");
    assertThat(sources.resolve("flinkjob")).isNotEmptyDirectory();
    Invocation.of("transpile", script, "-o", output(), "--package", "com.example.orders");
    assertThat(sources.resolve("flinkjob")).doesNotExist();
    assertThat(sources.resolve("com/example/orders")).isNotEmptyDirectory();
  }

  @Test
  void readsSeveralScriptsAsOne() throws IOException {
    Path tables = script("tables.sql", TABLES.formatted("2"));
    Path job = script("job.sql", "INSERT INTO printed SELECT id, name FROM orders;");
    assertThat(transpile(tables, job).exitCode()).isZero();
    assertThat(output().resolve("plan.json")).content().contains("\"tables.sql\"", "\"job.sql\"");
  }

  @Test
  void writesTheSameBytesFromEveryFolder(@TempDir Path other) throws IOException {
    transpile(script("orders.sql", GOOD));
    Path copy = Files.writeString(other.resolve("orders.sql"), GOOD);
    Invocation.of("transpile", copy, "-o", other.resolve("out"));
    assertThat(contents(other.resolve("out"))).isEqualTo(contents(output()));
  }

  private static List<String> contents(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      List<String> contents = new ArrayList<>();
      for (Path path : paths.filter(Files::isRegularFile).sorted().toList()) {
        contents.add(folder.relativize(path) + "\n" + Files.readString(path));
      }
      return contents;
    }
  }

  @Test
  void emitsSqlAndThenAProjectIntoOneFolder() throws IOException {
    Path script =
        script(
            "orders.sql",
            TABLES.formatted("2") + "INSERT INTO printed SELECT id, name FROM orders;");
    Invocation sql = Invocation.of("transpile", script, "-o", output(), "--emit", "sql");
    assertThat(sql.exitCode()).as(sql.err()).isZero();
    assertThat(output().resolve("orders.sql")).exists();
    assertThat(output().resolve("pom.xml")).doesNotExist();
    assertThat(transpile(script).exitCode()).isZero();
    assertThat(output().resolve("orders.sql")).doesNotExist();
    assertThat(output().resolve("pom.xml")).exists();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "two", "99999999999", ""})
  void refusesAParallelismThatIsNone(String parallelism) throws IOException {
    Path script = script("orders.sql", GOOD.replace("'2'", "'" + parallelism + "'"));
    Invocation refused = transpile(script);
    assertRefused(refused, ExitCode.INPUT_HAS_ERRORS);
    assertThat(refused.err()).contains(" --> " + script + ":2:").contains("^").contains("1 error");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DISTRIBUTEBY('nme')     | ^^^    | name",
        "DISTRIBUTBY('id')       | ^^^^^^^^^^^ | DISTRIBUTEBY",
        "WHATEVER('id')          | ^^^^^^^^ | WHATEVER",
        "DISTRIBUTEBY()          | ^      | DISTRIBUTEBY",
        "DISTRIBUTEBY            | ^      | DISTRIBUTEBY",
      })
  void refusesAHintThatIsNone(String hint, String carets, String named) throws IOException {
    Path script = script("orders.sql", GOOD.replace("DISTRIBUTEBY('id')", hint));
    Invocation refused = transpile(script);
    assertRefused(refused, ExitCode.INPUT_HAS_ERRORS);
    assertThat(refused.err()).contains(" --> " + script + ":4:").contains(carets, named);
  }

  @Test
  void tellsAllErrorsOfARun() throws IOException {
    Path script =
        script(
            "orders.sql",
            GOOD.replace("DISTRIBUTEBY", "DISTRIBUTBY")
                + "INSERT INTO printed SELECT /*+ WHATEVER('id') */ id, name FROM orders;\n");
    Invocation refused = transpile(script);
    assertRefused(refused, ExitCode.INPUT_HAS_ERRORS);
    assertThat(refused.err()).contains("DISTRIBUTBY", "WHATEVER").endsWith("2 errors\n");
  }

  @Test
  void refusesTwoTablesOfOneName() throws IOException {
    Invocation refused =
        transpile(
            script(
                "orders.sql", GOOD + "CREATE TABLE orders (id INT) WITH ('connector'='print');"));
    assertRefused(refused, ExitCode.INPUT_HAS_ERRORS);
    assertThat(refused.err()).contains("orders.sql:5:14").contains("^^^^^^");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  \n", "-- nothing but a comment\n", ";;"})
  void refusesAnEmptyScript(String text) throws IOException {
    assertRefused(transpile(script("empty.sql", text)), ExitCode.INPUT_HAS_ERRORS);
  }

  @Test
  void refusesWhatIsNotUtf8AndSaysWhere() throws IOException {
    Path script = folder.resolve("gbk.sql");
    Files.write(script, "SELECT 1;\nSELECT '\u00c4\u00e3'".getBytes(StandardCharsets.ISO_8859_1));
    Invocation refused = transpile(script);
    assertRefused(refused, ExitCode.INPUT_HAS_ERRORS);
    assertThat(refused.err())
        .contains("byte 0xC4 at offset 18")
        .contains(" --> " + script + ":2:9")
        .contains("        ^\n");
  }

  @Test
  void takesAByteOrderMarkForNoPartOfTheText() throws IOException {
    assertThat(transpile(script("orders.sql", "\uFEFF" + GOOD)).exitCode()).isZero();
  }

  @Test
  void refusesWhatItCannotRead() throws IOException {
    Path missing = folder.resolve("no such file.sql");
    Invocation refused = transpile(script("orders.sql", GOOD), missing, folder);
    assertRefused(refused, ExitCode.USAGE_OR_FAULT);
    assertThat(refused.err())
        .isEqualTo(
            "error: cannot read %s: no such file or folder\nerror: cannot read %s: it is a folder\n"
                .formatted(missing, folder));
  }

  @Test
  void refusesAnOutputThatIsNoFolder() throws IOException {
    Path script = script("orders.sql", GOOD);
    for (Path output : List.of(script, script.resolve("below"))) {
      Invocation refused = Invocation.of("transpile", script, "-o", output);
      assertRefused(refused, ExitCode.USAGE_OR_FAULT);
      assertThat(refused.err().lines()).hasSize(1);
    }
    assertThat(script).hasContent(GOOD.stripTrailing());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "transpile orders.sql",
        "transpile -o out",
        "transpile orders.sql -o out --flink-version 1.17",
        "transpile orders.sql -o out --emit jar",
        "transpile orders.sql -o out --package 1st.class",
        "transpile orders.sql -o out --wrong",
        "transpil orders.sql -o out",
        "--color=sometimes transpile orders.sql -o out",
        "run orders.sql more.sql",
        "run orders.sql --parallelism 0",
        "run orders.sql --parallelism two",
        "run orders.sql --config none.yaml",
        "run",
        "hints DISTRIBUTBY",
        "hints A B",
        "completion fish",
        ""
      })
  void endsWithTwoOnWrongUsage(String line) {
    Invocation refused =
        Invocation.of((Object[]) (line.isEmpty() ? new String[0] : line.split(" ")));
    assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE_OR_FAULT);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).startsWith("error: ").doesNotContain("\tat ", "internal fault");
    assertThat(Path.of("out")).doesNotExist();
  }

  @Test
  void namesAJobAfterItsFirstScript() {
    assertThat(TranspileCommand.jobName(Path.of("a/big orders.v2.SQL"))).isEqualTo("big-orders.v2");
    assertThat(TranspileCommand.jobName(Path.of("订单.sql"))).isEqualTo("job");
    assertThat(TranspileCommand.jobName(Path.of(".sql"))).isEqualTo("job");
    assertThat(TranspileCommand.jobName(Path.of("/"))).isEqualTo("job");
  }

  @Test
  void colorsDiagnosticsOnlyOnATerminalThatMay() throws IOException {
    Path script = script("orders.sql", GOOD.replace("DISTRIBUTEBY", "DISTRIBUTBY"));
    Object[] line = {"transpile", script, "-o", output()};
    assertThat(Invocation.of(line).err()).doesNotContain("\u001b");
    assertThat(Invocation.onColorTerminal(line).err()).contains("\u001b[");
    Object[] never = {"transpile", "--color=never", script, "-o", output()};
    assertThat(Invocation.onColorTerminal(never).err()).doesNotContain("\u001b");
    Object[] always = {"--color=always", "transpile", script, "-o", output()};
    assertThat(Invocation.of(always).err()).contains("\u001b[");
  }
}
