package io.hintflow.transpiler.analysis;

import org.apache.calcite.rel.type.RelDataType;

/** One column of a query block's result, or of a view's. */
public record OutputColumn(String name, RelDataType type, TimeAttribute timeAttribute) {}
