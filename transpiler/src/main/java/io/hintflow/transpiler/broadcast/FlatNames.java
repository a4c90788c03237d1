package io.hintflow.transpiler.broadcast;

import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.OutputColumn;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * One name for each column of a FROM that no other column of it has: a join's result is one table.
 * A column keeps its name if no other item has one of that name; else its item's comes before it.
 */
final class FlatNames {
  private final Map<From.Item, Map<String, String>> names = new IdentityHashMap<>();

  FlatNames(From from) {
    Map<String, Integer> counts = new HashMap<>();
    for (From.Item item : from.items()) {
      item.columns().forEach(column -> counts.merge(column.name(), 1, Integer::sum));
    }
    Set<String> taken = new HashSet<>(counts.keySet());
    for (From.Item item : from.items()) {
      Map<String, String> ofItem = new HashMap<>();
      for (OutputColumn column : item.columns()) {
        String name = column.name();
        if (counts.get(name) > 1) {
          String wanted = item.alias().map(alias -> alias + "_").orElse("") + name;
          String unique = wanted;
          for (int i = 2; !taken.add(unique); i++) {
            unique = wanted + "_" + i;
          }
          name = unique;
        }
        ofItem.put(column.name(), name);
      }
      names.put(item, ofItem);
    }
  }

  String of(From.Item item, OutputColumn column) {
    return names.get(item).get(column.name());
  }
}
