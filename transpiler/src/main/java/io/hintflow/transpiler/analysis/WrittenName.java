package io.hintflow.transpiler.analysis;

import io.hintflow.grammar.Replacement;
import io.hintflow.grammar.Script;
import io.hintflow.grammar.Span;
import java.util.List;
import java.util.Optional;

/** Names as a script has them. */
final class WrittenName {
  private WrittenName() {}

  /** The place of a name at the end of a qualified one; the whole one if it does not end in it. */
  static Span lastPart(Script script, Span qualified, String name) {
    String text = script.text().text(qualified);
    for (String written : List.of("`" + name + "`", name)) {
      if (text.endsWith(written)) {
        return new Span(qualified.end() - written.length(), qualified.end());
      }
    }
    return qualified;
  }

  /**
   * The edit that writes the name that was meant in place of one at the end of a qualified one;
   * none if nobody knows what was meant.
   */
  static List<Replacement> replaced(
      Script script, Span qualified, String name, Optional<String> meant) {
    Span written = lastPart(script, qualified, name);
    String text = script.text().text(written);
    boolean found = text.equals(name) || text.equals("`" + name + "`");
    return meant
        .filter(other -> found)
        .map(other -> List.of(Replacement.ofName(script.original(), written, other)))
        .orElse(List.of());
  }
}
