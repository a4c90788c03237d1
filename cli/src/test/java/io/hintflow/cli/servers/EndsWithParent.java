package io.hintflow.cli.servers;

import java.io.IOException;
import java.util.Arrays;

/**
 * Runs another main class in a JVM that ends when its standard input does: however the JVM that
 * holds the other end of that pipe goes, even killed, it leaves no server behind.
 */
final class EndsWithParent {
  private EndsWithParent() {}

  /**
   * @param arguments the main class, and what it is given
   */
  public static void main(String[] arguments) throws Exception {
    Thread watch = new Thread(EndsWithParent::haltAtEndOfInput, "ends with parent");
    watch.setDaemon(true);
    watch.start();
    Class.forName(arguments[0])
        .getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
  }

  private static void haltAtEndOfInput() {
    try {
      while (System.in.read() >= 0) {
        // Nobody writes here; only the end counts.
      }
    } catch (IOException e) {
      // The pipe is broken: the parent has gone.
    }
    Runtime.getRuntime().halt(1);
  }
}
