package io.hintflow.cli.servers;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what another process does. */
final class Await {
  private static final long MILLISECONDS_BETWEEN_LOOKS = 100;

  private Await() {}

  /**
   * Returns as soon as the condition holds.
   *
   * @param what the condition in words, for the error
   * @throws AssertionError if it does not hold within the limit
   */
  static void until(String what, Duration limit, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("Not within %d s: %s".formatted(limit.toSeconds(), what));
      }
      Thread.sleep(MILLISECONDS_BETWEEN_LOOKS);
    }
  }
}
