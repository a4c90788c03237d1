package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanCommandTest {
  private static final Path ORDERS =
      Path.of(System.getProperty("hintflow.testdata"), "plan", "orders.sql");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"text, plan.txt", "json, plan.json"})
  void textAndJsonAreTheFilesThatTranspileWrites(String format, String file) throws IOException {
    assertThat(Invocation.of("transpile", ORDERS, "-o", folder).exitCode()).isZero();

    Invocation shown = Invocation.of("plan", ORDERS, "--format", format);

    assertThat(shown.exitCode()).as(shown.err()).isZero();
    assertThat(folder.resolve(file)).hasContent(shown.out());
    assertThat(Invocation.of("plan", folder.resolve("plan.json"), "--format", format))
        .isEqualTo(new Invocation(0, shown.out(), ""));
  }

  @Test
  void textIsWhatNobodyHasToAskFor() {
    assertThat(Invocation.of("plan", ORDERS).out()).startsWith("Job orders for Flink 2.2\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mermaid", "dot", "svg"})
  void aPictureIsTheSameFromAScriptAndFromItsPlan(String format) {
    assertThat(Invocation.of("transpile", ORDERS, "-o", folder).exitCode()).isZero();

    Invocation ofScript = Invocation.of("plan", ORDERS, "--format", format);
    Invocation ofPlan =
        Invocation.of("plan", folder.resolve("plan.json"), "--format", format.toUpperCase());

    assertThat(ofScript.out()).contains("view/in").isEqualTo(ofPlan.out());
  }

  @Test
  void aPageShowsEachScriptAndNoneOfAPlan() throws IOException {
    Path tables =
        Files.writeString(
            folder.resolve("tables.sql"), "CREATE TABLE t (a INT) WITH ('connector' = 'datagen');");
    Path query = Files.writeString(folder.resolve("query.sql"), "SELECT a FROM t; -- the query");

    Invocation page = Invocation.of("plan", tables, query, "--format", "html");

    assertThat(page.exitCode()).as(page.err()).isZero();
    assertThat(page.out())
        .contains("<h2>tables.sql</h2>", "<h2>query.sql</h2>", "SELECT a FROM t; -- the query<");

    Path json =
        Files.writeString(
            folder.resolve("plan.json"),
            Invocation.of("plan", tables, query, "--format=json").out());
    assertThat(Invocation.of("plan", json, "--format", "html").out())
        .contains("data-stage=\"select/1\"")
        .doesNotContain("-- the query<");
  }

  @Test
  void theVersionOfFlinkIsTheUsers() {
    assertThat(Invocation.of("plan", ORDERS, "--flink-version", "1.20").out())
        .startsWith("Job orders for Flink 1.20\n");
  }

  @Test
  void showsNothingOfAScriptWithErrors() throws IOException {
    Path script = Files.writeString(folder.resolve("wrong.sql"), "SELECT a FROM (;");
    Invocation refused = Invocation.of("plan", script, "--format", "svg");
    assertThat(refused.exitCode()).isEqualTo(ExitCode.INPUT_HAS_ERRORS);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("error[HF", "wrong.sql:1:");
  }

  @Test
  void saysWhatIsNoPlan() throws IOException {
    Path json = Files.writeString(folder.resolve("other.json"), "{}");
    Invocation refused = Invocation.of("plan", json);
    assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE_OR_FAULT);
    assertThat(refused.err()).contains("other.json cannot be read as a plan");

    assertThat(Invocation.of("plan", folder.resolve("missing.sql")).err())
        .contains("missing.sql: no such file or folder");
  }

  @Test
  void aPlanStandsAloneAndHasAFlinkOfItsOwn() {
    Invocation two = Invocation.of("plan", "plan.json", ORDERS);
    assertThat(two.exitCode()).isEqualTo(ExitCode.USAGE_OR_FAULT);
    assertThat(two.err()).contains("a plan.json stands alone");

    Invocation version = Invocation.of("plan", "plan.json", "--flink-version", "1.20");
    assertThat(version.exitCode()).isEqualTo(ExitCode.USAGE_OR_FAULT);
    assertThat(version.err()).contains("a plan.json tells which Flink it is for");
  }
}
