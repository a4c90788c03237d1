package io.hintflow.cli.servers;

import io.hintflow.transpiler.testing.FlinkRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The Maven of the path, on projects that tests have written. */
public final class Maven {
  private static final long LIMIT_MINUTES = 10;

  private Maven() {}

  /**
   * Runs Maven to its end, without any output unless it fails.
   *
   * @throws AssertionError with Maven's output if the build fails
   */
  public static void run(Path pom, String... arguments) throws IOException, InterruptedException {
    Path log = pom.resolveSibling("maven.log");
    List<String> command = new ArrayList<>(List.of("mvn", "-q", "-B", "-f", pom.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    FlinkRuntime.startQuickly(builder);
    Process maven = builder.start();
    try {
      maven.getOutputStream().close();
      if (!maven.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES) || maven.exitValue() != 0) {
        throw new AssertionError(
            "Failed: %s%n%s".formatted(String.join(" ", command), Files.readString(log)));
      }
    } finally {
      maven.descendants().forEach(ProcessHandle::destroyForcibly);
      maven.destroyForcibly();
    }
  }
}
