package io.hintflow.cli;

import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.NearestName;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code hintflow explain}: what the code of a finding means. */
@Command(
    name = "explain",
    description = "Explains the codes of findings, each with a wrong and a right example.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {"  hintflow explain", "  hintflow explain HF203", "  hintflow explain hf401 hf404"})
final class ExplainCommand implements Callable<Integer> {
  private static final String FENCE = "```";

  @ParentCommand private HintflowCommand hintflow;

  @Parameters(
      arity = "0..*",
      paramLabel = "CODE",
      description = "Codes, in any case. Without any, all are listed.")
  private List<String> ids = List.of();

  @Override
  public Integer call() throws CliException {
    if (ids.isEmpty()) {
      list();
    } else {
      show(find(ids));
    }
    return ExitCode.DONE;
  }

  private static List<DiagnosticCode> find(List<String> ids) throws CliException {
    List<DiagnosticCode> codes = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (String id : ids) {
      Optional<DiagnosticCode> code = DiagnosticCode.of(id.toUpperCase(Locale.ROOT));
      code.ifPresentOrElse(codes::add, () -> unknown.add(unknown(id)));
    }
    if (!unknown.isEmpty()) {
      throw new CliException(String.join("\n", unknown));
    }
    return codes;
  }

  private static String unknown(String id) {
    List<String> known = Arrays.stream(DiagnosticCode.values()).map(DiagnosticCode::id).toList();
    return "there is no code '%s'; %s"
        .formatted(
            id,
            NearestName.of(id, known)
                .map(nearest -> "did you mean " + nearest + "?")
                .orElse("'hintflow explain' lists them all"));
  }

  private void list() {
    PrintStream out = hintflow.terminal().out();
    for (DiagnosticCode code : DiagnosticCode.values()) {
      out.println(
          "%s  %-7s  %s".formatted(heading(code.id()), code.severity().label(), code.title()));
    }
  }

  private void show(List<DiagnosticCode> codes) {
    Terminal terminal = hintflow.terminal();
    List<String> pages =
        codes.stream()
            .map(ExplainPages::markdown)
            .map(page -> terminal.outShowsColor() ? forTerminal(page) : page)
            .toList();
    terminal.out().print(String.join("\n", pages));
  }

  /** A page without its marks: headings stand out, and blocks are indented. */
  private String forTerminal(String markdown) {
    StringBuilder text = new StringBuilder();
    boolean inBlock = false;
    for (String line : markdown.lines().toList()) {
      if (line.startsWith(FENCE)) {
        inBlock = !inBlock;
      } else if (inBlock) {
        text.append(line.isEmpty() ? "" : "    ").append(line).append('\n');
      } else if (line.startsWith("#")) {
        text.append(heading(line.replaceFirst("^#+ ", ""))).append('\n');
      } else {
        text.append(line).append('\n');
      }
    }
    return text.toString();
  }

  private String heading(String text) {
    return Style.MESSAGE.apply(text, hintflow.terminal().outShowsColor());
  }
}
