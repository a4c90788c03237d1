package io.hintflow.cli.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Measures single runs, here or in a process of their own. */
final class Measured {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private static final double NANOS = 1e9;

  private Measured() {}

  /** The cost to this whole process, its compiler and garbage collector included. */
  static Cost inProcess(Runnable work) {
    // Nobody shall pay for another's garbage.
    System.gc();
    long wall = System.nanoTime();
    long cpu = SYSTEM.getProcessCpuTime();
    work.run();
    return new Cost((System.nanoTime() - wall) / NANOS, (SYSTEM.getProcessCpuTime() - cpu) / NANOS);
  }

  /**
   * The cost of a process, from its start to its end.
   *
   * @throws IllegalStateException with the output of the command, if it fails
   */
  static Cost process(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("hintflow-bench", ".log");
    try {
      // Java cannot ask for the CPU time of a process that has ended; bash can.
      List<String> timed =
          new ArrayList<>(
              List.of(
                  "bash", "-c", "TIMEFORMAT='%R %U %S'; time \"$@\" >\"$0\" 2>&1", "" + output));
      timed.addAll(command);
      ProcessBuilder builder =
          new ProcessBuilder(timed).redirectInput(new File("/dev/null")).redirectErrorStream(true);
      // The numbers with a point.
      builder.environment().put("LC_ALL", "C");
      Process process = builder.start();
      String times = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(
            "Failed: " + String.join(" ", command) + "\n" + Files.readString(output));
      }
      double[] seconds =
          Stream.of(times.strip().split(" ")).mapToDouble(Double::parseDouble).toArray();
      return new Cost(seconds[0], seconds[1] + seconds[2]);
    } finally {
      Files.delete(output);
    }
  }
}
