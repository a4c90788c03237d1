package io.hintflow.transpiler.testing;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Random rows of two tables, many of them far behind the watermarks that come between them, in the
 * form that the connector 'changelog' of the tests reads. A seed makes a world, whose rows never
 * meet those of other worlds. Fifty worlds share a schedule, that is, the watermarks of each
 * table's four readers; one schedule follows the other, months later.
 */
public final class RandomLateRows {
  /** How many worlds there are; seeds are numbered from 1. */
  public static final int SEEDS = 200;

  public static final List<String> TABLES = List.of("events", "others");

  private static final int READERS = 4;
  private static final long MINUTE = 60_000;
  private static final long STEP = 30 * MINUTE;
  private static final int STEPS = 5;

  /** Clocks in Berlin are put forward or back an hour after each of them. */
  private static final List<Instant> STARTS =
      List.of(
          Instant.parse("2023-03-26T00:00:00Z"),
          Instant.parse("2023-10-29T00:00:00Z"),
          Instant.parse("2024-03-31T00:00:00Z"),
          Instant.parse("2024-10-27T00:00:00Z"));

  private static final List<Moment> MOMENTS = moments();

  private RandomLateRows() {}

  /**
   * A row of a table.
   *
   * @param moment before whose watermarks it is read
   * @param reader that reads it, if there are four; rows of one world and key have the same
   * @param key {@code \N} for NULL
   * @param time in milliseconds since 1970
   */
  public record Row(int moment, int reader, long id, int world, String key, int value, long time) {
    private String line(int phase) {
      return Stream.of("+I", phase, reader, id, world, key, value, time)
          .map(String::valueOf)
          .collect(Collectors.joining("|"));
    }
  }

  /**
   * First come rows, and when they have been worked off, watermarks.
   *
   * @param step of the schedule whose rows come; empty if none come
   * @param watermarks of each table's readers
   */
  private record Moment(
      int schedule, Optional<Integer> step, Map<String, List<String>> watermarks) {}

  /** A table's file, with the rows of some worlds, and the watermarks of their schedules. */
  public static List<String> lines(String table, Collection<Integer> seeds) {
    Set<Integer> schedules =
        seeds.stream().map(RandomLateRows::schedule).collect(Collectors.toSet());
    Map<Integer, List<Row>> rows =
        seeds.stream()
            .flatMap(seed -> rows(table, seed).stream())
            .collect(Collectors.groupingBy(Row::moment));
    List<String> lines = new ArrayList<>();
    int phase = 0;
    for (int number = 0; number < MOMENTS.size(); number++) {
      Moment moment = MOMENTS.get(number);
      if (schedules.contains(moment.schedule())) {
        for (Row row : rows.getOrDefault(number, List.of())) {
          lines.add(row.line(phase));
        }
        if (moment.step().isPresent()) {
          phase++;
        }
        lines.add(watermarks(phase, moment.watermarks().get(table)));
        phase++;
      }
    }
    // Readers end with the last phase, and not all at once.
    lines.add(watermarks(phase, Collections.nCopies(READERS, "")));
    return lines;
  }

  private static String watermarks(int phase, List<String> watermarks) {
    return "W|%d|%s".formatted(phase, String.join(",", watermarks));
  }

  /** A table's file without watermarks, and with all rows in one phase. */
  public static List<String> linesWithoutWatermarks(String table, Collection<Integer> seeds) {
    return seeds.stream()
        .flatMap(seed -> rows(table, seed).stream())
        .sorted(Comparator.comparing(Row::moment))
        .map(row -> row.line(0))
        .toList();
  }

  /** The seeds whose worlds have the same schedule, the last. */
  public static List<Integer> lastSchedule() {
    return IntStream.rangeClosed(1, SEEDS)
        .filter(seed -> schedule(seed) == STARTS.size() - 1)
        .boxed()
        .toList();
  }

  private static int schedule(int seed) {
    return (seed - 1) * STARTS.size() / SEEDS;
  }

  /** The rows of a seed's world in a table, in the order in which they are read. */
  public static List<Row> rows(String table, int seed) {
    // Seeds in a row give similar first numbers.
    Random random = new Random(seed * 0x9E3779B97F4A7C15L + TABLES.indexOf(table));
    List<Row> rows = new ArrayList<>();
    for (int number = 0; number < MOMENTS.size(); number++) {
      Moment moment = MOMENTS.get(number);
      if (moment.schedule() == schedule(seed) && moment.step().isPresent()) {
        int count = random.nextInt(12);
        for (int i = 0; i < count; i++) {
          rows.add(row(random, id(table, seed) + rows.size(), seed, number, rows));
        }
      }
    }
    return List.copyOf(rows);
  }

  /** No two rows of any table have the same. */
  private static long id(String table, int seed) {
    return seed * 1000L + TABLES.indexOf(table) * 500;
  }

  private static Row row(Random random, long id, int seed, int number, List<Row> before) {
    Moment moment = MOMENTS.get(number);
    int key = random.nextInt(3);
    String name = List.of("a", "b", "\\N").get(key);
    List<Row> ofKey = before.stream().filter(row -> row.key().equals(name)).toList();
    long around =
        STARTS.get(moment.schedule()).toEpochMilli()
            + moment.step().get() * STEP
            + random.nextLong(-40 * MINUTE, 25 * MINUTE);
    long time =
        switch (random.nextInt(4)) {
          case 0 -> Math.floorDiv(around, MINUTE) * MINUTE + random.nextInt(-1, 2);
          case 1 -> ofKey.isEmpty() ? around : near(random, ofKey);
          default -> around;
        };
    return new Row(
        number, Math.floorMod(seed * 31 + key, READERS), id, seed, name, random.nextInt(10), time);
  }

  /** As late as another row, or a session's gap apart from it, or a millisecond more or less. */
  private static long near(Random random, List<Row> others) {
    return others.get(random.nextInt(others.size())).time()
        + random.nextInt(-1, 2) * LateDataQueries.GAP.toMillis()
        + random.nextInt(-1, 2);
  }

  // ------------------------------------------------------------------------ schedules

  private static List<Moment> moments() {
    List<Moment> moments = new ArrayList<>();
    for (int schedule = 0; schedule < STARTS.size(); schedule++) {
      new Schedule(schedule).addTo(moments);
    }
    return List.copyOf(moments);
  }

  /**
   * Draws the watermarks of a schedule. What tasks see must not depend on which reader's watermark
   * arrives first; it would if a reader came back from being idle while others go on, for its
   * channel counts only from when it has caught up. So it comes back in a phase of its own. And
   * reader 0 is never idle.
   */
  private static final class Schedule {
    private final int number;
    private final Random random;
    private final long start;
    private final Map<String, List<Reader>> readers = new LinkedHashMap<>();

    private static final class Reader {
      private final int number;
      private long watermark = Long.MIN_VALUE;

      /** Whether it is idle, or has been and has not caught up. */
      private boolean away = false;

      Reader(int number) {
        this.number = number;
      }
    }

    Schedule(int number) {
      this.number = number;
      this.random = new Random(number);
      this.start = STARTS.get(number).toEpochMilli();
      for (String table : TABLES) {
        readers.put(table, IntStream.range(0, READERS).mapToObj(Reader::new).toList());
      }
    }

    void addTo(List<Moment> moments) {
      for (int step = 0; step < STEPS; step++) {
        int current = step;
        moments.add(moment(Optional.of(step), reader -> present(reader, current)));
        if (random.nextInt(3) == 0 && anyoneIsAway()) {
          moments.add(moment(Optional.empty(), reader -> back(reader, current)));
        }
      }
      String end = String.valueOf(start + 100 * STEP);
      if (anyoneIsAway()) {
        moments.add(moment(Optional.empty(), reader -> reader.away ? end : ""));
      }
      moments.add(moment(Optional.empty(), reader -> end));
    }

    private Moment moment(Optional<Integer> step, Function<Reader, String> watermark) {
      Map<String, List<String>> watermarks = new LinkedHashMap<>();
      readers.forEach((table, all) -> watermarks.put(table, all.stream().map(watermark).toList()));
      return new Moment(number, step, watermarks);
    }

    private String present(Reader reader, int step) {
      int die = random.nextInt(10);
      if (reader.away || die < 2) {
        return "";
      }
      if (die == 2 && reader.number > 0 && step > 0) {
        reader.away = true;
        return "idle";
      }
      return emit(reader, die == 3 ? step + 3 : step);
    }

    private String back(Reader reader, int step) {
      if (!reader.away || random.nextBoolean()) {
        return "";
      }
      String watermark = emit(reader, step + random.nextInt(4));
      reader.away = reader.watermark < latest();
      return watermark;
    }

    private long latest() {
      return readers.values().stream()
          .flatMap(List::stream)
          .mapToLong(reader -> reader.watermark)
          .max()
          .getAsLong();
    }

    private boolean anyoneIsAway() {
      return readers.values().stream().flatMap(List::stream).anyMatch(reader -> reader.away);
    }

    /** Often at the end of a window, or a millisecond before or after. */
    private String emit(Reader reader, int step) {
      long lag = random.nextLong((1 + reader.number * number) * 4 * MINUTE);
      long time = start + (step + 1) * STEP - lag;
      long watermark =
          random.nextBoolean()
              ? time
              : Math.floorDiv(time, MINUTE) * MINUTE + random.nextInt(-2, 2);
      reader.watermark = Math.max(reader.watermark, watermark);
      return String.valueOf(reader.watermark);
    }
  }
}
