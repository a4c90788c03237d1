package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Span;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.OutputColumn;
import java.util.List;

/**
 * A place in a block, or in a subquery of it, that reads a column of the block's FROM.
 *
 * @param span the name as written, qualifier and nested fields included
 * @param nested the fields of the column that the name goes on to, none for the column itself
 */
public record ColumnUse(
    Span span, From.Item item, OutputColumn column, List<String> nested, Place place) {
  /** What a name is read as. */
  public enum Place {
    /** It is an item of the select list without an alias: it names the column that comes out. */
    SELECTED,
    /** The columns that come out are looked at first. */
    ORDER,
    /** The columns of the subquery are looked at first. */
    SUBQUERY,
    ELSEWHERE
  }

  public ColumnUse {
    nested = List.copyOf(nested);
  }
}
