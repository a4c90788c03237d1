package io.hintflow.operators;

import java.time.Duration;
import java.util.List;

/**
 * The event-time window of a query, as far as it decides which rows come too late for it. All times
 * are those of a rowtime column of the query.
 */
public sealed interface EventTimeWindow {
  /** The rowtime column. */
  String time();

  /**
   * Windows that all rows of one time share, whatever their keys; a row is late once the last of
   * its windows has passed.
   *
   * @param slide in milliseconds from one window's start to the next one's
   * @param size in milliseconds; if it is less than the slide, some rows are in no window
   * @param offset in milliseconds by which window starts differ from multiples of the slide
   * @param grouped whether it is a window of GROUP BY: only those can wait for late rows
   */
  record Aligned(String time, long slide, long size, long offset, boolean grouped)
      implements EventTimeWindow {
    /** The window starts differ by this much from multiples of the size, or of the slide. */
    public Aligned withOffset(Duration offset) {
      return new Aligned(time, slide, size, offset.toMillis(), grouped);
    }
  }

  /**
   * A row is late if no session of its key takes it in, and its own has passed already.
   *
   * @param gap in milliseconds
   * @param keys the columns that tell sessions apart; none if there is one for all rows
   * @param grouped whether it is a window of GROUP BY
   */
  record Session(String time, long gap, List<String> keys, boolean grouped)
      implements EventTimeWindow {}

  /** OVER without a lower bound: a row is late if its time has passed. */
  record UnboundedOver(String time) implements EventTimeWindow {}

  /**
   * OVER with a lower bound: a row is late if a row of its key that is not older has been worked
   * on.
   *
   * @param keys the columns of PARTITION BY
   * @param range in milliseconds; negative if the bound is a number of rows
   */
  record BoundedOver(String time, List<String> keys, long range) implements EventTimeWindow {}

  /** {@code TUMBLE(TABLE …, DESCRIPTOR(time), size)}. */
  static Aligned tumble(String time, Duration size) {
    return hop(time, size, size);
  }

  /** {@code HOP(TABLE …, DESCRIPTOR(time), slide, size)}. */
  static Aligned hop(String time, Duration slide, Duration size) {
    return new Aligned(time, slide.toMillis(), size.toMillis(), 0, false);
  }

  /** {@code CUMULATE(TABLE …, DESCRIPTOR(time), step, maximum)}: the last window is the longest. */
  static Aligned cumulate(String time, Duration maximum) {
    return tumble(time, maximum);
  }

  /** {@code SESSION(TABLE … PARTITION BY keys, DESCRIPTOR(time), gap)}. */
  static Session session(String time, Duration gap, String... keys) {
    return new Session(time, gap.toMillis(), List.of(keys), false);
  }

  /** {@code GROUP BY TUMBLE(time, size)}. */
  static Aligned groupTumble(String time, Duration size) {
    return groupHop(time, size, size);
  }

  /** {@code GROUP BY HOP(time, slide, size)}. */
  static Aligned groupHop(String time, Duration slide, Duration size) {
    return new Aligned(time, slide.toMillis(), size.toMillis(), 0, true);
  }

  /** {@code GROUP BY SESSION(time, gap), keys}. */
  static Session groupSession(String time, Duration gap, String... keys) {
    return new Session(time, gap.toMillis(), List.of(keys), true);
  }

  /** {@code OVER (PARTITION BY … ORDER BY time)}, with rows or a range that has no lower bound. */
  static UnboundedOver over(String time) {
    return new UnboundedOver(time);
  }

  /** {@code OVER (PARTITION BY keys ORDER BY time ROWS BETWEEN n PRECEDING …)}. */
  static BoundedOver overRows(String time, String... keys) {
    return new BoundedOver(time, List.of(keys), -1);
  }

  /** {@code OVER (PARTITION BY keys ORDER BY time RANGE BETWEEN range PRECEDING …)}. */
  static BoundedOver overRange(String time, Duration range, String... keys) {
    return new BoundedOver(time, List.of(keys), range.toMillis());
  }
}
