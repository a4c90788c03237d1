package io.hintflow.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.Optional;

/** What went wrong with a file, in words. Java's own messages are often just the path again. */
final class FileFaults {
  private FileFaults() {}

  /** A phrase that can follow a colon. */
  static String reason(IOException fault) {
    if (fault instanceof NoSuchFileException) {
      return "no such file or folder";
    }
    if (fault instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (fault instanceof FileAlreadyExistsException) {
      return "a file of that name is in the way";
    }
    Optional<String> reason =
        fault instanceof FileSystemException named
            ? Optional.ofNullable(named.getReason())
            : Optional.ofNullable(fault.getMessage());
    String words =
        Glyph.harmless(
            reason.filter(given -> !given.isEmpty()).orElse(fault.getClass().getSimpleName()));
    // No more than its beginning: there may be names in it.
    return words.substring(0, 1).toLowerCase(Locale.ROOT) + words.substring(1);
  }
}
