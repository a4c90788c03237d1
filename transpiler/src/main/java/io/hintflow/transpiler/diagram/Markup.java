package io.hintflow.transpiler.diagram;

/** Texts of scripts in what shows them: XML, HTML, a terminal. */
public final class Markup {
  private Markup() {}

  /**
   * The text without anything that steers what shows it: control characters and marks that turn the
   * direction of a line give way to what can be seen. Line breaks and tabs stay.
   */
  public static String visible(String text) {
    return Labels.visible(text);
  }

  /**
   * The text as the content of an element, or of an attribute in double quotes. No text of a script
   * gets into a picture or page without having gone through here.
   */
  public static String escaped(String text) {
    return Labels.visible(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
