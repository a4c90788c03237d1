package io.hintflow.cli.bench;

import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.Transpilation;
import io.hintflow.transpiler.Transpiler;
import io.hintflow.transpiler.TranspilerOptions;
import io.hintflow.transpiler.testing.FlinkRuntime;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * An emitted job on an embedded Flink that can keep state in RocksDB too.
 *
 * <p>Each job has all classes of Flink to itself, and keeps them from run to run: the compiler can
 * neither mix up what it learns about two jobs, nor has it to compile the job anew in each run.
 */
final class EmbeddedJob {
  private static final String PACKAGE = "benchjob";

  private final ClassLoader classLoader;
  private final String mainClass;
  private final Path classes;

  private EmbeddedJob(ClassLoader classLoader, String mainClass, Path classes) {
    this.classLoader = classLoader;
    this.mainClass = mainClass;
    this.classes = classes;
  }

  /** Transpiles a script, and compiles what comes out into the folder, which is new. */
  static EmbeddedJob of(String script, Path folder) throws IOException {
    return of(script, folder, (file, text) -> text);
  }

  /**
   * As {@link #of(String, Path)}.
   *
   * @param change what to make of each emitted file, by its path
   */
  static EmbeddedJob of(String script, Path folder, BinaryOperator<String> change)
      throws IOException {
    Transpilation transpilation =
        Transpiler.transpile(
            List.of(new SourceText("script.sql", script)),
            new TranspilerOptions(
                FlinkVersion.V2_2, PACKAGE, "script", TranspilerOptions.Emission.PROJECT));
    if (transpilation.hasErrors()) {
      throw new IllegalStateException("" + transpilation.diagnostics());
    }
    List<Path> classPath = flinkWithRocksDb();
    Path classes = Files.createDirectories(folder.resolve("classes"));
    List<String> compilation =
        new ArrayList<>(List.of("-d", "" + classes, "-cp", text(classPath), "-proc:none"));
    for (Map.Entry<String, String> file : files(transpilation).entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, change.apply(file.getKey(), file.getValue()));
      if (file.getKey().endsWith(".java")) {
        compilation.add("" + path);
      }
    }
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, compilation.toArray(String[]::new));
    if (compiled != 0) {
      throw new IllegalStateException("The emitted job does not compile");
    }
    Path resources = folder.resolve(Path.of("src", "main", "resources"));
    return new EmbeddedJob(
        new URLClassLoader(
            Stream.concat(Stream.of(classes, resources), classPath.stream())
                .map(EmbeddedJob::url)
                .toArray(URL[]::new),
            ClassLoader.getPlatformClassLoader()),
        PACKAGE + "." + transpilation.plan().orElseThrow().mainClass(),
        classes);
  }

  /** The emitted project with the connector 'updates' in it. */
  private static Map<String, String> files(Transpilation transpilation) throws IOException {
    Map<String, String> files = new LinkedHashMap<>(transpilation.files());
    files.put(
        "src/main/java/bench/UpdatesTableFactory.java", resource("UpdatesTableFactory.java.txt"));
    String factories = "org.apache.flink.table.factories.Factory";
    // Connectors that the job brings along are named there too.
    files.merge(
        "src/main/resources/META-INF/services/" + factories, resource(factories), String::concat);
    return files;
  }

  private static String resource(String name) throws IOException {
    try (InputStream stream = EmbeddedJob.class.getResourceAsStream("/bench/" + name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** What the pom of an emitted job resolves to, and the state backend, which a cluster brings. */
  private static List<Path> flinkWithRocksDb() {
    Stream<Path> rocksDb =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(jar -> jar.getFileName().toString().contains("rocksdb"));
    return Stream.concat(FlinkRuntime.of(FlinkVersion.V2_2).classPath().stream(), rocksDb).toList();
  }

  private static String text(List<Path> classPath) {
    return classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /**
   * Runs the job to its end.
   *
   * @param arguments of its main, such as {@code -Dparallelism.default=2}
   * @throws IllegalStateException if the job fails or is cancelled
   */
  void run(List<String> arguments) {
    List<String> all = new ArrayList<>(arguments);
    // Without a class path of its own, an embedded cluster would look for all classes in the system
    // class loader, where there is no Flink.
    all.add("-Dpipeline.classpaths=" + classes.toUri());
    all.add("-Dclassloader.resolve-order=parent-first");
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(classLoader);
    try {
      classLoader
          .loadClass(mainClass)
          .getMethod("main", String[].class)
          .invoke(null, (Object) all.toArray(String[]::new));
    } catch (ReflectiveOperationException failure) {
      throw new IllegalStateException(failure);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }
}
