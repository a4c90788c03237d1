package io.hintflow.grammar;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlSelect;

/**
 * A query block: one SELECT with what belongs to it.
 *
 * @param select its syntax tree; positions in it are mapped by {@link Script#span}
 * @param path where it stands in its statement, from outside inwards, stable while the rest of the
 *     script changes: {@code cte NAME} for a table of a WITH clause, {@code union N}, {@code
 *     intersect N}, {@code except N} for a branch, and for a query inside a clause of a block the
 *     clause and a number: {@code select N}, {@code from N}, {@code on N}, {@code where N}, {@code
 *     group N}, {@code having N}, {@code window N}, {@code qualify N}, {@code order N}; e.g. {@code
 *     [cte totals, union 2, from 1]}. Empty for a statement's only outermost block; if it has
 *     several (in VALUES, UPDATE, EXPLAIN STATEMENT SET), these begin with {@code query N}
 * @param span from SELECT to the end of its last clause, an ORDER BY, LIMIT, OFFSET or FETCH of its
 *     own included
 * @param hintComment the hint comment behind SELECT with its marks, if there is one
 * @param hints the query hints, in the order written
 * @param commonTables the WITH tables that it can name, outermost first; a later one of the same
 *     name hides an earlier
 * @param tables the tables that its own FROM names, views and WITH tables and those inside a table
 *     function included, in the order written (not those of blocks inside it)
 * @param inner the blocks inside it, in the order written
 */
public record Block(
    SqlSelect select,
    List<String> path,
    Span span,
    Optional<Span> hintComment,
    List<Hint> hints,
    List<CommonTable> commonTables,
    List<TableReference> tables,
    List<Block> inner) {

  /** The WITH table that a reference of this block names, if it names one. */
  public Optional<CommonTable> commonTable(TableReference reference) {
    if (reference.path().size() != 1) {
      return Optional.empty();
    }
    return commonTables.stream()
        .filter(table -> table.name().text().equals(reference.path().get(0)))
        .reduce((outer, nearer) -> nearer);
  }
}
