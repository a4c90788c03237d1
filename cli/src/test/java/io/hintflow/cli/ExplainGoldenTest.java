package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The pages that explain the codes, with both of their examples run. {@code make golden} rewrites
 * the reports in them.
 */
class ExplainGoldenTest {
  private static final boolean REWRITE = "rewrite".equals(System.getProperty("hintflow.golden"));

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(DiagnosticCode.class)
  void theWrongExampleGivesTheFindingAndTheRightOneNone(DiagnosticCode code) throws Exception {
    ExplainPage page = ExplainPage.of(code);
    assertThat(page.heading()).isEqualTo(code.id() + ": " + code.title());

    List<Diagnostic> found = page.wrong().diagnostics(folder);
    String report = report(found);
    if (REWRITE) {
      ExplainPage.rewriteReport(code, report);
    } else {
      assertThat(page.report()).isEqualTo(report);
    }
    assertThat(found)
        .extracting(Diagnostic::code)
        .as(report)
        .containsExactlyElementsOf(expected(code));
    assertThat(page.right().diagnostics(folder)).isEmpty();
  }

  private static List<DiagnosticCode> expected(DiagnosticCode code) {
    return switch (code) {
      // Two tables of one name are an error of the query too.
      case AMBIGUOUS_JOIN_TABLE -> List.of(code, DiagnosticCode.INVALID_QUERY);
      // What it fails to silence is told.
      case UNKNOWN_IGNORED_CODE -> List.of(code, DiagnosticCode.IGNORED_OPTIONS);
      default -> List.of(code);
    };
  }

  /** What the commands print, without the line that counts. */
  private static String report(List<Diagnostic> found) throws CliException {
    String rendered = new DiagnosticRenderer(ScriptFiles.read(List.of()), false).render(found);
    return rendered.isEmpty() ? "" : rendered.substring(0, rendered.lastIndexOf("\n\n") + 1);
  }

  @ParameterizedTest
  @EnumSource(DiagnosticCode.class)
  void everyCodeHasAPageOfShortLines(DiagnosticCode code) {
    String text = ExplainPages.markdown(code).replaceAll("(?s)```.*?```", "");
    assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
  }

  @Test
  void everyPageHasACode() throws IOException {
    try (Stream<Path> pages = Files.list(ExplainPage.folder())) {
      assertThat(pages.map(page -> page.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(DiagnosticCode.values()).map(code -> code.id() + ".md").toList());
    }
  }
}
