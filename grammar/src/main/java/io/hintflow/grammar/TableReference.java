package io.hintflow.grammar;

import java.util.List;
import java.util.Optional;

/**
 * A table named in a FROM clause.
 *
 * @param path the parts of its name
 * @param nameSpan the name as written, without hints and alias
 * @param alias its alias, if it has one
 * @param optionsHint the whole OPTIONS hint behind its name, comment marks included, if there is
 *     one; it stands before the name if the vendor's form was used, which Flink's parser refuses
 * @param options every key of that hint, in the order written
 * @param hints those of the options that are hints of ours
 */
public record TableReference(
    List<String> path,
    Span nameSpan,
    Optional<Name> alias,
    Optional<Span> optionsHint,
    List<TableOption> options,
    List<Hint> hints) {

  /**
   * The name by which the rest of the block knows the table: its alias, else the last part of its
   * name.
   */
  public String exposedName() {
    return alias.map(Name::text).orElse(path.get(path.size() - 1));
  }
}
