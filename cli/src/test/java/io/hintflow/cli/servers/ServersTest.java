package io.hintflow.cli.servers;

import io.hintflow.transpiler.Connectors;
import io.hintflow.transpiler.FlinkVersion;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of scripts from Kafka to Kafka as their users would run them: transpiled, packaged,
 * submitted to a cluster; with every version of Flink that Kafka's connector exists for. One test
 * class at a time has the servers.
 */
@ParameterizedClass(name = "Flink {0}")
@MethodSource("versions")
abstract class ServersTest {
  static final Duration LIMIT = Duration.ofMinutes(3);

  @AutoClose private static KafkaBroker broker;
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

  @BeforeAll
  static void startBroker(TestInfo test) throws Exception {
    broker = KafkaBroker.start(TestFolder.create("kafka-" + className(test)));
  }

  @BeforeParameterizedClassInvocation
  static void startCluster(FlinkVersion version, TestInfo test) throws Exception {
    cluster =
        FlinkCluster.start(
            version,
            TestFolder.create("cluster-%s-%s".formatted(className(test), version.label())));
  }

  @AfterParameterizedClassInvocation
  static void stopCluster() {
    // JUnit comes here too when there was no start.
    if (cluster != null) {
      cluster.close();
    }
  }

  private static String className(TestInfo test) {
    return test.getTestClass().orElseThrow().getSimpleName();
  }

  static KafkaBroker broker() {
    return broker;
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
