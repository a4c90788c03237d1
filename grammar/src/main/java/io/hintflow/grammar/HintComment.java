package io.hintflow.grammar;

import io.hintflow.grammar.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * A hint comment as written, not yet understood: <code>/*+ NAME(argument, …), … *&#47;</code>.
 *
 * <p>Hints are read from the tokens and blanked in what Flink's parser gets. So one reader serves
 * the places where that parser allows a hint and those where only the vendor does; what is wrong in
 * a hint is told exactly and does not cost the rest of its statement; and order and duplicates are
 * kept, which Calcite's own hint classes lose.
 *
 * @param firstToken the index of its opening mark
 * @param endToken the index behind its closing mark
 */
record HintComment(Span span, int firstToken, int endToken, List<Written> hints) {

  /**
   * One hint of a comment.
   *
   * @param span its name and its parentheses
   */
  record Written(Name name, Span span, List<Argument> arguments) {}

  /** What may stand between a hint's parentheses. */
  sealed interface Argument {
    Span span();

    /** A bare or backquoted name. */
    record Identifier(Name name) implements Argument {
      @Override
      public Span span() {
        return name.span();
      }
    }

    /** A literal in single quotes. */
    record Text(Name name) implements Argument {
      @Override
      public Span span() {
        return name.span();
      }
    }

    record Number(Span span) implements Argument {}

    /** {@code key = 'value'}; the key is a name or a literal. */
    record Pair(TableOption option) implements Argument {
      @Override
      public Span span() {
        return option.span();
      }
    }
  }

  /** What a statement's hint comments are, and whether the last one is closed. */
  record Reading(List<HintComment> comments, boolean complete) {}

  static Reading readAll(Tokens tokens, StatementText statement, Findings findings) {
    List<HintComment> comments = new ArrayList<>();
    int at = statement.firstToken();
    while (at < statement.endToken()) {
      if (tokens.get(at).kind() != Kind.HINT_START) {
        at++;
        continue;
      }
      int end = at + 1;
      while (end < statement.endToken()
          && tokens.get(end).kind() != Kind.HINT_END
          && tokens.get(end).kind() != Kind.HINT_START) {
        end++;
      }
      if (end == statement.endToken() || tokens.get(end).kind() != Kind.HINT_END) {
        findings.add(
            DiagnosticCode.MALFORMED_HINT,
            tokens.get(at).span(),
            "The hint comment is not closed",
            "Close it with */");
        return new Reading(List.copyOf(comments), false);
      }
      Parser parser = new Parser(tokens, at + 1, end, findings);
      Span span = tokens.get(at).span().cover(tokens.get(end).span());
      comments.add(new HintComment(span, at, end + 1, parser.hints()));
      at = end + 1;
    }
    return new Reading(List.copyOf(comments), true);
  }

  /** Reads one comment, and stops at the first thing in it that is no hint. */
  private static final class Parser {
    private final Tokens tokens;
    private final int end;
    private final Findings findings;
    private int at;

    Parser(Tokens tokens, int first, int end, Findings findings) {
      this.tokens = tokens;
      this.at = first;
      this.end = end;
      this.findings = findings;
    }

    List<Written> hints() {
      List<Written> hints = new ArrayList<>();
      if (at == end) {
        findings.add(
            DiagnosticCode.EMPTY_HINT,
            tokens.get(end - 1).span().cover(tokens.get(end).span()),
            "The hint comment is empty",
            "Write a hint, or remove the comment");
        return List.of();
      }
      boolean more = true;
      while (more) {
        if (!isName()) {
          malformed("Expected the name of a hint");
          break;
        }
        Token name = tokens.get(at++);
        List<Argument> arguments = new ArrayList<>();
        if (isAt("(") && !readArguments(arguments)) {
          break;
        }
        Span span = name.span().cover(tokens.get(at - 1).span());
        more = isAt(",");
        if (!more && at < end) {
          // What stands here may belong to the hint, so that nothing can be said of that.
          malformed("Expected a comma or the end of the hint comment");
          break;
        }
        hints.add(new Written(name.asName(), span, List.copyOf(arguments)));
        at += more ? 1 : 0;
      }
      return List.copyOf(hints);
    }

    private boolean isName() {
      return at < end
          && (tokens.get(at).kind() == Kind.WORD || tokens.get(at).kind() == Kind.QUOTED_NAME);
    }

    private boolean isText() {
      return at < end && tokens.get(at).kind() == Kind.STRING;
    }

    private boolean isAt(String symbol) {
      return at < end && tokens.get(at).isSymbol(symbol);
    }

    private void malformed(String expected) {
      Token found = tokens.get(at);
      String what = found.kind() == Kind.HINT_END ? "the end of the hint comment" : found.shown();
      findings.add(
          DiagnosticCode.MALFORMED_HINT,
          found.span(),
          expected + ", but found " + what,
          "Hints are written as /*+ NAME(argument, …), NAME(argument, …) */");
    }

    /**
     * Reads from the opening to behind the closing parenthesis; false if it met something that has
     * no place there.
     */
    private boolean readArguments(List<Argument> arguments) {
      at++;
      if (isAt(")")) {
        at++;
        return true;
      }
      while (true) {
        boolean identifier = isName();
        boolean number = at < end && tokens.get(at).kind() == Kind.NUMBER;
        if (!identifier && !number && !isText()) {
          malformed("Expected a name or a literal");
          return false;
        }
        Token argument = tokens.get(at++);
        if (number) {
          arguments.add(new Argument.Number(argument.span()));
        } else if (isAt("=")) {
          at++;
          if (!isText()) {
            malformed("Expected a value in single quotes");
            return false;
          }
          Name value = tokens.get(at++).asName();
          arguments.add(new Argument.Pair(new TableOption(argument.asName(), value)));
        } else if (identifier) {
          arguments.add(new Argument.Identifier(argument.asName()));
        } else {
          arguments.add(new Argument.Text(argument.asName()));
        }
        if (isAt(")")) {
          at++;
          return true;
        }
        if (!isAt(",")) {
          malformed("Expected a comma or a closing parenthesis");
          return false;
        }
        at++;
      }
    }
  }
}
