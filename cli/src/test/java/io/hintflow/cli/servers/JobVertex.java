package io.hintflow.cli.servers;

import java.util.List;

/**
 * A vertex of a running job's graph: a chain of operators.
 *
 * @param name the names of its operators, as Flink joins them
 * @param inputs the edges that lead to it
 */
record JobVertex(String name, int parallelism, List<Input> inputs) {
  /**
   * @param source the name of the vertex that the rows come from
   * @param exchange Flink's word for how they travel, such as {@code HASH} or {@code FORWARD}
   */
  record Input(String source, String exchange) {}
}
