package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Identifiers;
import java.util.List;
import java.util.stream.Collectors;

/** Identifiers as SQL text. */
public final class SqlNames {
  private SqlNames() {}

  /** A name as it is written in Flink SQL: in backquotes where it needs them. */
  public static String identifier(String name) {
    return Identifiers.text(name);
  }

  /** A name of several parts. */
  public static String path(List<String> parts) {
    return parts.stream().map(SqlNames::identifier).collect(Collectors.joining("."));
  }
}
