package io.hintflow.transpiler.lowering;

import java.util.List;

/** Queries as the emitted job shows them. */
public final class SelectText {
  private static final int LINE = 70;

  private SelectText() {}

  /** A SELECT of some expressions: on one line if they fit, else each on its own. */
  public static String of(List<String> items, String from) {
    String list =
        items.stream().mapToInt(String::length).sum() > LINE
            ? "\n  " + String.join(",\n  ", items) + "\n"
            : " " + String.join(", ", items) + "\n";
    return "SELECT" + list + "FROM " + from;
  }
}
