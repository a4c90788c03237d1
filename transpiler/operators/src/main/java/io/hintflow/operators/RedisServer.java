package io.hintflow.operators;

import io.lettuce.core.RedisURI;
import java.io.Serializable;
import java.time.Duration;

/**
 * Where a Redis table is kept, and how patiently it is asked.
 *
 * @param username empty for the default user
 * @param password empty for none: Redis knows no empty one
 * @param keyPrefix what stands before the key in each of the table's Redis keys
 * @param timeout of a connection attempt, and of an answer
 * @param maxRetries how often a question is put again after a failure that may pass
 */
record RedisServer(
    String hostname,
    int port,
    String username,
    String password,
    int database,
    boolean ssl,
    String keyPrefix,
    Duration timeout,
    int maxRetries)
    implements Serializable {

  RedisURI uri() {
    RedisURI.Builder uri =
        RedisURI.builder()
            .withHost(hostname)
            .withPort(port)
            .withDatabase(database)
            .withSsl(ssl)
            .withTimeout(timeout);
    if (!username.isEmpty()) {
      uri.withAuthentication(username, password);
    } else if (!password.isEmpty()) {
      uri.withPassword(password.toCharArray());
    }
    return uri.build();
  }

  /** For messages: never the password. */
  @Override
  public String toString() {
    return "Redis at %s:%d, keys '%s*'".formatted(hostname, port, keyPrefix);
  }
}
