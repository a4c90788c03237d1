package io.hintflow.cli.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.testing.RedisProcess;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.Test;

/** Look-ups in batches, from Kafka to Kafka, while a TaskManager dies. */
class LookupJobTest extends ServersTest {
  private static final Path SCRIPT =
      Path.of(System.getProperty("hintflow.testdata"), "kafka", "lookup.sql");

  private static final int PARTITIONS = 4;
  private static final int VISITORS = 500;
  private static final int VISITS = 6_000;

  LookupJobTest(FlinkVersion version) {
    super(version);
  }

  /** In one version: what differs between them is tested on an embedded Flink. */
  @Test
  void aKilledTaskManagerNeitherLosesNorDoublesRowsThatWaitForABatch() throws Exception {
    assumeThat(version()).isEqualTo(FlinkVersion.DEFAULT);
    Path jar = JobJar.of(SCRIPT, version(), TestFolder.create("lookup-" + version().label()));
    String visits = "visits-" + version().label();
    String enriched = "visits_with_age-" + version().label();
    broker().createTopic(visits, PARTITIONS);
    broker().createTopic(enriched, PARTITIONS);
    List<Message> all = IntStream.range(0, VISITS).mapToObj(LookupJobTest::visit).toList();
    try (RedisProcess redis = RedisProcess.start()) {
      redis.fill(visitors());

      String job =
          cluster()
              .submit(
                  jar,
                  List.of(
                      "-DBROKERS=" + broker().address(),
                      "-DVISITS=" + visits,
                      "-DVISITS_WITH_AGE=" + enriched,
                      "-DREDIS_PORT=" + redis.port(),
                      "-Dparallelism.default=" + PARTITIONS,
                      "-Dexecution.checkpointing.interval=300 ms",
                      "-Dtables.visits.scan.bounded.mode=specific-offsets",
                      "-Dtables.visits.scan.bounded.specific-offsets=" + offsetsOfEnd(all)));
      // Of the 725 rows of each task, 400 make a batch, which has all visitors of that task.
      broker().send(visits, all.subList(0, VISITS / 2 - 100));
      Await.until("batches are answered", LIMIT, () -> redis.gets() >= VISITORS);
      // The others wait for their two seconds.
      cluster().killTaskManager();
      broker().send(visits, all.subList(VISITS / 2 - 100, VISITS));
      cluster().startTaskManager();
      cluster().awaitEnd(job, LIMIT);

      assertThat(broker().read(enriched, IsolationLevel.READ_COMMITTED))
          .extracting(message -> message.value().orElseThrow())
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, VISITS).mapToObj(LookupJobTest::visitWithAge).toList());
      assertThat(cluster().failures(job)).isPositive();
    }
  }

  private static String visitor(int id) {
    return "visitor_" + id * 7 % VISITORS;
  }

  private static Message visit(int id) {
    return new Message(id % PARTITIONS, visitor(id), "%d,%s".formatted(id, visitor(id)));
  }

  /** One in five is not known. */
  private static Map<String, String> visitors() {
    Map<String, String> visitors = new LinkedHashMap<>();
    for (int visitor = 0; visitor < VISITORS; visitor++) {
      if (visitor % 5 != 0) {
        visitors.put("visitor:visitor_" + visitor, "{\"age\": %d}".formatted(visitor % 90));
      }
    }
    return visitors;
  }

  private static String visitWithAge(int id) {
    int visitor = id * 7 % VISITORS;
    return "%d,%s,%s".formatted(id, visitor(id), visitor % 5 == 0 ? "" : visitor % 90);
  }
}
