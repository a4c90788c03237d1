package io.hintflow.transpiler.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Fixed;
import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Span;
import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.Transpilation;
import io.hintflow.transpiler.Transpiler;
import io.hintflow.transpiler.TranspilerOptions;
import java.util.List;

/** A script in which ⟦ and ⟧ stand around what a diagnostic must point at. */
public record MarkedScript(String text, Span span) {

  public static MarkedScript of(String marked) {
    int start = marked.indexOf('⟦');
    int end = marked.indexOf('⟧') - 1;
    return new MarkedScript(marked.replace("⟦", "").replace("⟧", ""), new Span(start, end));
  }

  public Transpilation transpile(FlinkVersion version, TranspilerOptions.Emission emission) {
    return Transpiler.transpile(
        List.of(new SourceText("script.sql", text)),
        new TranspilerOptions(version, "com.example", "job", emission));
  }

  /** Asserts that there is exactly one finding of a code, and that it stands at the mark. */
  public void gives(DiagnosticCode code, String message, String help) {
    gives(transpile(FlinkVersion.V2_2, TranspilerOptions.Emission.PROJECT), code, message, help);
  }

  public void gives(Transpilation transpilation, DiagnosticCode code, String message, String help) {
    List<Diagnostic> found =
        transpilation.diagnostics().stream().filter(one -> one.code() == code).toList();
    assertThat(found).as("%s", transpilation.diagnostics()).hasSize(1);
    assertThat(found.get(0).span()).as("span").isEqualTo(span);
    assertThat(found.get(0).message()).isEqualTo(message);
    assertThat(found.get(0).help()).hasValue(help);
    fixMends(found.get(0));
  }

  /** Asserts that the finding is gone once its fix is made, if it has one. */
  private static void fixMends(Diagnostic found) {
    if (!found.fix().isEmpty()) {
      String fixed = Fixed.text(List.of(found));
      assertThat(
              Transpiler.check(List.of(new SourceText("script.sql", fixed)), FlinkVersion.DEFAULT))
          .as(fixed)
          .noneMatch(one -> one.code() == found.code() && one.message().equals(found.message()));
    }
  }
}
