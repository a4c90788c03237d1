package io.hintflow.grammar;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a statement stands in a script.
 *
 * @param firstToken the index of its first token
 * @param endToken the index behind its last token
 * @param commentedStart the offset of the first comment that belongs to it, or of its first token
 */
record StatementText(int firstToken, int endToken, int commentedStart) {

  Span span(Tokens tokens) {
    return tokens.get(firstToken).span().cover(tokens.get(endToken - 1).span());
  }

  Span commentedSpan(Tokens tokens) {
    return new Span(commentedStart, span(tokens).end());
  }

  /** Splits a script at its semicolons; the INSERTs of a statement set come out one by one. */
  static List<StatementText> split(SourceText source, Tokens tokens, Findings findings) {
    Splitter splitter = new Splitter(source, tokens, findings);
    splitter.run();
    return List.copyOf(splitter.statements);
  }

  private static final class Splitter {
    private static final int NO_SET = -1;

    private final SourceText source;
    private final Tokens tokens;
    private final Findings findings;
    private final List<StatementText> statements = new ArrayList<>();

    /**
     * The first token of the statement set that is open, and how many statements there were before
     * it.
     */
    private int openSet = NO_SET;

    private int statementsBeforeSet;
    private int nextComment;

    Splitter(SourceText source, Tokens tokens, Findings findings) {
      this.source = source;
      this.tokens = tokens;
      this.findings = findings;
    }

    void run() {
      int first = 0;
      while (first < tokens.size()) {
        int end = endOfStatement(first);
        if (end > first) {
          read(first, end);
        }
        if (end == tokens.size()) {
          warnOfMissingSemicolon();
        }
        first = end + 1;
      }
      if (openSet != NO_SET) {
        findings.add(
            DiagnosticCode.STATEMENT_SET,
            setSpan(),
            "The statement set is not closed",
            "Write END; behind its last INSERT");
      }
    }

    private void warnOfMissingSemicolon() {
      Token last = tokens.get(tokens.size() - 1);
      if (last.kind() == Token.Kind.UNTERMINATED) {
        return;
      }
      Span end = new Span(last.span().end(), last.span().end());
      findings.add(
          DiagnosticCode.MISSING_SEMICOLON,
          end,
          "The last statement does not end in a semicolon",
          "Add a semicolon",
          List.of(new Replacement(end, ";")));
    }

    /**
     * The next semicolon; for a statement that holds a whole statement set, the one behind its END.
     */
    private int endOfStatement(int first) {
      int end = semicolonAt(first);
      boolean holdsSet = tokens.isWord(first, "EXPLAIN") || tokens.isWord(first, "COMPILE");
      if (holdsSet && setStartWithin(first, end)) {
        int next = end;
        while (next < tokens.size()) {
          int start = next + 1;
          next = semicolonAt(start);
          if (next == start + 1 && tokens.isWord(start, "END")) {
            return next;
          }
        }
      }
      return end;
    }

    private int semicolonAt(int first) {
      int index = first;
      while (index < tokens.size() && !tokens.get(index).isSymbol(";")) {
        index++;
      }
      return Math.min(index, tokens.size());
    }

    private boolean setStartWithin(int first, int end) {
      for (int i = first + 1; i + 2 < end; i++) {
        if (isSetStart(i)) {
          return true;
        }
      }
      return false;
    }

    private boolean isSetStart(int index) {
      return tokens.isWord(index, "STATEMENT")
          && tokens.isWord(index + 1, "SET")
          && tokens.isWord(index + 2, "BEGIN");
    }

    private void read(int first, int end) {
      boolean beginsSet =
          tokens.isWord(first, "BEGIN")
              && tokens.isWord(first + 1, "STATEMENT")
              && tokens.isWord(first + 2, "SET");
      if (beginsSet && end - first == 3) {
        openSet(first);
      } else if (tokens.isWord(first, "EXECUTE") && isSetStart(first + 1)) {
        openSet(first);
        if (end > first + 4) {
          read(first + 4, end);
        }
      } else if (tokens.isWord(first, "END") && end == first + 1) {
        closeSet(first);
      } else if (tokens.isWord(first, "EXECUTE")
          && !tokens.isWord(first + 1, "PLAN")
          && end > first + 1) {
        add(first + 1, end);
      } else {
        add(first, end);
      }
    }

    private void openSet(int first) {
      if (openSet != NO_SET) {
        findings.add(
            DiagnosticCode.STATEMENT_SET,
            setSpan(),
            "The statement set is not closed before the next one begins",
            "Write END; behind its last INSERT");
      }
      openSet = first;
      statementsBeforeSet = statements.size();
    }

    private void closeSet(int end) {
      if (openSet == NO_SET) {
        findings.add(
            DiagnosticCode.STATEMENT_SET,
            tokens.get(end).span(),
            "This END closes no statement set",
            "Open the set with EXECUTE STATEMENT SET BEGIN");
      } else if (statements.size() == statementsBeforeSet) {
        findings.add(DiagnosticCode.STATEMENT_SET, setSpan(), "The statement set holds no INSERT");
      }
      openSet = NO_SET;
    }

    private Span setSpan() {
      int words = tokens.isWord(openSet, "EXECUTE") ? 4 : 3;
      return tokens.get(openSet).span().cover(tokens.get(openSet + words - 1).span());
    }

    private void add(int first, int end) {
      if (openSet != NO_SET && !tokens.isWord(first, "INSERT") && !tokens.isWord(first, "UPSERT")) {
        findings.add(
            DiagnosticCode.STATEMENT_SET,
            tokens.get(first).span(),
            "Only INSERT may stand in a statement set",
            "Move the statement before the set, or close the set with END;");
      }
      statements.add(new StatementText(first, end, commentedStart(first)));
    }

    /**
     * A comment on the line where the token before it ends speaks of what stands there, not of what
     * follows.
     */
    private int commentedStart(int first) {
      int start = tokens.get(first).span().start();
      int before = first == 0 ? 0 : tokens.get(first - 1).span().end();
      List<Tokens.Skipped> comments = tokens.skipped();
      while (nextComment < comments.size() && comments.get(nextComment).span().start() < start) {
        int comment = comments.get(nextComment).span().start();
        boolean ownLine = first == 0 || source.lineOf(comment) > source.lineOf(before - 1);
        nextComment++;
        if (comment >= before && ownLine) {
          return comment;
        }
      }
      return start;
    }
  }
}
