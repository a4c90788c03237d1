package io.hintflow.cli;

import java.util.Arrays;

/**
 * One code point as a terminal shows it.
 *
 * @param text what is printed; never a control character
 * @param cells how many columns of the terminal that takes: 0 for a mark that sits on the character
 *     before it, 2 for East Asian wide characters and emoji, 1 for the rest, more for a tab
 */
record Glyph(String text, int cells) {
  static final int TAB_STOP = 4;

  /**
   * First and last code point of the ranges that Unicode 14's EastAsianWidth.txt calls W or F, in
   * ascending order; ranges that only unassigned code points part are joined.
   */
  private static final int[] WIDE = {
    0x1100, 0x115F, 0x231A, 0x231B, 0x2329, 0x232A, 0x23E9, 0x23EC, 0x23F0, 0x23F0, 0x23F3, 0x23F3,
    0x25FD, 0x25FE, 0x2614, 0x2615, 0x2648, 0x2653, 0x267F, 0x267F, 0x2693, 0x2693, 0x26A1, 0x26A1,
    0x26AA, 0x26AB, 0x26BD, 0x26BE, 0x26C4, 0x26C5, 0x26CE, 0x26CE, 0x26D4, 0x26D4, 0x26EA, 0x26EA,
    0x26F2, 0x26F3, 0x26F5, 0x26F5, 0x26FA, 0x26FA, 0x26FD, 0x26FD, 0x2705, 0x2705, 0x270A, 0x270B,
    0x2728, 0x2728, 0x274C, 0x274C, 0x274E, 0x274E, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797,
    0x27B0, 0x27B0, 0x27BF, 0x27BF, 0x2B1B, 0x2B1C, 0x2B50, 0x2B50, 0x2B55, 0x2B55, 0x2E80, 0x303E,
    0x3041, 0x3247, 0x3250, 0x4DBF, 0x4E00, 0xA4C6, 0xA960, 0xA97C, 0xAC00, 0xD7A3, 0xF900, 0xFAD9,
    0xFE10, 0xFE19, 0xFE30, 0xFE6B, 0xFF01, 0xFF60, 0xFFE0, 0xFFE6, 0x16FE0, 0x18D08, 0x1AFF0,
    0x1B2FB, 0x1F004, 0x1F004, 0x1F0CF, 0x1F0CF, 0x1F18E, 0x1F18E, 0x1F191, 0x1F19A, 0x1F200,
    0x1F320, 0x1F32D, 0x1F335, 0x1F337, 0x1F37C, 0x1F37E, 0x1F393, 0x1F3A0, 0x1F3CA, 0x1F3CF,
    0x1F3D3, 0x1F3E0, 0x1F3F0, 0x1F3F4, 0x1F3F4, 0x1F3F8, 0x1F43E, 0x1F440, 0x1F440, 0x1F442,
    0x1F4FC, 0x1F4FF, 0x1F53D, 0x1F54B, 0x1F54E, 0x1F550, 0x1F567, 0x1F57A, 0x1F57A, 0x1F595,
    0x1F596, 0x1F5A4, 0x1F5A4, 0x1F5FB, 0x1F64F, 0x1F680, 0x1F6C5, 0x1F6CC, 0x1F6CC, 0x1F6D0,
    0x1F6D2, 0x1F6D5, 0x1F6DF, 0x1F6EB, 0x1F6EC, 0x1F6F4, 0x1F6FC, 0x1F7E0, 0x1F7F0, 0x1F90C,
    0x1F93A, 0x1F93C, 0x1F945, 0x1F947, 0x1F9FF, 0x1FA70, 0x1FAF6, 0x20000, 0x2EBE0, 0x2F800,
    0x2FA1D, 0x30000, 0x3134A
  };

  private static final String REPLACEMENT = "\uFFFD";

  /** How a code point is shown that stands {@code column} cells behind the start of its line. */
  static Glyph of(int codePoint, int column) {
    if (codePoint >= 0x20 && codePoint < 0x7F) {
      return new Glyph(Character.toString(codePoint), 1);
    }
    if (codePoint == '\t') {
      int cells = TAB_STOP - column % TAB_STOP;
      return new Glyph(" ".repeat(cells), cells);
    }
    if (codePoint < 0x20) {
      return new Glyph(
          Character.toString(0x2400 + codePoint), 1); // the picture of that control character
    }
    if (codePoint == 0x7F) {
      return new Glyph("\u2421", 1);
    }
    return switch (Character.getType(codePoint)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK ->
          new Glyph(Character.toString(codePoint), 0);
      // The rest of a Hangul syllable that is written in parts.
      case Character.OTHER_LETTER ->
          new Glyph(
              Character.toString(codePoint),
              codePoint >= 0x1160 && codePoint <= 0x11FF ? 0 : width(codePoint));
      // Joins emoji; the only format characters that a script needs and no terminal acts upon.
      case Character.FORMAT ->
          codePoint == 0x200C || codePoint == 0x200D
              ? new Glyph(Character.toString(codePoint), 0)
              : new Glyph(REPLACEMENT, 1);
      // Among these are escape sequences of one character and marks that turn the direction of the
      // line.
      case Character.CONTROL,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          new Glyph(REPLACEMENT, 1);
      default -> new Glyph(Character.toString(codePoint), width(codePoint));
    };
  }

  private static int width(int codePoint) {
    int found = Arrays.binarySearch(WIDE, codePoint);
    // Between a first and a last, the insertion point is odd.
    return found >= 0 || (-found - 1) % 2 == 1 ? 2 : 1;
  }

  /** A text in one line that no terminal takes for commands. */
  static String harmless(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints().forEach(codePoint -> shown.append(of(codePoint, 0).text()));
    return shown.toString();
  }
}
