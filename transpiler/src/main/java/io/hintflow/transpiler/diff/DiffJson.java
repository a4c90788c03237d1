package io.hintflow.transpiler.diff;

import com.fasterxml.jackson.core.JsonGenerator;
import io.hintflow.transpiler.emission.Distributions;
import io.hintflow.transpiler.emission.JsonText;
import io.hintflow.transpiler.plan.Distribution;
import io.hintflow.transpiler.plan.Origin;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A difference of plans for programs. */
public final class DiffJson {
  /** Grows when a reader of the old form would misread the new one. */
  private static final int FORMAT_VERSION = 1;

  private final JsonGenerator json;

  private DiffJson(JsonGenerator json) {
    this.json = json;
  }

  public static String of(PlanDiff diff) {
    return JsonText.pretty(json -> new DiffJson(json).write(diff));
  }

  private void write(PlanDiff diff) throws IOException {
    json.writeStartObject();
    json.writeNumberField("version", FORMAT_VERSION);
    json.writeBooleanField("equal", diff.isEmpty());
    json.writeStringField(
        "savepoint", diff.savepoint().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    changes("job", diff.job());
    json.writeArrayFieldStart("stages");
    for (StageDiff stage : diff.stages()) {
      write(stage);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void write(StageDiff stage) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", stage.id());
    text("formerId", stage.formerId());
    json.writeStringField("kind", stage.kind());
    JsonText.strings(json, "presence", DiffWords.presence(stage));
    origin("before", stage.before());
    origin("after", stage.after());
    changes("changes", stage.changes());
    json.writeArrayFieldStart("state");
    for (StateVerdict verdict : stage.state()) {
      json.writeStartObject();
      json.writeStringField("what", verdict.what());
      json.writeStringField("fate", DiffWords.fate(verdict.fate()));
      json.writeStringField("reason", verdict.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void changes(String field, List<? extends Change> changes) throws IOException {
    json.writeArrayFieldStart(field);
    for (Change change : changes) {
      json.writeStartObject();
      if (change instanceof Change.Sql sql) {
        json.writeStringField("sql", sql.text());
        json.writeArrayFieldStart("edits");
        for (WordEdit edit : sql.edits()) {
          json.writeStartObject();
          json.writeStringField(edit.kind().name().toLowerCase(Locale.ROOT), edit.text());
          json.writeEndObject();
        }
        json.writeEndArray();
      } else if (change instanceof Change.Travel travel) {
        JsonText.strings(json, "from", travel.from());
        travel("before", travel.before());
        travel("after", travel.after());
        json.writeStringField("reason", travel.reason());
      } else {
        Change.Value value = (Change.Value) change;
        json.writeStringField(value.group(), value.name());
        text("before", value.before());
        text("after", value.after());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void travel(String field, Distribution distribution) throws IOException {
    json.writeObjectFieldStart(field);
    json.writeStringField("distribution", Distributions.name(distribution));
    if (distribution instanceof Distribution.Hash hash) {
      JsonText.strings(json, "columns", hash.columns());
    }
    json.writeEndObject();
  }

  private void origin(String field, Optional<Origin> origin) throws IOException {
    if (origin.isPresent()) {
      json.writeObjectFieldStart(field);
      json.writeStringField("script", origin.get().script());
      json.writeNumberField("line", origin.get().line());
      json.writeNumberField("lastLine", origin.get().lastLine());
      json.writeEndObject();
    }
  }

  private void text(String field, Optional<String> value) throws IOException {
    if (value.isPresent()) {
      json.writeStringField(field, value.get());
    }
  }
}
