package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.DiagnosticCode;
import org.junit.jupiter.api.Test;

class ExplainCommandTest {
  @Test
  void printsThePageAsItIsWhereNobodyReadsItOnATerminal() {
    Invocation explained = Invocation.of("explain", "hf203");
    assertThat(explained.exitCode()).isZero();
    assertThat(explained.out()).isEqualTo(ExplainPages.markdown(DiagnosticCode.EMPTY_HINT));
    assertThat(explained.err()).isEmpty();
  }

  @Test
  void leavesOutTheMarksOnATerminal() {
    Invocation explained = Invocation.onColorTerminal("explain", "HF203");
    assertThat(explained.exitCode()).isZero();
    assertThat(explained.out())
        .startsWith("\u001b[1mHF203: A hint has no arguments\u001b[0m\n\n")
        .contains("\n\u001b[1mWrong\u001b[0m\n\n    CREATE TABLE ")
        .contains("\n\n    error[HF203]: DISTRIBUTEBY needs arguments\n     --> script.sql:2:12\n")
        .contains("\n\u001b[1mRight\u001b[0m\n\n    CREATE TABLE ")
        .doesNotContain("```", "#");
  }

  @Test
  void printsSeveralPagesInTheOrderGiven() {
    Invocation explained = Invocation.of("explain", "HF404", "HF401");
    assertThat(explained.exitCode()).isZero();
    assertThat(explained.out())
        .isEqualTo(
            ExplainPages.markdown(DiagnosticCode.SINK_KEY_NOT_COVERED)
                + "\n"
                + ExplainPages.markdown(DiagnosticCode.UNKNOWN_OUTPUT_COLUMN));
  }

  @Test
  void listsAllCodesInLinesForATerminal() {
    Invocation listed = Invocation.of("explain");
    assertThat(listed.exitCode()).isZero();
    assertThat(listed.out().lines())
        .hasSameSizeAs(DiagnosticCode.values())
        .contains("HF203  error    A hint has no arguments")
        .contains("HF404  warning  DISTRIBUTEBY tears a sink key apart")
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void namesTheNearestCodeOfEachThatIsUnknown() {
    Invocation refused = Invocation.of("explain", "HF203", "HF2O1", "BROADCAST");
    assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE_OR_FAULT);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err())
        .contains("there is no code 'HF2O1'; did you mean HF201?")
        .contains("there is no code 'BROADCAST'; 'hintflow explain' lists them all");
  }
}
