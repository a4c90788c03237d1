package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.operators.LatenessTasks.Missed;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SessionLatenessTest {
  private static final Duration GAP = Duration.ofMinutes(10);

  private static LatenessTasks tasks() throws Exception {
    return LatenessTasks.of(EventTimeWindow.session("t", GAP, "key"));
  }

  @Test
  void aRowIsLateOnceItsOwnSessionHasPassed() throws Exception {
    try (LatenessTasks tasks = tasks()) {
      tasks.processWatermark("2024-01-01T10:09:59.998");
      assertThat(tasks.process("2024-01-01T10:00", "a")).isEmpty();
      tasks.processWatermark("2024-01-01T10:09:59.999");
      assertThat(tasks.process("2024-01-01T10:00", "b"))
          .contains(Missed.window("2024-01-01T10:00", "2024-01-01T10:10"));
      assertThat(tasks.process("2024-01-01T10:00", "a"))
          .as("the session of its key has passed too")
          .contains(Missed.window("2024-01-01T10:00", "2024-01-01T10:10"));
      assertThat(tasks.process("2024-01-01T10:00:00.001", "b")).isEmpty();
      assertThat(tasks.lateRows()).isEqualTo(2);
    }
  }

  @Test
  void anOpenSessionTakesInALateRowThatTouchesIt() throws Exception {
    try (LatenessTasks tasks = tasks()) {
      tasks.process("2024-01-01T10:10", "a");
      tasks.process("2024-01-01T10:10", "b");
      tasks.processWatermark("2024-01-01T10:19:59.998");
      assertThat(tasks.process("2024-01-01T09:59:59.999", "a"))
          .as("a millisecond too far away")
          .contains(Missed.window("2024-01-01T09:59:59.999", "2024-01-01T10:09:59.999"));
      assertThat(tasks.process("2024-01-01T10:00", "a")).isEmpty();
      assertThat(tasks.process("2024-01-01T10:00", "c"))
          .as("no session of its key")
          .contains(Missed.window("2024-01-01T10:00", "2024-01-01T10:10"));
      assertThat(tasks.process("2024-01-01T09:50", "a"))
          .as("the session has become longer")
          .isEmpty();
      tasks.processWatermark("2024-01-01T10:19:59.999");
      assertThat(tasks.process("2024-01-01T10:00", "b")).isPresent();
    }
  }

  @Test
  void aRowBehindTheEndOfASessionTouchesIt() throws Exception {
    try (LatenessTasks tasks = tasks()) {
      tasks.process("2024-01-01T10:00", "a");
      tasks.process("2024-01-01T10:10", "a");
      tasks.processWatermark("2024-01-01T10:19:59.998");
      assertThat(tasks.process("2024-01-01T09:50", "a"))
          .as("one session from ten o'clock on")
          .isEmpty();
    }
  }

  @Test
  void aLateRowMakesOneSessionOfTwo() throws Exception {
    try (LatenessTasks tasks = tasks()) {
      tasks.process("2024-01-01T10:00", "a");
      tasks.process("2024-01-01T10:15", "a");
      tasks.processWatermark("2024-01-01T10:09");
      assertThat(tasks.process("2024-01-01T10:05", "a")).isEmpty();
      tasks.processWatermark("2024-01-01T10:24:59.998");
      assertThat(tasks.process("2024-01-01T09:50", "a")).as("one session from ten on").isEmpty();
      tasks.processWatermark("2024-01-01T10:24:59.999");
      assertThat(tasks.process("2024-01-01T10:05", "a")).isPresent();
    }
  }

  @Test
  void aPassedSessionTakesInNothing() throws Exception {
    try (LatenessTasks tasks = tasks()) {
      tasks.process("2024-01-01T10:00", "a");
      tasks.process("2024-01-01T10:30", "a");
      tasks.processWatermark("2024-01-01T10:25");
      assertThat(tasks.process("2024-01-01T10:05", "a"))
          .contains(Missed.window("2024-01-01T10:05", "2024-01-01T10:15"));
      assertThat(tasks.process("2024-01-01T10:30", "a")).isEmpty();
    }
  }

  @Test
  void rowsWithoutAKeyShareSessions() throws Exception {
    try (LatenessTasks tasks =
        new LatenessTasks(
            EventTimeWindow.session("t", Duration.ofMillis(10), "key"),
            Optional.empty(),
            0,
            Duration.ZERO,
            2)) {
      assertThat(tasks.process(10, Optional.empty())).isEmpty();
      tasks.processWatermark(15);
      assertThat(tasks.process(5, Optional.empty())).isEmpty();
      assertThat(tasks.process(5, Optional.of("a"))).isPresent();
    }
  }

  @Test
  void nothingIsKeptOfSessionsThatHavePassed() throws Exception {
    try (LatenessTasks tasks = tasks()) {
      for (int key = 0; key < 20; key++) {
        tasks.process("2024-01-01T10:00", "key " + key);
        tasks.process("2024-01-01T10:05", "key " + key);
        tasks.process("2024-01-01T12:00", "key " + key % 2);
      }
      assertThat(tasks.stateEntries()).isEqualTo(20);
      tasks.processWatermark("2024-01-01T10:14:59.999");
      assertThat(tasks.stateEntries()).isEqualTo(2);
      tasks.process("2024-01-01T09:00", "late");
      assertThat(tasks.stateEntries()).as("a late row leaves nothing").isEqualTo(2);
      tasks.processWatermark("2024-01-01T12:09:59.999");
      assertThat(tasks.stateEntries()).isZero();
      assertThat(tasks.timers()).isZero();
    }
  }

  /** The session of a row within the hour that comes twice ends when the hour has passed twice. */
  @Test
  void aSessionEndsByTheClockOfTheZone() throws Exception {
    try (LatenessTasks tasks =
        new LatenessTasks(
            EventTimeWindow.session("t", GAP, "key"),
            Optional.of(ZoneId.of("Europe/Berlin")),
            0,
            Duration.ZERO,
            1)) {
      tasks.processWatermark("2024-10-27T01:09:59.998Z");
      assertThat(tasks.process("2024-10-27T00:00:00Z")).isEmpty();
      tasks.processWatermark("2024-10-27T01:09:59.999Z");
      assertThat(tasks.process("2024-10-27T00:00:00Z"))
          .contains(Missed.window("2024-10-27T02:00", "2024-10-27T02:10"));
    }
  }

  @Test
  void sessionsMoveToOtherTasks() throws Exception {
    EventTimeWindow window = EventTimeWindow.session("t", Duration.ofMillis(10), "key");
    assertThat(split(window, true)).isEqualTo(split(window, false)).contains(true, false);
  }

  /** Which rows of a stream are late, with and without changes of the number of tasks. */
  static List<Boolean> split(EventTimeWindow window, boolean rescales) throws Exception {
    Random random = new Random(1);
    List<Boolean> late = new ArrayList<>();
    try (LatenessTasks tasks =
        new LatenessTasks(window, Optional.empty(), 0, Duration.ZERO, rescales ? 2 : 1)) {
      for (int row = 1; row <= 600; row++) {
        if (row % 7 == 0) {
          tasks.processWatermark(row);
        }
        if (rescales && row % 200 == 0) {
          tasks.rescale(row == 200 ? 4 : 1);
        }
        late.add(
            tasks
                .process(row + random.nextInt(40) - 30L, Optional.of("key " + random.nextInt(9)))
                .isPresent());
      }
      assertThat(tasks.lateRows()).isEqualTo(late.stream().filter(isLate -> isLate).count());
    }
    return late;
  }
}
