package io.hintflow.cli.report;

import io.hintflow.grammar.Diagnostic;
import java.util.List;

/**
 * A script and what was found in it.
 *
 * @param path as the user gave it, with {@code /}
 * @param diagnostics in the order of the text
 */
public record CheckedScript(String path, List<Diagnostic> diagnostics) {
  public CheckedScript {
    diagnostics = List.copyOf(diagnostics);
  }
}
