package io.hintflow.transpiler.analysis;

import io.hintflow.grammar.Span;
import org.apache.calcite.rel.type.RelDataType;

/**
 * One column of a declared table.
 *
 * @param span where its declaration names it; for a column of the query behind AS, the name of the
 *     table
 * @param certain whether Flink has the very same type: it may derive another one for an expression
 */
public record Column(
    String name,
    RelDataType type,
    TimeAttribute timeAttribute,
    Kind kind,
    Span span,
    boolean certain) {

  /** Where a column's values come from. */
  public enum Kind {
    PHYSICAL,
    /** {@code name AS expression}. */
    COMPUTED,
    /** {@code name TYPE METADATA}. */
    METADATA,
    /** {@code name TYPE METADATA VIRTUAL}: can be read but not written. */
    VIRTUAL_METADATA;

    /** Whether an INSERT gives the column a value. */
    public boolean writable() {
      return this == PHYSICAL || this == METADATA;
    }
  }
}
