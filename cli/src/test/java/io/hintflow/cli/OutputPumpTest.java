package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OutputPumpTest {
  private final ByteArrayOutputStream target = new ByteArrayOutputStream();

  @Test
  void passesOnEveryByte() {
    byte[] bytes = new byte[100_000];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    assertThat(OutputPump.copy(new ByteArrayInputStream(bytes), new PrintStream(target))).isTrue();
    assertThat(target.toByteArray()).isEqualTo(bytes);
  }

  @Test
  void stopsReadingWhenNobodyReadsTheTarget() {
    OutputStream closedPipe =
        new OutputStream() {
          @Override
          public void write(int one) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return '.';
          }
        };
    assertThat(OutputPump.copy(endless, new PrintStream(closedPipe))).isFalse();
  }

  @Test
  void leavesOutTheFramesOfStackTracesOnly() {
    byte[] trace =
        """
        Exception in thread "main" java.lang.IllegalArgumentException: wrong \u00fc
        \tat io.hintflow.cli.Main.<init>(Main.java:3)
        \tat java.base/java.lang.Thread.run(Thread.java:840) ~[?:?]
        Caused by: java.io.IOException: (no disk)
        \t... 12 more
          at home (in a sentence, this stays)
        """
            .getBytes(StandardCharsets.UTF_8);
    boolean hidden =
        OutputPump.copyWithoutStackTraces(new ByteArrayInputStream(trace), new PrintStream(target));
    assertThat(hidden).isTrue();
    assertThat(target.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            """
            Exception in thread "main" java.lang.IllegalArgumentException: wrong \u00fc
            Caused by: java.io.IOException: (no disk)
              at home (in a sentence, this stays)
            """);
  }
}
