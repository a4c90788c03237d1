package io.hintflow.cli;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A script, or a plan, that is yet to be read. */
sealed interface ScriptInput {

  /** What the user calls it. */
  String shown();

  /** Its name without the folders around it. */
  String name();

  byte[] read() throws IOException;

  /** From a word of the command line: a path, {@code git:REVISION:PATH} or {@code -}. */
  final class Converter implements ITypeConverter<ScriptInput> {
    @Override
    public ScriptInput convert(String word) {
      if (word.equals(ScriptSelection.STANDARD_INPUT)) {
        return new StandardInput("<stdin>");
      }
      if (word.startsWith(Revision.PREFIX)) {
        return Revision.of(word)
            .orElseThrow(
                () ->
                    new TypeConversionException(
                        "'%s' is not of the form git:REVISION:PATH".formatted(word)));
      }
      return new File(Path.of(word));
    }
  }

  /** A file by its path as the user gave it. */
  record File(Path path) implements ScriptInput {
    @Override
    public String shown() {
      return path.toString();
    }

    @Override
    public String name() {
      return Optional.ofNullable(path.getFileName()).orElse(path).toString();
    }

    @Override
    public byte[] read() throws IOException {
      return Files.readAllBytes(path);
    }
  }

  /** What is typed or piped in. */
  record StandardInput(String shown) implements ScriptInput {
    @Override
    public String name() {
      return shown.substring(shown.lastIndexOf('/') + 1);
    }

    @Override
    public byte[] read() throws IOException {
      return System.in.readAllBytes();
    }
  }

  /** A file as a revision of the git repository around the current folder has it. */
  record Revision(String revision, String path) implements ScriptInput {
    private static final String PREFIX = "git:";

    /** From {@code git:REVISION:PATH}; empty if the text does not have this form. */
    private static Optional<Revision> of(String given) {
      String[] parts = given.split(":", 3);
      boolean complete = given.startsWith(PREFIX) && parts.length == 3;
      // Git would take what begins with - for an option.
      return complete && !parts[1].isEmpty() && !parts[1].startsWith("-") && !parts[2].isEmpty()
          ? Optional.of(new Revision(parts[1], parts[2]))
          : Optional.empty();
    }

    @Override
    public String shown() {
      return PREFIX + revision + ":" + path;
    }

    @Override
    public String name() {
      return path.substring(path.lastIndexOf('/') + 1);
    }

    @Override
    public byte[] read() throws IOException {
      Process git = new ProcessBuilder("git", "cat-file", "blob", revision + ":" + path).start();
      git.getOutputStream().close();
      byte[] content = git.getInputStream().readAllBytes();
      // A line at most, which fits into the pipe while the content is read.
      String error = new String(git.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      try {
        if (git.waitFor() == 0) {
          return content;
        }
      } catch (InterruptedException e) {
        git.destroy();
        throw new InterruptedIOException("interrupted");
      }
      throw new IOException("git says: " + error.strip().replaceFirst("^fatal: ", ""));
    }
  }
}
