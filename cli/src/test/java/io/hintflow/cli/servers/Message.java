package io.hintflow.cli.servers;

/**
 * A message of a Kafka topic.
 *
 * @param partition the topic's partition that holds it, from 0
 */
record Message(int partition, String key, String value) {}
