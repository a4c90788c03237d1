package io.hintflow.cli.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** The network of this machine alone. */
final class Loopback {
  private Loopback() {}

  /** A port that nobody listens on yet. */
  static int freePort() throws IOException {
    try (ServerSocket socket = listen()) {
      return socket.getLocalPort();
    }
  }

  static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
  }

  static Socket connect(int port) throws IOException {
    return undelayed(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** The socket, which from now on sends what little there is at once. */
  static Socket undelayed(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    return socket;
  }
}
