package io.hintflow.transpiler.testing;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles sources in this process. */
final class JavaCompilation {
  private JavaCompilation() {}

  /**
   * Compiles sources, given by path, into a new folder and returns it.
   *
   * @throws AssertionError with the compiler's messages, if there are any: emitted code compiles
   *     without warnings
   */
  static Path compile(Map<String, String> sources, List<Path> classPath) {
    try {
      Path folder = TemporaryFolder.create("hintflow-classes");
      List<Path> files = new ArrayList<>();
      for (Map.Entry<String, String> source : sources.entrySet()) {
        Path file = folder.resolve("src").resolve(source.getKey());
        Files.createDirectories(file.getParent());
        files.add(Files.writeString(file, source.getValue()));
      }
      Path classes = Files.createDirectories(folder.resolve("classes"));
      JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
      StringWriter messages = new StringWriter();
      try (StandardJavaFileManager manager =
          compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
        boolean compiled =
            compiler
                .getTask(
                    messages,
                    manager,
                    null,
                    List.of(
                        "-d",
                        classes.toString(),
                        "-cp",
                        classPath.stream()
                            .map(Path::toString)
                            .collect(Collectors.joining(File.pathSeparator)),
                        "--release",
                        "17",
                        "-proc:none",
                        "-Xlint:all,-classfile,-path,-serial,-options"),
                    null,
                    manager.getJavaFileObjectsFromPaths(files))
                .call();
        if (!compiled || !messages.toString().isBlank()) {
          throw new AssertionError("The compiler says:\n" + messages);
        }
      }
      return classes;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
