package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.operators.LatenessTasks.Missed;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlignedLatenessTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @Test
  void aRowIsLateFromTheLastMillisecondOfItsWindowOn() throws Exception {
    try (LatenessTasks tasks = LatenessTasks.of(EventTimeWindow.tumble("t", HOUR))) {
      assertThat(tasks.process("2024-01-01T10:00")).as("no watermark has come").isEmpty();
      tasks.processWatermark("2024-01-01T10:59:59.998");
      assertThat(tasks.process("2024-01-01T10:00")).isEmpty();
      assertThat(tasks.process("2024-01-01T09:59:59.999"))
          .contains(Missed.window("2024-01-01T09:00", "2024-01-01T10:00"));

      tasks.processWatermark("2024-01-01T10:59:59.999");
      assertThat(tasks.process("2024-01-01T10:00"))
          .contains(Missed.window("2024-01-01T10:00", "2024-01-01T11:00"));
      assertThat(tasks.process("2024-01-01T10:59:59.999"))
          .contains(Missed.window("2024-01-01T10:00", "2024-01-01T11:00"));
      assertThat(tasks.process("2024-01-01T11:00")).isEmpty();
      assertThat(tasks.lateRows()).isEqualTo(3);
    }
  }

  @Test
  void withAHopOnlyTheLastWindowCounts() throws Exception {
    try (LatenessTasks tasks =
        LatenessTasks.of(EventTimeWindow.hop("t", Duration.ofMinutes(20), HOUR))) {
      tasks.processWatermark("2024-01-01T11:19:59.998");
      assertThat(tasks.process("2024-01-01T10:39:59.999")).isEmpty();
      assertThat(tasks.process("2024-01-01T10:19:59.999"))
          .contains(Missed.window("2024-01-01T10:00", "2024-01-01T11:00"));
      tasks.processWatermark("2024-01-01T11:19:59.999");
      assertThat(tasks.process("2024-01-01T10:39:59.999"))
          .contains(Missed.window("2024-01-01T10:20", "2024-01-01T11:20"));
      assertThat(tasks.process("2024-01-01T10:40")).isEmpty();
    }
  }

  @Test
  void withCumulateTheLongestWindowCounts() throws Exception {
    try (LatenessTasks tasks =
        LatenessTasks.of(EventTimeWindow.cumulate("t", Duration.ofDays(1)))) {
      tasks.processWatermark("2024-01-01T23:59:59.998");
      assertThat(tasks.process("2024-01-01T00:00")).isEmpty();
      tasks.processWatermark("2024-01-01T23:59:59.999");
      assertThat(tasks.process("2024-01-01T23:59:59.999"))
          .contains(Missed.window("2024-01-01T00:00", "2024-01-02T00:00"));
    }
  }

  @ParameterizedTest
  @CsvSource({"PT15M, 10:15, 11:15", "-PT15M, 9:45, 10:45", "PT2H15M, 10:15, 11:15"})
  void anOffsetMovesWindows(Duration offset, String start, String end) throws Exception {
    try (LatenessTasks tasks =
        LatenessTasks.of(EventTimeWindow.tumble("t", HOUR).withOffset(offset))) {
      String windowStart = "2024-01-01T" + "0".repeat(5 - start.length()) + start;
      String windowEnd = "2024-01-01T" + end;
      tasks.processWatermark("2024-01-01T12:00");
      assertThat(tasks.process(windowStart)).contains(Missed.window(windowStart, windowEnd));
      assertThat(tasks.process("2024-01-01T10:30")).contains(Missed.window(windowStart, windowEnd));
      assertThat(tasks.process(windowEnd)).isNotEqualTo(tasks.process(windowStart));
    }
  }

  @Test
  void windowsBefore1970StartAtMultiplesOfTheSizeToo() throws Exception {
    try (LatenessTasks tasks = LatenessTasks.of(EventTimeWindow.groupTumble("t", HOUR))) {
      assertThat(tasks.process("1969-12-31T23:59:59.999")).isEmpty();
      tasks.processWatermark("1969-12-31T23:59:59.999");
      assertThat(tasks.process("1969-12-31T23:59:59.999"))
          .contains(Missed.window("1969-12-31T23:00", "1970-01-01T00:00"));
      assertThat(tasks.process("1970-01-01T00:00")).isEmpty();
    }
  }

  @Test
  void aWindowOfGroupByWaitsForLateRows() throws Exception {
    try (LatenessTasks tasks =
        new LatenessTasks(
            EventTimeWindow.groupHop("t", Duration.ofMinutes(30), HOUR),
            Optional.empty(),
            Duration.ofMinutes(10).toMillis(),
            Duration.ZERO,
            1)) {
      tasks.processWatermark("2024-01-01T11:09:59.998");
      assertThat(tasks.process("2024-01-01T10:00")).isEmpty();
      tasks.processWatermark("2024-01-01T11:09:59.999");
      assertThat(tasks.process("2024-01-01T10:00"))
          .contains(Missed.window("2024-01-01T10:00", "2024-01-01T11:00"));
      assertThat(tasks.process("2024-01-01T10:30")).isEmpty();
    }
  }

  @Test
  void aRowBetweenTwoWindowsIsInNone() throws Exception {
    try (LatenessTasks tasks =
        LatenessTasks.of(EventTimeWindow.groupHop("t", HOUR, Duration.ofMinutes(10)))) {
      assertThat(tasks.process("2024-01-01T10:00")).isEmpty();
      assertThat(tasks.process("2024-01-01T10:09:59.999")).isEmpty();
      assertThat(tasks.process("2024-01-01T10:10")).contains(Missed.noWindow());
      assertThat(tasks.process("2024-01-01T10:59:59.999")).contains(Missed.noWindow());
      assertThat(tasks.process("2024-01-01T11:00")).isEmpty();
      assertThat(tasks.lateRows()).isEqualTo(2);
      tasks.processWatermark("2024-01-01T10:09:59.999");
      assertThat(tasks.process("2024-01-01T10:00"))
          .contains(Missed.window("2024-01-01T10:00", "2024-01-01T10:10"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    // 23 hours and 25 hours.
    "2024-03-31, 2024-03-30T23:00:00Z, 2024-03-31T21:59:59.999Z",
    "2024-10-27, 2024-10-26T22:00:00Z, 2024-10-27T22:59:59.999Z",
  })
  void aDayEndsByTheClockOfTheZone(String day, String first, String last) throws Exception {
    try (LatenessTasks tasks =
        new LatenessTasks(
            EventTimeWindow.tumble("t", Duration.ofDays(1)),
            Optional.of(BERLIN),
            0,
            Duration.ZERO,
            1)) {
      tasks.processWatermark(last.replace(".999Z", ".998Z"));
      assertThat(tasks.process(first)).isEmpty();
      tasks.processWatermark(last);
      String next = LocalDate.parse(day).plusDays(1) + "T00:00";
      assertThat(tasks.process(first)).contains(Missed.window(day + "T00:00", next));
      assertThat(tasks.process(last)).contains(Missed.window(day + "T00:00", next));
    }
  }

  /** Both hours from two to three are one window, which passes with the second. */
  @Test
  void anHourThatComesTwiceIsOneWindow() throws Exception {
    try (LatenessTasks tasks =
        new LatenessTasks(
            EventTimeWindow.tumble("t", HOUR), Optional.of(BERLIN), 0, Duration.ZERO, 1)) {
      tasks.processWatermark("2024-10-27T01:59:59.998Z");
      assertThat(tasks.process("2024-10-27T00:00:00Z")).isEmpty();
      assertThat(tasks.process("2024-10-27T01:00:00Z")).isEmpty();
      tasks.processWatermark("2024-10-27T01:59:59.999Z");
      Missed window = Missed.window("2024-10-27T02:00", "2024-10-27T03:00");
      assertThat(tasks.process("2024-10-27T00:00:00Z")).contains(window);
      assertThat(tasks.process("2024-10-27T01:00:00Z")).contains(window);
    }
  }

  /** Flink's operator for table functions remembers the watermark, that for GROUP BY does not. */
  @ParameterizedTest
  @CsvSource({"false, true", "true, false"})
  void aRestartedSplitGoesOnFromTheWatermarkOfItsCheckpoint(boolean grouped, boolean late)
      throws Exception {
    Duration minute = Duration.ofMinutes(1);
    EventTimeWindow window =
        grouped ? EventTimeWindow.groupTumble("t", minute) : EventTimeWindow.tumble("t", minute);
    try (LatenessTasks tasks = new LatenessTasks(window, Optional.empty(), 0, Duration.ZERO, 2)) {
      tasks.process("2024-05-01T12:00:30");
      tasks.processWatermark("2024-05-01T12:01:00");
      tasks.process("2024-05-01T12:01:30");
      tasks.restart(4);

      assertThat(tasks.process("2024-05-01T12:00:59").isPresent()).isEqualTo(late);
      assertThat(tasks.process("2024-05-01T12:01:00")).isEmpty();
      tasks.restart(1);
      assertThat(tasks.process("2024-05-01T12:00:59").isPresent()).isEqualTo(late);
    }
  }
}
