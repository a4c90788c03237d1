package io.hintflow.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The processes and temporary folders of one run. However the run ends (done, failed, Ctrl-C,
 * SIGTERM), the processes end with it and the folders are removed.
 */
final class ChildProcesses implements AutoCloseable {
  private static final long SECONDS_TO_END = 5;

  private final List<Process> processes = new ArrayList<>();
  private final List<Path> folders = new ArrayList<>();
  private final Thread hook = new Thread(this::end, "hintflow-end");
  private boolean ended;

  ChildProcesses() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts a process.
   *
   * @throws CliException if the program cannot be started
   */
  synchronized Process start(ProcessBuilder builder) throws CliException {
    requireRunning();
    try {
      Process process = builder.start();
      processes.add(process);
      return process;
    } catch (IOException e) {
      throw new CliException(
          "cannot start %s: %s".formatted(builder.command().get(0), FileFaults.reason(e)));
    }
  }

  /**
   * Tells a child that failed from one that was ended because the run ends.
   *
   * @throws CliException if the run is being ended
   */
  synchronized void requireRunning() throws CliException {
    if (ended) {
      throw new CliException("the run was interrupted");
    }
  }

  /** Has a folder deleted when the run ends. */
  synchronized void deleteAtEnd(Path folder) {
    folders.add(folder);
  }

  /** Ends a process and what it has started. */
  static void stop(Process process) {
    List<ProcessHandle> family = new ArrayList<>(process.descendants().toList());
    family.add(process.toHandle());
    family.forEach(ProcessHandle::destroy);
    try {
      if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
        family.forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
      }
    } catch (InterruptedException e) {
      family.forEach(ProcessHandle::destroyForcibly);
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is ending already, and the hook with it.
    }
  }

  private synchronized void end() {
    if (ended) {
      return;
    }
    ended = true;
    processes.stream().filter(Process::isAlive).forEach(ChildProcesses::stop);
    for (Path folder : folders) {
      try {
        OutputFolder.delete(folder);
      } catch (IOException e) {
        // A temporary folder that will not go away is no reason to fail.
      }
    }
  }
}
