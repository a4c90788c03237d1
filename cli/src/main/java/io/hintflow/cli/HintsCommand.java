package io.hintflow.cli;

import io.hintflow.grammar.NearestName;
import io.hintflow.transpiler.HintGuide;
import io.hintflow.transpiler.Transpiler;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code hintflow hints}: what there is to write in a script. */
@Command(
    name = "hints",
    description = "Lists the supported hints and connectors, or tells all about one.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {"  hintflow hints", "  hintflow hints DISTRIBUTEBY"})
final class HintsCommand implements Callable<Integer> {
  @ParentCommand private HintflowCommand hintflow;

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "A hint or connector, in any case.")
  private Optional<String> name = Optional.empty();

  @Override
  public Integer call() throws CliException {
    List<HintGuide> guides = Transpiler.hintGuides();
    if (name.isEmpty()) {
      list(guides);
    } else {
      show(find(guides, name.get()));
    }
    return ExitCode.DONE;
  }

  private static HintGuide find(List<HintGuide> guides, String name) throws CliException {
    Optional<HintGuide> found =
        guides.stream().filter(guide -> guide.name().equalsIgnoreCase(name)).findFirst();
    if (found.isPresent()) {
      return found.get();
    }
    List<String> names = guides.stream().map(HintGuide::name).toList();
    throw new CliException(
        "there is no hint '%s'; %s"
            .formatted(
                name,
                NearestName.of(name, names)
                    .map(nearest -> "did you mean " + nearest + "?")
                    .orElse("the hints are " + String.join(", ", names))));
  }

  private void list(List<HintGuide> guides) {
    int widest = guides.stream().mapToInt(guide -> guide.name().length()).max().orElse(0);
    for (HintGuide guide : guides) {
      String padding = " ".repeat(widest - guide.name().length());
      hintflow.terminal().out().println(heading(guide.name()) + padding + "  " + guide.summary());
    }
  }

  private void show(HintGuide guide) {
    PrintStream out = hintflow.terminal().out();
    out.println(heading(guide.name()) + ": " + guide.summary());
    section("Syntax", "  ", guide.syntax());
    section("Where it may stand", "  - ", guide.places());
    section("Limits", "  - ", guide.limits());
    section("An example that 'hintflow run' runs as it is", "", guide.example().lines().toList());
  }

  private void section(String title, String bullet, List<String> lines) {
    PrintStream out = hintflow.terminal().out();
    out.println();
    out.println(heading(title));
    lines.forEach(line -> out.println(bullet + line));
  }

  private String heading(String text) {
    return Style.MESSAGE.apply(text, hintflow.terminal().outShowsColor());
  }
}
