package io.hintflow.cli.servers;

import java.util.Optional;

/**
 * A message of a Kafka topic.
 *
 * @param partition the topic's partition that holds it, from 0
 * @param value none where the message says that its key is no more
 */
record Message(int partition, String key, Optional<String> value) {
  Message(int partition, String key, String value) {
    this(partition, key, Optional.of(value));
  }
}
