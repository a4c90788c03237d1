package io.hintflow.cli;

import io.hintflow.cli.report.CheckedScript;
import io.hintflow.cli.report.Report;
import io.hintflow.grammar.Severity;
import java.io.PrintStream;
import java.util.EnumMap;
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
    script.diagnostics().forEach(found -> counts.merge(found.severity(), 1, Integer::sum));
    out.print(DiagnosticRenderer.render(script.diagnostics(), any -> script.path(), color));
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
