package io.hintflow.transpiler.diagram;

import io.hintflow.transpiler.emission.VisibleText;

/** Texts of scripts made fit for a picture. */
final class Labels {
  /** How many columns of a label are shown; those of wide scripts and emoji count twice. */
  private static final int COLUMNS = 60;

  private static final String ELLIPSIS = "…";

  private Labels() {}

  /** A text in one line, as much of it as a label shows. */
  static String clipped(String text) {
    String visible = VisibleText.of(text.replace('\n', ' ').replace('\t', ' '));
    int columns = 0;
    int end = 0;
    int endWithEllipsis = 0;
    while (end < visible.length()) {
      int codePoint = visible.codePointAt(end);
      columns += isWide(codePoint) ? 2 : 1;
      if (columns > COLUMNS) {
        return visible.substring(0, endWithEllipsis).stripTrailing() + ELLIPSIS;
      }
      end += Character.charCount(codePoint);
      if (columns < COLUMNS) {
        endWithEllipsis = end;
      }
    }
    return visible;
  }

  /**
   * No less than the width of a text, in parts of the size of its font: that of DejaVu Sans, the
   * widest of the fonts that a picture can come to be shown in.
   */
  static double width(String text) {
    return text.codePoints().mapToDouble(Labels::width).sum();
  }

  private static double width(int codePoint) {
    if (isWide(codePoint)) {
      return 1.25;
    }
    if (" ,.:;'|!()[]/\\Iijlft-".indexOf(codePoint) >= 0) {
      return 0.4;
    }
    if ("mwMW@%+=<>#~^…".indexOf(codePoint) >= 0) {
      return 1;
    }
    return Character.isUpperCase(codePoint) ? 0.8 : 0.64;
  }

  /** Scripts of East Asia, and most emoji; what lies between them may be taken for wide too. */
  private static boolean isWide(int codePoint) {
    return codePoint >= 0x1100 && codePoint <= 0x11FF || codePoint >= 0x2E80;
  }
}
