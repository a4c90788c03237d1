package io.hintflow.cli.report;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.Severity;
import java.io.PrintStream;

/**
 * GitHub's workflow commands, one line each: a runner that reads them in a step's output marks the
 * lines of the script in the pull request.
 */
public final class GithubReport implements Report {
  private final PrintStream out;

  public GithubReport(PrintStream out) {
    this.out = out;
  }

  @Override
  public void add(CheckedScript script) {
    for (Diagnostic found : script.diagnostics()) {
      out.print(command(Finding.of(script.path(), found)) + "\n");
    }
  }

  private static String command(Finding finding) {
    Finding.Region region = finding.region();
    // Of a finding that goes on in another line, runners refuse columns beside both lines.
    String end =
        region.isInOneLine()
            ? ",endLine=%d,endColumn=%d".formatted(region.end().line(), region.end().column())
            : "";
    return "::%s file=%s,line=%d,col=%d%s,title=%s::%s"
        .formatted(
            command(finding.code().severity()),
            property(finding.path()),
            region.start().line(),
            region.start().column(),
            end,
            property(finding.code().id() + " " + finding.code().title()),
            data(finding.message() + finding.help().map("\nhelp: "::concat).orElse("")));
  }

  private static String command(Severity severity) {
    return switch (severity) {
      case ERROR -> "error";
      case WARNING -> "warning";
      case NOTE -> "notice";
    };
  }

  @Override
  public void addFault(String sentence) {
    out.print("::error title=hintflow::" + data(sentence) + "\n");
  }

  private static String data(String text) {
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
  }

  private static String property(String text) {
    return data(text).replace(":", "%3A").replace(",", "%2C");
  }

  @Override
  public void close() {
    out.flush();
  }
}
