package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.diff.SqlWords.Word;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of words in the change from one SQL text to another.
 *
 * @param text of the run, white space between its words made one space
 */
public record WordEdit(Kind kind, String text) {
  /** The most comparisons of words that are made; beyond, the whole middle counts as replaced. */
  private static final long LIMIT = 4_000_000;

  /** What became of the words. */
  public enum Kind {
    SAME,
    REMOVED,
    ADDED
  }

  /** The runs, in order; those that are the same have the words of the later text. */
  static List<WordEdit> between(SqlWords before, SqlWords after) {
    List<Word> old = before.words();
    List<Word> now = after.words();
    int prefix = 0;
    while (prefix < Math.min(old.size(), now.size()) && same(old.get(prefix), now.get(prefix))) {
      prefix++;
    }
    int suffix = 0;
    while (suffix < Math.min(old.size(), now.size()) - prefix
        && same(old.get(old.size() - 1 - suffix), now.get(now.size() - 1 - suffix))) {
      suffix++;
    }
    Runs runs = new Runs();
    now.subList(0, prefix).forEach(word -> runs.add(Kind.SAME, word));
    middle(
        old.subList(prefix, old.size() - suffix), now.subList(prefix, now.size() - suffix), runs);
    now.subList(now.size() - suffix, now.size()).forEach(word -> runs.add(Kind.SAME, word));
    return runs.done();
  }

  /** A whole text as one run; none if it is empty. */
  static List<WordEdit> all(Kind kind, SqlWords text) {
    Runs runs = new Runs();
    text.words().forEach(word -> runs.add(kind, word));
    return runs.done();
  }

  private static boolean same(Word left, Word right) {
    return left.meaning().equals(right.meaning());
  }

  /** By the longest common subsequence. */
  private static void middle(List<Word> old, List<Word> now, Runs runs) {
    if ((long) old.size() * now.size() > LIMIT) {
      old.forEach(word -> runs.add(Kind.REMOVED, word));
      now.forEach(word -> runs.add(Kind.ADDED, word));
      return;
    }
    int[][] common = new int[old.size() + 1][now.size() + 1];
    for (int i = old.size() - 1; i >= 0; i--) {
      for (int j = now.size() - 1; j >= 0; j--) {
        common[i][j] =
            same(old.get(i), now.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    int i = 0;
    int j = 0;
    while (i < old.size() || j < now.size()) {
      if (i < old.size() && j < now.size() && same(old.get(i), now.get(j))) {
        runs.add(Kind.SAME, now.get(j++));
        i++;
      } else if (i < old.size() && (j == now.size() || common[i + 1][j] >= common[i][j + 1])) {
        runs.add(Kind.REMOVED, old.get(i++));
      } else {
        runs.add(Kind.ADDED, now.get(j++));
      }
    }
  }

  private static final class Runs {
    private final List<WordEdit> done = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private Kind kind = Kind.SAME;

    void add(Kind next, Word word) {
      if (next != kind) {
        end();
        kind = next;
      }
      boolean first = text.isEmpty() && done.isEmpty();
      text.append(word.spaced() && !first ? " " : "").append(word.text());
    }

    private void end() {
      if (!text.isEmpty()) {
        done.add(new WordEdit(kind, text.toString()));
        text.setLength(0);
      }
    }

    List<WordEdit> done() {
      end();
      return List.copyOf(done);
    }
  }
}
