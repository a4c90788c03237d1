package io.hintflow.cli.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.testing.ChangelogLines;
import io.hintflow.transpiler.testing.EmittedJob;
import io.hintflow.transpiler.testing.VendorPages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Scripts with duplicate.left and duplicate.right, from Kafka topics that repeat themselves, on an
 * embedded Flink.
 */
class DeduplicationJobTest {
  private static final Path SCRIPT =
      Path.of(System.getProperty("hintflow.testdata"), "kafka", "deduplication.sql");

  private static final int PARALLELISM = 4;
  private static final int PARTITIONS = 3;
  private static final int DIFFERENT_ROWS = 1_000;
  private static final int TIMES = 10;

  @AutoClose private static KafkaBroker broker;

  @BeforeAll
  static void startBroker() throws Exception {
    broker = KafkaBroker.start(TestFolder.create("kafka-deduplication"));
  }

  @ParameterizedTest
  @MethodSource("io.hintflow.cli.servers.ServersTest#versions")
  void aRowCountsOnceHoweverOftenItIsSent(FlinkVersion version) throws Exception {
    assertEachRowCountsOnce(version, Files.readString(SCRIPT), "members", "points");
  }

  @ParameterizedTest
  @MethodSource("io.hintflow.cli.servers.ServersTest#versions")
  void theVendorsPage(FlinkVersion version) throws Exception {
    String script =
        VendorPages.code("000").stream()
            .filter(code -> code.contains("CREATE TABLE user_info"))
            .findFirst()
            .orElseThrow();

    assertEachRowCountsOnce(version, script, "user_info", "user_score");
  }

  /**
   * Runs a script that joins two tables and prints the result.
   *
   * @param named its table with a key and a name, from Kafka
   * @param counted its table with a key and a number, from Kafka
   */
  private static void assertEachRowCountsOnce(
      FlinkVersion version, String script, String named, String counted) throws Exception {
    String suffix = "-" + version.label();
    sendRepeatedly(named + suffix, names());
    sendRepeatedly(counted + suffix, numbers());

    EmittedJob.Run run =
        EmittedJob.of(version, script)
            .run(
                Stream.of(
                        Stream.of("-Dparallelism.default=" + PARALLELISM),
                        broker.wholeTopic(named, named + suffix),
                        broker.wholeTopic(counted, counted + suffix))
                    .flatMap(arguments -> arguments)
                    .toArray(String[]::new));

    long repeated = DIFFERENT_ROWS * (TIMES - 1);
    assertThat(run.counters()).containsEntry("suppressedDuplicates", List.of(repeated, repeated));
    assertThat(ChangelogLines.changes(run.lines()))
        .extracting(change -> change.kind() + change.row())
        .containsExactlyInAnyOrderElementsOf(joined());
  }

  /**
   * All of the rows, all of them again, and so on; a row comes from one partition, then another.
   */
  private static void sendRepeatedly(String topic, List<Row> rows) throws Exception {
    broker.createTopic(topic, PARTITIONS);
    broker.send(
        topic,
        IntStream.range(0, TIMES * rows.size())
            .mapToObj(
                index -> {
                  Row row = rows.get(index % rows.size());
                  return new Message(
                      (index + index / rows.size()) % PARTITIONS,
                      row.key(),
                      row.key() + "," + row.value());
                })
            .toList());
  }

  private record Row(String key, String value) {}

  /** Of four keys, one has two names. */
  private static List<Row> names() {
    return rows(DIFFERENT_ROWS * 4 / 5, "name ");
  }

  /** Of nine keys, one has two numbers, and one has no name. */
  private static List<Row> numbers() {
    return rows(DIFFERENT_ROWS * 9 / 10, "");
  }

  private static List<Row> rows(int keys, String prefix) {
    return IntStream.range(0, DIFFERENT_ROWS)
        .mapToObj(number -> new Row("key_%03d".formatted(number % keys), prefix + number))
        .toList();
  }

  /** What the join prints if each different row counts once. */
  private static List<String> joined() {
    return names().stream()
        .flatMap(
            name ->
                numbers().stream()
                    .filter(number -> number.key().equals(name.key()))
                    .map(
                        number ->
                            "+I[%s, %s, %s]".formatted(name.key(), name.value(), number.value())))
        .toList();
  }
}
