package io.hintflow.transpiler.emission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.plan.Dependency;
import io.hintflow.transpiler.plan.Distribution;
import io.hintflow.transpiler.plan.HeldState;
import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.plan.Origin;
import io.hintflow.transpiler.plan.Stage;
import io.hintflow.transpiler.plan.StateColumn;
import io.hintflow.transpiler.state.StageState.FoundBy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads what {@link PlanJson} writes. Secrets stay masked, as they are in the text; what follows
 * from the rest of the plan, its edges and the state of its SQL, is not read but worked out again.
 */
public final class PlanReader {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private PlanReader() {}

  /** How a field that must be there is missing or of another kind; tells where. */
  private static final class UnreadableField extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnreadableField(String field, String what) {
      super("'%s' is not %s".formatted(field, what));
    }
  }

  /**
   * @throws PlanFormatException if the text is no plan, or one of another version of the form
   */
  public static JobPlan read(String json) throws PlanFormatException {
    JsonNode root;
    try {
      root = JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new PlanFormatException("it is not JSON");
    }
    if (!root.path("version").isInt() || !root.has("stages")) {
      throw new PlanFormatException("it is not a plan of hintflow");
    }
    int version = root.get("version").intValue();
    if (version != JobPlan.FORMAT_VERSION) {
      throw new PlanFormatException(
          "it is of version %d, written by %s hintflow, and this one reads version %d; transpile its script again"
              .formatted(
                  version,
                  version < JobPlan.FORMAT_VERSION ? "an earlier" : "a later",
                  JobPlan.FORMAT_VERSION));
    }
    try {
      return plan(root);
    } catch (UnreadableField e) {
      throw new PlanFormatException("it is no whole plan: " + e.getMessage());
    }
  }

  private static JobPlan plan(JsonNode root) {
    String main = text(root, "mainClass");
    int simpleName = main.lastIndexOf('.') + 1;
    return new JobPlan(
        text(root, "job"),
        FlinkVersion.of(text(root, "flink"))
            .orElseThrow(() -> new UnreadableField("flink", "a version that this one knows")),
        main.substring(0, Math.max(0, simpleName - 1)),
        main.substring(simpleName),
        texts(root, "scripts"),
        textMap(root, "configuration"),
        stages(root),
        list(root, "dependencies", PlanReader::dependency),
        texts(root, "operators"),
        texts(root, "factories"),
        texts(root, "notes"),
        texts(root, "files"));
  }

  /** All else goes by their ids; a merge of two plans line by line can double one. */
  private static List<Stage> stages(JsonNode root) {
    List<Stage> stages = list(root, "stages", PlanReader::stage);
    Set<String> ids = new HashSet<>();
    if (!stages.stream().map(Stage::id).allMatch(ids::add)) {
      throw new UnreadableField("id", "the id of one stage only");
    }
    return stages;
  }

  private static Stage stage(JsonNode stage) {
    String id = text(stage, "id");
    Origin origin =
        new Origin(text(stage, "script"), number(stage, "line"), number(stage, "lastLine"));
    String kind = text(stage, "kind");
    List<String> reads = texts(stage, "reads");
    return switch (kind) {
      case "table" ->
          new Stage.TableDefinition(
              id, origin, text(stage, "sql"), text(stage, "table"), textMap(stage, "options"));
      case "definition" -> new Stage.Definition(id, origin, text(stage, "sql"), reads);
      case "insert" -> new Stage.Insert(id, origin, text(stage, "sql"), reads, text(stage, "sink"));
      case "print" -> new Stage.Print(id, origin, text(stage, "sql"), reads);
      case "inspection" -> new Stage.Inspection(id, origin, text(stage, "sql"), reads);
      default ->
          new Stage.Operators(
              id,
              origin,
              kind,
              text(stage, "hint"),
              list(stage, "inputs", PlanReader::input),
              parameters(stage),
              state(stage),
              text(stage, "view"),
              texts(stage, "logicalPlan"));
    };
  }

  private static Stage.Input input(JsonNode input) {
    return new Stage.Input(
        text(input, "sql"),
        texts(input, "reads"),
        input.has("parallelism") ? Optional.of(number(input, "parallelism")) : Optional.empty(),
        distribution(input),
        text(input, "reason"));
  }

  private static Distribution distribution(JsonNode edge) {
    String name = text(edge, "distribution");
    return switch (name) {
      case "hash" -> new Distribution.Hash(texts(edge, "columns"));
      case "round-robin" -> new Distribution.RoundRobin();
      case "broadcast" -> new Distribution.Broadcast();
      case "kept" -> new Distribution.Kept();
      case "planned" -> new Distribution.Planned();
      default -> throw new UnreadableField("distribution", "a way that rows travel");
    };
  }

  /** What the operators keep; the state of SQL follows from its text. */
  private static List<HeldState> state(JsonNode stage) {
    List<HeldState> states = new ArrayList<>();
    for (JsonNode state : array(stage, "state")) {
      if (text(state, "foundBy").equals(FoundBy.ID.label())) {
        states.add(
            new HeldState(
                text(state, "what"),
                list(
                    state,
                    "columns",
                    column -> new StateColumn(text(column, "name"), text(column, "type"))),
                textMap(state, "dependsOn")));
      }
    }
    return List.copyOf(states);
  }

  private static Map<String, List<String>> parameters(JsonNode stage) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    object(stage, "parameters")
        .fieldNames()
        .forEachRemaining(key -> parameters.put(key, texts(stage.get("parameters"), key)));
    return parameters;
  }

  private static Dependency dependency(JsonNode dependency) {
    return new Dependency(
        text(dependency, "group"),
        text(dependency, "artifact"),
        text(dependency, "version"),
        text(dependency, "reason"));
  }

  private static <T> List<T> list(JsonNode parent, String field, Function<JsonNode, T> element) {
    List<T> elements = new ArrayList<>();
    array(parent, field).forEach(node -> elements.add(element.apply(node)));
    return List.copyOf(elements);
  }

  private static List<String> texts(JsonNode parent, String field) {
    return list(
        parent,
        field,
        node -> {
          if (!node.isTextual()) {
            throw new UnreadableField(field, "a list of texts");
          }
          return node.textValue();
        });
  }

  private static Map<String, String> textMap(JsonNode parent, String field) {
    JsonNode object = object(parent, field);
    Map<String, String> texts = new LinkedHashMap<>();
    object.fieldNames().forEachRemaining(key -> texts.put(key, text(object, key)));
    return texts;
  }

  private static JsonNode object(JsonNode parent, String field) {
    if (!parent.path(field).isObject()) {
      throw new UnreadableField(field, "an object");
    }
    return parent.get(field);
  }

  private static JsonNode array(JsonNode parent, String field) {
    if (!parent.path(field).isArray()) {
      throw new UnreadableField(field, "a list");
    }
    return parent.get(field);
  }

  private static String text(JsonNode parent, String field) {
    if (!parent.path(field).isTextual()) {
      throw new UnreadableField(field, "a text");
    }
    return parent.get(field).textValue();
  }

  private static int number(JsonNode parent, String field) {
    if (!parent.path(field).isInt()) {
      throw new UnreadableField(field, "a number");
    }
    return parent.get(field).intValue();
  }
}
