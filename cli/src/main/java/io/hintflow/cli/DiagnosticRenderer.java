package io.hintflow.cli;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.Location;
import io.hintflow.grammar.Severity;
import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Span;
import io.hintflow.transpiler.plan.Secrets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Shows diagnostics as a good compiler does: what is wrong, where, the source line with a caret
 * under the span, and what helps.
 *
 * <p>Whatever a script holds, nothing of it but visible characters reaches the terminal, and none
 * of its passwords does.
 */
final class DiagnosticRenderer {
  /** The widest piece of a source line that is shown, in cells. */
  private static final int LINE_CELLS = 120;

  /** What stays visible before the span when a longer line is clipped, in cells. */
  private static final int CELLS_BEFORE_SPAN = 40;

  /**
   * How far around a span a line is looked at, in UTF-16 units: a script of one huge line must not
   * take forever.
   */
  private static final int LOOK_AROUND = 1000;

  private static final Glyph CLIPPED = new Glyph("…", 1);

  private final ScriptFiles files;
  private final boolean color;

  DiagnosticRenderer(ScriptFiles files, boolean color) {
    this.files = files;
    this.color = color;
  }

  /**
   * All diagnostics, in the order of the scripts and of the text, and a summary line; empty if
   * there are none. Lines end in LF.
   */
  String render(List<Diagnostic> diagnostics) {
    if (diagnostics.isEmpty()) {
      return "";
    }
    List<Diagnostic> sorted =
        diagnostics.stream()
            .sorted(
                Comparator.comparingInt((Diagnostic found) -> files.indexOf(found.source()))
                    .thenComparing(Diagnostic::span))
            .toList();
    Map<Severity, Integer> counts = new EnumMap<>(Severity.class);
    diagnostics.forEach(found -> counts.merge(found.severity(), 1, Integer::sum));
    return render(sorted, files::pathOf, color) + summary(counts) + "\n";
  }

  /**
   * Each diagnostic with an empty line behind it.
   *
   * @param paths what each script is called
   */
  static String render(
      List<Diagnostic> diagnostics, Function<SourceText, String> paths, boolean color) {
    Map<SourceText, SourceText> shown = new IdentityHashMap<>();
    StringBuilder text = new StringBuilder();
    for (Diagnostic found : diagnostics) {
      SourceText source = shown.computeIfAbsent(found.source(), DiagnosticRenderer::shown);
      text.append(render(found, source, paths.apply(found.source()), color));
    }
    return text.toString();
  }

  /** A script as excerpts of it are shown: without its secrets, everything in its place. */
  private static SourceText shown(SourceText source) {
    return new SourceText(source.name(), Secrets.covered(source.text()));
  }

  private static String render(Diagnostic found, SourceText source, String path, boolean color) {
    StringBuilder text = new StringBuilder();
    Span span = found.span();
    Location start = found.location();
    Style style = style(found.severity());
    String number = Integer.toString(start.line());
    String indent = " ".repeat(number.length());
    String head = found.severity().label() + "[" + found.code().id() + "]";

    text.append(style.apply(head, color));
    text.append(Style.MESSAGE.apply(": " + Glyph.harmless(found.message()), color)).append('\n');
    text.append(indent).append(Style.GUTTER.apply("-->", color)).append(' ');
    text.append(Glyph.harmless(path));
    text.append(':').append(start.line()).append(':').append(start.column()).append('\n');

    Excerpt excerpt = Excerpt.of(source, span);
    String gutter = Style.GUTTER.apply(indent + " |", color);
    text.append(gutter).append('\n');
    text.append(Style.GUTTER.apply(number + " |", color));
    text.append(excerpt.line().isEmpty() ? "" : " " + excerpt.line()).append('\n');
    text.append(gutter).append(' ').append(" ".repeat(excerpt.cellsBefore()));
    text.append(style.apply("^".repeat(excerpt.carets()), color)).append('\n');
    found
        .help()
        .ifPresent(
            help ->
                text.append(indent)
                    .append(Style.GUTTER.apply(" =", color))
                    .append(" help: ")
                    .append(Glyph.harmless(help))
                    .append('\n'));
    return text.append('\n').toString();
  }

  private static Style style(Severity severity) {
    return switch (severity) {
      case ERROR -> Style.ERROR;
      case WARNING -> Style.WARNING;
      case NOTE -> Style.NOTE;
    };
  }

  /** How many there are of each severity, in words; empty if there are none. */
  static String summary(Map<Severity, Integer> counts) {
    return Stream.of(Severity.values())
        .filter(counts::containsKey)
        .map(severity -> counted(counts.get(severity), severity.label()))
        .collect(Collectors.joining(", "));
  }

  /** A number of things, such as {@code 2 errors}. */
  static String counted(int count, String thing) {
    return count + " " + thing + (count == 1 ? "" : "s");
  }

  /**
   * The source line that a span starts in, or the piece of it around the span.
   *
   * @param line as shown, without trailing white space
   * @param cellsBefore the cells before the first caret
   * @param carets at least one; a span that goes on in another line is marked to the end of this
   *     one
   */
  private record Excerpt(String line, int cellsBefore, int carets) {

    static Excerpt of(SourceText source, Span span) {
      int number = source.lineOf(span.start());
      int lineStart = source.lineStart(number);
      String line = source.line(number).stripTrailing();
      int from = Math.min(span.start() - lineStart, line.length());
      int to = Math.max(from, Math.min(span.end() - lineStart, line.length()));
      int first = boundary(line, Math.max(0, from - LOOK_AROUND));
      int last = boundary(line, Math.min(line.length(), to(from, to) + LOOK_AROUND));

      List<Glyph> glyphs = new ArrayList<>();
      int spanFirst = 0;
      int spanLast = 0;
      int column = 0;
      for (int i = first; i < last; ) {
        int codePoint = line.codePointAt(i);
        Glyph glyph = Glyph.of(codePoint, column);
        column += glyph.cells();
        i += Character.charCount(codePoint);
        glyphs.add(glyph);
        if (i <= from) {
          spanFirst = glyphs.size();
        }
        if (i <= to) {
          spanLast = glyphs.size();
        }
      }
      return clip(
          glyphs, spanFirst, Math.max(spanFirst, spanLast), first > 0, last < line.length());
    }

    /** The part of a huge span that is looked at. */
    private static int to(int from, int to) {
      return Math.min(to, from + LOOK_AROUND);
    }

    /** The offset itself, or the one before it if it would part a surrogate pair. */
    private static int boundary(String line, int offset) {
      boolean partsPair =
          offset > 0
              && offset < line.length()
              && Character.isLowSurrogate(line.charAt(offset))
              && Character.isHighSurrogate(line.charAt(offset - 1));
      return partsPair ? offset - 1 : offset;
    }

    private static Excerpt clip(
        List<Glyph> glyphs, int spanFirst, int spanLast, boolean moreBefore, boolean moreAfter) {
      int begin = 0;
      int end = glyphs.size();
      if (moreBefore || moreAfter || cells(glyphs) > LINE_CELLS) {
        begin = spanFirst;
        for (int cells = 0; begin > 0 && cells < CELLS_BEFORE_SPAN; begin--) {
          cells += glyphs.get(begin - 1).cells();
        }
        end = begin;
        for (int cells = 0; end < glyphs.size() && cells < LINE_CELLS; end++) {
          cells += glyphs.get(end).cells();
        }
      }
      List<Glyph> before = new ArrayList<>(glyphs.subList(begin, spanFirst));
      if (begin > 0 || moreBefore) {
        before.add(0, CLIPPED);
      }
      List<Glyph> marked = glyphs.subList(spanFirst, Math.min(spanLast, end));
      StringBuilder line = new StringBuilder();
      before.forEach(glyph -> line.append(glyph.text()));
      glyphs.subList(spanFirst, end).forEach(glyph -> line.append(glyph.text()));
      if (end < glyphs.size() || moreAfter) {
        line.append(CLIPPED.text());
      }
      return new Excerpt(
          line.toString().stripTrailing(), cells(before), Math.max(1, cells(marked)));
    }

    private static int cells(List<Glyph> glyphs) {
      return glyphs.stream().mapToInt(Glyph::cells).sum();
    }
  }
}
