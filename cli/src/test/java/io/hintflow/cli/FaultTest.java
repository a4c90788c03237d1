package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A fault of hintflow itself, here a terminal that breaks down when it is asked for. */
class FaultTest {

  @Test
  void tellsOneSentenceWithoutAStackTrace() {
    String err = fault();
    assertThat(err)
        .isEqualTo(
            """
            error: internal fault (IllegalStateException)
              = help: run again with --verbose to see where, and how to report it
            """);
  }

  @Test
  void showsTheStackTraceAndHowToReportItWhenAsked() {
    assertThat(fault("--verbose"))
        .contains("error: internal fault\n")
        .contains("java.lang.IllegalStateException: broken")
        .contains("\tat io.hintflow.cli.")
        .contains("please report it")
        .contains("hintflow (not packaged)");
  }

  private static String fault(String... options) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream broken =
        new PrintStream(new ByteArrayOutputStream()) {
          @Override
          public void println(String line) {
            throw new IllegalStateException("broken");
          }
        };
    Terminal terminal =
        new Terminal(broken, new PrintStream(err, true, StandardCharsets.UTF_8), false, false);
    String[] line = Arrays.copyOf(options, options.length + 1);
    line[options.length] = "completion";
    int exitCode = new HintflowCommand(terminal).execute(line);
    assertThat(exitCode).isEqualTo(ExitCode.USAGE_OR_FAULT);
    return err.toString(StandardCharsets.UTF_8);
  }
}
