package io.hintflow.transpiler.emission;

/** Texts of scripts without anything that steers what shows them: a terminal, a page, a picture. */
public final class VisibleText {
  private VisibleText() {}

  /**
   * Control characters and marks that turn the direction of a line give way to what can be seen.
   * Line breaks and tabs stay.
   */
  public static String of(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints().forEach(codePoint -> shown.appendCodePoint(visible(codePoint)));
    return shown.toString();
  }

  private static int visible(int codePoint) {
    if (codePoint == '\n' || codePoint == '\t') {
      return codePoint;
    }
    if (codePoint < 0x20) {
      return 0x2400 + codePoint; // the picture of that control character
    }
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          0xFFFD;
      // These two join letters and emoji.
      case Character.FORMAT -> codePoint == 0x200C || codePoint == 0x200D ? codePoint : 0xFFFD;
      default -> codePoint;
    };
  }

  /** As above; a line break must not begin a line, which could say whatever it likes. */
  public static String inOneLine(String text) {
    return of(text).replace('\n', '\u240A');
  }
}
