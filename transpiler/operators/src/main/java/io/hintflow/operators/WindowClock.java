package io.hintflow.operators;

import java.io.Serializable;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.TimeZone;

/**
 * Windows are cut by the clock on the wall: of the session's time zone for a rowtime of type
 * TIMESTAMP_LTZ, of no zone for TIMESTAMP. Local times here are milliseconds as if the zone were
 * UTC. Follows Flink's TimeWindowUtil, in which way a window ends when the clock is put forward or
 * back.
 */
final class WindowClock implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final long HOUR = 3_600_000;

  private final ZoneId zone;
  private final boolean isUtc;
  private final boolean changesForSummer;

  private WindowClock(ZoneId zone) {
    this.zone = zone;
    this.isUtc = zone.equals(ZoneOffset.UTC);
    this.changesForSummer = TimeZone.getTimeZone(zone).useDaylightTime();
  }

  static WindowClock of(ZoneId zone) {
    return new WindowClock(zone);
  }

  /** What the clock shows at an instant. */
  long local(long instant) {
    return isUtc
        ? instant
        : instant
            + zone.getRules().getOffset(Instant.ofEpochMilli(instant)).getTotalSeconds() * 1000L;
  }

  /**
   * The watermark from which on a local time has passed: the second of two instants, and the
   * earliest for a time that the clock leaves out.
   */
  long passedAt(long local) {
    if (isUtc) {
      return local;
    }
    long instant = instant(local);
    if (!changesForSummer) {
      return instant;
    }
    long anHourLater = instant(local + HOUR);
    if (anHourLater == instant) {
      return instant - instant % HOUR;
    }
    return anHourLater - instant > HOUR ? instant + HOUR : instant;
  }

  private long instant(long local) {
    return dateTime(local).atZone(zone).toInstant().toEpochMilli();
  }

  static LocalDateTime dateTime(long local) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(local, 1000L), Math.floorMod(local, 1000) * 1_000_000, ZoneOffset.UTC);
  }
}
