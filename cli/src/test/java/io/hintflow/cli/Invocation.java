package io.hintflow.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What one command line did, run inside this JVM. */
record Invocation(int exitCode, String out, String err) {

  static Invocation of(Object... arguments) {
    return on(false, arguments);
  }

  static Invocation onColorTerminal(Object... arguments) {
    return on(true, arguments);
  }

  private static Invocation on(boolean showsColor, Object... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            showsColor,
            showsColor);
    String[] words = new String[arguments.length];
    for (int i = 0; i < words.length; i++) {
      words[i] = arguments[i].toString();
    }
    int exitCode = new HintflowCommand(terminal).execute(words);
    return new Invocation(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
