package io.hintflow.cli.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.testing.ChangelogLines;
import io.hintflow.transpiler.testing.ChangelogLines.Change;
import io.hintflow.transpiler.testing.EmittedJob;
import io.hintflow.transpiler.testing.VendorPages;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The article on the regular join, from Kafka to the log of an embedded Flink. */
class LoggedJoinTest {
  @AutoClose private static KafkaBroker broker;

  @BeforeAll
  static void startBroker() throws Exception {
    broker = KafkaBroker.start(TestFolder.create("kafka-logged-join"));
  }

  /** The article sends the same rows to both topics: its products have no names. */
  @ParameterizedTest
  @MethodSource("io.hintflow.cli.servers.ServersTest#versions")
  void theSampleRowsOfTheArticle(FlinkVersion version) throws Exception {
    assertThat(ChangelogLines.materialized(logged(version, "sample", sampleRows())))
        .containsOnlyKeys(
            "DebugData[1, 10, 1001, null, 2022-03-17T16:47]",
            "DebugData[2, 10, 1001, null, 2022-03-17T16:48]",
            "DebugData[3, 10, 1002, null, 2022-03-17T16:49]");
  }

  @ParameterizedTest
  @MethodSource("io.hintflow.cli.servers.ServersTest#versions")
  void aProductWithAName(FlinkVersion version) throws Exception {
    List<String> products =
        List.of(
            "{\"product_id\":1001,\"product_name\":\"lamp\",\"update_time\":\"2022-03-17 16:47:00\"}");

    assertThat(ChangelogLines.materialized(logged(version, "named", products)))
        .containsOnlyKeys(
            "DebugData[1, 10, 1001, lamp, 2022-03-17T16:47]",
            "DebugData[2, 10, 1001, lamp, 2022-03-17T16:48]",
            "DebugData[3, 10, 1002, null, 2022-03-17T16:49]");
  }

  private static List<String> sampleRows() throws Exception {
    return VendorPages.page("003")
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith("{\"id\":"))
        .distinct()
        .toList();
  }

  private static List<Change> logged(FlinkVersion version, String test, List<String> products)
      throws Exception {
    String suffix = "-%s-%s".formatted(test, version.label());
    send("order-source" + suffix, sampleRows());
    send("product-info" + suffix, products);
    return ChangelogLines.changes(
        EmittedJob.of(version, VendorPages.regularJoin())
            .run(
                Stream.concat(
                        broker.wholeTopic("order_source", "order-source" + suffix),
                        broker.wholeTopic("product_info", "product-info" + suffix))
                    .toArray(String[]::new))
            .lines());
  }

  private static void send(String topic, List<String> rows) throws Exception {
    broker.createTopic(topic, 1);
    broker.send(
        topic,
        IntStream.range(0, rows.size())
            .mapToObj(index -> new Message(0, "row " + index, rows.get(index)))
            .toList());
  }
}
