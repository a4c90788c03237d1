package io.hintflow.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.hintflow.grammar.Location;
import io.hintflow.transpiler.emission.JsonText;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** JSON, in UTF-8 and indented with LF, to a stream that stays open. */
final class JsonOutput {
  private JsonOutput() {}

  static JsonGenerator to(PrintStream out) {
    try {
      // A Writer and not the stream: Jackson's own encoder gives up at half a surrogate pair.
      return JsonText.generator(new OutputStreamWriter(out, StandardCharsets.UTF_8))
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    } catch (IOException e) {
      throw new IllegalStateException("A PrintStream reports no faults", e);
    }
  }

  /** Ends the document with a line feed. */
  static void end(JsonGenerator json) throws IOException {
    json.writeRaw('\n');
    json.close();
  }

  static void writePlace(JsonGenerator json, String name, Location place) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("line", place.line());
    json.writeNumberField("column", place.column());
    json.writeEndObject();
  }
}
