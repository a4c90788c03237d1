package io.hintflow.transpiler.testing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Random changelogs of big and small tables, in the form that the connector 'changelog' of the
 * tests reads. A seed makes a world: a changelog for every table, independent of all other worlds.
 * Rows start with the number of their world, and then with an id.
 */
public final class RandomChangelogs {
  /** The last phase, in which rows go that were joined long ago. */
  private static final int LAST_PHASE = 6;

  private RandomChangelogs() {}

  /** What kinds of changes a table has. */
  public enum Mode {
    INSERT("+I", false),
    RETRACT("+I,-U,+U,-D", false),
    KEYED("+I,-U,+U,-D", true),
    UPSERT("+I,+U,-D", true);

    private final String kinds;
    private final boolean keyed;

    Mode(String kinds, boolean keyed) {
      this.kinds = kinds;
      this.keyed = keyed;
    }

    /** As the connector's option {@code changelog-mode}. */
    public String kinds() {
      return kinds;
    }

    /** Whether the world and the id are the primary key. */
    public boolean isKeyed() {
      return keyed;
    }
  }

  /** A table; its name is {@code big_insert}, {@code small_upsert} and so on. */
  public record Table(boolean big, Mode mode) {
    public static List<Table> all() {
      return Stream.of(true, false)
          .flatMap(big -> Stream.of(Mode.values()).map(mode -> new Table(big, mode)))
          .toList();
    }

    public String name() {
      return (big ? "big_" : "small_") + mode.name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A change that suits whatever the table holds: operations can be left out, and the rest is still
   * a changelog.
   *
   * @param target the id of a table with a key; else which of the rows that are there
   * @param values what follows the id, as text
   */
  public record Operation(Kind kind, int phase, int target, List<String> values) {
    /** PUT changes the target if it is there, and else adds it. */
    public enum Kind {
      ADD,
      PUT,
      REMOVE
    }

    private Operation withRowOf(Operation other) {
      return new Operation(kind, phase, other.target, other.values);
    }
  }

  /** The operations of each table, by the table's name and in their order. */
  public record World(Map<String, List<Operation>> operations) {
    public int size() {
      return operations.values().stream().mapToInt(List::size).sum();
    }

    /** Without a range of the operations, counted through all tables. */
    public World without(int from, int to) {
      Map<String, List<Operation>> remaining = new LinkedHashMap<>();
      int offset = 0;
      for (Map.Entry<String, List<Operation>> table : operations.entrySet()) {
        int first = offset;
        List<Operation> all = table.getValue();
        remaining.put(
            table.getKey(),
            IntStream.range(0, all.size())
                .filter(index -> first + index < from || first + index >= to)
                .mapToObj(all::get)
                .toList());
        offset += all.size();
      }
      return new World(remaining);
    }

    /** Only what some tables have. */
    public World of(List<Table> tables) {
      Map<String, List<Operation>> chosen = new LinkedHashMap<>();
      tables.forEach(table -> chosen.put(table.name(), operations.get(table.name())));
      return new World(chosen);
    }

    /** The lines of a table's file, as those of world {@code number}. */
    public List<String> lines(Table table, int number) {
      return new Changelog(table, number).lines(operations.getOrDefault(table.name(), List.of()));
    }
  }

  /** The world of a seed. */
  public static World world(int seed) {
    // Seeds in a row give similar first numbers.
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    Timing timing = pick(random, Timing.values());
    boolean nullKeys = random.nextBoolean();
    Map<String, List<Operation>> operations = new TreeMap<>();
    for (Table table : Table.all()) {
      operations.put(table.name(), new Draw(table, timing, nullKeys, random).operations());
    }
    return new World(operations);
  }

  /** When the small side changes: before the big side, after it, on both sides of it, all along. */
  private enum Timing {
    BEFORE,
    AFTER,
    AROUND,
    ALONG;

    int phase(boolean big, Random random) {
      return switch (this) {
        case BEFORE -> big ? 2 + random.nextInt(4) : random.nextInt(2);
        case AFTER -> big ? random.nextInt(4) : 4 + random.nextInt(2);
        case AROUND -> big ? 1 + random.nextInt(4) : 5 * random.nextInt(2);
        case ALONG -> random.nextInt(LAST_PHASE);
      };
    }
  }

  @SafeVarargs
  private static <T> T pick(Random random, T... values) {
    return values[random.nextInt(values.length)];
  }

  /** Draws the operations of one table. */
  private record Draw(Table table, Timing timing, boolean nullKeys, Random random) {
    List<Operation> operations() {
      List<Operation> operations = new ArrayList<>();
      int changes = random.nextInt(table.big() ? 15 : 9);
      for (int change = 0; change < changes; change++) {
        Operation fresh = new Operation(kind(), phase(), random.nextInt(4), values());
        boolean again = !operations.isEmpty() && random.nextInt(4) == 0;
        operations.add(
            again ? fresh.withRowOf(operations.get(random.nextInt(operations.size()))) : fresh);
      }
      if (table.mode() != Mode.INSERT) {
        int removals = random.nextInt(3);
        for (int removal = 0; removal < removals; removal++) {
          operations.add(
              new Operation(Operation.Kind.REMOVE, LAST_PHASE, random.nextInt(4), values()));
        }
      }
      operations.sort(Comparator.comparingInt(Operation::phase));
      return List.copyOf(operations);
    }

    private int phase() {
      return timing.phase(table.big(), random);
    }

    private Operation.Kind kind() {
      int die = random.nextInt(10);
      if (table.mode() == Mode.INSERT || die < 5) {
        return Operation.Kind.ADD;
      }
      return die < 8 ? Operation.Kind.PUT : Operation.Kind.REMOVE;
    }

    /** Few values of everything, so that rows meet. */
    private List<String> values() {
      return List.of(
          nullKeys && random.nextInt(4) == 0 ? "\\N" : "" + random.nextInt(3),
          pick(random, "a", "b", "\\N"),
          random.nextInt(8) == 0 ? "\\N" : "" + random.nextInt(5),
          pick(random, "x", "y"));
    }
  }

  /** Makes operations of one table in one world the changes that they are. */
  private static final class Changelog {
    private final Table table;
    private final int world;
    private final List<String> lines = new ArrayList<>();

    /** The rows that are there, as the file has them. */
    private final List<String> rows = new ArrayList<>();

    Changelog(Table table, int world) {
      this.table = table;
      this.world = world;
    }

    List<String> lines(List<Operation> operations) {
      operations.forEach(this::apply);
      return List.copyOf(lines);
    }

    private void apply(Operation operation) {
      String row = world + "|" + operation.target() + "|" + String.join("|", operation.values());
      Optional<String> present = present(operation);
      switch (operation.kind()) {
        case ADD -> {
          if (table.mode().isKeyed()) {
            put(operation, present, row);
          } else {
            add(operation, row);
          }
        }
        case PUT -> put(operation, present, row);
        case REMOVE ->
            present.ifPresent(
                old -> {
                  line(operation, "-D", old);
                  rows.remove(old);
                });
      }
    }

    private Optional<String> present(Operation operation) {
      if (table.mode().isKeyed()) {
        String key = world + "|" + operation.target() + "|";
        return rows.stream().filter(row -> row.startsWith(key)).findFirst();
      }
      return rows.isEmpty()
          ? Optional.empty()
          : Optional.of(rows.get(operation.target() % rows.size()));
    }

    private void put(Operation operation, Optional<String> present, String row) {
      if (present.isEmpty()) {
        add(operation, row);
        return;
      }
      if (table.mode() != Mode.UPSERT) {
        line(operation, "-U", present.get());
      }
      line(operation, "+U", row);
      rows.remove(present.get());
      rows.add(row);
    }

    private void add(Operation operation, String row) {
      line(operation, "+I", row);
      rows.add(row);
    }

    private void line(Operation operation, String kind, String row) {
      lines.add(kind + "|" + operation.phase() + "|" + row);
    }
  }
}
