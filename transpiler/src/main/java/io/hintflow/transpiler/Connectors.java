package io.hintflow.transpiler;

import io.hintflow.transpiler.plan.Dependency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of connectors and formats: where they come from for each Flink version, and what
 * they can do.
 */
public final class Connectors {
  private Connectors() {}

  /** Where a connector or format comes from. */
  public sealed interface Source {
    /** Part of Flink's own runtime: nothing to depend on. */
    record BuiltIn() implements Source {}

    /** An artifact to package. */
    record Artifact(String group, String artifact, String version) implements Source {
      public Dependency dependency(String reason) {
        return new Dependency(group, artifact, version, reason);
      }
    }

    /** Known, but there is no release for this Flink version. */
    record Unreleased() implements Source {}

    /** Exists only inside Flink's own tests. */
    record TestOnly() implements Source {}

    /** Not known here. */
    record Unknown() implements Source {}
  }

  private static final String FLINK = "org.apache.flink";
  private static final Source BUILT_IN = new Source.BuiltIn();

  private static final Set<String> BUILT_IN_CONNECTORS = Set.of("datagen", "print", "blackhole");

  /** Formats and the artifact of Flink's own release that holds them. */
  private static final Map<String, String> FORMATS =
      Map.ofEntries(
          Map.entry("csv", "flink-csv"),
          Map.entry("json", "flink-json"),
          Map.entry("debezium-json", "flink-json"),
          Map.entry("canal-json", "flink-json"),
          Map.entry("maxwell-json", "flink-json"),
          Map.entry("ogg-json", "flink-json"),
          Map.entry("avro", "flink-avro"),
          Map.entry("avro-confluent", "flink-sql-avro-confluent-registry"),
          Map.entry("debezium-avro-confluent", "flink-sql-avro-confluent-registry"),
          Map.entry("parquet", "flink-sql-parquet"),
          Map.entry("orc", "flink-sql-orc"),
          Map.entry("protobuf", "flink-sql-protobuf"));

  public static Source connector(String name, FlinkVersion version) {
    if (BUILT_IN_CONNECTORS.contains(name)) {
      return BUILT_IN;
    }
    return switch (name) {
      case "filesystem" -> new Source.Artifact(FLINK, "flink-connector-files", version.release());
      case "kafka", "upsert-kafka" ->
          switch (version) {
            case V1_20 -> new Source.Artifact(FLINK, "flink-connector-kafka", "3.4.0-1.20");
            case V2_2 -> new Source.Artifact(FLINK, "flink-connector-kafka", "5.0.0-2.2");
            case V2_3 -> new Source.Unreleased();
          };
      case "values" -> new Source.TestOnly();
      default -> new Source.Unknown();
    };
  }

  public static Source format(String name, FlinkVersion version) {
    if (name.equals("raw")) {
      return BUILT_IN;
    }
    String artifact = FORMATS.get(name);
    return artifact == null
        ? new Source.Unknown()
        : new Source.Artifact(FLINK, artifact, version.release());
  }

  /**
   * What a connector itself needs beside it that Flink's own distribution does not hand to the job.
   */
  public static List<Source.Artifact> companions(String connector, FlinkVersion version) {
    return switch (connector) {
      case "kafka", "upsert-kafka" ->
          List.of(new Source.Artifact(FLINK, "flink-connector-base", version.release()));
      default -> List.of();
    };
  }

  /**
   * Whether a connector knows the option {@code scan.parallelism}: Flink's own data generator in
   * every supported version, Kafka's connector from its release 5.0.0 on, file systems in none.
   */
  public static boolean hasScanParallelism(Optional<String> connector, FlinkVersion version) {
    return switch (connector.orElse("")) {
      case "datagen" -> true;
      case "kafka", "upsert-kafka" -> version != FlinkVersion.V1_20;
      default -> false;
    };
  }
}
