package io.hintflow.transpiler.testing;

import io.hintflow.transpiler.testing.RandomChangelogs.Mode;
import io.hintflow.transpiler.testing.RandomChangelogs.Table;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Scripts of joins over the tables of {@link RandomChangelogs}. Every join keeps to one world, and
 * the first column of its result is the world, so that a run over many worlds is as many tests.
 */
public final class RandomJoins {
  /** How many worlds take part where rows of all worlds meet: in joins without an equality. */
  public static final int FEW_WORLDS = 40;

  private RandomJoins() {}

  /**
   * A query with hints.
   *
   * @param name tells what is special about it
   * @param stock the query that gives the same result on stock Flink
   */
  public record Join(String name, String query, String stock) {
    /** One whose hints change nothing. */
    static Join ofHints(String name, String query) {
      return new Join(name, query, query.replaceAll("/\\*\\+[^*]*\\*/", ""));
    }

    /** The tables that the query reads. */
    public List<Table> tables() {
      return Table.all().stream()
          .filter(table -> query.matches("(?s).*\\b" + table.name() + "\\b.*"))
          .toList();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * A script of several joins: one job, which prints the results as {@code select/1} and so on.
   *
   * <p>Tables that only get new rows are declared over files: that is how the transpiler knows it.
   * The job is started with arguments that replace them by the connector 'changelog', which all
   * other tables have. Values for DATA, the folder of the files, and RUN must be given.
   *
   * @param query which query of a join
   */
  public static String script(List<Join> joins, Function<Join, String> query) {
    return Table.all().stream().map(RandomJoins::declaration).collect(Collectors.joining())
        + joins.stream().map(join -> query.apply(join) + ";\n").collect(Collectors.joining());
  }

  private static String declaration(Table table) {
    String columns =
        table.big()
            ? "world INT, id INT, k INT, code STRING, amount INT, note STRING"
            : "world INT, id INT, k BIGINT, code STRING, cap INT, name STRING";
    return "CREATE TABLE %s (%s%s) WITH (%s);\n"
        .formatted(
            table.name(),
            columns,
            table.mode().isKeyed() ? ", PRIMARY KEY (world, id) NOT ENFORCED" : "",
            table.mode() == Mode.INSERT
                ? "'connector' = 'filesystem', 'path' = '/tmp/nowhere', 'format' = 'csv'"
                : "'connector' = 'changelog', 'path' = '${DATA}/%s', 'changelog-mode' = '%s', 'run' = '${RUN}'"
                    .formatted(table.name(), table.mode().kinds()));
  }
}
