package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;

/** Each split against Flink's own operator: late is what that one drops. */
class LatenessPropertyTest {
  private static final long QUARTER = Duration.ofMinutes(15).toMillis();

  private enum Step {
    ROW,
    WATERMARK,
    RESCALE
  }

  /**
   * @param distance in milliseconds from the time around which all happens
   * @param key NULL if empty
   */
  private record Action(Step step, long distance, Optional<String> key) {}

  @Provide
  Arbitrary<Action> actions() {
    return Combinators.combine(
            Arbitraries.frequency(
                Tuple.of(30, Step.ROW), Tuple.of(10, Step.WATERMARK), Tuple.of(1, Step.RESCALE)),
            Arbitraries.integers().between(-30, 30),
            Arbitraries.of(-1, 0, 0, 1),
            Arbitraries.of("a", "b").optional(0.8))
        .as(
            (step, quarters, millisecond, key) ->
                new Action(step, quarters * QUARTER + millisecond, key));
  }

  /**
   * A zone with a change of its clock, and a time without a zone at which times become negative.
   */
  private record Place(Optional<ZoneId> zone, Instant around) {
    Place(String zone, String around) {
      this(Optional.of(ZoneId.of(zone)), Instant.parse(around));
    }
  }

  @Provide
  Arbitrary<Place> places() {
    return Arbitraries.of(
        new Place(Optional.empty(), Instant.EPOCH),
        new Place(Optional.empty(), Instant.parse("2024-03-31T01:00:00Z")),
        new Place("UTC", "2024-03-31T01:00:00Z"),
        new Place("Europe/Berlin", "2024-03-31T01:00:00Z"),
        new Place("Europe/Berlin", "2024-10-27T01:00:00Z"),
        new Place("Europe/Berlin", "1970-01-01T00:00:00Z"),
        new Place("America/Los_Angeles", "2021-03-14T10:00:00Z"),
        new Place("America/Los_Angeles", "2021-11-07T09:00:00Z"),
        new Place("America/Los_Angeles", "1970-01-01T00:00:00Z"),
        new Place("Australia/Lord_Howe", "2024-04-06T15:00:00Z"),
        new Place("Australia/Lord_Howe", "2024-10-05T15:30:00Z"),
        new Place("Asia/Kolkata", "2024-03-31T01:00:00Z"),
        new Place("Africa/Casablanca", "2024-03-10T02:00:00Z"));
  }

  /** A window and Flink's operator for it. */
  private interface Kind {
    StockWindowTask stock(Optional<ZoneId> zone) throws Exception;
  }

  private record Window(EventTimeWindow window, long allowedLateness, Kind kind) {
    @Override
    public String toString() {
      return window + " waiting for " + allowedLateness + " ms";
    }
  }

  private static Duration quarters(long number) {
    return Duration.ofMillis(QUARTER * number);
  }

  private static Window hop(long slide, long size, long offset) {
    return new Window(
        EventTimeWindow.hop("t", quarters(slide), quarters(size)).withOffset(quarters(offset)),
        0,
        zone -> StockWindowTask.hop(quarters(slide), quarters(size), quarters(offset), zone));
  }

  private static Window groupHop(long slide, long size, long allowedLateness) {
    return new Window(
        EventTimeWindow.groupHop("t", quarters(slide), quarters(size)),
        allowedLateness,
        zone -> StockWindowTask.groupHop(quarters(slide), quarters(size), allowedLateness, zone));
  }

  @Provide
  Arbitrary<Window> alignedWindows() {
    return Arbitraries.of(
        hop(4, 4, 0),
        hop(1, 1, 0),
        hop(12, 12, 0),
        hop(4, 4, 1),
        hop(4, 4, -3),
        hop(2, 6, 0),
        hop(4, 8, 1),
        new Window(
            EventTimeWindow.cumulate("t", quarters(8)),
            0,
            zone -> StockWindowTask.cumulate(quarters(2), quarters(8), zone)),
        groupHop(4, 4, 0),
        groupHop(4, 4, 2 * QUARTER),
        groupHop(4, 4, 1),
        groupHop(2, 6, 0),
        groupHop(3, 4, QUARTER));
  }

  @Provide
  Arbitrary<Window> sessions() {
    return Arbitraries.of(1, 3)
        .flatMap(
            gap ->
                Arbitraries.<Kind>of(
                        zone -> StockWindowTask.session(quarters(gap), zone),
                        zone -> StockWindowTask.groupSession(quarters(gap), zone))
                    .map(
                        kind ->
                            new Window(
                                EventTimeWindow.session("t", quarters(gap), "key"), 0, kind)));
  }

  @Provide
  Arbitrary<Window> overs() {
    return Arbitraries.of(
        new Window(EventTimeWindow.over("t"), 0, zone -> StockWindowTask.over()),
        new Window(
            EventTimeWindow.overRows("t", "key"),
            0,
            zone -> StockWindowTask.overRows(Duration.ZERO)),
        overRange(Duration.ZERO),
        overRange(Duration.ofMillis(1)),
        overRange(quarters(1)),
        overRange(quarters(9)));
  }

  private static Window overRange(Duration range) {
    return new Window(
        EventTimeWindow.overRange("t", range, "key"), 0, zone -> StockWindowTask.overRange(range));
  }

  @Property(tries = 30, edgeCases = EdgeCasesMode.NONE)
  void anAlignedWindowDropsTheLateRows(
      @ForAll @From("alignedWindows") Window window,
      @ForAll @From("places") Place place,
      @ForAll @Size(min = 20, max = 80) List<@From("actions") Action> actions)
      throws Exception {
    check(window, place, actions);
  }

  @Property(tries = 30, edgeCases = EdgeCasesMode.NONE)
  void aSessionDropsTheLateRows(
      @ForAll @From("sessions") Window window,
      @ForAll @From("places") Place place,
      @ForAll @Size(min = 20, max = 80) List<@From("actions") Action> actions)
      throws Exception {
    check(window, place, actions);
  }

  @Property(tries = 30, edgeCases = EdgeCasesMode.NONE)
  void anOverDropsTheLateRows(
      @ForAll @From("overs") Window window,
      @ForAll @From("places") Place place,
      @ForAll @Size(min = 20, max = 80) List<@From("actions") Action> actions)
      throws Exception {
    check(window, place, actions);
  }

  private static void check(Window window, Place place, List<Action> actions) throws Exception {
    try (LatenessTasks split =
            new LatenessTasks(window.window, place.zone, window.allowedLateness, Duration.ZERO, 2);
        StockWindowTask stock = window.kind.stock(place.zone)) {
      long watermark = Long.MIN_VALUE;
      long lateRows = 0;
      int parallelism = 2;
      for (Action action : actions) {
        long time = place.around.toEpochMilli() + action.distance;
        switch (action.step) {
          case ROW -> {
            boolean late = split.process(time, action.key).isPresent();
            assertThat(late).as("%s is late", action).isEqualTo(stock.drops(time, action.key));
            lateRows += late ? 1 : 0;
          }
          case WATERMARK -> {
            if (time > watermark) {
              watermark = time;
              split.processWatermark(watermark);
              stock.processWatermark(watermark);
            }
          }
          case RESCALE -> {
            // Restored tasks work on what is overdue, which others do at the next watermark.
            if (watermark > Long.MIN_VALUE) {
              watermark++;
              split.processWatermark(watermark);
              stock.processWatermark(watermark);
            }
            parallelism = parallelism == 4 ? 1 : parallelism * 2;
            split.rescale(parallelism);
          }
        }
      }
      assertThat(split.lateRows()).isEqualTo(lateRows);
    }
  }

  /**
   * The window behind a split may see watermarks later than the split does, since it waits for all
   * tasks of the split.
   */
  @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
  void aWindowThatSeesWatermarksLaterDropsNothingThatPasses(
      @ForAll("windows") Window window,
      @ForAll @From("places") Place place,
      @ForAll @Size(min = 20, max = 80) List<@From("actions") Action> actions)
      throws Exception {
    try (LatenessTasks split =
            new LatenessTasks(
                window.window, place.zone, window.allowedLateness, Duration.ZERO, 1, false);
        StockWindowTask stock = window.kind.stock(place.zone)) {
      long watermark = Long.MIN_VALUE;
      long watermarkBehind = Long.MIN_VALUE;
      for (Action action : actions) {
        long time = place.around.toEpochMilli() + action.distance;
        if (action.step == Step.ROW) {
          if (split.process(time, action.key).isEmpty()) {
            assertThat(stock.drops(time, action.key)).as("%s is dropped", action).isFalse();
          }
        } else if (action.key.isPresent() && time > watermark) {
          watermark = time;
          split.processWatermark(watermark);
        } else if (action.key.isEmpty() && Math.min(time, watermark) > watermarkBehind) {
          watermarkBehind = Math.min(time, watermark);
          stock.processWatermark(watermarkBehind);
        }
      }
    }
  }

  @Provide
  Arbitrary<Window> windows() {
    return Arbitraries.oneOf(alignedWindows(), sessions(), overs());
  }
}
