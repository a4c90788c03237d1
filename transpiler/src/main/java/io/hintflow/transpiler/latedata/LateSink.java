package io.hintflow.transpiler.latedata;

import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Hint;
import io.hintflow.grammar.Name;
import io.hintflow.grammar.NearestName;
import io.hintflow.grammar.Statement;
import io.hintflow.transpiler.analysis.AssignableTypes;
import io.hintflow.transpiler.analysis.Column;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.analysis.Relation;
import io.hintflow.transpiler.lowering.ScriptContext;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.rel.type.RelDataType;

/**
 * The table that late rows go to.
 *
 * @param path its name as the hint gives it
 * @param table what the script declares
 * @param hint that names it, and those of its columns that take the bounds of the missed window
 */
record LateSink(List<String> path, Relation.Table table, Hint.LateDataSink hint) {

  /** Empty if it has been reported that there is no such table. */
  static Optional<LateSink> of(ScriptContext script, Statement statement, Hint.LateDataSink hint) {
    String name = hint.sink().text();
    List<List<String>> paths = List.of(List.of(name), Arrays.asList(name.split("\\.")));
    for (List<String> path : paths) {
      Optional<Relation> relation = script.analysis().resolve(statement, path);
      if (relation.isPresent() && relation.get() instanceof Relation.Table table) {
        return Optional.of(new LateSink(path, table, hint));
      }
      if (relation.isPresent()) {
        script.report(
            DiagnosticCode.UNUSABLE_LATE_SINK,
            hint.sink().span(),
            "'%s' is a view, and late rows can be written to a table only".formatted(name),
            "Name a table");
        return Optional.empty();
      }
    }
    script.report(
        List.of(script.analysis().unknownTable(statement, hint.sink().span(), paths.get(1))));
    return Optional.empty();
  }

  /** What an INSERT into it fills. */
  List<Column> columns() {
    return table.writableColumns();
  }

  private List<Column> columnsOfInput() {
    return columns().stream().filter(column -> !isStart(column) && !isEnd(column)).toList();
  }

  /** The names of the columns that rows of the window's input fill. */
  Set<String> filledByInput() {
    return columnsOfInput().stream().map(Column::name).collect(Collectors.toSet());
  }

  boolean takesBounds() {
    return hint.windowStartField().isPresent() || hint.windowEndField().isPresent();
  }

  boolean isStart(Column column) {
    return isNamed(column, hint.windowStartField());
  }

  boolean isEnd(Column column) {
    return isNamed(column, hint.windowEndField());
  }

  private static boolean isNamed(Column column, Optional<Name> name) {
    return name.filter(of -> of.text().equals(column.name())).isPresent();
  }

  /**
   * Reports what does not fit between the table and a window whose late rows go there.
   *
   * @return whether all fits
   */
  boolean fits(ScriptContext script, SplitWindow window) {
    boolean fits = true;
    for (Name field :
        Stream.concat(hint.windowStartField().stream(), hint.windowEndField().stream()).toList()) {
      fits &= boundFits(script, window, field);
    }
    for (Column column : columnsOfInput()) {
      fits &= columnFits(script, window, column);
    }
    return fits;
  }

  private boolean boundFits(ScriptContext script, SplitWindow window, Name field) {
    Optional<Column> column =
        columns().stream().filter(candidate -> candidate.name().equals(field.text())).findFirst();
    String message;
    String help;
    Optional<String> nearest = Optional.empty();
    if (!window.kind().hasBounds()) {
      message = "The window of OVER is each row's own, with no start and end that could be written";
      help = "Take the key out";
    } else if (column.isEmpty()) {
      List<String> names = columns().stream().map(Column::name).toList();
      message = "'%s' is no column of %s".formatted(field.text(), name());
      nearest = NearestName.of(field.text(), names);
      help =
          nearest
              .map("Did you mean '%s'?"::formatted)
              .orElse("Its columns are " + String.join(", ", names));
    } else if (!AssignableTypes.isTimestamp(column.get().type())) {
      message =
          "'%s' is %s, and the bounds of a window are timestamps"
              .formatted(field.text(), text(column.get().type()));
      help = "Declare it as TIMESTAMP(3) or TIMESTAMP_LTZ(3)";
    } else {
      return true;
    }
    script.report(
        DiagnosticCode.WINDOW_FIELD,
        field.span(),
        message,
        help,
        script.otherName(field.span(), nearest));
    return false;
  }

  private boolean columnFits(ScriptContext script, SplitWindow window, Column column) {
    Optional<OutputColumn> input = window.column(column.name());
    if (input.isEmpty()) {
      List<String> names = window.columns().stream().map(OutputColumn::name).toList();
      script.report(
          DiagnosticCode.UNUSABLE_LATE_SINK,
          hint.sink().span(),
          "%s has a column '%s', which the rows that the window reads do not have"
              .formatted(name(), column.name()),
          NearestName.of(column.name(), names)
              .map("Did you mean '%s'? They have "::formatted)
              .orElse("They have ")
              .concat(String.join(", ", names)));
      return false;
    }
    if (!AssignableTypes.isAssignable(input.get().type(), column.type())) {
      script.report(
          DiagnosticCode.UNUSABLE_LATE_SINK,
          hint.sink().span(),
          "Column '%s' of %s is %s, but the rows that the window reads have %s there"
              .formatted(column.name(), name(), text(column.type()), text(input.get().type())),
          "Declare it in %s as it is there".formatted(name()));
      return false;
    }
    return true;
  }

  private String name() {
    return String.join(".", path);
  }

  /** As Flink SQL writes it. */
  private static String text(RelDataType type) {
    return type.toString()
        .replace("VARCHAR(2147483647)", "STRING")
        .replace("TIMESTAMP_WITH_LOCAL_TIME_ZONE", "TIMESTAMP_LTZ")
        .replace("INTEGER", "INT");
  }
}
