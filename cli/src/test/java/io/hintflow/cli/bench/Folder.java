package io.hintflow.cli.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary folder that goes when it is closed. */
record Folder(Path path) implements AutoCloseable {
  static Folder create() throws IOException {
    return new Folder(Files.createTempDirectory("hintflow-bench"));
  }

  /** Deletes what is below the folder by that name, if it is there. */
  void delete(String name) {
    delete(path.resolve(name));
  }

  @Override
  public void close() {
    delete(path);
  }

  private static void delete(Path root) {
    if (!Files.exists(root)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(root)) {
      List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.delete(path);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
