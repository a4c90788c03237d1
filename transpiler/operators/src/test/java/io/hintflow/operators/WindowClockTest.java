package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.apache.flink.table.runtime.util.TimeWindowUtil;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WindowClockTest {
  private static final long HOUR = 3_600_000;
  private static final long YEAR = 365L * 24 * HOUR;

  /** Clocks that change by an hour, by half an hour, against the sun, without a rule, or never. */
  private static final List<String> ZONES =
      List.of(
          "UTC",
          "Z",
          "Europe/Berlin",
          "Europe/Dublin",
          "America/Los_Angeles",
          "America/Sao_Paulo",
          "America/St_Johns",
          "Australia/Lord_Howe",
          "Asia/Shanghai",
          "Asia/Kolkata",
          "Asia/Kathmandu",
          "Asia/Pyongyang",
          "Africa/Casablanca",
          "Pacific/Apia",
          "Antarctica/Troll",
          "+05:45");

  @Provide
  Arbitrary<ZoneId> zones() {
    return Arbitraries.of(ZONES).map(ZoneId::of);
  }

  @Property(tries = 4000)
  void agreesWithFlinkAtAnyTime(
      @ForAll @From("zones") ZoneId zone,
      @ForAll @LongRange(min = -30 * YEAR, max = 80 * YEAR) long time) {
    assertAgrees(zone, time);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Europe/Berlin",
        "Europe/Dublin",
        "America/Los_Angeles",
        "America/St_Johns",
        "Australia/Lord_Howe",
        "Asia/Shanghai",
        "Asia/Pyongyang",
        "Africa/Casablanca",
        "Pacific/Apia",
        "Antarctica/Troll"
      })
  void agreesWithFlinkAroundEachChangeOfTheClock(String name) {
    ZoneId zone = ZoneId.of(name);
    Instant change = Instant.parse("1968-01-01T00:00:00Z");
    for (int count = 0; count < 150; count++) {
      var transition = zone.getRules().nextTransition(change);
      if (transition == null) {
        break;
      }
      change = transition.getInstant();
      for (long distance = -3 * HOUR; distance <= 3 * HOUR; distance += HOUR / 4) {
        for (int millisecond = -1; millisecond <= 1; millisecond++) {
          long time = change.toEpochMilli() + distance + millisecond;
          assertAgrees(zone, time);
          assertAgrees(zone, TimeWindowUtil.toUtcTimestampMills(time, zone));
        }
      }
    }
    assertThat(change).as("the clock has changed at all").isAfter("1985-01-01T00:00:00Z");
  }

  /**
   * @param time both an instant and, to be shown by the clock, a local time
   */
  private static void assertAgrees(ZoneId zone, long time) {
    WindowClock clock = WindowClock.of(zone);
    assertThat(clock.local(time))
        .as("what the clock of %s shows at %d", zone, time)
        .isEqualTo(TimeWindowUtil.toUtcTimestampMills(time, zone));
    assertThat(clock.passedAt(time))
        .as("when %d has passed by the clock of %s", time, zone)
        .isEqualTo(TimeWindowUtil.toEpochMillsForTimer(time, zone));
  }

  /** The hour from two to three is left out in spring, and comes twice in autumn. */
  @ParameterizedTest
  @CsvSource({
    "2024-03-31T01:59:59.999, 2024-03-31T00:59:59.999Z",
    "2024-03-31T02:00, 2024-03-31T01:00:00Z",
    "2024-03-31T02:59:59.999, 2024-03-31T01:00:00Z",
    "2024-03-31T03:00, 2024-03-31T01:00:00Z",
    "2024-10-27T01:59:59.999, 2024-10-26T23:59:59.999Z",
    "2024-10-27T02:00, 2024-10-27T01:00:00Z",
    "2024-10-27T02:59:59.999, 2024-10-27T01:59:59.999Z",
    "2024-10-27T03:00, 2024-10-27T02:00:00Z",
  })
  void aLocalTimePassesOnce(LocalDateTime local, Instant passed) {
    assertThat(
            WindowClock.of(ZoneId.of("Europe/Berlin"))
                .passedAt(local.toInstant(ZoneOffset.UTC).toEpochMilli()))
        .isEqualTo(passed.toEpochMilli());
  }

  @ParameterizedTest
  @CsvSource({
    "1969-12-31T23:59:59.999, -1",
    "1969-12-31T23:59:59, -1000",
    "1969-12-31T23:59:58.001, -1999",
    "1970-01-01T00:00, 0",
    "1970-01-01T00:00:01.001, 1001",
    "0001-01-01T00:00, -62135596800000",
    "9999-12-31T23:59:59.999, 253402300799999",
  })
  void localTimesAreMillisecondsSince1970(LocalDateTime time, long milliseconds) {
    assertThat(WindowClock.dateTime(milliseconds)).isEqualTo(time);
  }
}
