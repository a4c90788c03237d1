package io.hintflow.cli.bench;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A port of this machine behind which a server seems far away: what a client sends reaches it a
 * while later, each piece that long after it was sent, however many are on their way. Answers come
 * back at once.
 */
final class DelayingProxy implements AutoCloseable {
  /** A parked thread wakes up about so much too late; for the last bit it stays awake. */
  private static final long AWAKE_NANOS = 150_000;

  private static final int BUFFER_BYTES = 1 << 16;

  private final ServerSocket entrance;
  private final int serverPort;
  private final long delayNanos;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Whoever lets something through holds it for reading, and whoever lets nothing, for writing. */
  private final ReadWriteLock gate = new ReentrantReadWriteLock(true);

  private DelayingProxy(ServerSocket entrance, int serverPort, Duration delay) {
    this.entrance = entrance;
    this.serverPort = serverPort;
    this.delayNanos = delay.toNanos();
  }

  static DelayingProxy start(int serverPort, Duration delay) throws IOException {
    DelayingProxy proxy = new DelayingProxy(Loopback.listen(), serverPort, delay);
    proxy.threads.execute(proxy::letClientsIn);
    return proxy;
  }

  int port() {
    return entrance.getLocalPort();
  }

  /** From now on the server gets no request, and so gives no answer. */
  void hold() {
    gate.writeLock().lock();
  }

  /** Ends {@link #hold}; the same thread calls it. */
  void release() {
    gate.writeLock().unlock();
  }

  /**
   * @param bytes none at the end
   */
  private record Piece(long dueNanos, byte[] bytes) {}

  private void letClientsIn() {
    try {
      while (true) {
        Socket client = Loopback.undelayed(entrance.accept());
        sockets.add(client);
        Socket server = Loopback.connect(serverPort);
        sockets.add(server);
        BlockingQueue<Piece> onTheirWay = new LinkedBlockingQueue<>();
        threads.execute(() -> untilEitherHangsUp(client, server, () -> read(client, onTheirWay)));
        threads.execute(() -> untilEitherHangsUp(client, server, () -> write(onTheirWay, server)));
        threads.execute(() -> untilEitherHangsUp(client, server, () -> answer(server, client)));
      }
    } catch (IOException closed) {
      // The proxy has been closed.
    }
  }

  private interface Traffic {
    void run() throws IOException, InterruptedException;
  }

  /** Moves bytes until one side has no more of them, which ends the other side too. */
  private static void untilEitherHangsUp(Socket client, Socket server, Traffic traffic) {
    try (client;
        server) {
      traffic.run();
    } catch (IOException | InterruptedException hungUp) {
      // So do we.
    }
  }

  private void read(Socket client, BlockingQueue<Piece> onTheirWay) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      int length = client.getInputStream().read(buffer);
      while (length >= 0) {
        onTheirWay.add(new Piece(System.nanoTime() + delayNanos, Arrays.copyOf(buffer, length)));
        length = client.getInputStream().read(buffer);
      }
    } finally {
      onTheirWay.add(new Piece(System.nanoTime() + delayNanos, new byte[0]));
    }
  }

  private void write(BlockingQueue<Piece> onTheirWay, Socket server)
      throws IOException, InterruptedException {
    Piece piece = onTheirWay.take();
    while (piece.bytes.length > 0) {
      waitUntil(piece.dueNanos);
      gate.readLock().lockInterruptibly();
      try {
        server.getOutputStream().write(piece.bytes);
      } finally {
        gate.readLock().unlock();
      }
      piece = onTheirWay.take();
    }
  }

  private static void waitUntil(long dueNanos) {
    long left = dueNanos - System.nanoTime();
    while (left > 0) {
      if (left > AWAKE_NANOS) {
        LockSupport.parkNanos(left - AWAKE_NANOS);
      } else {
        Thread.onSpinWait();
      }
      left = dueNanos - System.nanoTime();
    }
  }

  private static void answer(Socket server, Socket client) throws IOException {
    server.getInputStream().transferTo(client.getOutputStream());
  }

  @Override
  public void close() throws IOException {
    entrance.close();
    for (Socket socket : sockets) {
      socket.close();
    }
    threads.shutdownNow();
  }
}
