package io.hintflow.cli;

import io.hintflow.transpiler.emission.ProjectEmission;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds an emitted project with Maven and runs its job on an embedded Flink, in a JVM of its own.
 */
final class LocalJob {
  /** The profile of emitted projects that puts Flink itself on the class path. */
  private static final String LOCAL_PROFILE = "-Plocal";

  /** The file of emitted projects that keeps Flink's log quiet and off stdout. */
  private static final String LOCAL_LOGGING = "log4j2-local.properties";

  private final Path project;
  private final HintflowCommand hintflow;
  private final ChildProcesses children;

  LocalJob(Path project, HintflowCommand hintflow, ChildProcesses children) {
    this.project = project.toAbsolutePath();
    this.hintflow = hintflow;
    this.children = children;
  }

  /**
   * Builds and runs the job. The job's folder is the current one; its stdout is passed on byte for
   * byte.
   *
   * @return the job's exit code, or 0 if nobody reads its output any more
   */
  int run(String mainClass, List<String> arguments) throws CliException {
    String classPath = build();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ProjectEmission.JVM_ARGUMENTS);
    command.addAll(List.of("-Dfile.encoding=UTF-8", "-Dsun.stdout.encoding=UTF-8"));
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.add("-Dlog4j2.configurationFile=" + project.resolve(LOCAL_LOGGING));
    command.addAll(List.of("-cp", classPath, mainClass));
    command.addAll(arguments);

    hintflow.progress("running the job");
    Process job =
        children.start(new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.INHERIT));
    CompletableFuture<Boolean> hidden = passOnErrors(job);
    if (!OutputPump.copy(job.getInputStream(), hintflow.terminal().out())) {
      ChildProcesses.stop(job);
      return ExitCode.DONE;
    }
    int exitCode = await(job);
    if (exitCode != 0 && hidden.join()) {
      hintflow.help("run again with --verbose to see the job's stack traces");
    }
    return exitCode;
  }

  /** Compiles the project and gives the class path of its job. */
  private String build() throws CliException {
    hintflow.progress("building the job with Maven");
    Path classPath = project.resolve("target").resolve("classpath.txt");
    List<String> command = new ArrayList<>(List.of(maven(), "-B"));
    if (!hintflow.verbose()) {
      command.add("-q");
    }
    command.addAll(
        List.of(
            "-f",
            project.resolve("pom.xml").toString(),
            LOCAL_PROFILE,
            "compile",
            "dependency:build-classpath",
            "-Dmdep.includeScope=compile",
            "-Dmdep.outputFile=" + classPath));
    ByteArrayOutputStream silent = new ByteArrayOutputStream();
    Process maven = children.start(new ProcessBuilder(command).redirectErrorStream(true));
    close(maven);
    OutputPump.copy(
        maven.getInputStream(),
        hintflow.verbose() ? hintflow.terminal().err() : new PrintStream(silent));
    int exitCode = await(maven);
    if (exitCode != 0) {
      children.requireRunning();
      hintflow.terminal().err().print(plain(silent.toString(StandardCharsets.UTF_8)));
      throw new CliException(
          "Maven could not build the job (its exit code is %d); with --keep DIR the project stays for a look"
              .formatted(exitCode));
    }
    try {
      String jars = Files.readString(classPath, StandardCharsets.UTF_8).strip();
      return project.resolve("target").resolve("classes") + File.pathSeparator + jars;
    } catch (IOException e) {
      throw new CliException("cannot read Maven's class path: " + FileFaults.reason(e));
    }
  }

  /**
   * What Maven says, without the colours that it writes into pipes too, and without empty lines.
   */
  private static String plain(String text) {
    return text.replaceAll("\u001b\\[[0-9;]*m", "")
        .lines()
        .filter(line -> !line.isBlank() && !line.equals("[ERROR] "))
        .map(line -> Glyph.harmless(line) + "\n")
        .collect(Collectors.joining());
  }

  /** Maven asks nothing; an open stdin would only take what is meant for the job. */
  private static void close(Process maven) {
    try {
      maven.getOutputStream().close();
    } catch (IOException e) {
      // It has ended already.
    }
  }

  /** The project's own Maven wrapper, or the Maven of the path. */
  private String maven() throws CliException {
    Path wrapper = project.resolve("mvnw");
    Stream<Path> installed =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .filter(folder -> !folder.isEmpty())
            .map(folder -> Path.of(folder, "mvn"));
    Optional<Path> found =
        Stream.concat(Stream.of(wrapper), installed)
            .filter(Files::isRegularFile)
            .filter(Files::isExecutable)
            .findFirst();
    return found
        .orElseThrow(() -> new CliException("no Maven: the command mvn is not on the PATH"))
        .toString();
  }

  private CompletableFuture<Boolean> passOnErrors(Process job) {
    return CompletableFuture.supplyAsync(
        () ->
            hintflow.verbose()
                ? !OutputPump.copy(job.getErrorStream(), hintflow.terminal().err())
                : OutputPump.copyWithoutStackTraces(
                    job.getErrorStream(), hintflow.terminal().err()));
  }

  private static int await(Process process) throws CliException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException("the run was interrupted");
    }
  }
}
