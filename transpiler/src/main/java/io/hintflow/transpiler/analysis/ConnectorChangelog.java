package io.hintflow.transpiler.analysis;

import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Tells from a table's options what kinds of rows a scan of it produces. */
final class ConnectorChangelog {
  private static final Set<String> INSERT_ONLY_CONNECTORS = Set.of("datagen", "faker", "jdbc");

  /** Connectors that hand on what their format reads. */
  private static final Set<String> FORMATTED_CONNECTORS = Set.of("filesystem", "kafka");

  private static final Set<String> INSERT_ONLY_FORMATS =
      Set.of("avro", "avro-confluent", "csv", "json", "orc", "parquet", "protobuf", "raw");

  private static final Set<String> CHANGELOG_FORMAT_FAMILIES =
      Set.of("canal", "debezium", "maxwell", "ogg");

  private ConnectorChangelog() {}

  static Changelog of(Map<String, String> options) {
    String connector = options.getOrDefault("connector", "");
    if (connector.endsWith("-cdc") || connector.startsWith("upsert-")) {
      return Changelog.UPDATING;
    }
    if (INSERT_ONLY_CONNECTORS.contains(connector)) {
      return Changelog.INSERT_ONLY;
    }
    String format =
        Stream.of("value.format", "format")
            .filter(options::containsKey)
            .findFirst()
            .map(options::get)
            .orElse("");
    int family = format.indexOf('-');
    if (family > 0 && CHANGELOG_FORMAT_FAMILIES.contains(format.substring(0, family))) {
      return Changelog.UPDATING;
    }
    return FORMATTED_CONNECTORS.contains(connector) && INSERT_ONLY_FORMATS.contains(format)
        ? Changelog.INSERT_ONLY
        : Changelog.UNKNOWN;
  }
}
