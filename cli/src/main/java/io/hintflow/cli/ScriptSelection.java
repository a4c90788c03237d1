package io.hintflow.cli;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;

/**
 * The scripts that the words of a command line stand for, each once: files; folders with all the
 * {@code .sql} files in and below them; globs, where {@code **} goes through folders, if the shell
 * has not expanded them; {@code -} for standard input. Hidden files and folders are passed over
 * unless they are named, and links to folders are not followed.
 */
final class ScriptSelection {
  static final String STANDARD_INPUT = "-";
  private static final String GLOB_CHARACTERS = "*?[{";

  private final Map<Path, ScriptInput> scripts = new LinkedHashMap<>();
  private final List<String> faults = new ArrayList<>();
  private final Set<Path> folders = new LinkedHashSet<>();

  private ScriptSelection() {}

  /**
   * Looks for the scripts now.
   *
   * @param standardInput what standard input is called
   */
  static ScriptSelection of(List<String> words, String standardInput) {
    ScriptSelection selection = new ScriptSelection();
    for (String word : words) {
      if (word.equals(STANDARD_INPUT)) {
        selection.scripts.putIfAbsent(
            Path.of(STANDARD_INPUT), new ScriptInput.StandardInput(standardInput));
      } else {
        selection.add(word);
      }
    }
    return selection;
  }

  /** The scripts in the order of the words, those of one word in the order of their paths. */
  List<ScriptInput> scripts() {
    return List.copyOf(scripts.values());
  }

  /** The words and folders that no script could be found by, a sentence for each. */
  List<String> faults() {
    return List.copyOf(faults);
  }

  /** The folders that were looked into or for: what changes in them may change the selection. */
  Set<Path> folders() {
    return folders;
  }

  private void add(String word) {
    try {
      Path path = withoutDots(Path.of(word));
      if (Files.isDirectory(path)) {
        addBelow(path, Integer.MAX_VALUE, ScriptSelection::isScript, "no .sql file is in " + word);
      } else if (Files.exists(path) || !isGlob(word)) {
        folders.add(parent(path));
        scripts.putIfAbsent(identity(path), new ScriptInput.File(path));
      } else {
        addMatches(path, word);
      }
    } catch (InvalidPathException | PatternSyntaxException e) {
      faults.add("'" + word + "' is neither a path nor a glob");
    }
  }

  private static boolean isGlob(String word) {
    return word.chars().anyMatch(character -> GLOB_CHARACTERS.indexOf(character) >= 0);
  }

  /** {@code ./a.sql} as {@code a.sql}, which is what other tools compare it with. */
  private static Path withoutDots(Path path) {
    Path without = path.isAbsolute() ? path.getRoot() : Path.of("");
    for (Path name : path) {
      without = name.toString().equals(".") ? without : without.resolve(name);
    }
    return without;
  }

  private static Path parent(Path path) {
    return Optional.ofNullable(path.getParent()).orElse(Path.of(""));
  }

  private static boolean isScript(Path path) {
    return path.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(".sql");
  }

  private static boolean isHidden(Path path) {
    return path.getFileName().toString().startsWith(".");
  }

  /** Two paths to one file have one identity. */
  private static Path identity(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }

  private void addMatches(Path glob, String word) {
    Path base = glob.isAbsolute() ? glob.getRoot() : Path.of("");
    int plainNames = 0;
    while (!isGlob(glob.getName(plainNames).toString())) {
      base = base.resolve(glob.getName(plainNames));
      plainNames++;
    }
    int depth =
        glob.toString().contains("**") ? Integer.MAX_VALUE : glob.getNameCount() - plainNames;
    // For Java, there is at least one folder between the slashes of "/**/"; for all others, none
    // will do.
    PathMatcher matcher =
        FileSystems.getDefault().getPathMatcher("glob:" + glob.toString().replace("**/", "{**/,}"));
    addBelow(base, depth, matcher::matches, "no file matches " + word);
  }

  private void addBelow(Path folder, int depth, Predicate<Path> isWanted, String ifNone) {
    folders.add(parent(folder));
    Set<Path> found = new TreeSet<>();
    int faultsBefore = faults.size();
    walk(folder, depth, isWanted, found);
    if (found.isEmpty() && faults.size() == faultsBefore) {
      faults.add(ifNone);
    }
    found.forEach(file -> scripts.putIfAbsent(identity(file), new ScriptInput.File(file)));
  }

  private void walk(Path folder, int depth, Predicate<Path> isWanted, Set<Path> found) {
    folders.add(folder);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (isHidden(entry)) {
          continue;
        }
        if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
          if (depth > 1) {
            walk(entry, depth - 1, isWanted, found);
          }
        } else if (isWanted.test(entry) && Files.isRegularFile(entry)) {
          found.add(entry);
        }
      }
    } catch (IOException e) {
      faults.add("cannot read %s: %s".formatted(folder, FileFaults.reason(e)));
    }
  }
}
