package io.hintflow.cli;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Span;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The scripts of one run, in the order given.
 *
 * <p>A source text bears the file's name only, because that name gets into the emitted job, which
 * must not depend on the folder it was made from; the path as the user gave it is kept here for
 * diagnostics.
 */
final class ScriptFiles {
  private final List<SourceText> sources;
  private final List<String> paths;
  private final List<Diagnostic> diagnostics;

  private ScriptFiles(List<SourceText> sources, List<String> paths, List<Diagnostic> diagnostics) {
    this.sources = List.copyOf(sources);
    this.paths = List.copyOf(paths);
    this.diagnostics = List.copyOf(diagnostics);
  }

  /** As {@link #readInputs}, of files. */
  static ScriptFiles read(List<Path> paths) throws CliException {
    return readInputs(paths.stream().map(ScriptInput.File::new).toList());
  }

  /**
   * Reads the scripts, which must be UTF-8; a byte order mark is no part of the text.
   *
   * @throws CliException naming every file that is missing, a folder or not readable
   */
  static ScriptFiles readInputs(List<? extends ScriptInput> inputs) throws CliException {
    List<SourceText> sources = new ArrayList<>();
    List<Diagnostic> diagnostics = new ArrayList<>();
    List<String> unreadable = new ArrayList<>();
    for (ScriptInput input : inputs) {
      try {
        if (input instanceof ScriptInput.File file && Files.isDirectory(file.path())) {
          unreadable.add("cannot read " + Glyph.harmless(input.shown()) + ": it is a folder");
          continue;
        }
        byte[] bytes = input.read();
        SourceText source = new SourceText(input.name(), text(bytes));
        sources.add(source);
        notUtf8(source, bytes).ifPresent(diagnostics::add);
      } catch (IOException e) {
        unreadable.add(
            "cannot read " + Glyph.harmless(input.shown()) + ": " + FileFaults.reason(e));
      }
    }
    if (!unreadable.isEmpty()) {
      throw new CliException(String.join("\n", unreadable));
    }
    return new ScriptFiles(sources, inputs.stream().map(ScriptInput::shown).toList(), diagnostics);
  }

  private static String text(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  private static Optional<Diagnostic> notUtf8(SourceText source, byte[] bytes) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer input = ByteBuffer.wrap(bytes);
    CharBuffer output = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(input, output, true);
    if (!result.isError()) {
      return Optional.empty();
    }
    // What was decoded up to here is the same text as in the source, whose next character is the
    // replacement.
    output.flip();
    int byteOrderMark = output.length() > 0 && output.charAt(0) == '\uFEFF' ? 1 : 0;
    int offset = output.length() - byteOrderMark;
    return Optional.of(
        new Diagnostic(
            DiagnosticCode.NOT_UTF_8,
            source,
            new Span(offset, offset + 1),
            "The script is not UTF-8: byte 0x%02X at offset %d cannot stand there"
                .formatted(bytes[input.position()], input.position()),
            Optional.of(
                "Save the script as UTF-8, such as with iconv -f %s -t UTF-8"
                    .formatted(startsAsUtf16(bytes) ? "UTF-16" : "GB18030"))));
  }

  private static boolean startsAsUtf16(byte[] bytes) {
    int mark = bytes.length < 2 ? 0 : (bytes[0] & 0xFF) << 8 | bytes[1] & 0xFF;
    return mark == 0xFEFF || mark == 0xFFFE;
  }

  List<SourceText> sources() {
    return sources;
  }

  /** The files that are not UTF-8; those cannot be transpiled. */
  List<Diagnostic> diagnostics() {
    return diagnostics;
  }

  /** The place of a source in the run; behind all others if it is none of the files. */
  int indexOf(SourceText source) {
    int found = sources.indexOf(source);
    return found < 0 ? sources.size() : found;
  }

  /** The path of a source as the user gave it. */
  String pathOf(SourceText source) {
    int found = sources.indexOf(source);
    return found < 0 ? source.name() : paths.get(found);
  }
}
