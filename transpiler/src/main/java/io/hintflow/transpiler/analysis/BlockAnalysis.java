package io.hintflow.transpiler.analysis;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;

/**
 * What one query block means.
 *
 * @param output the columns that it produces, in order
 * @param correlated whether it reads columns of an enclosing query, so that it can't be lifted out
 * @param rowWise whether its rows flow one by one from its tables: nothing but projection, filter,
 *     expansion of a row by a table function or UNNEST, UNION ALL of such; false if not known
 * @param changelog what kinds of rows it produces
 * @param byWindow whether it groups or numbers rows by the start and end of a window; false if not
 *     known
 * @param plan its logical plan, if Calcite could make one; always empty for correlated blocks
 * @param scope what its names stand for; empty if that is not known, or if it has no FROM
 */
public record BlockAnalysis(
    List<OutputColumn> output,
    boolean correlated,
    boolean rowWise,
    Changelog changelog,
    boolean byWindow,
    Optional<RelNode> plan,
    Optional<BlockScope> scope) {
  public BlockAnalysis {
    output = List.copyOf(output);
  }

  /** The logical plan for a reader, one operator a line; none if it is not known. */
  public List<String> planLines() {
    return plan.map(RelOptUtil::toString).stream().flatMap(String::lines).toList();
  }
}
