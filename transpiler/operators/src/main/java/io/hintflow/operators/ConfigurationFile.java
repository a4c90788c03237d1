package io.hintflow.operators;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * What stands in a {@code config.yaml}. Keys become dotted and lists are joined as in Flink's own
 * file, but scalars stay as they are written: 1.10 is not 1.1.
 *
 * @param options everything outside the section {@code tables}
 * @param tables the options of each table in that section; one without a value is to be removed
 */
record ConfigurationFile(
    Map<String, String> options, Map<String, Map<String, Optional<String>>> tables) {

  /** Reads the file, else {@code config.yaml} from the class path. */
  static ConfigurationFile read(Optional<Path> file) {
    String name = file.map(Path::toString).orElse("config.yaml");
    try (InputStream input =
        file.isPresent()
            ? Files.newInputStream(file.get())
            : ConfigurationFile.class.getResourceAsStream("/config.yaml")) {
      if (input == null) {
        throw new IllegalArgumentException("There is no config.yaml on the class path.");
      }
      return new Compose(LoadSettings.builder().setLabel(name).setSchema(new CoreSchema()).build())
          .composeInputStream(input)
          .map(ConfigurationFile::of)
          .orElse(new ConfigurationFile(Map.of(), Map.of()));
    } catch (IOException problem) {
      throw new IllegalArgumentException(
          "The configuration file %s cannot be read: %s.".formatted(name, problem), problem);
    } catch (MarkedYamlEngineException problem) {
      // Neither its message nor itself as the cause: both quote the file, secrets and all.
      throw new IllegalArgumentException(
          "%s is not YAML: %s."
              .formatted(
                  problem.getProblemMark().map(ConfigurationFile::place).orElse(name),
                  problem.getProblem()));
    } catch (YamlEngineException problem) {
      throw new IllegalArgumentException(name + " is not YAML.");
    }
  }

  private static ConfigurationFile of(Node root) {
    Map<String, Optional<String>> options = new LinkedHashMap<>();
    Map<String, Map<String, Optional<String>>> tables = new LinkedHashMap<>();
    for (NodeTuple entry : entries(root)) {
      String key = text(entry.getKeyNode());
      if (key.equals("tables")) {
        for (NodeTuple table : entries(entry.getValueNode())) {
          if (tables.put(text(table.getKeyNode()), tableOptions(table.getValueNode())) != null) {
            throw mistake(table.getKeyNode(), "this table stands here for the second time");
          }
        }
      } else {
        flatten(key, entry.getValueNode(), options);
      }
    }
    Map<String, String> present = new LinkedHashMap<>();
    options.forEach((key, value) -> value.ifPresent(text -> present.put(key, text)));
    return new ConfigurationFile(present, tables);
  }

  private static Map<String, Optional<String>> tableOptions(Node table) {
    Map<String, Optional<String>> options = new LinkedHashMap<>();
    for (NodeTuple option : entries(table)) {
      flatten(text(option.getKeyNode()), option.getValueNode(), options);
    }
    return options;
  }

  /** Adds a node's options, each under the given key and its own keys, joined by dots. */
  private static void flatten(String key, Node node, Map<String, Optional<String>> options) {
    if (node instanceof MappingNode) {
      for (NodeTuple entry : entries(node)) {
        flatten(key + "." + text(entry.getKeyNode()), entry.getValueNode(), options);
      }
      return;
    }
    Optional<String> value;
    if (node instanceof SequenceNode list) {
      value =
          Optional.of(
              list.getValue().stream()
                  .map(ConfigurationFile::listItem)
                  .collect(Collectors.joining(";")));
    } else if (isNull(node)) {
      value = Optional.empty();
    } else {
      value = Optional.of(text(node));
    }
    if (options.put(key, value) != null) {
      throw mistake(node, "'%s' has a value already".formatted(key));
    }
  }

  /** An item of a list option, quoted as Flink wants it if it holds what separates the items. */
  private static String listItem(Node node) {
    String item = text(node);
    return item.matches("(?s).*[;'\"].*") ? "'" + item.replace("'", "''") + "'" : item;
  }

  private static List<NodeTuple> entries(Node node) {
    if (node instanceof MappingNode mapping) {
      return mapping.getValue();
    } else if (isNull(node)) {
      return List.of();
    } else {
      throw mistake(node, "there should be lines of the form \"key: value\"");
    }
  }

  private static String text(Node node) {
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    } else {
      throw mistake(node, "there should be a single value");
    }
  }

  private static boolean isNull(Node node) {
    return node.getTag().equals(Tag.NULL);
  }

  private static IllegalArgumentException mistake(Node node, String what) {
    return new IllegalArgumentException(
        "%s: %s."
            .formatted(
                node.getStartMark().map(ConfigurationFile::place).orElse("The configuration"),
                what));
  }

  private static String place(Mark mark) {
    return "%s, line %d".formatted(mark.getName(), mark.getLine() + 1);
  }
}
