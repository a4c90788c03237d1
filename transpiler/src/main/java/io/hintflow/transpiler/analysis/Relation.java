package io.hintflow.transpiler.analysis;

import io.hintflow.grammar.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a name in a FROM or INSERT INTO stands for: a table or a view that the script declares. */
public sealed interface Relation {
  /** Catalog, database and name. */
  List<String> path();

  /** The statement that declares it. */
  Statement statement();

  /**
   * A declared table.
   *
   * @param primaryKey the names of its key columns; empty if it declares none
   * @param watermark the column that WATERMARK FOR names
   * @param options the pairs of WITH, what LIKE brings along and ALTER TABLE … SET changed
   *     included; values can be secrets
   * @param changelog what scanning it produces
   */
  record Table(
      List<String> path,
      List<Column> columns,
      List<String> primaryKey,
      Optional<String> watermark,
      Map<String, String> options,
      Statement.CreateTable statement,
      Changelog changelog)
      implements Relation {

    /** The columns that an INSERT without a list of columns fills, in order. */
    public List<Column> writableColumns() {
      return columns.stream().filter(column -> column.kind().writable()).toList();
    }
  }

  /** A declared view. {@link ScriptAnalysis#analyze} of its statement tells its columns. */
  record View(List<String> path, Statement.CreateView statement) implements Relation {}
}
