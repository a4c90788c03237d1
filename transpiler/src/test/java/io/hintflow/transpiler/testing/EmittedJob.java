package io.hintflow.transpiler.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.Transpilation;
import io.hintflow.transpiler.Transpiler;
import io.hintflow.transpiler.TranspilerOptions;
import io.hintflow.transpiler.plan.JobPlan;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An emitted project, compiled in this process and run on an embedded Flink. */
public final class EmittedJob {
  private static final String RESOURCES = "src/main/resources/";

  private final FlinkRuntime runtime;
  private final String mainClass;
  private final Path classes;

  private EmittedJob(FlinkRuntime runtime, Transpilation transpilation) {
    JobPlan plan = transpilation.plan().orElseThrow();
    this.runtime = runtime;
    this.mainClass = plan.packageName() + "." + plan.mainClass();
    this.classes =
        JavaCompilation.compile(
            transpilation.files().entrySet().stream()
                .filter(file -> file.getKey().endsWith(".java"))
                .collect(
                    Collectors.toMap(
                        file -> file.getKey().substring("src/main/java/".length()),
                        Map.Entry::getValue)),
            runtime.classPath());
    try {
      for (Map.Entry<String, String> file : transpilation.files().entrySet()) {
        if (file.getKey().startsWith(RESOURCES)) {
          Path resource = classes.resolve(file.getKey().substring(RESOURCES.length()));
          Files.createDirectories(resource.getParent());
          Files.writeString(resource, file.getValue());
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Transpiles a script, which must have no errors, and compiles what comes out. */
  public static EmittedJob of(FlinkVersion version, String script) {
    Transpilation transpilation =
        Transpiler.transpile(
            List.of(new SourceText("script.sql", script)),
            new TranspilerOptions(
                version, "test.job", "script", TranspilerOptions.Emission.PROJECT));
    assertThat(transpilation.hasErrors()).as("%s", transpilation.diagnostics()).isFalse();
    return new EmittedJob(FlinkRuntime.of(version), transpilation);
  }

  public static EmittedJob of(FlinkVersion version, Transpilation transpilation) {
    return new EmittedJob(FlinkRuntime.of(version), transpilation);
  }

  /**
   * What a run gave.
   *
   * @param lines of standard output
   * @param graph the last job's graph
   * @param counters what its operators' counters of each name said in the end, those of an
   *     operator's tasks added up: one number for each operator that has it
   */
  public record Run(List<String> lines, JobGraph graph, Map<String, List<Long>> counters) {}

  /** Runs the job's main to its end. Not for several threads: standard output is the process's. */
  public Run run(String... arguments) {
    return run(new ByteArrayOutputStream(), arguments);
  }

  /**
   * @param output gets what the job prints, as soon as it does
   */
  Run run(ByteArrayOutputStream output, String... arguments) {
    PrintStream before = System.out;
    ClassLoader contextBefore = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader loader = FlinkRuntime.loader(List.of(classes), runtime.classLoader())) {
      runtime.useJobClasses(classes);
      System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
      Thread.currentThread().setContextClassLoader(loader);
      loader
          .loadClass(mainClass)
          .getMethod("main", String[].class)
          .invoke(null, (Object) arguments);
    } catch (InvocationTargetException failure) {
      throw new JobFailure(failure.getCause());
    } catch (ReflectiveOperationException | IOException failure) {
      throw new IllegalStateException(failure);
    } finally {
      System.setOut(before);
      Thread.currentThread().setContextClassLoader(contextBefore);
    }
    List<String> graphs = runtime.graphs();
    return new Run(
        output.toString(StandardCharsets.UTF_8).lines().toList(),
        graphs.isEmpty() ? new JobGraph(List.of()) : JobGraph.parse(graphs.get(graphs.size() - 1)),
        runtime.counters());
  }

  /** What the job's main threw. */
  public static final class JobFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    JobFailure(Throwable cause) {
      super(
          Stream.iterate(cause, failure -> failure != null, Throwable::getCause)
              .map(Throwable::getMessage)
              .collect(Collectors.joining(" / ")),
          cause);
    }
  }
}
