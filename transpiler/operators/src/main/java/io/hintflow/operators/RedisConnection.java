package io.hintflow.operators;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A connection to a Redis server, for one task. What may pass by itself (no connection, no answer
 * in time, a server that is still loading) is tried again, after a pause that doubles; anything
 * else fails at once. May be used by several threads.
 */
final class RedisConnection implements AutoCloseable {
  private static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** How the answers of a server begin that another attempt may change. */
  private static final List<String> PASSING_ERRORS =
      List.of("LOADING", "BUSY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN");

  private final RedisServer server;
  private final ClientResources resources;
  private final RedisClient client;
  private StatefulRedisConnection<String, byte[]> connection;

  private RedisConnection(RedisServer server) {
    this.server = server;
    // One connection needs no more threads than the least that there can be.
    this.resources =
        ClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .reconnectDelay(
                Delay.exponential(Duration.ZERO, Duration.ofSeconds(1), 2, TimeUnit.MILLISECONDS))
            .build();
    this.client = RedisClient.create(resources, server.uri());
    client.setOptions(
        ClientOptions.builder()
            // Else they would pile up until the server is back, and nobody would count the retries.
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .socketOptions(SocketOptions.builder().connectTimeout(server.timeout()).build())
            .timeoutOptions(TimeoutOptions.enabled(server.timeout()))
            .build());
  }

  /**
   * @throws IOException if the server cannot be reached, or does not let us in
   */
  static RedisConnection open(RedisServer server) throws IOException, InterruptedException {
    RedisConnection opened = new RedisConnection(server);
    try {
      opened.connect();
      return opened;
    } catch (IOException | InterruptedException | RuntimeException failure) {
      opened.close();
      throw failure;
    }
  }

  private void connect() throws IOException, InterruptedException {
    for (int retries = 0; connection == null; retries++) {
      try {
        connection = client.connect(CODEC);
      } catch (RedisException failure) {
        if (!mayPass(failure) || retries == server.maxRetries()) {
          throw failure("cannot be reached", retries, failure);
        }
        Thread.sleep(pause(retries).toMillis());
      }
    }
  }

  /**
   * Asks for the values of keys in one pipelined request.
   *
   * @return a value for each key, in their order, empty where the server has none. Fails with an
   *     {@link IOException} if the server has not answered, after all retries.
   */
  CompletableFuture<List<Optional<byte[]>>> get(Collection<String> keys) {
    CompletableFuture<List<Optional<byte[]>>> values = new CompletableFuture<>();
    get(List.copyOf(keys), 0, values);
    return values;
  }

  private void get(
      List<String> keys, int retries, CompletableFuture<List<Optional<byte[]>>> values) {
    send(keys)
        .whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                values.complete(answer);
              } else if (mayPass(failure) && retries < server.maxRetries()) {
                after(pause(retries), () -> get(keys, retries + 1, values));
              } else {
                values.completeExceptionally(failure("did not answer", retries, failure));
              }
            });
  }

  /**
   * One GET for each key, and no MGET: that would tell a key of another type from a missing one by
   * nothing.
   */
  private CompletableFuture<List<Optional<byte[]>>> send(List<String> keys) {
    List<AsyncCommand<String, byte[], byte[]>> commands =
        keys.stream()
            .map(
                key ->
                    new AsyncCommand<>(
                        new Command<>(
                            CommandType.GET,
                            new ValueOutput<>(CODEC),
                            new CommandArgs<>(CODEC).addKey(server.keyPrefix() + key))))
            .toList();
    try {
      connection.dispatch(commands);
    } catch (RedisException failure) {
      return CompletableFuture.failedFuture(failure);
    }
    return CompletableFuture.allOf(commands.toArray(CompletableFuture[]::new))
        .thenApply(
            answered ->
                commands.stream().map(command -> Optional.ofNullable(command.join())).toList());
  }

  /** Runs something later, in a thread of the connection. */
  ScheduledFuture<?> after(Duration pause, Runnable task) {
    return resources.eventExecutorGroup().schedule(task, pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static Duration pause(int retries) {
    Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.min(retries, 10));
    return doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
  }

  /** Whatever keeps the server from answering may pass; an error that it answers with, hardly. */
  private static boolean mayPass(Throwable failure) {
    return causes(failure)
        .filter(RedisCommandExecutionException.class::isInstance)
        .findFirst()
        .map(
            answer ->
                PASSING_ERRORS.stream().anyMatch(String.valueOf(answer.getMessage())::startsWith))
        .orElseGet(() -> causes(failure).anyMatch(RedisConnection::isOfConnection));
  }

  private static boolean isOfConnection(Throwable cause) {
    return cause instanceof RedisException || cause instanceof IOException;
  }

  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause);
  }

  private IOException failure(String what, int retries, Throwable failure) {
    Throwable cause = causes(failure).reduce((outer, inner) -> inner).orElseThrow();
    return new IOException(
        "%s: the server %s after %d retries: %s".formatted(server, what, retries, cause), failure);
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
