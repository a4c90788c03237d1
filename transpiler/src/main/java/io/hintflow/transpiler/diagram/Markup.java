package io.hintflow.transpiler.diagram;

import io.hintflow.transpiler.emission.VisibleText;

/** Texts inside XML and HTML. */
public final class Markup {
  private Markup() {}

  /**
   * The text as the content of an element, or of an attribute in double quotes. No text of a script
   * gets into a picture or page without having gone through here.
   */
  public static String escaped(String text) {
    return VisibleText.of(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
