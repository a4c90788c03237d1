package io.hintflow.cli.servers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.FlinkVersion;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/**
 * Broadcast joins of tables that change, from Kafka to Kafka: parcels, which have updates and a
 * primary key, and scans, which are only ever inserted, with depots, which have updates and no key.
 * Stock SQL on the same topics decides what is right.
 */
class BroadcastJoinTest extends ServersTest {
  private static final Path SCRIPT =
      Path.of(System.getProperty("hintflow.testdata"), "kafka", "broadcast.sql");

  private static final int PARALLELISM = 4;
  private static final int PARTITIONS = 3;
  private static final int PARCELS = 400;
  private static final int SCANS_OF_ROUND = 200;
  private static final int DEPOTS = 20;

  /** In a round each parcel changes once, and so do some depots; some scans come in. */
  private static final int ROUNDS = 30;

  private static final ObjectMapper JSON = new ObjectMapper();

  private static Path project;
  private static Path jar;
  private static Path stockJar;

  BroadcastJoinTest(FlinkVersion version) {
    super(version);
  }

  @BeforeParameterizedClassInvocation
  static void packageJobs(FlinkVersion version) throws Exception {
    project = TestFolder.create("broadcast-" + version.label());
    jar = JobJar.of(SCRIPT, version, project);
    String withoutHints = Files.readString(SCRIPT).replaceAll("/\\*\\+.*?\\*/ ", "");
    stockJar =
        JobJar.of(
            new SourceText("stock.sql", withoutHints),
            version,
            TestFolder.create("stock-" + version.label()));
  }

  @Test
  void aKilledTaskManagerChangesNeitherTheAnswerNorTheOrder() throws Exception {
    Inputs inputs = createInputs();
    Outputs outputs = createOutputs("", PARALLELISM);
    List<String> arguments = arguments(inputs, outputs);
    // Long against the time that a part takes into the sinks: what is written last when the
    // TaskManager goes is not committed.
    arguments.add("-Dexecution.checkpointing.interval=10 s");

    String job = cluster().submit(jar, arguments);
    send(inputs, 0, 10);
    Await.until(
        "a checkpoint has committed changes in both sinks",
        LIMIT,
        () ->
            outputs.topics().stream()
                .noneMatch(topic -> read(topic, IsolationLevel.READ_COMMITTED).isEmpty()));

    Map<String, Integer> written = written(outputs);
    send(inputs, 10, 20);
    Await.until(
        "more changes are written in both sinks",
        LIMIT,
        () ->
            written(outputs).entrySet().stream()
                .allMatch(now -> now.getValue() > written.get(now.getKey())));
    cluster().killTaskManager();
    send(inputs, 20, ROUNDS);
    cluster().startTaskManager();
    cluster().awaitEnd(job, LIMIT);

    Outputs stock = createOutputs("-stock", 1);
    List<String> stockArguments = arguments(inputs, stock);
    stockArguments.add("-Dparallelism.default=1");
    cluster().awaitEnd(cluster().submit(stockJar, stockArguments), LIMIT);

    assertThat(answer(outputs.parcelPlaces()))
        .hasSizeGreaterThan(PARCELS / 2)
        .containsExactlyInAnyOrderEntriesOf(answer(stock.parcelPlaces()));
    assertThat(answer(outputs.scanPlaces()))
        .hasSize(SCANS_OF_ROUND * ROUNDS)
        .containsExactlyInAnyOrderEntriesOf(answer(stock.scanPlaces()));
    assertChangesOfEachParcelAreInOrder(outputs.parcelPlaces());
    assertThat(cluster().failures(job)).isPositive();
    assertThat(exchangesOfJoins(job))
        .containsExactlyInAnyOrder(List.of("HASH", "BROADCAST"), List.of("REBALANCE", "BROADCAST"));
  }

  @Test
  void thePlanNotesWhereOrderIsNotKept() throws Exception {
    assertThat(Files.readString(project.resolve("plan.txt")))
        .contains("rows of s go to the tasks in turn, so they can overtake each other")
        .doesNotContain("rows of p go to")
        .doesNotContain("updates of one row of p");
  }

  /** The topics that the job reads. */
  private record Inputs(String parcels, String scans, String depots) {}

  private Inputs createInputs() throws Exception {
    Inputs inputs = new Inputs(topic("parcels", ""), topic("scans", ""), topic("depots", ""));
    broker().createTopic(inputs.parcels(), PARTITIONS);
    broker().createTopic(inputs.scans(), PARTITIONS);
    broker().createTopic(inputs.depots(), 1);
    return inputs;
  }

  /** The topics that a job writes. */
  private record Outputs(String parcelPlaces, String scanPlaces) {
    List<String> topics() {
      return List.of(parcelPlaces, scanPlaces);
    }
  }

  private Outputs createOutputs(String suffix, int partitions) throws Exception {
    Outputs outputs = new Outputs(topic("parcel_places", suffix), topic("scan_places", suffix));
    for (String topic : outputs.topics()) {
      broker().createTopic(topic, partitions);
    }
    return outputs;
  }

  private String topic(String table, String suffix) {
    return "%s-%s%s".formatted(table, version().label(), suffix);
  }

  /** What is sent in parts makes one bounded input: the job ends at offsets known before. */
  private static List<String> arguments(Inputs inputs, Outputs outputs) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-DBROKERS=" + broker().address(),
                "-DPARCELS=" + inputs.parcels(),
                "-DSCANS=" + inputs.scans(),
                "-DDEPOTS=" + inputs.depots(),
                "-DPARCEL_PLACES=" + outputs.parcelPlaces(),
                "-DSCAN_PLACES=" + outputs.scanPlaces()));
    Map.of(
            "parcels", parcels(0, ROUNDS),
            "scans", scans(0, ROUNDS),
            "depots", depots(0, ROUNDS))
        .forEach(
            (table, messages) -> {
              String bounded = "-Dtables.%s.scan.bounded.".formatted(table);
              arguments.add(bounded + "mode=specific-offsets");
              arguments.add(bounded + "specific-offsets=" + offsetsOfEnd(messages));
            });
    return arguments;
  }

  private static void send(Inputs inputs, int from, int to) throws Exception {
    broker().send(inputs.parcels(), parcels(from, to));
    broker().send(inputs.scans(), scans(from, to));
    broker().send(inputs.depots(), depots(from, to));
  }

  private static List<Message> parcels(int from, int to) {
    return IntStream.range(from, to)
        .boxed()
        .flatMap(round -> IntStream.range(0, PARCELS).mapToObj(parcel -> parcel(parcel, round)))
        .toList();
  }

  /** A parcel is now in the depot of most parcels, now in another, now is no parcel at all. */
  private static Message parcel(int parcel, int round) {
    String key = Integer.toString(parcel);
    if ((parcel * 7 + round) % 11 == 0) {
      return new Message(parcel % PARTITIONS, key, Optional.empty());
    }
    int depot = (parcel + round) % 10 < 7 ? 0 : depotOf(parcel + round * 3);
    return new Message(parcel % PARTITIONS, key, "%d,%d,%d".formatted(parcel, round, depot));
  }

  private static List<Message> scans(int from, int to) {
    return IntStream.range(from * SCANS_OF_ROUND, to * SCANS_OF_ROUND)
        .mapToObj(
            scan ->
                new Message(
                    scan % PARTITIONS,
                    Integer.toString(scan),
                    "%d,%d".formatted(scan, depotOf(scan))))
        .toList();
  }

  /** Among the depots are two that never open. */
  private static int depotOf(int number) {
    return number % (DEPOTS + 2);
  }

  private static List<Message> depots(int from, int to) {
    return IntStream.range(from, to)
        .boxed()
        .flatMap(
            round ->
                IntStream.range(0, DEPOTS)
                    .boxed()
                    .flatMap(
                        depot ->
                            depotChange(
                                depot,
                                round == 0 ? Optional.empty() : depotName(depot, round - 1),
                                depotName(depot, round))
                                .stream()))
        .toList();
  }

  /** The name that a depot has in a round; none when it is closed. */
  private static Optional<String> depotName(int depot, int round) {
    return (depot + round) % 7 == 3
        ? Optional.empty()
        : Optional.of("depot %d, name %d".formatted(depot, (depot + round) / 5));
  }

  private static Optional<Message> depotChange(
      int depot, Optional<String> before, Optional<String> after) {
    if (before.equals(after)) {
      return Optional.empty();
    }
    String operation = before.isEmpty() ? "c" : after.isEmpty() ? "d" : "u";
    return Optional.of(
        new Message(
            0,
            Integer.toString(depot),
            "{\"before\": %s, \"after\": %s, \"op\": \"%s\"}"
                .formatted(depotRow(depot, before), depotRow(depot, after), operation)));
  }

  private static String depotRow(int depot, Optional<String> name) {
    return name.map(given -> "{\"depot\": %d, \"name\": \"%s\"}".formatted(depot, given))
        .orElse("null");
  }

  private static List<Message> read(String topic, IsolationLevel isolation) {
    return broker().read(topic, isolation);
  }

  /** How many messages each topic holds, those included that are not committed. */
  private static Map<String, Integer> written(Outputs outputs) {
    return outputs.topics().stream()
        .collect(
            Collectors.toMap(
                topic -> topic, topic -> read(topic, IsolationLevel.READ_UNCOMMITTED).size()));
  }

  /**
   * A row that a job added to its result, or took back.
   *
   * @param partition where it was written: of the task that did
   */
  private record Change(int partition, String key, boolean isAddition, JsonNode row) {
    static Change of(Message message) {
      try {
        JsonNode change = JSON.readTree(message.value().orElseThrow());
        boolean isAddition = change.path("op").asText().equals("c");
        return new Change(
            message.partition(),
            message.key(),
            isAddition,
            change.path(isAddition ? "after" : "before"));
      } catch (JsonProcessingException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  private static Stream<Change> changes(String topic) {
    return read(topic, IsolationLevel.READ_COMMITTED).stream().map(Change::of);
  }

  /** The rows that are left when all changes have been applied, with how often. */
  private static Map<String, Integer> answer(String topic) {
    Map<String, Integer> rows = new TreeMap<>();
    changes(topic)
        .forEach(
            change ->
                rows.merge(change.row().toString(), change.isAddition() ? 1 : -1, Integer::sum));
    rows.values().removeIf(count -> count == 0);
    return rows;
  }

  private static void assertChangesOfEachParcelAreInOrder(String topic) {
    Map<String, List<Change>> changesOfParcels = new LinkedHashMap<>();
    changes(topic)
        .forEach(
            change ->
                changesOfParcels
                    .computeIfAbsent(change.key(), parcel -> new ArrayList<>())
                    .add(change));
    assertThat(changesOfParcels).hasSize(PARCELS);
    changesOfParcels.forEach(
        (parcel, changes) -> {
          assertThat(changes)
              .as("parcel %s: partitions, or there would be no order", parcel)
              .extracting(Change::partition)
              .containsOnly(changes.get(0).partition());
          assertThat(changes)
              .as("parcel %s: versions", parcel)
              .extracting(change -> change.row().path("version").asInt())
              .isSorted();
          for (int index = 0; index < changes.size(); index++) {
            Change change = changes.get(index);
            assertThat(change.isAddition())
                .as("parcel %s: addition as change %d of %s", parcel, index, changes)
                .isEqualTo(index % 2 == 0);
            if (!change.isAddition()) {
              assertThat(change.row())
                  .as("parcel %s: what change %d takes back", parcel, index)
                  .isEqualTo(changes.get(index - 1).row());
            }
          }
        });
    assertThat(changesOfParcels.values().stream().map(changes -> changes.get(0).partition()))
        .as("tasks that had parcels")
        .contains(0, 1, 2, 3);
  }

  /** How rows travel to each broadcast join, the big side first. */
  private static List<List<String>> exchangesOfJoins(String job) throws Exception {
    List<JobVertex> joins =
        cluster().graph(job).stream()
            .filter(vertex -> vertex.name().contains("Broadcast join"))
            .toList();
    assertThat(joins).extracting(JobVertex::parallelism).containsOnly(PARALLELISM);
    return joins.stream()
        .map(join -> join.inputs().stream().map(JobVertex.Input::exchange).toList())
        .toList();
  }
}
