package io.hintflow.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Passes on what a child process prints. */
final class OutputPump {
  /** A frame of a Java stack trace, or the count of those left out. */
  private static final Pattern FRAME =
      Pattern.compile(
          "\\s+(at [\\w.$/@<>-]+\\(.*\\).*|\\.\\.\\. \\d+ (more|common frames omitted))");

  private OutputPump() {}

  /**
   * Passes on every byte as soon as it is there, to the end of the stream.
   *
   * @return false if nobody reads the target any more; the rest of the stream is then not read
   */
  static boolean copy(InputStream from, PrintStream to) {
    byte[] bytes = new byte[8192];
    try {
      for (int count = from.read(bytes); count >= 0; count = from.read(bytes)) {
        to.write(bytes, 0, count);
        if (to.checkError()) { // flushes, too
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      return true; // The process has ended and taken its end of the pipe along.
    }
  }

  /**
   * Passes on the lines but for the frames of stack traces, of which the messages and causes stay.
   *
   * @return whether there were any frames
   */
  static boolean copyWithoutStackTraces(InputStream from, PrintStream to) {
    boolean hasFrames = false;
    // Latin-1 keeps every byte as it is, whatever the encoding.
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(from, StandardCharsets.ISO_8859_1))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (FRAME.matcher(line).matches()) {
          hasFrames = true;
          continue;
        }
        to.write((line + "\n").getBytes(StandardCharsets.ISO_8859_1));
        to.flush();
      }
      return hasFrames;
    } catch (IOException e) {
      return hasFrames;
    }
  }
}
