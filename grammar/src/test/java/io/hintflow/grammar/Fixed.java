package io.hintflow.grammar;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Scripts with the fixes of their findings made. */
public final class Fixed {
  private Fixed() {}

  /** The text of the findings' script with all of their edits. */
  public static String text(Collection<Diagnostic> findings) {
    List<Replacement> edits =
        findings.stream()
            .flatMap(found -> found.fix().stream())
            .sorted(Comparator.comparing(Replacement::span).reversed())
            .toList();
    StringBuilder text = new StringBuilder(findings.iterator().next().source().text());
    edits.forEach(edit -> text.replace(edit.span().start(), edit.span().end(), edit.text()));
    return text.toString();
  }
}
