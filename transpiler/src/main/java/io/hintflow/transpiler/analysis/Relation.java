package io.hintflow.transpiler.analysis;

import io.hintflow.grammar.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.flink.sql.parser.SqlProperty;

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

    /** The names of the columns that the query of an INSERT into it fills, in order. */
    public List<String> filledBy(Statement.Insert insert) {
      SqlNodeList listed = insert.node().getTargetColumnList();
      if (listed != null) {
        return listed.stream().map(SqlNode::toString).toList();
      }
      Set<String> fixed =
          insert.node().getStaticPartitions().stream()
              .map(partition -> ((SqlProperty) partition).getKey().getSimple())
              .collect(Collectors.toSet());
      return writableColumns().stream()
          .map(Column::name)
          .filter(name -> !fixed.contains(name))
          .toList();
    }
  }

  /** A declared view. {@link ScriptAnalysis#analyze} of its statement tells its columns. */
  record View(List<String> path, Statement.CreateView statement) implements Relation {}
}
