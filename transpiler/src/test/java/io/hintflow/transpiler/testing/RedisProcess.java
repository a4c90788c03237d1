package io.hintflow.transpiler.testing;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.embedded.RedisServer;
import redis.embedded.core.ExecutableProvider;

/** A Redis server on a free port of this machine, which finds its data again after a restart. */
public final class RedisProcess implements AutoCloseable {
  /** The client tells of every attempt to reach a server that a test has killed. */
  private static final Logger CLIENT_LOG = Logger.getLogger("io.lettuce");

  private final Path folder;
  private final String program;
  private final int port;
  private final RedisClient client;
  private RedisServer server;
  private StatefulRedisConnection<String, String> connection;

  private RedisProcess(Path folder, int port) throws IOException {
    this.folder = folder;
    this.port = port;
    this.program = ExecutableProvider.newJarResourceProvider(folder.toFile()).get().getPath();
    this.client = RedisClient.create("redis://127.0.0.1:" + port);
    Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
  }

  /** Starts one, and waits until it lets clients in. */
  public static RedisProcess start() throws IOException {
    CLIENT_LOG.setLevel(Level.OFF);
    RedisProcess started =
        new RedisProcess(TemporaryFolder.create("hintflow-redis"), FreePorts.next());
    started.restart();
    return started;
  }

  public void restart() throws IOException {
    server =
        new RedisServer(
            port,
            List.of(
                program,
                "--port",
                String.valueOf(port),
                "--bind",
                "127.0.0.1",
                "--dir",
                folder.toString(),
                "--save",
                "",
                "--appendonly",
                "yes"),
            true);
    server.start();
    connection = client.connect();
  }

  /** As SIGKILL does. */
  public void kill() {
    try {
      server.stop();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  public int port() {
    return port;
  }

  public RedisCommands<String, String> commands() {
    return connection.sync();
  }

  public void fill(Map<String, String> values) {
    commands().mset(values);
  }

  /** How many GETs it has answered since it was started, or since the last reset. */
  public long gets() {
    return statistic("calls");
  }

  /** How many of them it has answered with an error. */
  public long failedGets() {
    return statistic("failed_calls");
  }

  private long statistic(String name) {
    Matcher found =
        Pattern.compile("cmdstat_get:.*?\\b%s=(\\d+)".formatted(name))
            .matcher(commands().info("commandstats"));
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  @Override
  public void close() {
    client.shutdown();
    kill();
  }
}
