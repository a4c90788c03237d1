package io.hintflow.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.Severity;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One JSON object, for programs:
 *
 * <ul>
 *   <li>{@code version}: of this form, 1; further fields may come without a new one
 *   <li>{@code findings}: in the order of {@code files} and of their text, each with {@code code},
 *       {@code title}, {@code severity} (error, warning or note), {@code file}, {@code start} and
 *       {@code end} (1-based {@code line} and {@code column} in code points, {@code end} behind the
 *       last character), {@code message} and, if there are such, {@code help} and {@code fix}: a
 *       list of edits that do what the help says, each with {@code start}, {@code end} and the new
 *       {@code text}
 *   <li>{@code files}: all that were checked
 *   <li>{@code counts}: {@code error}, {@code warning}, {@code note}
 *   <li>{@code faults}: what could not be checked, in words
 * </ul>
 */
public final class JsonReport implements Report {
  private static final int VERSION = 1;

  private final JsonGenerator json;
  private final List<String> files = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private final Map<Severity, Integer> counts = new EnumMap<>(Severity.class);

  public JsonReport(PrintStream out) {
    this.json = JsonOutput.to(out);
    try {
      json.writeStartObject();
      json.writeNumberField("version", VERSION);
      json.writeArrayFieldStart("findings");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void add(CheckedScript script) {
    files.add(script.path());
    try {
      for (Diagnostic found : script.diagnostics()) {
        counts.merge(found.severity(), 1, Integer::sum);
        write(Finding.of(script.path(), found));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(Finding finding) throws IOException {
    json.writeStartObject();
    json.writeStringField("code", finding.code().id());
    json.writeStringField("title", finding.code().title());
    json.writeStringField("severity", finding.code().severity().label());
    json.writeStringField("file", finding.path());
    write(finding.region());
    json.writeStringField("message", finding.message());
    if (finding.help().isPresent()) {
      json.writeStringField("help", finding.help().get());
    }
    if (!finding.fix().isEmpty()) {
      json.writeArrayFieldStart("fix");
      for (Finding.Edit edit : finding.fix()) {
        json.writeStartObject();
        write(edit.region());
        json.writeStringField("text", edit.text());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private void write(Finding.Region region) throws IOException {
    JsonOutput.writePlace(json, "start", region.start());
    JsonOutput.writePlace(json, "end", region.end());
  }

  @Override
  public void addFault(String sentence) {
    faults.add(sentence);
  }

  @Override
  public void close() {
    try {
      json.writeEndArray();
      write("files", files);
      json.writeObjectFieldStart("counts");
      for (Severity severity : Severity.values()) {
        json.writeNumberField(severity.label(), counts.getOrDefault(severity, 0));
      }
      json.writeEndObject();
      write("faults", faults);
      json.writeEndObject();
      JsonOutput.end(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String name, List<String> values) throws IOException {
    json.writeArrayFieldStart(name);
    for (String value : values) {
      json.writeString(value);
    }
    json.writeEndArray();
  }
}
