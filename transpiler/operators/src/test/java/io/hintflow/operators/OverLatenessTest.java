package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.operators.LatenessTasks.Missed;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OverLatenessTest {
  private static final Optional<String> A = Optional.of("a");
  private static final Optional<String> B = Optional.of("b");

  @Test
  void withoutALowerBoundARowIsLateOnceItsTimeHasPassed() throws Exception {
    try (LatenessTasks tasks = LatenessTasks.of(EventTimeWindow.over("t"))) {
      assertThat(tasks.process(-5, A)).isEmpty();
      tasks.processWatermark(10);
      assertThat(tasks.process(11, A)).isEmpty();
      assertThat(tasks.process(10, A)).contains(Missed.noWindow());
      assertThat(tasks.process(10, B)).contains(Missed.noWindow());
      assertThat(tasks.lateRows()).isEqualTo(2);
    }
  }

  static EventTimeWindow[] bounded() {
    return new EventTimeWindow[] {
      EventTimeWindow.overRows("t", "key"),
      EventTimeWindow.overRange("t", Duration.ofMillis(100), "key")
    };
  }

  @ParameterizedTest
  @MethodSource("bounded")
  void withALowerBoundTheLastRowOfTheKeyCounts(EventTimeWindow window) throws Exception {
    try (LatenessTasks tasks = LatenessTasks.of(window)) {
      assertThat(tasks.process(20, A)).isEmpty();
      assertThat(tasks.process(10, A)).as("nothing has been worked on").isEmpty();
      tasks.processWatermark(19);
      assertThat(tasks.process(11, A)).as("newer than 10").isEmpty();
      assertThat(tasks.process(10, A)).contains(Missed.noWindow());
      tasks.processWatermark(25);
      assertThat(tasks.process(20, A)).contains(Missed.noWindow());
      assertThat(tasks.process(21, A)).as("newer than 20").isEmpty();
      assertThat(tasks.process(20, B)).as("the first of its key").isEmpty();
      assertThat(tasks.process(20, Optional.empty())).as("the first without a key").isEmpty();
      tasks.processWatermark(26);
      assertThat(tasks.process(21, A)).contains(Missed.noWindow());
      assertThat(tasks.process(20, Optional.empty())).contains(Missed.noWindow());
      assertThat(tasks.lateRows()).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @MethodSource("bounded")
  void withALowerBoundRowsUpTo1970AreLate(EventTimeWindow window) throws Exception {
    try (LatenessTasks tasks = LatenessTasks.of(window)) {
      assertThat(tasks.process(0, A)).contains(Missed.noWindow());
      assertThat(tasks.process(1, A)).isEmpty();
    }
  }

  @Test
  void aRangeForgetsItsLastRowAfterOneAndAHalfTimesItsLength() throws Exception {
    try (LatenessTasks tasks =
        LatenessTasks.of(EventTimeWindow.overRange("t", Duration.ofMillis(100), "key"))) {
      tasks.process(1000, A);
      tasks.process(1000, B);
      // Due at 1151 until a row comes for which that would be too early.
      tasks.process(1050, A);
      tasks.process(1051, B);
      tasks.processWatermark(1150);
      assertThat(tasks.process(1000, A)).isPresent();
      tasks.processWatermark(1151);
      assertThat(tasks.process(1000, A)).as("forgotten").isEmpty();
      assertThat(tasks.process(1000, B)).isPresent();
      tasks.processWatermark(1201);
      assertThat(tasks.process(1000, B)).isPresent();
      tasks.processWatermark(1202);
      assertThat(tasks.process(1000, B)).as("forgotten").isEmpty();
      tasks.processWatermark(5000);
      assertThat(tasks.stateEntries()).isZero();
      assertThat(tasks.timers()).isZero();
    }
  }

  @Test
  void rowsOfAKeyThatIsIdleAreForgottenAfterTwiceTheRetention() throws Exception {
    Duration retention = Duration.ofMillis(100);
    try (LatenessTasks tasks =
        new LatenessTasks(
            EventTimeWindow.overRows("t", "key"), Optional.empty(), 0, retention, 1)) {
      tasks.process(1000, A);
      tasks.processWatermark(1000);
      tasks.setClock(Duration.ofMillis(199));
      assertThat(tasks.process(1000, A)).as("seen, and so kept").isPresent();
      tasks.setClock(Duration.ofMillis(398));
      assertThat(tasks.process(1000, A)).isPresent();
      tasks.setClock(Duration.ofMillis(598));
      assertThat(tasks.process(1000, A)).as("forgotten").isEmpty();
    }
  }

  /** Flink looks at the clock of each task, not at a row's time. */
  @Test
  void nothingIsForgottenHereBeforeFlinkForgetsIt() throws Exception {
    Duration retention = Duration.ofMillis(100);
    try (LatenessTasks tasks =
            new LatenessTasks(
                EventTimeWindow.overRows("t", "key"), Optional.empty(), 0, retention, 1);
        StockWindowTask stock = StockWindowTask.overRows(retention)) {
      int time = 0;
      for (int idle = 0; idle < 400; idle += 10) {
        time += idle;
        tasks.setClock(Duration.ofMillis(time));
        stock.setClock(Duration.ofMillis(time));
        if (tasks.process(1000, A).isEmpty()) {
          assertThat(stock.drops(1000, A)).as("after %d ms", idle).isFalse();
        }
        tasks.processWatermark(1000 + idle);
        stock.processWatermark(1000 + idle);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("bounded")
  void whatHasBeenWorkedOnMovesToOtherTasks(EventTimeWindow window) throws Exception {
    assertThat(SessionLatenessTest.split(window, true))
        .isEqualTo(SessionLatenessTest.split(window, false))
        .contains(true, false);
  }
}
