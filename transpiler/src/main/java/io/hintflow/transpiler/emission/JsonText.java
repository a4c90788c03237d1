package io.hintflow.transpiler.emission;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;

/** JSON as all files have it: two spaces a level, one value a line, a line feed at the end. */
public final class JsonText {
  private JsonText() {}

  /** Writes one value, field by field, so that its form is what stands in the code. */
  public interface Writing {
    void to(JsonGenerator json) throws IOException;
  }

  public static String pretty(Writing writing) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = generator(text)) {
      writing.to(json);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return text.append('\n').toString();
  }

  /** What writes a value to a text in this form, without the line feed at the end. */
  public static JsonGenerator generator(Writer text) throws IOException {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    return new JsonFactory()
        .createGenerator(text)
        .setPrettyPrinter(
            new DefaultPrettyPrinter()
                .withObjectIndenter(indenter)
                .withArrayIndenter(indenter)
                .withSeparators(
                    Separators.createDefaultInstance()
                        .withObjectFieldValueSpacing(Separators.Spacing.AFTER)));
  }

  public static void strings(JsonGenerator json, String field, List<String> values)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (String value : values) {
      json.writeString(value);
    }
    json.writeEndArray();
  }

  /** A string in JSON's quotes, which YAML reads alike. */
  static String quoted(String value) {
    return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(value)) + '"';
  }
}
