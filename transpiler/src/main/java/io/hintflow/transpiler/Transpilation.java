package io.hintflow.transpiler;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.Severity;
import io.hintflow.transpiler.plan.JobPlan;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What transpiling gave.
 *
 * @param diagnostics everything found, in the order of the scripts
 * @param plan the job; absent if there are errors
 * @param files what to write: path below the output folder, with {@code /}, to text; empty if there
 *     are errors
 */
public record Transpilation(
    List<Diagnostic> diagnostics, Optional<JobPlan> plan, SortedMap<String, String> files) {

  public boolean hasErrors() {
    return diagnostics.stream().anyMatch(found -> found.severity() == Severity.ERROR);
  }
}
