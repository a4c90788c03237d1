package io.hintflow.cli.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import io.hintflow.grammar.Location;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** JSON, in UTF-8 and indented with LF, to a stream that stays open. */
final class JsonOutput {
  private JsonOutput() {}

  static JsonGenerator to(PrintStream out) {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    try {
      // A Writer and not the stream: Jackson's own encoder gives up at half a surrogate pair.
      return new JsonFactory()
          .createGenerator(new OutputStreamWriter(out, StandardCharsets.UTF_8))
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .setPrettyPrinter(
              new DefaultPrettyPrinter(
                      Separators.createDefaultInstance()
                          .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                          .withObjectEmptySeparator("")
                          .withArrayEmptySeparator(""))
                  .withObjectIndenter(indenter)
                  .withArrayIndenter(indenter));
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
