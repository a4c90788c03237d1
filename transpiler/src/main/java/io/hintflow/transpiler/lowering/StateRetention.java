package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Hint;
import io.hintflow.grammar.Tokens;
import io.hintflow.transpiler.analysis.From;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a block's STATE_TTL says of the tables in its FROM. */
public final class StateRetention {
  private static final Pattern DURATION = Pattern.compile("\\s*(\\d+)\\s*([a-zA-Zµ]*)\\s*");

  /** In milliseconds, under the names that Flink's own durations have; without one it is these. */
  private static final Map<String, Long> UNITS = units();

  private final Optional<Hint.Native> hint;
  private final Map<String, Pair> pairs;

  /**
   * @param text as written
   * @param milliseconds empty if Flink has to make sense of it
   */
  private record Pair(String text, Optional<Long> milliseconds) {}

  private StateRetention(Optional<Hint.Native> hint, Map<String, Pair> pairs) {
    this.hint = hint;
    this.pairs = pairs;
  }

  public static StateRetention of(BlockContext context) {
    Optional<Hint.Native> hint =
        context.block().hints().stream()
            .filter(Hint.Native.class::isInstance)
            .map(Hint.Native.class::cast)
            .filter(one -> one.name().text().equalsIgnoreCase("STATE_TTL"))
            .findFirst();
    Map<String, Pair> pairs = new LinkedHashMap<>();
    hint.ifPresent(found -> read(context.script().tokens(), found, pairs));
    return new StateRetention(hint, pairs);
  }

  private static void read(Tokens tokens, Hint.Native hint, Map<String, Pair> pairs) {
    int end = tokens.indexAt(hint.span().end());
    for (int i = tokens.indexAt(hint.span().start()); i < end; i++) {
      if (tokens.isSymbol(i, "=")) {
        String table = tokens.get(i - 1).value();
        String duration = tokens.get(i + 1).value();
        String text = tokens.get(i - 1).text() + " = " + tokens.get(i + 1).text();
        pairs.put(table, new Pair(text, milliseconds(duration)));
      }
    }
  }

  private static Optional<Long> milliseconds(String duration) {
    Matcher matcher = DURATION.matcher(duration);
    return matcher.matches() && matcher.group(1).length() < 10
        ? Optional.ofNullable(UNITS.get(matcher.group(2).toLowerCase(Locale.ROOT)))
            .map(unit -> Long.parseLong(matcher.group(1)) * unit)
        : Optional.empty();
  }

  private static Map<String, Long> units() {
    Map<String, Long> units = new LinkedHashMap<>();
    List.of("", "ms", "milli", "millis", "millisecond", "milliseconds")
        .forEach(unit -> units.put(unit, 1L));
    List.of("s", "sec", "secs", "second", "seconds").forEach(unit -> units.put(unit, 1_000L));
    List.of("m", "min", "minute", "minutes").forEach(unit -> units.put(unit, 60_000L));
    List.of("h", "hour", "hours").forEach(unit -> units.put(unit, 3_600_000L));
    List.of("d", "day", "days").forEach(unit -> units.put(unit, 86_400_000L));
    return units;
  }

  /** How long a side's rows are to be kept, as {@code 1000 ms}; empty if the hint does not say. */
  public Optional<String> of(From side) {
    return side instanceof From.Item item
        ? item.alias()
            .flatMap(name -> Optional.ofNullable(pairs.get(name)))
            .flatMap(Pair::milliseconds)
            .map(time -> time + " ms")
        : Optional.empty();
  }

  /**
   * Takes what it says of some tables out of the block's text: Flink refuses the hint where it does
   * not find them in FROM.
   */
  public void remove(BlockContext context, List<String> tables) {
    if (hint.isEmpty() || pairs.keySet().stream().noneMatch(tables::contains)) {
      return;
    }
    List<String> remaining = new ArrayList<>();
    pairs.forEach(
        (table, pair) -> {
          if (!tables.contains(table)) {
            remaining.add(pair.text());
          }
        });
    context.rewriteHint(
        hint.get(), remaining.isEmpty() ? "" : "STATE_TTL(" + String.join(", ", remaining) + ")");
  }
}
