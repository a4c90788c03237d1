package io.hintflow.cli;

/** When output is coloured. */
enum ColorMode {
  /** On a terminal that can show colours, unless the environment says NO_COLOR. */
  AUTO,
  ALWAYS,
  NEVER
}
