package io.hintflow.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A finding that says how to mend it without the user: mended so, it is gone. */
class FixesTest {
  static Stream<String> scripts() {
    return Stream.of(
            FindingsTest.syntaxErrors(),
            FindingsTest.readingProblems(),
            FindingsTest.swallowedStatements(),
            FindingsTest.hintProblems())
        .flatMap(cases -> cases)
        .map(example -> MarkedText.of(example.script()).text());
  }

  private static List<Diagnostic> read(String script) {
    return ScriptReader.read(new SourceText("x.sql", script)).diagnostics();
  }

  private static List<Diagnostic> fixable(String script) {
    return read(script).stream().filter(found -> !found.fix().isEmpty()).toList();
  }

  private static long like(Diagnostic wanted, List<Diagnostic> found) {
    return found.stream()
        .filter(one -> one.code() == wanted.code() && one.message().equals(wanted.message()))
        .count();
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void aFixMendsWhatItIsFor(String script) {
    for (Diagnostic found : fixable(script)) {
      String fixed = Fixed.text(List.of(found));
      assertThat(like(found, read(fixed))).as(fixed).isLessThan(like(found, read(script)));
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void allFixesOfAScriptFitTogether(String script) {
    List<Diagnostic> found = fixable(script);
    if (!found.isEmpty()) {
      String fixed = Fixed.text(found);
      assertThat(fixable(fixed)).as(fixed).isEmpty();
    }
  }

  @Test
  void theseCodesHaveFixes() {
    Set<DiagnosticCode> codes =
        scripts()
            .flatMap(script -> fixable(script).stream())
            .map(Diagnostic::code)
            .collect(Collectors.toSet());
    assertThat(codes)
        .containsExactlyInAnyOrder(
            DiagnosticCode.SYNTAX_ERROR,
            DiagnosticCode.TRAILING_COMMA,
            DiagnosticCode.UNQUOTED_SETTING,
            DiagnosticCode.PASTED_PROMPT,
            DiagnosticCode.HASH_COMMENT,
            DiagnosticCode.MISSING_SEMICOLON,
            DiagnosticCode.UNKNOWN_HINT,
            DiagnosticCode.UNKNOWN_HINT_KEY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "SET a.b=c;                                | SET 'a.b'='c';",
        "SET a = it's x ;                          | SET 'a' = 'it''s x' ;",
        "SET 'a.b' = c d ;                         | SET 'a.b' = 'c d' ;",
        "RESET a.b;                                | RESET 'a.b';",
        "SELECT f(a,) FROM t;                      | SELECT f(a) FROM t;",
        "SELECT 1 -- end                           | SELECT 1; -- end",
        "SELECT a FORM t;                          | SELECT a FROM t;",
        "SELECT a, FROM t;                         | SELECT a FROM t;",
        "SELECT a FROM t WHERE a == 1;             | SELECT a FROM t WHERE a = 1;",
        "SELECT a AS value FROM t;                 | SELECT a AS `value` FROM t;",
        "SELECT a，b FROM t;                       | SELECT a,b FROM t;",
        "SELECT /*+ DISTRIBUTBY(a) */ a FROM t;    | SELECT /*+ DISTRIBUTEBY(a) */ a FROM t;",
        "SELECT /*+ LATE_DATA_SINK(sink.nam = 'l') */ a FROM t; | SELECT /*+ LATE_DATA_SINK(sink.nam = 'l') */ a FROM t;",
        "SELECT /*+ LATE_DATA_SINK('sink.nam' = 'l') */ a FROM t; | SELECT /*+ LATE_DATA_SINK('sink.name' = 'l') */ a FROM t;",
      })
  void looksLikeThis(String script, String fixed) {
    assertThat(Fixed.text(read(script))).isEqualTo(fixed);
  }

  @Test
  void takesAllPromptsOutAtOnce() {
    assertThat(Fixed.text(read("Flink SQL> SELECT a\n> FROM t\n> WHERE a\n> > 5;\n")))
        .isEqualTo(" SELECT a\n FROM t\n WHERE a\n > 5;\n");
  }
}
