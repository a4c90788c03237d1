package io.hintflow.transpiler.deduplication;

import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.lowering.ColumnUses;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlIdentifier;

/** Tells which columns of an item a block uses, wherever it does. */
final class UsedColumns {
  private UsedColumns() {}

  /**
   * @param from what the block reads, the item among it
   * @param hashed columns that HASH_BY_KEY names, by table
   * @return in the order of the item
   */
  static List<OutputColumn> of(
      From.Item item, From from, ColumnUses.Found uses, Map<String, List<String>> hashed) {
    if (uses.stars().stream().anyMatch(star -> isOfAll(star, item, from))) {
      return item.columns();
    }
    Set<String> names = new HashSet<>();
    uses.all().stream()
        .filter(use -> use.item() == item)
        .forEach(use -> names.add(use.column().name()));
    item.alias().ifPresent(alias -> names.addAll(hashed.getOrDefault(alias, List.of())));
    addCommonColumns(item, from, names);
    return item.columns().stream().filter(column -> names.contains(column.name())).toList();
  }

  /** A star of a nested row counts as one of its table. */
  private static boolean isOfAll(SqlIdentifier star, From.Item item, From from) {
    List<String> qualifier = star.names.subList(0, star.names.size() - 1);
    boolean ofNone =
        from.items().stream().noneMatch(one -> one.alias().filter(qualifier::contains).isPresent());
    return ofNone || item.alias().filter(qualifier::contains).isPresent();
  }

  private static void addCommonColumns(From.Item item, From from, Set<String> names) {
    if (from instanceof From.Join join && join.items().contains(item)) {
      names.addAll(ColumnUses.commonColumns(join));
      addCommonColumns(item, join.left(), names);
      addCommonColumns(item, join.right(), names);
    }
  }
}
