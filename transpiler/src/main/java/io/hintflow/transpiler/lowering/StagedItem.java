package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.TableReference;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.analysis.TimeAttribute;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlIdentifier;

/** An item of a block's FROM in front of which a stage comes, and which is then read through it. */
public final class StagedItem {
  private final ScriptContext script;
  private final Block block;
  private final From from;
  private final FromText text;
  private final ColumnUses.Found uses;
  private final From.Item item;

  /**
   * @param from what the block reads, the item among it
   * @param uses the columns that the block reads of it
   */
  public StagedItem(
      ScriptContext script,
      Block block,
      From from,
      FromText text,
      ColumnUses.Found uses,
      From.Item item) {
    this.script = script;
    this.block = block;
    this.from = from;
    this.text = text;
    this.uses = uses;
    this.item = item;
  }

  /** What to name the item's stages and views after. */
  public String subject() {
    return block.tables().stream()
        .filter(table -> item.alias().filter(table.exposedName()::equals).isPresent())
        .map(TableReference::path)
        .map(path -> path.get(path.size() - 1))
        .findFirst()
        .or(item::alias)
        .orElse("subquery");
  }

  /** The item's text, its alias included. */
  public Span span() {
    return text.span(item);
  }

  /**
   * The columns of the item that the block uses, wherever it does, in the order of the item.
   *
   * @param further names of others that count as used
   */
  public List<OutputColumn> usedColumns(Set<String> further) {
    if (uses.stars().stream().anyMatch(this::isOfAll)) {
      return item.columns();
    }
    Set<String> names = new HashSet<>(further);
    uses.all().stream()
        .filter(use -> use.item() == item)
        .forEach(use -> names.add(use.column().name()));
    addCommonColumns(from, names);
    return item.columns().stream().filter(column -> names.contains(column.name())).toList();
  }

  /** A star of a nested row counts as one of its table. */
  private boolean isOfAll(SqlIdentifier star) {
    List<String> qualifier = star.names.subList(0, star.names.size() - 1);
    boolean ofNone =
        from.items().stream().noneMatch(one -> one.alias().filter(qualifier::contains).isPresent());
    return ofNone || item.alias().filter(qualifier::contains).isPresent();
  }

  private void addCommonColumns(From part, Set<String> names) {
    if (part instanceof From.Join join && join.items().contains(item)) {
      names.addAll(ColumnUses.commonColumns(join));
      addCommonColumns(join.left(), names);
      addCommonColumns(join.right(), names);
    }
  }

  /** What a query for the stage selects to get some columns of the item. */
  public List<String> selected(List<OutputColumn> columns) {
    List<String> selected =
        new ArrayList<>(
            columns.stream().map(column -> SqlNames.identifier(column.name())).toList());
    boolean empty =
        columns.stream().allMatch(column -> column.timeAttribute() == TimeAttribute.PROCTIME);
    if (empty) {
      // There are no rows without columns.
      selected.add("TRUE AS " + SqlNames.identifier(unlikeColumns("present")));
    }
    return selected;
  }

  /** A name that no column of the block's FROM has. */
  private String unlikeColumns(String name) {
    boolean taken = from.items().stream().anyMatch(one -> one.column(name).isPresent());
    return taken ? unlikeColumns(name + "_") : name;
  }

  /** Puts a stage's view in the place of the item, under the item's name. */
  public void readFrom(String view) {
    String alias = item.alias().map(of -> " AS " + SqlNames.identifier(of)).orElse("");
    script.edits().replace(span(), SqlNames.identifier(view) + alias, List.of(view));
    shortenNames();
  }

  /** A stage's view has another place than the table: catalog and database no longer lead to it. */
  private void shortenNames() {
    for (ColumnUse use : uses.all()) {
      if (use.item() == item && parts(use.span()) > use.nested().size() + 2) {
        List<String> name =
            Stream.concat(
                    Stream.of(item.alias().orElseThrow(), use.column().name()),
                    use.nested().stream())
                .toList();
        script.edits().replace(use.span(), SqlNames.path(name));
      }
    }
  }

  private int parts(Span name) {
    int end = script.tokens().indexAt(name.end());
    int dots = 0;
    for (int i = script.tokens().indexAt(name.start()); i < end; i++) {
      dots += script.tokens().isSymbol(i, ".") ? 1 : 0;
    }
    return dots + 1;
  }
}
