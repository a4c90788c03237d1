package io.hintflow.transpiler.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Folders that are gone when this process is. */
final class TemporaryFolder {
  private TemporaryFolder() {}

  static Path create(String prefix) throws IOException {
    Path folder = Files.createTempDirectory(prefix);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
    return folder;
  }

  private static void delete(Path folder) {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
