package io.hintflow.transpiler;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Hint;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.TableReference;
import io.hintflow.grammar.Tokens;
import io.hintflow.transpiler.lowering.BlockContext;
import io.hintflow.transpiler.lowering.CarriedConnector;
import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.plan.Origin;
import io.hintflow.transpiler.plan.Stage;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Takes a script's statements in turn: lowers their hints, then makes the stages of what is left of
 * them.
 */
final class JobPlanner {
  private final ScriptContext script;
  private final List<Lowering.BlockLowering> lowerings;
  private final Set<Class<? extends Hint>> supported;

  JobPlanner(ScriptContext script, List<CarriedConnector> connectors, List<Lowering> lowerings) {
    this.script = script;
    // What is wrong with a use of a connector is told of the script as it was written.
    this.lowerings =
        Stream.concat(
                connectors.stream().map(connector -> connector.begin(script)),
                lowerings.stream().map(lowering -> lowering.begin(script)))
            .toList();
    this.supported =
        lowerings.stream()
            .flatMap(lowering -> lowering.hints().stream())
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * The settings of a script: of several SETs of one key the last, and none that a RESET took back.
   */
  static Map<String, String> configuration(List<Statement> statements) {
    Map<String, String> configuration = new LinkedHashMap<>();
    for (Statement statement : statements) {
      if (statement instanceof Statement.Set set) {
        configuration.remove(set.key().text());
        configuration.put(set.key().text(), set.value().text());
      } else if (statement instanceof Statement.Reset reset) {
        reset.key().ifPresentOrElse(key -> configuration.remove(key.text()), configuration::clear);
      }
    }
    return configuration;
  }

  void plan() {
    if (script.analysis().declaresNothing()) {
      warnOfUndeclaredTables();
    }
    boolean inserted = false;
    for (Statement statement : script.script().statements()) {
      if (statement instanceof Statement.Set set && inserted) {
        script.report(
            DiagnosticCode.SETTING_AFTER_INSERT,
            set.span(),
            "This setting holds for the INSERTs before it too, for all of them run as one job",
            "Put the SET statements first");
      }
      if (statement instanceof Statement.Insert insert) {
        inserted = true;
        ColumnOrder.check(script, insert);
      }
      plan(statement);
    }
    noteTablesReadTwice();
  }

  /**
   * Flink plans the queries of each stage by themselves, and the INSERTs together: each plan has
   * its own sources.
   */
  private void noteTablesReadTwice() {
    Map<String, Stage> stages = new LinkedHashMap<>();
    script.stages().forEach(stage -> stages.put(stage.id(), stage));
    Map<String, Integer> plans = new LinkedHashMap<>();
    Set<String> ofInserts = new LinkedHashSet<>();
    for (Stage stage : script.stages()) {
      if (stage instanceof Stage.Operators operators) {
        for (Stage.Input input : operators.inputs()) {
          Set<String> tables = new LinkedHashSet<>();
          collectTables(input.reads(), stages, tables);
          tables.forEach(table -> plans.merge(table, 1, Integer::sum));
        }
      } else if (stage instanceof Stage.Insert || stage instanceof Stage.Print) {
        collectTables(stage.reads(), stages, ofInserts);
      }
    }
    ofInserts.forEach(table -> plans.merge(table, 1, Integer::sum));
    plans.forEach(
        (table, count) -> {
          if (count > 1) {
            script.note(
                "%s is read by %d separately planned parts of the job, so its source runs %d times"
                    .formatted(table, count, count));
          }
        });
  }

  private static void collectTables(
      List<String> reads, Map<String, Stage> stages, Set<String> tables) {
    for (String read : reads) {
      Stage stage = stages.get(read);
      if (stage instanceof Stage.Definition view) {
        collectTables(view.reads(), stages, tables);
      } else if (!(stage instanceof Stage.Operators)) {
        tables.add(read);
      }
    }
  }

  /**
   * A script that declares nothing is taken for a part of one: its tables must come from somewhere
   * else.
   */
  private void warnOfUndeclaredTables() {
    Map<String, Span> undeclared = new LinkedHashMap<>();
    for (Statement statement : script.script().statements()) {
      statement.blocks().forEach(block -> collectUndeclared(block, undeclared));
    }
    undeclared.forEach(
        (name, span) ->
            script.report(
                DiagnosticCode.UNDECLARED_TABLE,
                span,
                "The script does not declare '%s', so it must exist when the job starts"
                    .formatted(name),
                "Give the script that creates it too, before this one"));
  }

  private static void collectUndeclared(Block block, Map<String, Span> undeclared) {
    for (TableReference reference : block.tables()) {
      if (block.commonTable(reference).isEmpty()) {
        undeclared.putIfAbsent(String.join(".", reference.path()), reference.nameSpan());
      }
    }
    block.inner().forEach(inner -> collectUndeclared(inner, undeclared));
  }

  private void plan(Statement statement) {
    if (isTableFromQuery(statement) && hasSupportedHint(statement.blocks())) {
      return;
    }
    for (Block block : statement.blocks()) {
      lower(statement, block, List.of());
    }
    if (statement instanceof Statement.Set || statement instanceof Statement.Reset) {
      return;
    }
    if (statement instanceof Statement.CreateView view) {
      keepOutOfCatalogs(view);
    }
    stage(statement);
  }

  private void lower(Statement statement, Block block, List<Block> enclosing) {
    List<Block> aroundInner = Stream.concat(Stream.of(block), enclosing.stream()).toList();
    block.inner().forEach(inner -> lower(statement, inner, aroundInner));
    BlockContext context = new BlockContext(script, statement, block, enclosing);
    lowerings.forEach(lowering -> lowering.lower(context));
  }

  private static List<Hint> allHints(Block block) {
    return Stream.concat(
            block.hints().stream(),
            block.tables().stream().map(TableReference::hints).flatMap(List::stream))
        .toList();
  }

  /**
   * CREATE TABLE AS runs when Flink meets it, as a job of its own, so that no operator could be put
   * into it.
   */
  private boolean isTableFromQuery(Statement statement) {
    return statement instanceof Statement.CreateTable && !statement.blocks().isEmpty();
  }

  private boolean hasSupportedHint(List<Block> blocks) {
    boolean found = false;
    for (Block block : blocks) {
      for (Hint hint : allHints(block)) {
        // A source's parallelism needs no operator in the job.
        if (supported.contains(hint.getClass()) && !(hint instanceof Hint.SourceParallelism)) {
          found = true;
          script.report(
              DiagnosticCode.HINT_NOT_IN_CREATE_TABLE_AS,
              hint.span(),
              "A CREATE TABLE AS runs as a job of its own, into which no operator can be put",
              "Write a CREATE TABLE and an INSERT");
        }
      }
      found |= hasSupportedHint(block.inner());
    }
    return found;
  }

  /** A view that reads a view of ours must not be stored in a catalog that outlives the job. */
  private void keepOutOfCatalogs(Statement.CreateView view) {
    if (view.node().isTemporary() || script.edits().viewsReadIn(view.span()).isEmpty()) {
      return;
    }
    Tokens tokens = script.tokens();
    int index = tokens.indexAt(view.span().start());
    while (!tokens.isWord(index, "VIEW")) {
      index++;
    }
    script.edits().insert(tokens.get(index).span().start(), "TEMPORARY ");
  }

  private void stage(Statement statement) {
    String id = script.names().id(statement);
    Origin origin = script.origin(statement.span());
    String sql = script.edits().render(statement.commentedSpan());
    List<String> reads = script.reads(statement, statement.span());
    if (statement instanceof Statement.CreateTable table) {
      Map<String, String> options = new LinkedHashMap<>();
      table.options().forEach(option -> options.put(option.key().text(), option.value().text()));
      script.add(
          new Stage.TableDefinition(id, origin, sql, String.join(".", table.path()), options));
    } else if (statement instanceof Statement.Insert insert) {
      String sink = script.stageOf(insert, insert.target());
      script.add(new Stage.Insert(id, origin, sql, reads, sink));
    } else if (statement instanceof Statement.Query) {
      script.add(new Stage.Print(id, origin, sql, reads));
    } else if (statement instanceof Statement.Inspection) {
      script.add(new Stage.Inspection(id, origin, sql, reads));
    } else {
      script.add(new Stage.Definition(id, origin, sql, reads));
    }
  }
}
