package io.hintflow.cli;

import io.hintflow.cli.report.CheckedScript;
import io.hintflow.cli.report.Report;
import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.Severity;
import io.hintflow.grammar.SourceText;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.Map;

/** For people: each finding as {@link DiagnosticRenderer} shows it, and a line that counts them. */
final class TextReport implements Report {
  private final PrintStream out;
  private final boolean color;
  private final Map<Severity, Integer> counts = new EnumMap<>(Severity.class);
  private int scripts;

  TextReport(PrintStream out, boolean color) {
    this.out = out;
    this.color = color;
  }

  @Override
  public void add(CheckedScript script) {
    scripts++;
    Map<SourceText, SourceText> shown = new IdentityHashMap<>();
    for (Diagnostic found : script.diagnostics()) {
      counts.merge(found.severity(), 1, Integer::sum);
      SourceText source = shown.computeIfAbsent(found.source(), DiagnosticRenderer::shown);
      out.print(DiagnosticRenderer.render(found, source, script.path(), color));
    }
  }

  /** Faults are told on stderr, in every format. */
  @Override
  public void addFault(String sentence) {}

  @Override
  public void close() {
    String found = counts.isEmpty() ? "nothing found" : DiagnosticRenderer.summary(counts);
    out.print(found + " in " + DiagnosticRenderer.counted(scripts, "script") + "\n");
    out.flush();
  }
}
