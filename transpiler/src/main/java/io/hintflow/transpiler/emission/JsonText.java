package io.hintflow.transpiler.emission;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** Strings in JSON's quotes, which YAML reads alike. */
final class JsonText {
  private JsonText() {}

  static String quoted(String value) {
    return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(value)) + '"';
  }
}
