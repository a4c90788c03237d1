package io.hintflow.cli.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.transpiler.FlinkVersion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** A script with DISTRIBUTEBY, from Kafka to Kafka. */
class KafkaJobTest extends ServersTest {
  private static final Path SCRIPT =
      Path.of(System.getProperty("hintflow.testdata"), "kafka", "script.sql");

  private static final int METERS = 1_000;
  private static final int READINGS_OF_METER = 100;
  private static final int PARTITIONS = 3;

  private static Path jar;

  KafkaJobTest(FlinkVersion version) {
    super(version);
  }

  @BeforeParameterizedClassInvocation
  static void packageJob(FlinkVersion version) throws Exception {
    jar = JobJar.of(SCRIPT, version, TestFolder.create("job-" + version.label()));
  }

  @Test
  void everyRowArrivesOnceAndEachKeyInOrder() throws Exception {
    Topics topics = createTopics("whole");
    broker().send(topics.readings(), readings(0, READINGS_OF_METER));

    String job = cluster().submit(jar, arguments(topics));
    cluster().awaitEnd(job, LIMIT);

    assertAllArrivedOnceAndInOrder(topics);
    assertSourceAtTwoAndHashToFour(cluster().graph(job));
  }

  @Test
  void aKilledTaskManagerNeitherLosesNorDoublesNorReordersRows() throws Exception {
    Topics topics = createTopics("killed");
    // What is sent in three parts makes one bounded input: the job ends at offsets known before.
    List<String> arguments = new ArrayList<>(arguments(topics));
    arguments.add("-Dtables.readings.scan.bounded.mode=specific-offsets");
    arguments.add(
        "-Dtables.readings.scan.bounded.specific-offsets="
            + offsetsOfEnd(readings(0, READINGS_OF_METER)));
    // Only the test asks for checkpoints: what is written without one is not committed.
    arguments.add("-Dexecution.checkpointing.interval=1 d");

    String job = cluster().submit(jar, arguments);
    List<Message> first = readings(0, 40);
    broker().send(topics.readings(), first);
    Await.until(
        "a checkpoint has committed the first part",
        LIMIT,
        () ->
            cluster().checkpoint(job)
                && arrived(topics, IsolationLevel.READ_COMMITTED).size() == first.size());

    broker().send(topics.readings(), readings(40, 60));
    Await.until(
        "some rows of the second part are written",
        LIMIT,
        () -> arrived(topics, IsolationLevel.READ_UNCOMMITTED).size() > first.size());
    cluster().killTaskManager();
    broker().send(topics.readings(), readings(60, READINGS_OF_METER));
    cluster().startTaskManager();
    Await.until("the job has failed", LIMIT, () -> cluster().failures(job) > 0);
    cluster().awaitEndWithCheckpoints(job, LIMIT);

    assertAllArrivedOnceAndInOrder(topics);
    assertThat(arrived(topics, IsolationLevel.READ_UNCOMMITTED))
        .as("rows written, those included that were rolled back and written again")
        .hasSizeGreaterThan(METERS * READINGS_OF_METER);
  }

  /**
   * The topics of one test.
   *
   * @param readings what the job reads
   * @param archive what it writes
   */
  private record Topics(String readings, String archive) {}

  private Topics createTopics(String test) throws Exception {
    String suffix = "-%s-%s".formatted(test, version().label());
    Topics topics = new Topics("readings" + suffix, "archive" + suffix);
    broker().createTopic(topics.readings(), PARTITIONS);
    broker().createTopic(topics.archive(), PARTITIONS);
    return topics;
  }

  private static List<String> arguments(Topics topics) {
    return List.of(
        "-DBROKERS=" + broker().address(),
        "-DREADINGS=" + topics.readings(),
        "-DARCHIVE=" + topics.archive());
  }

  /**
   * A slice of every meter's readings, as the meters send them: all their first, all their second…
   */
  private static List<Message> readings(int from, int to) {
    return IntStream.range(from, to)
        .boxed()
        .flatMap(number -> IntStream.range(0, METERS).mapToObj(meter -> reading(meter, number)))
        .toList();
  }

  private static Message reading(int meter, int number) {
    return new Message(
        meter % PARTITIONS,
        meter(meter),
        "%s,%d,%d".formatted(meter(meter), number, (meter * 31 + number * 7) % 10_007));
  }

  private static String meter(int meter) {
    return "meter_%04d".formatted(meter);
  }

  private static List<Message> arrived(Topics topics, IsolationLevel isolation) {
    return broker().read(topics.archive(), isolation);
  }

  private static void assertAllArrivedOnceAndInOrder(Topics topics) {
    Map<String, List<Message>> arrived = new LinkedHashMap<>();
    for (Message message : arrived(topics, IsolationLevel.READ_COMMITTED)) {
      arrived.computeIfAbsent(message.key(), key -> new ArrayList<>()).add(message);
    }
    assertThat(arrived).hasSize(METERS);
    for (int meter = 0; meter < METERS; meter++) {
      int sender = meter;
      List<Message> ofMeter = arrived.get(meter(meter));
      assertThat(ofMeter)
          .as("readings of %s", meter(meter))
          .extracting(Message::value)
          .containsExactlyElementsOf(
              IntStream.range(0, READINGS_OF_METER)
                  .mapToObj(number -> reading(sender, number).value())
                  .toList());
      assertThat(ofMeter)
          .as("one partition, or there would be no order")
          .extracting(Message::partition)
          .containsOnly(ofMeter.get(0).partition());
    }
  }

  private static void assertSourceAtTwoAndHashToFour(List<JobVertex> graph) {
    List<JobVertex> sources = graph.stream().filter(vertex -> vertex.inputs().isEmpty()).toList();
    List<JobVertex> others = graph.stream().filter(vertex -> !vertex.inputs().isEmpty()).toList();
    assertThat(sources).extracting(JobVertex::parallelism).containsExactly(2);
    assertThat(others).isNotEmpty().extracting(JobVertex::parallelism).containsOnly(4);
    assertThat(others)
        .flatExtracting(JobVertex::inputs)
        .filteredOn(input -> input.source().equals(sources.get(0).name()))
        .extracting(JobVertex.Input::exchange)
        .containsExactly("HASH");
  }
}
