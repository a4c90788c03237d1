package io.hintflow.cli.servers;

import io.hintflow.transpiler.Connectors;
import io.hintflow.transpiler.FlinkVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of scripts from Kafka to Kafka as their users would run them: transpiled, packaged,
 * submitted to a cluster; with every version of Flink that Kafka's connector exists for. All test
 * classes share the servers, one at a time, and leave no job behind.
 */
@ParameterizedClass(name = "Flink {0}")
@MethodSource("versions")
abstract class ServersTest {
  static final Duration LIMIT = Duration.ofMinutes(10);

  private static final Map<FlinkVersion, FlinkCluster> CLUSTERS = new EnumMap<>(FlinkVersion.class);

  private static Optional<KafkaBroker> broker = Optional.empty();
  private static FlinkCluster cluster;

  @RegisterExtension
  static final AfterTestExecutionCallback LOGS_OF_FAILURES =
      context ->
          context
              .getExecutionException()
              .ifPresent(failure -> failure.addSuppressed(new AssertionError(cluster.logs())));

  private final FlinkVersion version;

  ServersTest(FlinkVersion version) {
    this.version = version;
  }

  static Stream<FlinkVersion> versions() {
    return Stream.of(FlinkVersion.values())
        .filter(
            version ->
                Connectors.connector("kafka", version) instanceof Connectors.Source.Artifact);
  }

  @BeforeParameterizedClassInvocation
  static void startServers(FlinkVersion version) throws Exception {
    if (broker.isEmpty()) {
      broker = Optional.of(closedAtTheEnd(KafkaBroker.start(TestFolder.create("kafka"))));
    }
    if (!CLUSTERS.containsKey(version)) {
      Path folder = TestFolder.create("cluster-" + version.label());
      CLUSTERS.put(version, closedAtTheEnd(FlinkCluster.start(version, folder)));
    }
    cluster = CLUSTERS.get(version);
  }

  private static <S extends AutoCloseable> S closedAtTheEnd(S server) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    server.close();
                  } catch (Exception failure) {
                    throw new IllegalStateException(failure);
                  }
                }));
    return server;
  }

  static KafkaBroker broker() {
    return broker.orElseThrow();
  }

  static FlinkCluster cluster() {
    return cluster;
  }

  FlinkVersion version() {
    return version;
  }

  /**
   * Where each partition ends when the topic holds these messages and no others, as Kafka's
   * connector takes it.
   */
  static String offsetsOfEnd(List<Message> messages) {
    return messages.stream()
        .collect(Collectors.groupingBy(Message::partition, TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(end -> "partition:%d,offset:%d".formatted(end.getKey(), end.getValue()))
        .collect(Collectors.joining(";"));
  }
}
