package io.hintflow.transpiler.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The operators of a job, as Flink built them. */
public record JobGraph(List<Node> nodes) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * An operator.
   *
   * @param inputs the ids of the operators in front of it, with how rows travel from there:
   *     FORWARD, HASH, REBALANCE …
   */
  public record Node(int id, String name, int parallelism, List<Input> inputs) {}

  public record Input(int from, String strategy) {}

  static JobGraph parse(String json) {
    try {
      List<Node> nodes = new ArrayList<>();
      for (JsonNode node : JSON.readTree(json).get("nodes")) {
        List<Input> inputs = new ArrayList<>();
        node.path("predecessors")
            .forEach(
                input ->
                    inputs.add(
                        new Input(input.get("id").asInt(), input.get("ship_strategy").asText())));
        nodes.add(
            new Node(
                node.get("id").asInt(),
                node.get("type").asText(),
                node.get("parallelism").asInt(),
                inputs));
      }
      return new JobGraph(nodes);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  public List<Node> sources() {
    return nodes.stream().filter(node -> node.inputs().isEmpty()).toList();
  }

  public Node node(int id) {
    return nodes.stream().filter(node -> node.id() == id).findFirst().orElseThrow();
  }

  /** Each exchange as {@code "2 HASH 4"}: the parallelism on both sides, and how rows travel. */
  public List<String> exchanges() {
    return nodes.stream()
        .flatMap(
            node ->
                node.inputs().stream()
                    .filter(input -> !input.strategy().equals("FORWARD"))
                    .map(
                        input ->
                            "%d %s %d"
                                .formatted(
                                    node(input.from()).parallelism(),
                                    input.strategy(),
                                    node.parallelism())))
        .toList();
  }
}
