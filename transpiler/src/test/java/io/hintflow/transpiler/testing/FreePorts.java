package io.hintflow.transpiler.testing;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports of the loopback interface for servers that cannot find one themselves, or that come back to
 * theirs after a restart.
 */
public final class FreePorts {
  /**
   * Below the ports that systems give to connections. One of those could be taken before its server
   * listens or while it is away, even by a client that tries to reach it.
   */
  private static final int FIRST = 20_000;

  private static final int COUNT = 10_000;

  /** Other processes that look for ports at the same time most likely begin elsewhere. */
  private static final AtomicInteger NEXT = new AtomicInteger(new Random().nextInt(COUNT));

  private FreePorts() {}

  /** A port on which nothing listens; another one each time. */
  public static int next() throws IOException {
    for (int attempt = 0; attempt < COUNT; attempt++) {
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
        return socket.getLocalPort();
      } catch (BindException taken) {
        // The next one may be free.
      }
    }
    throw new IOException("No port from %d on is free.".formatted(FIRST));
  }
}
