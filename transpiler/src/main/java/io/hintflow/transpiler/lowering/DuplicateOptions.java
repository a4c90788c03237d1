package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Hint;
import io.hintflow.grammar.Script;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.TableReference;
import io.hintflow.transpiler.analysis.From;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What the options duplicate.left and duplicate.right in a block's FROM ask for. */
public final class DuplicateOptions {
  private final Map<Input, List<Option>> inputs = new LinkedHashMap<>();
  private final List<TableReference> outsideOfJoins = new ArrayList<>();

  /**
   * One of the options.
   *
   * @param left whether it speaks of the left input of its table's join, else of the right
   */
  public record Option(Span span, boolean left, boolean enabled) {
    private static Stream<Option> of(Hint hint) {
      if (hint instanceof Hint.DuplicateLeft option) {
        return Stream.of(new Option(option.span(), true, option.enabled()));
      }
      if (hint instanceof Hint.DuplicateRight option) {
        return Stream.of(new Option(option.span(), false, option.enabled()));
      }
      return Stream.empty();
    }
  }

  /** An input of a join. */
  public record Input(From.Join join, boolean left) {
    From rows() {
      return left ? join.left() : join.right();
    }
  }

  private DuplicateOptions() {}

  static DuplicateOptions of(Script script, Statement statement, Block block, From from) {
    DuplicateOptions options = new DuplicateOptions();
    for (TableReference table : block.tables()) {
      List<Option> ofTable = of(table);
      if (ofTable.isEmpty()) {
        continue;
      }
      Optional<From.Join> join = item(script, statement, table, from).flatMap(from::joinOf);
      if (join.isEmpty()) {
        options.outsideOfJoins.add(table);
      }
      join.ifPresent(
          found ->
              ofTable.forEach(
                  option ->
                      options
                          .inputs
                          .computeIfAbsent(new Input(found, option.left()), of -> new ArrayList<>())
                          .add(option)));
    }
    return options;
  }

  /** Those beside one table. */
  public static List<Option> of(TableReference table) {
    return table.hints().stream().flatMap(Option::of).toList();
  }

  /** The item of FROM that a name stands for; empty if it stands inside one. */
  static Optional<From.Item> item(
      Script script, Statement statement, TableReference table, From from) {
    return from.items().stream()
        .filter(
            item ->
                item.name()
                    .map(name -> script.span(statement, name.getParserPosition()))
                    .filter(table.nameSpan()::equals)
                    .isPresent())
        .findFirst();
  }

  /** The tables with such an option that are no input of a join. */
  public List<TableReference> outsideOfJoins() {
    return List.copyOf(outsideOfJoins);
  }

  /** What is said of each input, in the order of the text: the last one counts. */
  public Map<Input, List<Option>> inputs() {
    return inputs;
  }

  /** The one that counts. */
  public static Option last(List<Option> ofInput) {
    return ofInput.get(ofInput.size() - 1);
  }

  /**
   * The items whose changes are to be dropped, with the options that ask for it. An input that is
   * itself a join is a set if the inputs of that join are.
   */
  public Map<From.Item, List<Span>> items() {
    Map<From.Item, List<Span>> items = new LinkedHashMap<>();
    inputs.forEach(
        (input, options) -> {
          Option last = last(options);
          if (last.enabled()) {
            input
                .rows()
                .items()
                .forEach(
                    item -> items.computeIfAbsent(item, of -> new ArrayList<>()).add(last.span()));
          }
        });
    return items;
  }
}
