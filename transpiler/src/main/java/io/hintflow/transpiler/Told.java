package io.hintflow.transpiler;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.Ignores;
import io.hintflow.grammar.Severity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Of all that is found in a script, what its user is told: not what the script asks to ignore. */
final class Told {
  private final Ignores ignores;
  private final boolean errorsToo;

  /** Each once: several queries can come upon the same. */
  private final Set<Diagnostic> found = new LinkedHashSet<>();

  /**
   * @param errorsToo whether errors can be ignored; a job cannot be written in spite of them
   */
  Told(Ignores ignores, boolean errorsToo) {
    this.ignores = ignores;
    this.errorsToo = errorsToo;
  }

  void add(Collection<Diagnostic> diagnostics) {
    found.addAll(diagnostics);
  }

  boolean hasErrors() {
    return found.stream().anyMatch(one -> one.severity() == Severity.ERROR && isTold(one));
  }

  private boolean isTold(Diagnostic diagnostic) {
    boolean canBeIgnored = errorsToo || diagnostic.severity() != Severity.ERROR;
    return !(canBeIgnored && ignores.silences(diagnostic));
  }

  /**
   * In the order of the text. Of ignores that silence nothing only if there are no errors: behind
   * those, not everything could be found.
   */
  List<Diagnostic> inOrder() {
    List<Diagnostic> told = new ArrayList<>(found.stream().filter(this::isTold).toList());
    if (!hasErrors()) {
      told.addAll(ignores.unused(found));
    }
    told.sort(Comparator.comparing(Diagnostic::span));
    return List.copyOf(told);
  }
}
