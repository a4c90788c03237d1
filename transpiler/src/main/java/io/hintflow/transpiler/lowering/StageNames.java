package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.CommonTable;
import io.hintflow.grammar.Script;
import io.hintflow.grammar.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Names that stay the same while the rest of a script changes: a statement is named after what it
 * declares or fills, not after its place, so that operators keep their uids, and savepoints their
 * state, when other statements come and go.
 */
public final class StageNames {
  private final Map<Statement, String> ids = new IdentityHashMap<>();
  private final Set<String> taken = new HashSet<>();

  /** Names of views become names of variables, in which underscores are lost. */
  private final Set<String> variables = new HashSet<>();

  private StageNames() {}

  static StageNames of(Script script) {
    StageNames names = new StageNames();
    Map<String, Integer> counts = new HashMap<>();
    for (Statement statement : script.statements()) {
      String base = base(statement);
      int count = counts.merge(base, 1, Integer::sum);
      names.ids.put(statement, count == 1 && !base.endsWith("/") ? base : numbered(base, count));
      names.take(statement);
    }
    return names;
  }

  private static String base(Statement statement) {
    if (statement instanceof Statement.CreateTable table) {
      return "table/" + String.join(".", table.path());
    }
    if (statement instanceof Statement.CreateView view) {
      return "view/" + String.join(".", view.path());
    }
    if (statement instanceof Statement.Insert insert) {
      return "insert/" + String.join(".", insert.target());
    }
    if (statement instanceof Statement.Query) {
      return "select/";
    }
    return "statement/";
  }

  private static String numbered(String base, int count) {
    return base.endsWith("/") ? base + count : base + "-" + count;
  }

  private void take(Statement statement) {
    if (statement instanceof Statement.CreateTable table) {
      taken.add(last(table.path()));
    } else if (statement instanceof Statement.CreateView view) {
      taken.add(last(view.path()));
    }
    statement.blocks().forEach(this::takeCommonTables);
  }

  private void takeCommonTables(Block block) {
    for (CommonTable table : block.commonTables()) {
      taken.add(table.name().text());
    }
    block.inner().forEach(this::takeCommonTables);
  }

  /** The id of a statement's stage: {@code insert/orders}, {@code select/2}. */
  public String id(Statement statement) {
    return ids.get(statement);
  }

  /** The id of a stage inside a statement: {@code insert/orders/union 2/distribution}. */
  public String id(Statement statement, Block block, String what) {
    StringBuilder id = new StringBuilder(id(statement));
    block.path().forEach(part -> id.append('/').append(part));
    return id.append('/').append(what).toString();
  }

  /**
   * A view's name that nothing else in the script has, made from a stage's path and what the stage
   * does to the rows.
   */
  public String view(Statement statement, Block block, String participle) {
    StringBuilder name = new StringBuilder(subject(statement));
    block.path().forEach(part -> name.append('_').append(part));
    return unique(name.append('_').append(participle).toString());
  }

  /** As {@link #view(Statement, Block, String)}, for a stage that belongs to a table. */
  public String view(List<String> path, String participle) {
    return unique(last(path) + '_' + participle);
  }

  private String subject(Statement statement) {
    if (statement instanceof Statement.CreateView view) {
      return last(view.path());
    }
    if (statement instanceof Statement.Insert insert) {
      return last(insert.target());
    }
    return id(statement);
  }

  private String unique(String wanted) {
    String identifier = wanted.replaceAll("[^\\p{L}\\p{N}_]", "_");
    String name = identifier;
    for (int i = 2; taken.contains(name) || variables.contains(JavaSource.variable(name)); i++) {
      name = identifier + "_" + i;
    }
    taken.add(name);
    variables.add(JavaSource.variable(name));
    return name;
  }

  private static String last(List<String> path) {
    return path.get(path.size() - 1);
  }
}
