package io.hintflow.cli.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.transpiler.FlinkVersion;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.Test;

/**
 * Windows over readings of which one in ten comes too late, from Kafka to Kafka. The job is stopped
 * in the middle and goes on with twice as many tasks.
 */
class LateDataJobTest extends ServersTest {
  private static final Path SCRIPT =
      Path.of(System.getProperty("hintflow.testdata"), "kafka", "late-data.sql");

  private static final int PARTITIONS = 4;
  private static final int SENSORS = 23;
  private static final int READINGS = 12_000;

  /** So many come before the first late one, and take long enough for windows to pass. */
  private static final int IN_ORDER = 4_000;

  private static final LocalDateTime START = LocalDateTime.parse("2026-03-01T08:00:00");

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

  LateDataJobTest(FlinkVersion version) {
    super(version);
  }

  @Test
  void theBooksBalanceThroughASavepointAndTwiceAsManyTasks() throws Exception {
    Path jar = JobJar.of(SCRIPT, version(), TestFolder.create("late-data-" + version().label()));
    Topics topics = Topics.of(version());
    for (String topic : topics.all()) {
      broker().createTopic(topic, PARTITIONS);
    }
    List<Message> readings =
        IntStream.range(0, READINGS).mapToObj(LateDataJobTest::reading).toList();

    List<String> arguments = topics.arguments();
    String first = cluster().submit(jar, arguments);
    broker().send(topics.readings(), readings.subList(0, IN_ORDER));
    Await.until(
        "windows have passed", LIMIT, () -> sums(topics.counted(), 1).containsKey("window"));
    broker().send(topics.readings(), readings.subList(IN_ORDER, READINGS / 2));
    Await.until(
        "late readings of all kinds are written",
        LIMIT,
        () -> topics.late().values().stream().noneMatch(topic -> ids(topic).isEmpty()));
    String savepoint = cluster().stopWithSavepoint(first, false, LIMIT);
    broker().send(topics.readings(), readings.subList(READINGS / 2, READINGS));
    List<String> wider = new ArrayList<>(arguments);
    wider.add("-Dparallelism.default=4");
    String second = cluster().submit(jar, wider, savepoint);
    Await.until(
        "all readings are read",
        LIMIT,
        () ->
            cluster().rowsRead(first) + cluster().rowsRead(second)
                == (long) READINGS * topics.late().size());
    cluster().stopWithSavepoint(second, true, LIMIT);

    Map<String, Long> counted = sums(topics.counted(), 1);
    Map<String, Long> sumsOfIds = sums(topics.counted(), 2);
    topics
        .late()
        .forEach(
            (kind, topic) -> {
              List<Integer> late = ids(topic);
              assertThat(late).as("late ones of " + kind).doesNotHaveDuplicates();
              assertThat(late).as("late ones of " + kind).hasSizeGreaterThan(READINGS / 100);
              assertThat(late.size() + counted.get(kind))
                  .as("readings of " + kind)
                  .isEqualTo(READINGS);
              assertThat(late.stream().mapToLong(id -> id).sum() + sumsOfIds.get(kind))
                  .as("ids of " + kind)
                  .isEqualTo((long) READINGS * (READINGS - 1) / 2);
            });
    assertThat(cluster().graph(second))
        .filteredOn(vertex -> vertex.name().contains("Split off late rows"))
        .hasSize(3)
        .allSatisfy(vertex -> assertThat(vertex.parallelism()).isEqualTo(4));
  }

  /** Twenty a second; later, every tenth is one of the first minute. */
  private static Message reading(int id) {
    int sensor = id * 7 % SENSORS;
    int seconds = id >= IN_ORDER && id % 10 == 3 ? id % 60 : id / 20;
    String line = "%d,%d,\"%s\"".formatted(id, sensor, time(seconds, id % 7 * 100));
    return new Message(sensor % PARTITIONS, Integer.toString(sensor), line);
  }

  private static String time(int seconds, int milliseconds) {
    return TIME.format(START.plusSeconds(seconds).plusNanos(milliseconds * 1_000_000L));
  }

  private record Topics(String readings, String counted, Map<String, String> late) {
    static Topics of(FlinkVersion version) {
      String suffix = "-" + version.label();
      return new Topics(
          "late_data_readings" + suffix,
          "late_data_counted" + suffix,
          Map.of(
              "window", "late_in_windows" + suffix,
              "session", "late_in_sessions" + suffix,
              "order", "late_in_order" + suffix));
    }

    List<String> all() {
      List<String> all = new ArrayList<>(late.values());
      all.addAll(List.of(readings, counted));
      return all;
    }

    List<String> arguments() {
      return List.of(
          "-DBROKERS=" + broker().address(),
          "-DREADINGS=" + readings,
          "-DCOUNTED=" + counted,
          "-DLATE_IN_WINDOWS=" + late.get("window"),
          "-DLATE_IN_SESSIONS=" + late.get("session"),
          "-DLATE_IN_ORDER=" + late.get("order"));
    }
  }

  private static List<String> lines(String topic) {
    return broker().read(topic, IsolationLevel.READ_COMMITTED).stream()
        .map(message -> message.value().orElseThrow())
        .toList();
  }

  private static List<Integer> ids(String topic) {
    return lines(topic).stream().map(Integer::valueOf).toList();
  }

  /** By kind of window, the sum of a field of its lines. */
  private static Map<String, Long> sums(String topic, int field) {
    return lines(topic).stream()
        .map(line -> line.split(","))
        .collect(
            Collectors.groupingBy(
                fields -> fields[0],
                Collectors.summingLong(fields -> Long.parseLong(fields[field]))));
  }
}
