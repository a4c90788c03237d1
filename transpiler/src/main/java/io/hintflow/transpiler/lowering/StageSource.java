package io.hintflow.transpiler.lowering;

import java.util.List;
import java.util.Set;

/**
 * A stage written as Java.
 *
 * @param comment why the stage is there, whole sentences
 * @param statements the statements, one after the other, each without indentation of its own on its
 *     first line
 * @param imports the classes they name, fully qualified
 * @param operators the simple names of the operator classes they name
 */
public record StageSource(
    String comment, List<String> statements, Set<String> imports, Set<String> operators) {}
