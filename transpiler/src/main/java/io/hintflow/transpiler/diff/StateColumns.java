package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.plan.StateColumn;
import java.util.List;
import java.util.Optional;

/**
 * Whether rows in the state of an operator can be read as rows of other columns. As the operators'
 * {@code RowTypes} has it: a row whose columns all have types of their own is written as those, in
 * which lengths, precisions and nullability do not count; any other row is written in Flink's
 * internal form, in which they do.
 */
final class StateColumns {
  private StateColumns() {}

  static boolean areReadable(List<StateColumn> before, List<StateColumn> after) {
    if (!names(before).equals(names(after))) {
      return false;
    }
    Optional<List<String>> old = written(before);
    Optional<List<String>> now = written(after);
    return old.isPresent() && now.isPresent() ? old.equals(now) : before.equals(after);
  }

  private static List<String> names(List<StateColumn> columns) {
    return columns.stream().map(StateColumn::name).toList();
  }

  /** How each column is written; empty if one of them is not in a type of its own. */
  private static Optional<List<String>> written(List<StateColumn> columns) {
    List<Optional<String>> types = columns.stream().map(column -> written(column.type())).toList();
    return types.stream().allMatch(Optional::isPresent)
        ? Optional.of(types.stream().map(Optional::orElseThrow).toList())
        : Optional.empty();
  }

  private static Optional<String> written(String type) {
    String name = type.replaceFirst("[(<].*", "");
    return switch (name) {
      case "CHAR", "VARCHAR", "STRING" -> Optional.of("STRING");
      case "BINARY", "VARBINARY", "BYTES" -> Optional.of("BYTES");
      case "BOOLEAN",
          "DECIMAL",
          "TINYINT",
          "SMALLINT",
          "INT",
          "BIGINT",
          "FLOAT",
          "DOUBLE",
          "DATE",
          "TIME",
          "TIMESTAMP",
          "TIMESTAMP_LTZ" ->
          Optional.of(name);
      // A row in a row: the same only if it is the same to the letter.
      case "ROW" ->
          type.matches(".*(ARRAY|MAP|MULTISET|INTERVAL|RAW)\\b.*")
              ? Optional.empty()
              : Optional.of(type);
      default -> Optional.empty();
    };
  }
}
