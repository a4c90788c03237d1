package io.hintflow.cli;

import io.hintflow.transpiler.diagram.Dot;
import io.hintflow.transpiler.diagram.Html;
import io.hintflow.transpiler.diagram.Mermaid;
import io.hintflow.transpiler.diagram.Svg;
import io.hintflow.transpiler.emission.PlanJson;
import io.hintflow.transpiler.emission.PlanText;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code hintflow plan}: a plan for people, as text or as a picture. */
@Command(
    name = "plan",
    description = {
      "Shows what becomes of the scripts: each stage with its place in the script, how rows travel "
          + "between the stages and why, and what each stage keeps.",
      "",
      "Several scripts are read as one, in the order given. Output goes to standard output; if the "
          + "scripts have errors, there is none.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the plan is shown",
      "1:a script has errors, holds no statement or is not UTF-8",
      "2:wrong usage, a file that cannot be read or is no plan, or an internal fault"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  hintflow plan orders.sql",
      "  hintflow plan orders.sql --format html > orders.html",
      "  hintflow plan orders-job/plan.json --format svg > orders.svg"
    })
final class PlanCommand implements Callable<Integer> {
  private enum Format {
    TEXT,
    JSON,
    MERMAID,
    DOT,
    SVG,
    HTML
  }

  @ParentCommand private HintflowCommand hintflow;
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "SCRIPT.sql|plan.json",
      converter = ScriptInput.Converter.class,
      description =
          "Flink SQL, in UTF-8; - for standard input, git:REVISION:PATH for a file as git has it. Or "
              + "a plan.json that transpile wrote.")
  private List<ScriptInput> inputs = List.of();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = {
        "text (default): as plan.txt; json: as plan.json; mermaid: a flowchart for Markdown; dot: "
            + "for Graphviz; svg: a picture; html: the picture, the scripts beside it, and all "
            + "about the stage that one chooses. svg and html are files that need nothing else."
      })
  private Format format = Format.TEXT;

  @Mixin private FlinkVersionOption flink;

  @Override
  public Integer call() throws CliException {
    if (inputs.stream().anyMatch(PlanSource::isPlan)) {
      if (inputs.size() > 1) {
        throw usage("a plan.json stands alone");
      }
      if (spec.commandLine().getParseResult().hasMatchedOption("--flink-version")) {
        throw usage("--flink-version is for scripts; a plan.json tells which Flink it is for");
      }
    }
    Optional<PlanSource> source = PlanSource.read(hintflow, inputs, flink.version());
    source.ifPresent(found -> hintflow.terminal().out().print(shown(found)));
    return source.isPresent() ? ExitCode.DONE : ExitCode.INPUT_HAS_ERRORS;
  }

  private ParameterException usage(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }

  private String shown(PlanSource source) {
    return switch (format) {
      case TEXT -> PlanText.of(source.plan());
      case JSON -> PlanJson.of(source.plan());
      case MERMAID -> Mermaid.of(source.plan());
      case DOT -> Dot.of(source.plan());
      case SVG -> Svg.of(source.plan());
      case HTML -> Html.of(source.plan(), source.scripts());
    };
  }
}
