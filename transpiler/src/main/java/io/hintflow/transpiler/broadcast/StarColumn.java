package io.hintflow.transpiler.broadcast;

import io.hintflow.transpiler.lowering.ColumnUses;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/**
 * A column that a star of a select list stands for.
 *
 * @param of what it is in FROM; one that USING or NATURAL makes of two is that of the side whose
 *     rows are all kept
 * @param name in the block's output
 */
record StarColumn(SqlIdentifier star, ColumnUses.Resolved of, String name) {

  /** All columns that stars of the select list stand for, in their order. */
  static List<StarColumn> of(JoinedBlock block) throws UnsupportedJoin {
    for (SqlIdentifier star : block.uses().stars()) {
      if (star.names.size() > 2) {
        throw new UnsupportedJoin(
            block.script().script().span(block.statement(), star.getParserPosition()),
            "The fields of a nested row can't be followed through the join as a star",
            "Name the fields one by one");
      }
    }
    List<StarColumn> columns = new ArrayList<>();
    SqlNodeList written = block.block().select().getSelectList();
    SqlNodeList expanded = block.scope().expandedSelectList();
    int position = 0;
    for (SqlNode item : written) {
      if (item instanceof SqlIdentifier star && star.isStar()) {
        int end = position + width(block, star, written, expanded);
        for (; position < end; position++) {
          columns.add(at(block, star, expanded.get(position), position));
        }
      } else {
        position++;
      }
    }
    return columns;
  }

  private static StarColumn at(
      JoinedBlock block, SqlIdentifier star, SqlNode expanded, int position) {
    String name = block.analysis().output().get(position).name();
    List<String> path =
        withoutAlias(expanded) instanceof SqlIdentifier column ? column.names : List.of(name);
    return new StarColumn(star, ColumnUses.resolve(block.from(), path).orElseThrow(), name);
  }

  /** How many columns a star stands for. */
  private static int width(
      JoinedBlock block, SqlIdentifier star, SqlNodeList written, SqlNodeList expanded) {
    if (star.names.size() > 1) {
      String table = star.names.get(star.names.size() - 2);
      return block.from().items().stream()
          .filter(item -> item.alias().filter(table::equals).isPresent())
          .findFirst()
          .orElseThrow()
          .columns()
          .size();
    }
    int others = 0;
    int bareStars = 0;
    for (SqlNode item : written) {
      boolean isStar = item instanceof SqlIdentifier name && name.isStar();
      if (isStar && ((SqlIdentifier) item).names.size() == 1) {
        bareStars++;
      } else {
        others += isStar ? width(block, (SqlIdentifier) item, written, expanded) : 1;
      }
    }
    return (expanded.size() - others) / bareStars;
  }

  private static SqlNode withoutAlias(SqlNode item) {
    return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
  }
}
