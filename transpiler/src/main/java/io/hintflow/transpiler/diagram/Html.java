package io.hintflow.transpiler.diagram;

import com.samskivert.mustache.Mustache;
import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.diagram.Diagram.Arrow;
import io.hintflow.transpiler.diagram.Diagram.Box;
import io.hintflow.transpiler.emission.Distributions;
import io.hintflow.transpiler.emission.PlanText;
import io.hintflow.transpiler.emission.Templates;
import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.plan.Origin;
import io.hintflow.transpiler.plan.Secrets;
import io.hintflow.transpiler.plan.Stage;
import io.hintflow.transpiler.plan.StateColumn;
import io.hintflow.transpiler.state.JobState;
import io.hintflow.transpiler.state.StageState;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The plan as a page that needs nothing else: the picture, beside it the scripts, and all that
 * there is to say of the stage that one chooses.
 */
public final class Html {
  private static final String FOLDER = "/io/hintflow/transpiler/diagram/";

  private final JobPlan plan;
  private final List<SourceText> scripts;
  private final Diagram diagram;
  private final JobState state;

  private Html(JobPlan plan, List<SourceText> scripts) {
    this.plan = plan;
    this.scripts = scripts;
    this.state = JobState.of(plan);
    this.diagram = Diagram.of(plan, state);
  }

  /**
   * @param scripts what the plan was made from; none if that is not known, and then the page shows
   *     the stages alone
   */
  public static String of(JobPlan plan, List<SourceText> scripts) {
    return new Html(plan, scripts).page();
  }

  private String page() {
    String style = Svg.STYLE + Templates.resource(FOLDER + "page.css");
    String code = Templates.resource(FOLDER + "page.js");
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("title", diagram.title());
    page.put("style", style);
    page.put("code", code);
    // The browser runs and applies what has these hashes and nothing else, whatever a script holds.
    page.put("styleHash", hash(style));
    page.put("codeHash", hash(code));
    page.put("drawing", Svg.drawing(diagram));
    list(page, "scripts", "hasScripts", IntStream.range(0, scripts.size()).mapToObj(this::script));
    page.put("stages", IntStream.range(0, diagram.boxes().size()).mapToObj(this::stage).toList());
    list(
        page,
        "settings",
        "hasSettings",
        plan.configuration().entrySet().stream()
            .map(
                setting ->
                    pair(setting.getKey(), Secrets.masked(setting.getKey(), setting.getValue()))));
    list(
        page,
        "jobNotes",
        "hasJobNotes",
        plan.notes().stream().map(note -> Map.of("note", Secrets.masked(note))));
    list(
        page,
        "dependencies",
        "hasDependencies",
        plan.dependencies().stream()
            .map(
                needed ->
                    Map.of(
                        "dependency",
                        "%s:%s:%s for %s"
                            .formatted(
                                needed.group(),
                                needed.artifact(),
                                needed.version(),
                                needed.reason()))));
    page.put(
        "hasJob",
        List.of("hasSettings", "hasJobNotes", "hasDependencies").stream()
            .anyMatch(condition -> page.get(condition).equals(true)));
    return Mustache.compiler()
        .emptyStringIsFalse(true)
        .withEscaper(Markup::escaped)
        .compile(Templates.resource(FOLDER + "page.html.mustache"))
        .execute(page);
  }

  /** As a content security policy names what it lets through. */
  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "sha256-" + Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }

  private Map<String, Object> script(int index) {
    SourceText script = scripts.get(index);
    // Secrets give way without a change of the lines.
    SourceText shown = new SourceText(script.name(), Secrets.masked(script.text()));
    return Map.of(
        "index",
        index,
        "name",
        script.name(),
        "lines",
        IntStream.rangeClosed(1, shown.lineCount())
            .mapToObj(line -> Map.of("number", line, "text", shown.line(line)))
            .toList());
  }

  private Map<String, Object> stage(int index) {
    Box box = diagram.boxes().get(index);
    Optional<Stage> stage =
        plan.stages().stream().filter(candidate -> candidate.id().equals(box.name())).findFirst();
    Optional<Stage.Operators> operators =
        stage.filter(Stage.Operators.class::isInstance).map(Stage.Operators.class::cast);
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("name", box.name());
    details.put("what", box.what());
    details.put("origin", box.origin().map(Origin::toString).orElse(""));
    details.put("script", box.origin().map(this::scriptIndex).orElse(""));
    details.put("first", box.origin().map(origin -> "" + origin.line()).orElse(""));
    details.put("last", box.origin().map(origin -> "" + origin.lastLine()).orElse(""));
    details.put("hint", operators.map(found -> Secrets.masked(found.hint())).orElse(""));
    details.put(
        "sql",
        operators.isPresent()
            ? ""
            : stage.map(found -> Secrets.masked(PlanText.sql(found))).orElse(""));
    list(
        details,
        "inputs",
        "hasInputs",
        operators.isPresent()
            ? operators.get().inputs().stream().map(Html::input)
            : diagram.arrows().stream().filter(arrow -> arrow.to() == index).map(this::input));
    list(
        details,
        "outputs",
        "hasOutputs",
        diagram.arrows().stream().filter(arrow -> arrow.from() == index).map(this::output));
    list(
        details,
        "parameters",
        "hasParameters",
        operators.stream()
            .flatMap(found -> found.parameters().entrySet().stream())
            .map(parameter -> pair(parameter.getKey(), String.join(", ", parameter.getValue()))));
    list(details, "states", "hasStates", state.of(box.name()).stream().map(Html::state));
    list(
        details,
        "stageNotes",
        "hasNotes",
        plan.notes().stream()
            .filter(note -> isOf(note, box))
            .map(note -> Map.of("note", Secrets.masked(note))));
    details.put(
        "logicalPlan", operators.map(found -> String.join("\n", found.logicalPlan())).orElse(""));
    return details;
  }

  /** Where the text of a place stands; empty if the page does not show it. */
  private String scriptIndex(Origin origin) {
    return IntStream.range(0, scripts.size())
        .filter(i -> scripts.get(i).name().equals(origin.script()))
        .mapToObj(Integer::toString)
        .findFirst()
        .orElse("");
  }

  private static Map<String, Object> input(Stage.Input input) {
    return Map.of(
        "from",
        input.reads().stream().map(name -> Map.of("name", name)).toList(),
        "style",
        Svg.style(Way.of(input.distribution())),
        "how",
        Distributions.describe(input.distribution()),
        "reason",
        input.reason(),
        "tasks",
        input.parallelism().map(tasks -> tasks.toString()).orElse(""),
        "sql",
        Secrets.masked(input.sql()));
  }

  private Map<String, Object> input(Arrow arrow) {
    return Map.of(
        "from",
        List.of(Map.of("name", diagram.boxes().get(arrow.from()).name())),
        "style",
        Svg.style(arrow.way()),
        "how",
        how(arrow),
        "reason",
        arrow.reason(),
        "tasks",
        "",
        "sql",
        "");
  }

  private Map<String, Object> output(Arrow arrow) {
    return Map.of(
        "to",
        diagram.boxes().get(arrow.to()).name(),
        "style",
        Svg.style(arrow.way()),
        "how",
        how(arrow));
  }

  private static String how(Arrow arrow) {
    return arrow.label().isEmpty() ? arrow.way().title() : arrow.label();
  }

  private static Map<String, Object> state(StageState kept) {
    return Map.of(
        "held",
        kept.held().what(),
        "columns",
        kept.held().columns().stream().map(StateColumn::toString).collect(Collectors.joining(", ")),
        "found",
        switch (kept.foundBy()) {
          case ID -> "a restored job finds it by the stage's id";
          case PLACE -> "a restored job finds it by its place in the whole job";
        });
  }

  /** Notes begin with the place or the stage that they are about. */
  private static boolean isOf(String note, Box box) {
    return note.startsWith(box.name() + " ")
        || box.origin().stream()
            .flatMapToInt(
                origin ->
                    IntStream.rangeClosed(origin.line(), origin.lastLine())
                        .filter(line -> note.startsWith(origin.script() + ":" + line + ":")))
            .findAny()
            .isPresent();
  }

  private static Map<String, Object> pair(String key, String value) {
    return Map.of("key", key, "value", value);
  }

  /** A list under one name, and under another whether there is anything in it. */
  private static void list(
      Map<String, Object> values,
      String name,
      String condition,
      Stream<? extends Map<String, ?>> elements) {
    List<Map<String, ?>> list = new ArrayList<>();
    elements.forEach(list::add);
    values.put(name, list);
    values.put(condition, !list.isEmpty());
  }
}
