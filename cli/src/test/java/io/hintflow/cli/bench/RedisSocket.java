package io.hintflow.cli.bench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Commands to a Redis server, one by one, with nothing between that takes time. */
final class RedisSocket implements AutoCloseable {
  private final Socket socket;
  private final InputStream answers;

  RedisSocket(int port) throws IOException {
    socket = Loopback.connect(port);
    answers = new BufferedInputStream(socket.getInputStream());
  }

  /**
   * Sends a command and waits for its answer.
   *
   * @throws IllegalStateException if it is another one
   */
  void call(List<String> command, String expected) throws IOException {
    StringBuilder request = new StringBuilder("*%d\r\n".formatted(command.size()));
    for (String part : command) {
      int length = part.getBytes(StandardCharsets.UTF_8).length;
      request.append('$').append(length).append("\r\n").append(part).append("\r\n");
    }
    socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
    String answer = line();
    if (!answer.equals(expected)) {
      throw new IllegalStateException("Redis answers %s to %s".formatted(answer, command.get(0)));
    }
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = answers.read();
    while (next >= 0 && next != '\n') {
      line.write(next);
      next = answers.read();
    }
    return line.toString(StandardCharsets.UTF_8).strip();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
