package io.hintflow.grammar;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Mends what people paste although it is not SQL. Each repair overwrites with spaces and is told as
 * a warning, so that a span of the mended text points to the same place in the text as written.
 */
final class Repairs {
  /** Letters of other alphabets can run right into it, where a line break was lost. */
  private static final Pattern INSERT =
      Pattern.compile("(?i)(?<![A-Z0-9_])INSERT\\s+(INTO|OVERWRITE)");

  private static final Pattern STARTS_WITH_INSERT =
      Pattern.compile("(?i)[\\s\\p{Punct}]*INSERT\\b");

  private Repairs() {}

  /** The text without prompts, {@code #} comments and commas before a closing parenthesis. */
  static SourceText mend(SourceText source, Tokens tokens, Findings findings) {
    char[] text = source.text().toCharArray();
    boolean mended = false;
    // Without its first prompt, what is left of them would no longer be taken for prompts.
    List<Replacement> withoutPrompts =
        tokens.skipped().stream()
            .filter(skipped -> skipped.reason() == Tokens.Skipped.Reason.PROMPT)
            .map(skipped -> new Replacement(skipped.span(), ""))
            .toList();
    for (Tokens.Skipped skipped : tokens.skipped()) {
      Span span = skipped.span();
      switch (skipped.reason()) {
        case COMMENT -> {}
        case HASH_COMMENT -> {
          findings.add(
              DiagnosticCode.HASH_COMMENT,
              span,
              "# starts no comment in SQL; the line was skipped",
              "Write -- instead of #",
              List.of(new Replacement(new Span(span.start(), span.start() + 1), "--")));
          blank(text, span);
          mended = true;
        }
        case PROMPT -> {
          findings.add(
              DiagnosticCode.PASTED_PROMPT,
              span,
              "The prompt '" + source.text(span) + "' is not part of the statement; it was skipped",
              "Remove the prompt",
              withoutPrompts);
          withoutPrompts = List.of();
          blank(text, span);
          mended = true;
        }
      }
    }
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (tokens.get(i).isSymbol(",") && tokens.get(i + 1).isSymbol(")")) {
        Span span = tokens.get(i).span();
        findings.add(
            DiagnosticCode.TRAILING_COMMA,
            span,
            "There is nothing between this comma and the closing parenthesis; it was skipped",
            "Remove the comma",
            List.of(new Replacement(span, "")));
        blank(text, span);
        mended = true;
      }
    }
    return mended ? new SourceText(source.name(), new String(text)) : source;
  }

  /** Overwrites a span with spaces, line ends excepted. */
  static void blank(char[] text, Span span) {
    for (int i = span.start(); i < span.end(); i++) {
      if (text[i] != '\n' && text[i] != '\r') {
        text[i] = ' ';
      }
    }
  }

  /**
   * Warns of a script whose last comment is a line of text with an INSERT in it and nothing behind:
   * that is what is left of a script that lost its line breaks. An INSERT that was commented out by
   * intent stands at the comment's start and is not the only statement that moves rows.
   */
  static void warnOfSwallowedStatement(
      SourceText source, Tokens tokens, boolean movesRows, Findings findings) {
    if (tokens.skipped().isEmpty()) {
      return;
    }
    Span last = tokens.skipped().get(tokens.skipped().size() - 1).span();
    String comment = source.text(last);
    boolean nothingBehind =
        tokens.size() == 0 || tokens.get(tokens.size() - 1).span().end() <= last.start();
    boolean byIntent = movesRows && STARTS_WITH_INSERT.matcher(comment).lookingAt();
    Matcher insert = INSERT.matcher(comment);
    if (nothingBehind && !comment.startsWith("/*") && !byIntent && insert.find()) {
      int length = comment.stripTrailing().length();
      findings.add(
          DiagnosticCode.SWALLOWED_STATEMENT,
          new Span(insert.start(), length).shift(last.start()),
          "The INSERT in this comment is not run, and no statement follows",
          "Put a line break before INSERT");
    }
  }
}
