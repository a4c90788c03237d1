package io.hintflow.cli.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders of tests below {@code target}, where logs stay for a look after a failure. */
final class TestFolder {
  private TestFolder() {}

  /** A new, empty folder; what an earlier run left in it goes. */
  static Path create(String name) throws IOException {
    Path folder = Path.of("target", "servers", name).toAbsolutePath();
    if (Files.exists(folder)) {
      List<Path> deepestFirst;
      try (Stream<Path> tree = Files.walk(folder)) {
        deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path path : deepestFirst) {
        Files.delete(path);
      }
    }
    return Files.createDirectories(folder);
  }
}
