package io.hintflow.transpiler.analysis;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlNode;

/** What a block's FROM clause reads: items, and joins of them. */
public sealed interface From {
  /** Its syntax tree, in the block's own. */
  SqlNode node();

  /** What kinds of rows it produces, the conditions of WHERE left aside. */
  Changelog changelog();

  /** The items in it, in the order written. */
  List<Item> items();

  /** The join that has an item as one of its two inputs; empty if there is none. */
  default Optional<Join> joinOf(Item item) {
    if (!(this instanceof Join join)) {
      return Optional.empty();
    }
    return join.left() == item || join.right() == item
        ? Optional.of(join)
        : join.left().joinOf(item).or(() -> join.right().joinOf(item));
  }

  /**
   * A table, a view, a query or a table function.
   *
   * @param alias the name by which the block knows it: its alias, else the last part of its name;
   *     empty if it has neither
   * @param columns what the block can read of it
   * @param keys the sets of columns that tell its rows apart, as far as known; see {@link
   *     UniqueKeys}
   * @param window the call, if it is a window table function
   */
  record Item(
      SqlNode node,
      Optional<String> alias,
      List<OutputColumn> columns,
      List<List<String>> keys,
      Changelog changelog,
      Kind kind,
      Optional<WindowedTable> window)
      implements From {
    /** What reading an item takes. */
    public enum Kind {
      /** It is read on its own. */
      PLAIN,
      /** {@code FOR SYSTEM_TIME AS OF}: it is read as it was at the time of a row of its left. */
      TEMPORAL,
      /** LATERAL or UNNEST: it is computed from each row of its left. */
      LATERAL
    }

    public Item {
      columns = List.copyOf(columns);
      keys = List.copyOf(keys);
    }

    @Override
    public List<Item> items() {
      return List.of(this);
    }

    /** The name of the table or view that it is; empty if it is more than that. */
    public Optional<SqlIdentifier> name() {
      return name(node);
    }

    private static Optional<SqlIdentifier> name(SqlNode item) {
      return switch (item.getKind()) {
        case AS, TABLE_REF, SNAPSHOT -> name(((SqlCall) item).operand(0));
        case IDENTIFIER -> Optional.of((SqlIdentifier) item);
        default -> Optional.empty();
      };
    }

    public Optional<OutputColumn> column(String name) {
      return columns.stream().filter(column -> column.name().equals(name)).findFirst();
    }
  }

  /** Two of them, joined. */
  record Join(SqlJoin node, From left, From right, Changelog changelog, Kind kind) implements From {
    /** How Flink joins in streaming mode. */
    public enum Kind {
      /** All rows of both sides are kept. */
      REGULAR,
      /** A row is kept while its time is near. */
      INTERVAL,
      /** A row is kept while its window is open. */
      WINDOW
    }

    @Override
    public List<Item> items() {
      return Stream.concat(left.items().stream(), right.items().stream()).toList();
    }
  }
}
