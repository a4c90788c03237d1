package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.TranspilerOptions.Emission;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code -- hintflow:ignore} silences, and when one that silences nothing is told. */
class IgnoresTest {
  private static final String TABLES =
      """
      CREATE TABLE clicks (page STRING, n INT) WITH ('connector' = 'datagen');
      CREATE TABLE visits (page STRING, n INT) WITH ('connector' = 'print');
      """;

  private static List<String> check(String... scripts) {
    return told(
        Transpiler.check(
            Stream.of(scripts).map(text -> new SourceText("script.sql", text)).toList(),
            FlinkVersion.DEFAULT));
  }

  private static Transpilation transpile(String script) {
    return Transpiler.transpile(
        List.of(new SourceText("script.sql", script)),
        new TranspilerOptions(FlinkVersion.DEFAULT, "com.example", "job", Emission.PROJECT));
  }

  /** Each finding as its code and line. */
  private static List<String> told(List<Diagnostic> diagnostics) {
    return diagnostics.stream()
        .map(found -> found.code().id() + " " + found.location().line())
        .toList();
  }

  @Test
  void silencesWarningsEverywhere() {
    String wrongOrder =
        "CREATE TABLE pages (a INT, b INT) WITH ('connector' = 'datagen');\n"
            + "CREATE TABLE copies (a INT, b INT) WITH ('connector' = 'print');\n"
            + "-- hintflow:ignore HF427\n"
            + "INSERT INTO copies SELECT b, a FROM pages;\n";
    assertThat(check(wrongOrder)).isEmpty();
    assertThat(check(wrongOrder.replace("HF427", "HF426"))).containsExactly("HF113 3", "HF427 4");
    Transpilation transpilation = transpile(wrongOrder);
    assertThat(transpilation.diagnostics()).isEmpty();
    assertThat(transpilation.plan().orElseThrow().notes()).isEmpty();
  }

  @Test
  void silencesNotesAndTakesThemOutOfThePlan() {
    String script =
        """
        CREATE TABLE clicks (n INT) WITH (
          'connector' = 'datagen',
          -- hintflow:ignore HF405: order does not matter
          'source.parallelism' = '2');
        SELECT n FROM clicks;
        """;
    String told = script.replace("hintflow:ignore", "");
    assertThat(told(transpile(told).diagnostics())).containsExactly("HF405 4");
    assertThat(transpile(told).plan().orElseThrow().notes()).hasSize(1);
    assertThat(transpile(script).diagnostics()).isEmpty();
    assertThat(transpile(script).plan().orElseThrow().notes()).isEmpty();
    assertThat(check(script)).isEmpty();
  }

  @Test
  void silencesErrorsInACheckOnly() {
    String script = TABLES + "-- hintflow:ignore HF305\nSELECT pgae FROM clicks;\n";
    assertThat(check(script)).isEmpty();
    String hinted = script.replace("SELECT", "SELECT /*+ DISTRIBUTEBY(pgae) */");
    assertThat(check(hinted)).isEmpty();
    assertThat(told(transpile(hinted).diagnostics())).containsExactly("HF305 4");
    assertThat(transpile(hinted).plan()).isEmpty();
  }

  @Test
  void goesOnBehindASyntaxErrorThatIsSilenced() {
    String script =
        TABLES
            + "-- hintflow:ignore HF101\nSELECT FROM;\n"
            + "-- hintflow:ignore HF427\nSELECT pgae FROM clicks;\n";
    assertThat(check(script)).containsExactly("HF305 6");
    assertThat(check(script.replace("pgae", "page"))).containsExactly("HF113 5");
  }

  @Test
  void tellsNoUnusedIgnoreWhereErrorsEndedTheSearch() {
    String unused = "-- hintflow:ignore HF427\nSELECT page FROM clicks;\n";
    assertThat(check(TABLES + unused)).containsExactly("HF113 3");
    assertThat(check(TABLES + unused + "SELECT FROM;\n")).containsExactly("HF101 5");
    assertThat(check(TABLES + unused + "SELECT pgae FROM clicks;\n")).containsExactly("HF305 5");
  }

  @Test
  void tellsAnUnknownCodeInAnyCase() {
    String script = "-- hintflow:ignore HF3O5\nSELECT FROM;\n";
    assertThat(check(script)).containsExactly("HF114 1", "HF101 2");
  }

  @Test
  void cannotSilenceWhatIsToldOfIgnores() {
    String script = "-- hintflow:ignore HF113\n-- hintflow:ignore HF427\n";
    assertThat(check(TABLES + script + "SELECT page FROM clicks;\n"))
        .containsExactly("HF113 3", "HF113 4");
  }

  @Test
  void speaksOfTheScriptThatItStandsIn() {
    String first = TABLES + "-- hintflow:ignore HF305";
    assertThat(check(first, "SELECT pgae FROM clicks;\n")).containsExactly("HF305 1");
    assertThat(check(TABLES, "-- hintflow:ignore HF305\nSELECT pgae FROM clicks;")).isEmpty();
  }
}
