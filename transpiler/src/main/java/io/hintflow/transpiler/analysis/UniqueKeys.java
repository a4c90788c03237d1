package io.hintflow.transpiler.analysis;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Reads from a logical plan which columns tell its rows apart. Says less than could be known rather
 * than more: whoever relies on a key takes no care of equal rows.
 */
final class UniqueKeys {
  private UniqueKeys() {}

  /**
   * The sets of columns of which each has different values, NULLs included, in any two rows. A
   * declared primary key counts: Flink does not enforce it either, but relies on it.
   */
  static List<ImmutableBitSet> of(RelNode rel) {
    if (rel instanceof TableScan scan) {
      return scan.getTable().unwrap(RelationTable.class).primaryKey().stream().toList();
    }
    if (rel instanceof Filter || rel instanceof Sort) {
      return of(rel.getInput(0));
    }
    if (rel instanceof Project project) {
      return of(project.getInput()).stream()
          .filter(key -> key.asList().stream().allMatch(column -> passes(project, column)))
          .map(
              key ->
                  ImmutableBitSet.of(key.asList().stream().map(c -> position(project, c)).toList()))
          .toList();
    }
    if (rel instanceof Aggregate aggregate && aggregate.getGroupType() == Aggregate.Group.SIMPLE) {
      return List.of(ImmutableBitSet.range(aggregate.getGroupCount()));
    }
    if (rel instanceof SetOp operation && !operation.all) {
      return List.of(ImmutableBitSet.range(rel.getRowType().getFieldCount()));
    }
    return List.of();
  }

  private static boolean passes(Project project, int column) {
    return project.getProjects().stream().anyMatch(item -> isColumn(item, column));
  }

  private static int position(Project project, int column) {
    return IntStream.range(0, project.getProjects().size())
        .filter(item -> isColumn(project.getProjects().get(item), column))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isColumn(RexNode item, int column) {
    return item instanceof RexInputRef reference && reference.getIndex() == column;
  }
}
