package io.hintflow.grammar;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The comments {@code -- hintflow:ignore CODE} of a script. Each silences the findings of one code
 * that start in the line below it; of several below each other, all speak of the line below the
 * last one. What stands behind the code, such as a reason, is the user's own.
 *
 * <p>So what is told of these comments themselves cannot be silenced: it starts in their own lines.
 */
public final class Ignores {
  private static final String MARK = "hintflow:ignore";

  /** The code ends where a reason may begin. */
  private static final Pattern COMMENT =
      Pattern.compile(
          "--[ \\t]*(" + Pattern.quote(MARK) + ")(?![\\w:-])[ \\t]*([^\\s,;:]*).*", Pattern.DOTALL);

  private final SourceText source;
  private final List<Ignore> ignores;

  /**
   * One comment.
   *
   * @param code where its code stands
   * @param line the line that it speaks of; none if it stands behind something else in its line,
   *     where it silences nothing
   */
  private record Ignore(Span comment, Span code, DiagnosticCode silenced, OptionalInt line) {}

  private Ignores(SourceText source, List<Ignore> ignores) {
    this.source = source;
    this.ignores = List.copyOf(ignores);
  }

  /** Reads them from a script's comments. One that names no code is a finding. */
  static Ignores read(SourceText source, Tokens tokens, Findings findings) {
    List<Ignore> ignores = new ArrayList<>();
    // From the last to the first, since each line asks what the one below it speaks of.
    List<Tokens.Skipped> skipped = tokens.skipped();
    int lineOfIgnore = Integer.MAX_VALUE;
    int lineSpokenOf = Integer.MAX_VALUE;
    for (int i = skipped.size() - 1; i >= 0; i--) {
      Span comment = skipped.get(i).span();
      Matcher written = COMMENT.matcher(source.text()).region(comment.start(), comment.end());
      if (!written.matches()) {
        continue;
      }
      int line = source.lineOf(comment.start());
      boolean ownLine = source.text().substring(source.lineStart(line), comment.start()).isBlank();
      if (ownLine) {
        lineSpokenOf = line + 1 == lineOfIgnore ? lineSpokenOf : line + 1;
        lineOfIgnore = line;
      }
      OptionalInt silencedLine = ownLine ? OptionalInt.of(lineSpokenOf) : OptionalInt.empty();
      Span code = new Span(written.start(2), written.end(2));
      Optional<DiagnosticCode> silenced = DiagnosticCode.of(source.text(code));
      if (silenced.isPresent()) {
        ignores.add(0, new Ignore(comment, code, silenced.get(), silencedLine));
      } else {
        Span mark = new Span(written.start(1), written.end(1));
        reportUnknown(source, code.length() == 0 ? mark : code, findings);
      }
    }
    return new Ignores(source, ignores);
  }

  private static void reportUnknown(SourceText source, Span span, Findings findings) {
    String written = source.text(span);
    if (written.equals(MARK)) {
      findings.add(
          DiagnosticCode.UNKNOWN_IGNORED_CODE,
          span,
          "This comment names no code to ignore",
          "Write the code of the finding behind it, such as -- " + MARK + " HF305");
      return;
    }
    List<String> codes = Arrays.stream(DiagnosticCode.values()).map(DiagnosticCode::id).toList();
    findings.add(
        DiagnosticCode.UNKNOWN_IGNORED_CODE,
        span,
        "There is no code " + written,
        NearestName.of(written, codes)
            .map(code -> "Did you mean " + code + "?")
            .orElse("Write the code that a finding shows in brackets, such as HF305"));
  }

  /** Whether the script asks not to be told this finding, which is one of its text. */
  public boolean silences(Diagnostic found) {
    int line = source.lineOf(found.span().start());
    return ignores.stream().anyMatch(ignore -> isFor(ignore, found, line));
  }

  private static boolean isFor(Ignore ignore, Diagnostic found, int line) {
    return ignore.silenced() == found.code()
        && ignore.line().isPresent()
        && ignore.line().getAsInt() == line;
  }

  /**
   * The comments that silence nothing.
   *
   * @param found all findings of the script, those silenced among them
   */
  public List<Diagnostic> unused(Collection<Diagnostic> found) {
    return ignores.stream()
        .filter(
            ignore ->
                found.stream()
                    .noneMatch(one -> isFor(ignore, one, source.lineOf(one.span().start()))))
        .map(this::unused)
        .toList();
  }

  private Diagnostic unused(Ignore ignore) {
    String code = ignore.silenced().id();
    boolean ownLine = ignore.line().isPresent();
    return new Diagnostic(
        DiagnosticCode.UNUSED_IGNORE,
        source,
        ignore.code(),
        ownLine
            ? "There is no finding " + code + " in the line below"
            : "A comment behind something else in its line silences nothing",
        Optional.of(
            ownLine ? "Remove the comment" : "Write it in a line of its own, above the finding's"),
        ownLine ? List.of(new Replacement(wholeLine(ignore), "")) : List.of());
  }

  private Span wholeLine(Ignore ignore) {
    int line = source.lineOf(ignore.comment().start());
    int end = line < source.lineCount() ? source.lineStart(line + 1) : source.text().length();
    return new Span(source.lineStart(line), end);
  }
}
