package io.hintflow.transpiler.emission;

import com.fasterxml.jackson.core.JsonGenerator;
import io.hintflow.transpiler.plan.Dependency;
import io.hintflow.transpiler.plan.Distribution;
import io.hintflow.transpiler.plan.Edge;
import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.plan.Secrets;
import io.hintflow.transpiler.plan.Stage;
import io.hintflow.transpiler.plan.StateColumn;
import io.hintflow.transpiler.state.JobState;
import io.hintflow.transpiler.state.StageState;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The plan for programs: {@code plan.json}, of the form that {@code plan-2.schema.json} publishes.
 */
public final class PlanJson {
  private final JsonGenerator json;
  private final JobState state;

  private PlanJson(JsonGenerator json, JobState state) {
    this.json = json;
    this.state = state;
  }

  public static String of(JobPlan plan) {
    return of(plan, JobState.of(plan));
  }

  /** As above, with the plan's state, which takes some reading. */
  static String of(JobPlan plan, JobState state) {
    return JsonText.pretty(json -> new PlanJson(json, state).write(plan));
  }

  private void write(JobPlan plan) throws IOException {
    json.writeStartObject();
    json.writeNumberField("version", JobPlan.FORMAT_VERSION);
    json.writeStringField("job", plan.jobName());
    json.writeStringField("flink", plan.flinkVersion().label());
    json.writeStringField("mainClass", plan.packageName() + "." + plan.mainClass());
    strings("scripts", plan.scripts());
    json.writeObjectFieldStart("configuration");
    for (Map.Entry<String, String> setting : plan.configuration().entrySet()) {
      json.writeStringField(setting.getKey(), Secrets.masked(setting.getKey(), setting.getValue()));
    }
    json.writeEndObject();
    json.writeArrayFieldStart("stages");
    for (Stage stage : plan.stages()) {
      write(stage);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("edges");
    for (Edge edge : plan.edges()) {
      json.writeStartObject();
      json.writeStringField("from", edge.from());
      json.writeStringField("to", edge.to());
      distribution(edge.distribution());
      json.writeStringField("reason", edge.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("dependencies");
    for (Dependency dependency : plan.dependencies()) {
      json.writeStartObject();
      json.writeStringField("group", dependency.group());
      json.writeStringField("artifact", dependency.artifact());
      json.writeStringField("version", dependency.version());
      json.writeStringField("reason", dependency.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
    strings("operators", plan.carriedOperators());
    strings("factories", plan.factories());
    strings("notes", plan.notes());
    strings("files", plan.files());
    json.writeEndObject();
  }

  private void write(Stage stage) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", stage.id());
    json.writeStringField("kind", kind(stage));
    json.writeStringField("script", stage.origin().script());
    json.writeNumberField("line", stage.origin().line());
    json.writeNumberField("lastLine", stage.origin().lastLine());
    strings("reads", stage.reads());
    if (stage instanceof Stage.Operators operators) {
      json.writeStringField("hint", operators.hint());
      json.writeArrayFieldStart("inputs");
      for (Stage.Input input : operators.inputs()) {
        write(input);
      }
      json.writeEndArray();
      json.writeObjectFieldStart("parameters");
      for (Map.Entry<String, List<String>> parameter : operators.parameters().entrySet()) {
        strings(parameter.getKey(), parameter.getValue());
      }
      json.writeEndObject();
      json.writeStringField("view", operators.view());
      strings("logicalPlan", operators.logicalPlan());
    } else {
      json.writeStringField("sql", Secrets.masked(PlanText.sql(stage)));
    }
    if (stage instanceof Stage.TableDefinition table) {
      json.writeStringField("table", table.table());
      json.writeObjectFieldStart("options");
      for (Map.Entry<String, String> option : table.options().entrySet()) {
        json.writeStringField(option.getKey(), Secrets.masked(option.getKey(), option.getValue()));
      }
      json.writeEndObject();
    } else if (stage instanceof Stage.Insert insert) {
      json.writeStringField("sink", insert.sink());
    }
    json.writeArrayFieldStart("state");
    for (StageState kept : state.of(stage.id())) {
      write(kept);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void write(StageState kept) throws IOException {
    json.writeStartObject();
    json.writeStringField("what", kept.held().what());
    json.writeStringField("foundBy", kept.foundBy().label());
    json.writeArrayFieldStart("columns");
    for (StateColumn column : kept.held().columns()) {
      json.writeStartObject();
      json.writeStringField("name", column.name());
      json.writeStringField("type", column.type());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeObjectFieldStart("dependsOn");
    for (Map.Entry<String, String> entry : kept.held().dependsOn().entrySet()) {
      json.writeStringField(entry.getKey(), Secrets.masked(entry.getKey(), entry.getValue()));
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private void write(Stage.Input input) throws IOException {
    json.writeStartObject();
    json.writeStringField("sql", Secrets.masked(input.sql()));
    strings("reads", input.reads());
    if (input.parallelism().isPresent()) {
      json.writeNumberField("parallelism", input.parallelism().get());
    }
    distribution(input.distribution());
    json.writeStringField("reason", input.reason());
    json.writeEndObject();
  }

  private static String kind(Stage stage) {
    if (stage instanceof Stage.Operators operators) {
      return operators.kind();
    }
    if (stage instanceof Stage.TableDefinition) {
      return "table";
    }
    if (stage instanceof Stage.Insert) {
      return "insert";
    }
    if (stage instanceof Stage.Print) {
      return "print";
    }
    return stage instanceof Stage.Inspection ? "inspection" : "definition";
  }

  private void distribution(Distribution distribution) throws IOException {
    json.writeStringField("distribution", Distributions.name(distribution));
    if (distribution instanceof Distribution.Hash hash) {
      strings("columns", hash.columns());
    }
  }

  private void strings(String field, List<String> values) throws IOException {
    JsonText.strings(json, field, values);
  }
}
