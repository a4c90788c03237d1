package io.hintflow.grammar;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that somebody most likely meant to write. */
public final class NearestName {
  private NearestName() {}

  /**
   * The candidate that takes the fewest edits to reach (insertions, deletions, replacements and
   * swaps of neighbours, case aside), if those are few for its length: one for three or four
   * characters, two for up to eight, else three. The earlier of two equally near ones.
   */
  public static Optional<String> of(String written, Collection<String> candidates) {
    String wanted = written.toLowerCase(Locale.ROOT);
    Optional<String> nearest = Optional.empty();
    int fewest = Integer.MAX_VALUE;
    for (String candidate : candidates) {
      int limit = mostEdits(candidate.length());
      if (Math.abs(candidate.length() - wanted.length()) > limit) {
        continue;
      }
      int edits = edits(wanted, candidate.toLowerCase(Locale.ROOT));
      if (edits <= limit && edits < fewest) {
        nearest = Optional.of(candidate);
        fewest = edits;
      }
    }
    return nearest;
  }

  private static int mostEdits(int length) {
    if (length <= 2) {
      return 0;
    }
    return length <= 4 ? 1 : length <= 8 ? 2 : 3;
  }

  private static int edits(String from, String to) {
    int[][] edits = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      edits[i][0] = i;
    }
    for (int j = 0; j <= to.length(); j++) {
      edits[0][j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      for (int j = 1; j <= to.length(); j++) {
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        int replaced = edits[i - 1][j - 1] + (same ? 0 : 1);
        int best = Math.min(replaced, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && from.charAt(i - 1) == to.charAt(j - 2)
                && from.charAt(i - 2) == to.charAt(j - 1);
        edits[i][j] = swapped ? Math.min(best, edits[i - 2][j - 2] + 1) : best;
      }
    }
    return edits[from.length()][to.length()];
  }
}
