package io.hintflow.transpiler.testing;

import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.Transpilation;
import io.hintflow.transpiler.Transpiler;
import io.hintflow.transpiler.TranspilerOptions;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Flink of one version with the connectors that the tests use, in a class loader of its own, so
 * that one test process can run jobs on several versions. Its class path is the one that the pom of
 * an emitted project resolves to.
 */
public final class FlinkRuntime {
  private static final Map<FlinkVersion, FlinkRuntime> RUNTIMES = new EnumMap<>(FlinkVersion.class);

  private static final Map<FlinkVersion, RuntimeException> FAILURES =
      new EnumMap<>(FlinkVersion.class);

  private final FlinkVersion version;
  private final List<Path> classPath;
  private final ClassLoader classLoader;

  private FlinkRuntime(FlinkVersion version) {
    this.version = version;
    this.classPath = resolve(version);
    Path harness = harness(classPath);
    this.classLoader =
        loader(
            Stream.concat(classPath.stream(), Stream.of(harness)).toList(),
            ClassLoader.getPlatformClassLoader());
    try {
      classLoader.loadClass("harness.RecordingEnvironment").getMethod("install").invoke(null);
    } catch (ReflectiveOperationException failure) {
      throw new IllegalStateException(failure);
    }
  }

  public static synchronized FlinkRuntime of(FlinkVersion version) {
    if (FAILURES.containsKey(version)) {
      throw FAILURES.get(version);
    }
    try {
      return RUNTIMES.computeIfAbsent(version, FlinkRuntime::new);
    } catch (RuntimeException failure) {
      // Once is enough: every test would otherwise wait for Maven to fail again.
      FAILURES.put(version, failure);
      throw failure;
    }
  }

  public FlinkVersion version() {
    return version;
  }

  /** Flink's jars, and those of the connectors. */
  public List<Path> classPath() {
    return classPath;
  }

  ClassLoader classLoader() {
    return classLoader;
  }

  /** The graphs, as Flink's JSON, of the jobs that have run in this process, oldest first. */
  @SuppressWarnings("unchecked")
  List<String> graphs() {
    try {
      return (List<String>)
          classLoader.loadClass("harness.RecordingEnvironment").getField("GRAPHS").get(null);
    } catch (ReflectiveOperationException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** See {@link EmittedJob.Run#counters}. */
  @SuppressWarnings("unchecked")
  Map<String, List<Long>> counters() {
    try {
      return (Map<String, List<Long>>)
          classLoader.loadClass("harness.Counters").getMethod("sums").invoke(null);
    } catch (ReflectiveOperationException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** Tells the embedded cluster where the classes of the next job are. */
  void useJobClasses(Path classes) {
    try {
      classLoader
          .loadClass("harness.RecordingEnvironment")
          .getField("jobClasses")
          .set(null, classes.toUri().toString());
    } catch (ReflectiveOperationException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** Compiles what the tests add to Flink: environment, counters, and the connector 'changelog'. */
  private static Path harness(List<Path> flink) {
    Path classes =
        JavaCompilation.compile(
            Stream.of(
                    "RecordingEnvironment",
                    "Counters",
                    "ChangelogTableFactory",
                    "ChangelogSource",
                    "Phases")
                .map(name -> "harness/" + name + ".java")
                .collect(Collectors.toMap(path -> path, path -> resource("/" + path + ".txt"))),
            flink);
    try {
      Path services = Files.createDirectories(classes.resolve("META-INF/services"));
      for (String service :
          List.of(
              "org.apache.flink.table.factories.Factory",
              "org.apache.flink.metrics.reporter.MetricReporterFactory")) {
        Files.writeString(services.resolve(service), resource("/harness/" + service));
      }
      // Flink's logger finds it on the class path.
      Files.writeString(
          classes.resolve("log4j2.properties"), resource("/harness/log4j2.properties"));
      return classes;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  static URLClassLoader loader(List<Path> classPath, ClassLoader parent) {
    URL[] urls =
        classPath.stream()
            .map(
                path -> {
                  try {
                    return path.toUri().toURL();
                  } catch (MalformedURLException failure) {
                    throw new UncheckedIOException(failure);
                  }
                })
            .toArray(URL[]::new);
    return new URLClassLoader(urls, parent);
  }

  private static List<Path> resolve(FlinkVersion version) {
    try {
      Path project = TemporaryFolder.create("hintflow-runtime");
      Path classPathFile = project.resolve("class-path.txt");
      Transpilation probe =
          Transpiler.transpile(
              List.of(new SourceText("probe.sql", probe(version))),
              new TranspilerOptions(version, "probe", "probe", TranspilerOptions.Emission.PROJECT));
      Files.writeString(project.resolve("pom.xml"), probe.files().get("pom.xml"));
      ProcessBuilder builder =
          new ProcessBuilder(
                  "mvn",
                  "-q",
                  "-B",
                  "-Plocal",
                  "dependency:build-classpath",
                  "-Dmdep.outputFile=" + classPathFile)
              .directory(project.toFile())
              .redirectErrorStream(true);
      startQuickly(builder);
      Process maven = builder.start();
      String output = new String(maven.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (maven.waitFor() != 0) {
        throw new IllegalStateException("Maven could not resolve the emitted pom:\n" + output);
      }
      return Stream.of(Files.readString(classPathFile).strip().split(File.pathSeparator))
          .map(Path::of)
          .toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException interruption) {
      throw new IllegalStateException(interruption);
    }
  }

  /** Has a Maven that lives for a few seconds not spend them on compiling itself. */
  public static void startQuickly(ProcessBuilder maven) {
    maven
        .environment()
        .merge(
            "MAVEN_OPTS",
            "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            (own, ours) -> own + " " + ours);
  }

  /** A script that uses all connectors and formats of the tests. */
  private static String probe(FlinkVersion version) {
    List<String> connectors =
        version == FlinkVersion.V2_3 ? List.of("filesystem") : List.of("filesystem", "kafka");
    return Stream.concat(
            connectors.stream()
                .map(
                    connector ->
                        "CREATE TABLE %s_table (a STRING) WITH ('connector' = '%s', 'format' = 'csv');"
                            .formatted(connector, connector)),
            Stream.of(
                "CREATE TABLE json_table (a STRING) WITH ('connector' = 'filesystem', 'format' ="
                    + " 'json');",
                "CREATE TABLE redis_table (a STRING) WITH ('connector' = 'redis', 'hostname' = 'r',"
                    + " 'format' = 'json');"))
        .collect(Collectors.joining("\n"));
  }

  private static String resource(String path) {
    try (var stream = FlinkRuntime.class.getResourceAsStream(path)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
