package io.hintflow.transpiler.broadcast;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Name;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.TableReference;
import io.hintflow.transpiler.analysis.Changelog;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.analysis.Relation;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.plan.Distribution;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where the rows of the big side go, and why.
 *
 * @param parallelism at which the rows are read and reach the exchange, where it is not the job's
 * @param keepsOrder whether the changes of one row reach one task in order
 * @param isWholeRow whether they go by the hash of all columns
 */
record Placement(
    Distribution distribution,
    String reason,
    Optional<Integer> parallelism,
    boolean keepsOrder,
    boolean isWholeRow) {

  /** Decides as semantics has it, and adds the columns that it goes by to the side's query. */
  static Placement of(
      ScriptContext script, Statement statement, Block block, JoinSides sides, SideQuery big) {
    From from = big.from();
    List<String> hashed = new ArrayList<>();
    List<String> hashedNames = new ArrayList<>();
    for (From.Item item : from.items()) {
      for (Name name : sides.hashed().getOrDefault(item, List.of())) {
        OutputColumn column = item.column(name.text()).orElseThrow();
        hashed.add(big.column(item, column));
        hashedNames.add(column.name());
      }
    }
    Optional<TableReference> table = table(block, from);
    List<String> primaryKey =
        table
            .map(of -> primaryKey(script, statement, of))
            .filter(key -> isLeft(key, script, from))
            .orElse(List.of());
    Changelog changelog = from.changelog();
    String rows = from instanceof From.Item ? big.name() : "the big side";
    if (!hashed.isEmpty()) {
      boolean ordered =
          changelog == Changelog.INSERT_ONLY
              || !primaryKey.isEmpty() && primaryKey.containsAll(hashedNames);
      return new Placement(
          new Distribution.Hash(hashed),
          "HASH_BY_KEY asks for it",
          // A stage in front has spread the rows over the job's tasks.
          table
              .filter(of -> script.columnsOfStage((From.Item) from).isEmpty())
              .flatMap(of -> script.sourceParallelism().ofReference(statement, of)),
          ordered,
          false);
    }
    if (changelog == Changelog.INSERT_ONLY) {
      return new Placement(
          new Distribution.RoundRobin(),
          "%s is only ever inserted into, so no row of it has to be found again".formatted(rows),
          Optional.empty(),
          false,
          false);
    }
    String updates = changelog == Changelog.UPDATING ? "has updates" : "may have updates";
    if (!primaryKey.isEmpty()) {
      From.Item item = (From.Item) from;
      List<String> columns =
          primaryKey.stream()
              .map(name -> big.column(item, item.column(name).orElseThrow()))
              .toList();
      return new Placement(
          new Distribution.Hash(columns),
          "%s %s, and changes of one primary key must meet".formatted(rows, updates),
          Optional.empty(),
          true,
          false);
    }
    return new Placement(
        new Distribution.Hash(List.of("the whole row")),
        "%s %s and has no primary key to go by, and a retraction must follow its row"
            .formatted(rows, updates),
        Optional.empty(),
        false,
        true);
  }

  /** The table or view that a side is, if it is no more than that. */
  private static Optional<TableReference> table(Block block, From from) {
    if (!(from instanceof From.Item item) || item.name().isEmpty()) {
      return Optional.empty();
    }
    return block.tables().stream()
        .filter(table -> item.alias().filter(table.exposedName()::equals).isPresent())
        .filter(table -> block.commonTable(table).isEmpty())
        .findFirst();
  }

  /** Whether a stage in front of the join, if there is one, leaves some columns. */
  private static boolean isLeft(List<String> columns, ScriptContext script, From side) {
    return side.items().stream()
        .map(script::columnsOfStage)
        .flatMap(Optional::stream)
        .allMatch(left -> left.containsAll(columns));
  }

  private static List<String> primaryKey(
      ScriptContext script, Statement statement, TableReference table) {
    return script
        .analysis()
        .resolveTable(statement, table.path())
        .map(Relation.Table::primaryKey)
        .orElse(List.of());
  }

  /** Tells when changes of one row can overtake each other. */
  void note(ScriptContext script, Span hint, String table) {
    if (keepsOrder) {
      return;
    }
    script.note(
        distribution instanceof Distribution.RoundRobin
            ? "%s: rows of %s go to the tasks in turn, so they can overtake each other; HASH_BY_KEY('%s'='column') keeps those in order that are equal in the column"
                .formatted(script.origin(hint), table, table)
            : "%s: updates of one row of %s can go to different tasks and overtake each other; HASH_BY_KEY with its primary key keeps them in order"
                .formatted(script.origin(hint), table));
  }
}
