package io.hintflow.transpiler.plan;

import java.util.List;
import java.util.Map;

/**
 * What the operators of a stage keep from one row to the next. A restored job finds it by the
 * stage's id.
 *
 * @param what it is, such as {@code rows of orders}
 * @param columns of the rows in it, in their order; none if it is not of rows
 * @param dependsOn what it was made by, each under a name: with other values, what was kept would
 *     be taken for something else
 */
public record HeldState(String what, List<StateColumn> columns, Map<String, String> dependsOn) {}
