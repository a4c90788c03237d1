package io.hintflow.transpiler.analysis;

import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import java.util.List;
import org.apache.flink.sql.parser.ddl.table.SqlAlterTable;

/** What gave a name its meaning. */
sealed interface Declaration {
  /** Catalog, database and name. */
  List<String> path();

  /** The statement that did it. */
  Statement statement();

  /** Where its creation names it. */
  Span nameSpan();

  record Table(List<String> path, Statement.CreateTable statement) implements Declaration {
    @Override
    public Span nameSpan() {
      return statement.nameSpan();
    }
  }

  record View(List<String> path, Statement.CreateView statement) implements Declaration {
    @Override
    public Span nameSpan() {
      return statement.nameSpan();
    }
  }

  /**
   * A table that was changed after its creation.
   *
   * @param path its name, a new one if it was renamed
   */
  record Altered(
      List<String> path, Statement.Other statement, SqlAlterTable node, Declaration before)
      implements Declaration {
    @Override
    public Span nameSpan() {
      return before.nameSpan();
    }
  }

  /** A relation whose columns the script does not tell. */
  record Opaque(List<String> path, Statement statement) implements Declaration {
    @Override
    public Span nameSpan() {
      return statement.span();
    }
  }
}
