package io.hintflow.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The folder that a job is written to. Of what is there already, only files that an earlier run
 * wrote are replaced or removed; that run's {@code plan.json} lists them.
 */
final class OutputFolder {
  private static final String PLAN = "plan.json";

  private final Path given;
  private final Path root;

  /** What writing did, in numbers of files. */
  record Outcome(int written, int unchanged, int removed) {}

  /** What is wrong with a file of the folder. */
  enum Difference {
    MISSING("missing"),
    CHANGED("differs"),
    /** An earlier run wrote it, and it belongs to the job no more. */
    LEFT_OVER("left over");

    private final String label;

    Difference(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  OutputFolder(Path folder) {
    this.given = folder;
    this.root = folder.toAbsolutePath().normalize();
  }

  /**
   * Makes the folder hold these files. A file whose bytes are right is left alone, its time of
   * change too. A folder that a removal leaves empty is removed as well.
   *
   * <p>All new bytes are written beside their places before the first file changes, so that a full
   * disk changes nothing; then each file is replaced as a whole, the plan first. Whenever the
   * program is killed, the plan that is there lists every file that is there, and the next run puts
   * things right.
   *
   * @param files text by path below the folder, with {@code /}
   * @throws CliException if the folder cannot be written to, or a file stands in the way that no
   *     earlier run wrote
   */
  Outcome write(SortedMap<String, String> files) throws CliException {
    requireFolder();
    boolean isNew = !Files.exists(root);
    try {
      SortedSet<String> earlier = earlierFiles();
      Map<Path, byte[]> changed = changedFiles(files, earlier);
      Files.createDirectories(root);
      try {
        return replace(files, changed, earlier);
      } finally {
        if (isNew) {
          deleteIfEmpty(root);
        }
      }
    } catch (IOException e) {
      throw new CliException("cannot write to " + shown() + ": " + FileFaults.reason(e));
    }
  }

  /**
   * The files that {@link #write} would write or remove, by their paths; writes nothing.
   *
   * @throws CliException if the folder cannot be read, or where writing would refuse to
   */
  SortedMap<String, Difference> differences(SortedMap<String, String> files) throws CliException {
    requireFolder();
    SortedMap<String, Difference> differences = new TreeMap<>();
    try {
      SortedSet<String> earlier = earlierFiles();
      for (Path changed : changedFiles(files, earlier).keySet()) {
        differences.put(
            root.relativize(changed).toString().replace(File.separatorChar, '/'),
            Files.exists(changed, LinkOption.NOFOLLOW_LINKS)
                ? Difference.CHANGED
                : Difference.MISSING);
      }
      for (String file : earlier) {
        if (!files.containsKey(file) && isRemovable(root.resolve(file))) {
          differences.put(file, Difference.LEFT_OVER);
        }
      }
      return differences;
    } catch (IOException e) {
      throw new CliException("cannot read " + shown() + ": " + FileFaults.reason(e));
    }
  }

  private void requireFolder() throws CliException {
    if (Files.exists(root) && !Files.isDirectory(root)) {
      throw new CliException(shown() + " is a file, not a folder");
    }
  }

  /** Deletes a folder with all that is in it; symbolic links are not followed. */
  static void delete(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException fault)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private String shown() {
    return Glyph.harmless(given.toString());
  }

  /** What the plan of an earlier run says it wrote; the plan itself is among them. */
  private SortedSet<String> earlierFiles() throws IOException, CliException {
    Path plan = root.resolve(PLAN);
    SortedSet<String> earlier = new TreeSet<>();
    if (!Files.exists(plan, LinkOption.NOFOLLOW_LINKS)) {
      return earlier;
    }
    Optional<JsonNode> listed =
        Optional.ofNullable(parse(plan).get("files")).filter(JsonNode::isArray);
    for (JsonNode file : listed.orElseThrow(this::foreignPlan)) {
      if (!file.isTextual()) {
        throw foreignPlan();
      }
      if (isInside(file.textValue())) {
        earlier.add(file.textValue());
      } else {
        throw new CliException(
            "%s lists the file '%s', which is outside that folder; remove it from the list"
                .formatted(
                    Glyph.harmless(given.resolve(PLAN).toString()),
                    Glyph.harmless(file.textValue())));
      }
    }
    earlier.add(PLAN);
    return earlier;
  }

  private JsonNode parse(Path plan) throws IOException, CliException {
    try {
      return new ObjectMapper().readTree(Files.readAllBytes(plan));
    } catch (JsonProcessingException e) {
      throw foreignPlan();
    }
  }

  private CliException foreignPlan() {
    return new CliException(
        Glyph.harmless(given.resolve(PLAN).toString())
            + " was not written by hintflow; choose another folder, or move that file away");
  }

  /** Whether a path of a plan, which anyone can edit, leads to a place below this folder. */
  private boolean isInside(String path) throws IOException {
    try {
      Path resolved = root.resolve(path).normalize();
      if (!resolved.startsWith(root) || resolved.equals(root)) {
        return false;
      }
      Path existing = resolved.getParent();
      while (!Files.exists(existing)) {
        existing = existing.getParent();
      }
      // A folder in between may be a symbolic link to elsewhere.
      return existing.toRealPath().startsWith(root.toRealPath());
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** The files whose bytes differ from those on disk. */
  private Map<Path, byte[]> changedFiles(SortedMap<String, String> files, SortedSet<String> earlier)
      throws IOException, CliException {
    Map<Path, byte[]> changed = new LinkedHashMap<>();
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path target = root.resolve(file.getKey());
      byte[] bytes = file.getValue().getBytes(StandardCharsets.UTF_8);
      boolean exists = Files.exists(target, LinkOption.NOFOLLOW_LINKS);
      if (exists && !Files.isRegularFile(target)) {
        throw inTheWay(file.getKey(), "is not a file");
      }
      if (exists && Arrays.equals(Files.readAllBytes(target), bytes)) {
        continue;
      }
      if (exists && !earlier.contains(file.getKey())) {
        throw inTheWay(file.getKey(), "was not written by hintflow");
      }
      if (Files.exists(root) && !isInside(file.getKey())) {
        throw inTheWay(file.getKey(), "would lie outside that folder");
      }
      changed.put(target, bytes);
    }
    return changed;
  }

  private CliException inTheWay(String file, String what) {
    return new CliException(
        "%s %s and is in the way of a file of the job; choose another folder, or move it away"
            .formatted(Glyph.harmless(given.resolve(file).toString()), what));
  }

  private Outcome replace(
      SortedMap<String, String> files, Map<Path, byte[]> changed, SortedSet<String> earlier)
      throws IOException {
    // Below the folder, and so on the same file system: only there is a move atomic.
    Path staging = Files.createTempDirectory(root, ".hintflow-");
    try {
      Map<Path, Path> staged = new LinkedHashMap<>();
      for (Map.Entry<Path, byte[]> file : changed.entrySet()) {
        Path beside = staging.resolve(Integer.toString(staged.size()));
        Files.write(beside, file.getValue());
        staged.put(file.getKey(), beside);
      }
      int removed = 0;
      for (String file : earlier) {
        if (!files.containsKey(file)) {
          removed += remove(root.resolve(file).normalize()) ? 1 : 0;
        }
      }
      Path plan = root.resolve(PLAN);
      if (staged.containsKey(plan)) {
        move(staged.remove(plan), plan);
      }
      for (Map.Entry<Path, Path> file : staged.entrySet()) {
        move(file.getValue(), file.getKey());
      }
      return new Outcome(changed.size(), files.size() - changed.size(), removed);
    } finally {
      delete(staging);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  private boolean remove(Path file) throws IOException {
    if (!isRemovable(file)) {
      return false;
    }
    Files.delete(file);
    for (Path folder = file.getParent(); !folder.equals(root); folder = folder.getParent()) {
      if (!deleteIfEmpty(folder)) {
        break;
      }
    }
    return true;
  }

  private static boolean isRemovable(Path file) {
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean deleteIfEmpty(Path folder) throws IOException {
    try (var entries = Files.newDirectoryStream(folder)) {
      if (entries.iterator().hasNext()) {
        return false;
      }
    }
    Files.delete(folder);
    return true;
  }
}
