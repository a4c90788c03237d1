package io.hintflow.transpiler.emission;

import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The texts that are packed into the jar: templates of emitted files, and sources of operators. */
public final class Templates {
  private static final Mustache.Compiler COMPILER = Mustache.compiler().escapeHTML(false);

  private Templates() {}

  static String fill(String template, Map<String, ?> values) {
    return COMPILER
        .compile(resource("/io/hintflow/transpiler/emission/" + template))
        .execute(values);
  }

  /** A text by its absolute path on the class path. */
  public static String resource(String path) {
    try (InputStream stream = Templates.class.getResourceAsStream(path)) {
      if (stream == null) {
        throw new IllegalStateException("Not packed into the jar: " + path);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
