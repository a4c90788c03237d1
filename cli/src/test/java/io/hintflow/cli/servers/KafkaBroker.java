package io.hintflow.cli.servers;

import io.hintflow.transpiler.testing.FreePorts;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * A Kafka broker in this JVM, which is its own controller (KRaft). Listens on free ports of the
 * loopback interface; Kafka's own test kit listens on all.
 */
final class KafkaBroker implements AutoCloseable {
  private static final int NODE = 1;

  private final KafkaRaftServer server;
  private final String address;

  private KafkaBroker(KafkaRaftServer server, String address) {
    this.server = server;
    this.address = address;
  }

  /** Starts a broker that keeps its data in a folder, which must exist and be empty. */
  static KafkaBroker start(Path folder) throws Exception {
    String broker = freeAddress();
    String controller = freeAddress();
    new Formatter()
        .setNodeId(NODE)
        .setClusterId(Uuid.randomUuid().toString())
        .setControllerListenerName("CONTROLLER")
        .addDirectory(folder.toString())
        .setMetadataLogDirectory(folder.toString())
        .setPrintStream(new PrintStream(OutputStream.nullOutputStream()))
        .run();
    KafkaRaftServer server =
        new KafkaRaftServer(
            new KafkaConfig(
                Map.ofEntries(
                    Map.entry("process.roles", "broker,controller"),
                    Map.entry("node.id", NODE),
                    Map.entry("log.dirs", folder.toString()),
                    Map.entry("controller.quorum.voters", NODE + "@" + controller),
                    Map.entry("controller.listener.names", "CONTROLLER"),
                    Map.entry("inter.broker.listener.name", "BROKER"),
                    Map.entry(
                        "listeners", "BROKER://%s,CONTROLLER://%s".formatted(broker, controller)),
                    Map.entry(
                        "listener.security.protocol.map", "BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT"),
                    Map.entry("auto.create.topics.enable", "false"),
                    // One broker can hold one copy; few partitions save time at the first use.
                    Map.entry("offsets.topic.replication.factor", "1"),
                    Map.entry("offsets.topic.num.partitions", "1"),
                    Map.entry("transaction.state.log.replication.factor", "1"),
                    Map.entry("transaction.state.log.min.isr", "1"),
                    Map.entry("transaction.state.log.num.partitions", "4"))),
            Time.SYSTEM);
    try {
      server.startup();
    } catch (RuntimeException | Error failure) {
      server.shutdown();
      throw failure;
    }
    return new KafkaBroker(server, broker);
  }

  // Kafka wants to know the ports of its quorum before it starts, so it cannot find them itself.
  private static String freeAddress() throws IOException {
    return "127.0.0.1:" + FreePorts.next();
  }

  /** What clients take as {@code bootstrap.servers}. */
  String address() {
    return address;
  }

  /** Arguments of a job whose table reads all that a topic holds by now, and ends there. */
  Stream<String> wholeTopic(String table, String topic) {
    return Stream.of(
            "topic=" + topic,
            "properties.bootstrap.servers=" + address,
            "scan.startup.mode=earliest-offset",
            "scan.bounded.mode=latest-offset")
        .map(option -> "-Dtables.%s.%s".formatted(table, option));
  }

  void createTopic(String name, int partitions) throws Exception {
    try (Admin admin = Admin.create(clientProperties())) {
      admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1))).all().get();
    }
  }

  /** Sends the messages in their order, and returns when the broker has them all. */
  void send(String topic, List<Message> messages) throws Exception {
    Map<String, Object> properties = clientProperties();
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 20);
    // A new topic's partition can refuse a request and take the next. With several on their way,
    // the refused messages would be out of order for ever, and not be sent in the end.
    properties.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (Message message : messages) {
        sent.add(
            producer.send(
                new ProducerRecord<>(
                    topic, message.partition(), message.key(), message.value().orElse(null))));
      }
      for (Future<RecordMetadata> receipt : sent) {
        receipt.get();
      }
    }
  }

  /**
   * All messages that the topic now holds, those of one partition in their order.
   *
   * @param isolation READ_COMMITTED stops in front of the first open transaction and leaves out
   *     what was rolled back; READ_UNCOMMITTED gives those messages too
   */
  List<Message> read(String topic, IsolationLevel isolation) {
    Map<String, Object> properties = clientProperties();
    properties.put(
        ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation.name().toLowerCase(Locale.ROOT));
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
    List<Message> messages = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        consumer
            .poll(Duration.ofMillis(100))
            .forEach(
                record ->
                    messages.add(
                        new Message(
                            record.partition(),
                            record.key(),
                            Optional.ofNullable(record.value()))));
      }
    }
    return List.copyOf(messages);
  }

  private Map<String, Object> clientProperties() {
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", address());
    return properties;
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }
}
