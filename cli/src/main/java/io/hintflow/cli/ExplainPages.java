package io.hintflow.cli;

import io.hintflow.grammar.DiagnosticCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The pages that explain what each code means, one Markdown file a code. */
final class ExplainPages {
  private ExplainPages() {}

  /**
   * The page of a code, in CommonMark: a heading with id and title, what the code means, and the
   * sections "Wrong" and "Right" with a script each. Lines end in LF.
   */
  static String markdown(DiagnosticCode code) {
    try (InputStream page =
        ExplainPages.class.getResourceAsStream("explain/" + code.id() + ".md")) {
      if (page == null) {
        throw new IllegalStateException(
            "There is no page for %s; every code needs one".formatted(code.id()));
      }
      return new String(page.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
