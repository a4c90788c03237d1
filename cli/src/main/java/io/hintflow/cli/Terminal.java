package io.hintflow.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Where output goes. What was asked for goes to {@code out}, everything else (diagnostics,
 * progress) to {@code err}; both in UTF-8 whatever the locale says, as scripts are.
 *
 * @param outShowsColor whether {@code out} is a terminal that can and may show colours
 * @param errShowsColor the same of {@code err}
 */
record Terminal(PrintStream out, PrintStream err, boolean outShowsColor, boolean errShowsColor) {

  /**
   * The terminal of this process. Java 17 cannot ask whether one stream is a terminal, so the
   * launcher asks and names those that are in the system property {@code hintflow.terminal} ({@code
   * out,err}); without a launcher, none is.
   */
  static Terminal ofProcess(Map<String, String> environment) {
    List<String> terminals = List.of(System.getProperty("hintflow.terminal", "").split(","));
    boolean mayShowColor =
        environment.getOrDefault("NO_COLOR", "").isEmpty()
            && !environment.getOrDefault("TERM", "").equals("dumb");
    return new Terminal(
        stream(FileDescriptor.out, false),
        stream(FileDescriptor.err, true),
        mayShowColor && terminals.contains("out"),
        mayShowColor && terminals.contains("err"));
  }

  private static PrintStream stream(FileDescriptor descriptor, boolean autoFlush) {
    return new PrintStream(
        new BufferedOutputStream(new FileOutputStream(descriptor)),
        autoFlush,
        StandardCharsets.UTF_8);
  }

  /** The same streams, coloured as the user chose. */
  Terminal with(ColorMode mode) {
    return switch (mode) {
      case AUTO -> this;
      case ALWAYS -> new Terminal(out, err, true, true);
      case NEVER -> new Terminal(out, err, false, false);
    };
  }
}
