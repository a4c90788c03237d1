package io.hintflow.transpiler.analysis;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;

/** One column of a query block's result, or of a view's. */
public record OutputColumn(String name, RelDataType type, TimeAttribute timeAttribute) {
  /**
   * The columns of a row type.
   *
   * @param flow how such rows come out; without it, none is taken for a time attribute
   */
  static List<OutputColumn> of(RelDataType rowType, Optional<Flow> flow) {
    return rowType.getFieldList().stream()
        .map(
            field ->
                new OutputColumn(
                    field.getName(),
                    field.getType(),
                    flow.map(known -> known.timeAttribute(field.getIndex()))
                        .orElse(TimeAttribute.NONE)))
        .toList();
  }
}
