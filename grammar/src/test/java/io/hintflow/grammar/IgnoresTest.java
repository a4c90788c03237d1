package io.hintflow.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IgnoresTest {
  private static final DiagnosticCode CODE = DiagnosticCode.UNKNOWN_COLUMN;

  private static ScriptReader.Result read(String script) {
    return ScriptReader.read(new SourceText("x.sql", script));
  }

  /** Whether a finding of the code is silenced at the place of a word. */
  private static boolean silences(String script, DiagnosticCode code, String word) {
    ScriptReader.Result result = read(script);
    SourceText source = result.script().original();
    int start = source.text().indexOf(word);
    Span span = new Span(start, start + word.length());
    return result.ignores().silences(new Diagnostic(code, source, span, "", Optional.empty()));
  }

  private static boolean silences(String script) {
    return silences(script, CODE, "here");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-- hintflow:ignore HF305\nSELECT here;",
        "--hintflow:ignore\tHF305 the table comes later\nSELECT here;",
        "-- hintflow:ignore HF305: a reason\nSELECT here;",
        "SELECT 1;\r\n  \t-- hintflow:ignore HF305\r\nSELECT here\r\nFROM t;",
        "SELECT a,\r-- hintflow:ignore HF305\r  b + here FROM t;",
        "-- hintflow:ignore HF305\n-- hintflow:ignore HF427\nSELECT here;",
        "-- hintflow:ignore HF427\n-- hintflow:ignore HF305\nSELECT here;",
        "-- hintflow:ignore HF305\n-- hintflow:ignore HF9\nSELECT here;",
      })
  void silencesACodeInTheLineBelow(String script) {
    assertThat(silences(script)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT here;\n-- hintflow:ignore HF305\n",
        "-- hintflow:ignore HF305\n\nSELECT here;",
        "-- hintflow:ignore HF305\n-- a comment\nSELECT here;",
        "-- hintflow:ignore HF305\nSELECT a,\nhere FROM t;",
        "-- hintflow:ignore HF305\nSELECT 1;\n-- hintflow:ignore HF427\nSELECT here;",
        "SELECT here; -- hintflow:ignore HF305\n",
        "SELECT -- hintflow:ignore HF305\nhere;",
        "-- hintflow:ignore HF3051\nSELECT here;",
        "-- hintflow:ignore hf305\nSELECT here;",
        "-- hintflow:ignored HF305\nSELECT here;",
        "-- hintflow:ignore-next HF305\nSELECT here;",
        "-- see hintflow:ignore HF305\nSELECT here;",
        "// hintflow:ignore HF305\nSELECT here;",
        "# hintflow:ignore HF305\nSELECT here;",
        "/*\n-- hintflow:ignore HF305\n*/ SELECT here;",
        "SELECT '\n-- hintflow:ignore HF305\n', here;",
      })
  void silencesNothingElse(String script) {
    assertThat(silences(script)).isFalse();
  }

  @Test
  void silencesOneCodeOnly() {
    String script = "-- hintflow:ignore HF305\nSELECT here;";
    assertThat(silences(script, DiagnosticCode.AMBIGUOUS_COLUMN, "here")).isFalse();
  }

  @Test
  void silencesNotesAndWhatReadingFinds() {
    String script = "-- hintflow:ignore HF111\nSELECT 1";
    ScriptReader.Result result = read(script);
    assertThat(result.diagnostics())
        .extracting(Diagnostic::code)
        .containsExactly(DiagnosticCode.MISSING_SEMICOLON);
    assertThat(result.diagnostics()).allMatch(result.ignores()::silences);
    assertThat(result.ignores().unused(result.diagnostics())).isEmpty();
  }

  @Test
  void doesNotSilenceWhatIsSaidOfIgnores() {
    String script = "-- hintflow:ignore HF114\n-- hintflow:ignore HF9\nSELECT 1;";
    ScriptReader.Result result = read(script);
    assertThat(result.diagnostics())
        .extracting(Diagnostic::code)
        .containsExactly(DiagnosticCode.UNKNOWN_IGNORED_CODE);
    assertThat(result.diagnostics()).noneMatch(result.ignores()::silences);
  }

  @Test
  void tellsExactlyWhichAreNotUsed() {
    MarkedText marked =
        MarkedText.of(
            """
            -- hintflow:ignore ⟦HF305⟧
            -- 数据 😀
            SELECT 1;
            \t-- hintflow:ignore HF111
              -- hintflow:ignore ⟦HF107⟧ as above
            SELECT 2 -- hintflow:ignore ⟦HF111⟧
            """);
    ScriptReader.Result result = read(marked.text());
    List<Diagnostic> unused = result.ignores().unused(result.diagnostics());
    assertThat(unused).extracting(Diagnostic::code).containsOnly(DiagnosticCode.UNUSED_IGNORE);
    assertThat(unused).extracting(Diagnostic::span).containsExactlyElementsOf(marked.spans());
    assertThat(unused)
        .extracting(Diagnostic::message)
        .containsExactly(
            "There is no finding HF305 in the line below",
            "There is no finding HF107 in the line below",
            "A comment behind something else in its line silences nothing");
    assertThat(Fixed.text(unused))
        .isEqualTo(
            """
            -- 数据 😀
            SELECT 1;
            \t-- hintflow:ignore HF111
            SELECT 2 -- hintflow:ignore HF111
            """);
  }

  @Test
  void asksOfAScriptOfManyIgnoresInLittleTime() {
    String script = "-- hintflow:ignore HF305\n".repeat(20_000) + "SELECT 1;";
    assertThat(read(script).ignores().unused(List.of())).hasSize(20_000);
  }
}
