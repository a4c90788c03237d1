package io.hintflow.cli;

/** The looks of a piece of text, as the ANSI sequence that switches them on. */
enum Style {
  ERROR("1;31"),
  WARNING("1;33"),
  NOTE("1;36"),
  MESSAGE("1"),
  GUTTER("1;34");

  private final String parameters;

  Style(String parameters) {
    this.parameters = parameters;
  }

  /** The text in this style, or as it is where no colour is wanted. */
  String apply(String text, boolean color) {
    return color ? "\u001b[" + parameters + "m" + text + "\u001b[0m" : text;
  }
}
