package io.hintflow.cli.bench;

import java.io.IOException;
import java.util.List;
import redis.embedded.RedisServer;
import redis.embedded.core.ExecutableProvider;

/** A Redis server on a port of this machine, which keeps its data in memory only. */
final class RedisServerProcess implements AutoCloseable {
  private final Folder folder;
  private final int port;
  private final RedisServer server;

  private RedisServerProcess(Folder folder, int port, RedisServer server) {
    this.folder = folder;
    this.port = port;
    this.server = server;
  }

  /** Starts one, and waits until it lets clients in. */
  static RedisServerProcess start() throws IOException {
    Folder folder = Folder.create();
    int port = Loopback.freePort();
    String program =
        ExecutableProvider.newJarResourceProvider(folder.path().toFile()).get().getPath();
    RedisServer server =
        new RedisServer(
            port,
            List.of(
                program,
                "--port",
                "" + port,
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no"),
            true);
    server.start();
    return new RedisServerProcess(folder, port, server);
  }

  int port() {
    return port;
  }

  @Override
  public void close() throws IOException {
    server.stop();
    folder.close();
  }
}
