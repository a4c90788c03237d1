package io.hintflow.transpiler.broadcast;

import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.lowering.HeldStates;
import io.hintflow.transpiler.lowering.SelectText;
import io.hintflow.transpiler.lowering.SqlNames;
import io.hintflow.transpiler.plan.StateColumn;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The query that one side of a broadcast join reads: a part of FROM, as SQL. */
final class SideQuery {
  private final From from;
  private final String name;
  private final boolean unmatchedAsNull;
  private final FlatNames names;

  /** What reads the items below, where those are behind broadcast joins of their own. */
  private final Map<From.Item, String> views;

  private final Map<From.Item, Set<OutputColumn>> columns = new IdentityHashMap<>();
  private final Map<From.Item, Set<OutputColumn>> exposed = new IdentityHashMap<>();
  private final Map<String, StateColumn> computed = new LinkedHashMap<>();
  private final Set<String> filters = new LinkedHashSet<>();

  /**
   * @param name by which the join knows the side
   * @param unmatchedAsNull whether its columns come out of the join as NULL where nothing matches
   */
  SideQuery(
      From from,
      String name,
      boolean unmatchedAsNull,
      FlatNames names,
      Map<From.Item, String> views) {
    this.from = from;
    this.name = name;
    this.unmatchedAsNull = unmatchedAsNull;
    this.names = names;
    this.views = new IdentityHashMap<>(views);
    for (From.Item item : from.items()) {
      columns.put(item, new LinkedHashSet<>());
      exposed.put(item, new LinkedHashSet<>());
    }
  }

  From from() {
    return from;
  }

  String name() {
    return name;
  }

  boolean unmatchedAsNull() {
    return unmatchedAsNull;
  }

  Map<From.Item, String> views() {
    return views;
  }

  /** Adds a column to what the query gives; answers its name there. */
  String column(From.Item item, OutputColumn column) {
    columns.get(item).add(column);
    return outputName(item, column);
  }

  /** Adds a column to what the query gives and the join lets out. */
  void expose(From.Item item, OutputColumn column) {
    column(item, column);
    exposed.get(item).add(column);
  }

  private String outputName(From.Item item, OutputColumn column) {
    return from instanceof From.Item ? column.name() : names.of(item, column);
  }

  /**
   * Adds an expression to what the query gives, if it is not there yet; answers its name.
   *
   * @param type as SQL has it
   */
  String computed(String purpose, String sql, String type) {
    for (Map.Entry<String, StateColumn> known : computed.entrySet()) {
      if (known.getValue().name().equals(sql)) {
        return known.getKey();
      }
    }
    String unique = purpose;
    for (int i = 2; isTaken(unique); i++) {
      unique = purpose + "_" + i;
    }
    computed.put(unique, new StateColumn(sql, type));
    return unique;
  }

  private boolean isTaken(String candidate) {
    return computed.containsKey(candidate)
        || from.items().stream()
            .anyMatch(
                item ->
                    item.columns().stream()
                        .anyMatch(column -> outputName(item, column).equals(candidate)));
  }

  void filter(String condition) {
    filters.add(condition);
  }

  /** The columns of FROM that the query gives, in the order of FROM. */
  List<Carried> carried() {
    return in(columns);
  }

  /** Those of them that something behind the join reads. */
  List<Carried> exposed() {
    return in(exposed);
  }

  private List<Carried> in(Map<From.Item, Set<OutputColumn>> chosen) {
    List<Carried> carried = new ArrayList<>();
    for (From.Item item : from.items()) {
      for (OutputColumn column : item.columns()) {
        if (chosen.get(item).contains(column)) {
          carried.add(new Carried(item, column, outputName(item, column)));
        }
      }
    }
    return carried;
  }

  /**
   * @param name in the query's output
   */
  record Carried(From.Item item, OutputColumn column, String name) {}

  /**
   * @param fromText the text of FROM
   */
  String sql(String fromText) {
    List<String> items = new ArrayList<>();
    for (Carried column : carried()) {
      String source = read(column.item(), column.column());
      String target = SqlNames.identifier(column.name());
      boolean named = source.equals(target) || source.endsWith("." + target);
      items.add(named ? source : source + " AS " + target);
    }
    computed.forEach(
        (output, column) -> items.add(column.name() + " AS " + SqlNames.identifier(output)));
    if (items.isEmpty()) {
      items.add("1 AS " + SqlNames.identifier("row"));
    }
    String where = filters.isEmpty() ? "" : "\nWHERE " + String.join("\n  AND ", filters);
    return SelectText.of(items, fromText) + where;
  }

  /** What it gives, in order; an expression goes by its text, for its value is what is kept. */
  List<StateColumn> stateColumns() {
    return Stream.concat(
            carried().stream()
                .map(
                    carried ->
                        new StateColumn(
                            carried.name(), HeldStates.column(carried.column()).type())),
            computed.values().stream())
        .toList();
  }

  /** A column as expressions of the query name it. */
  String read(From.Item item, OutputColumn column) {
    if (views.containsKey(item)) {
      return SqlNames.identifier(names.of(item, column));
    }
    String own = SqlNames.identifier(column.name());
    return from instanceof From.Item
        ? own
        : item.alias().map(alias -> SqlNames.identifier(alias) + "." + own).orElse(own);
  }
}
