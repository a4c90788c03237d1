package io.hintflow.transpiler.analysis;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.NearestName;
import io.hintflow.grammar.Script;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.flink.sql.parser.ddl.table.SqlCreateTableLike;

/**
 * What a script's statements declare and what its queries mean. Lazy: only what is asked for is
 * validated, and each thing once. Not for use by several threads at a time.
 */
public final class ScriptAnalysis {
  private final Script script;
  private final Catalog catalog;
  private final QueryPlanner planner = new QueryPlanner();
  private final FlowReader flows = new FlowReader();
  private final SinkTypes sinkTypes;
  private final Map<Statement, Integer> indexes = new IdentityHashMap<>();
  private final Map<Declaration, Declared> declared = new IdentityHashMap<>();
  private final Map<Statement, QueryReader.Result> queries = new IdentityHashMap<>();

  /**
   * What a declaration means.
   *
   * @param complete whether the columns are all that it has; false if they depend on something
   *     outside the script
   */
  record Declared(Optional<Relation> relation, boolean complete, List<Diagnostic> diagnostics) {
    static Declared unknown() {
      return new Declared(Optional.empty(), false, List.of());
    }
  }

  private ScriptAnalysis(Script script) {
    this.script = script;
    this.catalog = new Catalog(script);
    this.sinkTypes = new SinkTypes(script, planner.typeFactory());
    for (int i = 0; i < script.statements().size(); i++) {
      indexes.put(script.statements().get(i), i);
    }
  }

  public static ScriptAnalysis of(Script script) {
    return new ScriptAnalysis(script);
  }

  /**
   * What is wrong with the script's declarations as such, in the order of the text: names declared
   * twice, declarations that contradict themselves. What is wrong with a type or an expression in a
   * declaration is told by {@link #analyzeDeclaration}, and by {@link #analyze} of each query that
   * reads the table.
   */
  public List<Diagnostic> diagnostics() {
    List<Diagnostic> all = new ArrayList<>(catalog.diagnostics());
    for (Statement statement : script.statements()) {
      if (statement instanceof Statement.CreateTable create) {
        all.addAll(TableReader.check(script, create));
      }
    }
    all.sort(Comparator.comparing(Diagnostic::span));
    return List.copyOf(all);
  }

  /**
   * Whether the script neither declares a table or view nor uses a catalog that could have some: it
   * is then taken for a part of one, and a name that is not declared is no error.
   */
  public boolean declaresNothing() {
    return catalog.declaresNothing();
  }

  /**
   * The table or view that a name stands for when a statement is reached; empty if the script does
   * not declare it.
   *
   * @param at a statement of the script
   * @param path one to three parts: name; database and name; catalog, database and name
   */
  public Optional<Relation> resolve(Statement at, List<String> path) {
    return catalog.find(index(at), path).flatMap(found -> declared(found).relation());
  }

  /** As {@link #resolve}; empty for a view too. */
  public Optional<Relation.Table> resolveTable(Statement at, List<String> path) {
    return resolve(at, path).flatMap(ScriptAnalysis::table);
  }

  /** The table that a statement declares; empty if nothing is known of it. */
  public Optional<Relation.Table> declaredBy(Statement.CreateTable create) {
    return catalog
        .find(index(create) + 1, create.path())
        .flatMap(found -> declared(found).relation())
        .flatMap(ScriptAnalysis::table);
  }

  /**
   * What a statement's query means; without blocks if it has no query. Tells what is wrong with the
   * views and tables that the query reads too, so that the same finding can come from several
   * queries. The same statement gives the same object.
   */
  public QueryAnalysis analyze(Statement statement) {
    return query(statement).analysis();
  }

  /**
   * What is wrong with the types and expressions that a table is declared with, whether or not a
   * query reads it.
   */
  public List<Diagnostic> analyzeDeclaration(Statement.CreateTable create) {
    return catalog
        .find(index(create) + 1, create.path())
        .map(found -> declared(found).diagnostics())
        .orElse(List.of());
  }

  int index(Statement statement) {
    Integer index = indexes.get(statement);
    if (index == null) {
      throw new IllegalArgumentException("Not a statement of this script");
    }
    return index;
  }

  QueryReader.Result query(Statement statement) {
    QueryReader.Result result = queries.get(statement);
    if (result == null) {
      result = new QueryReader(script, catalog, planner, flows, sinkTypes, this, statement).read();
      queries.put(statement, result);
    }
    return result;
  }

  Declared declared(Declaration declaration) {
    Declared result = declared.get(declaration);
    if (result == null) {
      result = read(declaration);
      declared.put(declaration, result);
    }
    return result;
  }

  private Declared read(Declaration declaration) {
    try {
      if (declaration instanceof Declaration.Table table) {
        return read(table);
      }
      if (declaration instanceof Declaration.View view) {
        Relation relation = new Relation.View(view.path(), view.statement());
        return new Declared(Optional.of(relation), true, List.of());
      }
      if (declaration instanceof Declaration.Altered altered) {
        return read(altered);
      }
    } catch (StackOverflowError e) {
      // A chain of thousands of LIKE. What cannot be read is unknown.
    }
    return Declared.unknown();
  }

  private Declared read(Declaration.Table declaration) {
    Statement.CreateTable create = declaration.statement();
    List<Diagnostic> diagnostics = new ArrayList<>();
    boolean complete = true;
    Optional<Relation.Table> base = Optional.empty();
    if (create.node() instanceof SqlCreateTableLike like) {
      SqlIdentifier source = like.getTableLike().getSourceTable();
      Optional<Declared> found = catalog.find(index(create), source.names).map(this::declared);
      if (found.isEmpty() && !catalog.hasForeignCatalogs()) {
        diagnostics.add(
            unknownTable(create, script.span(create, source.getParserPosition()), source.names));
      }
      base = found.flatMap(Declared::relation).flatMap(ScriptAnalysis::table);
      complete = base.isPresent() && found.get().complete();
      found.ifPresent(of -> diagnostics.addAll(of.diagnostics()));
    }
    List<OutputColumn> query = List.of();
    if (!create.blocks().isEmpty()) {
      QueryReader.Result result = query(create);
      diagnostics.addAll(result.analysis().diagnostics());
      complete = result.rowType().isPresent();
      query = result.columns();
    }
    TableReader reader = new TableReader(script, planner, create);
    Relation.Table table = reader.create(declaration.path(), create, base, query);
    diagnostics.addAll(reader.diagnostics());
    return new Declared(
        Optional.of(table), complete && !table.columns().isEmpty(), List.copyOf(diagnostics));
  }

  private Declared read(Declaration.Altered declaration) {
    Declared before = declared(declaration.before());
    Optional<Relation.Table> table = before.relation().flatMap(ScriptAnalysis::table);
    if (table.isEmpty()) {
      return Declared.unknown();
    }
    TableReader reader = new TableReader(script, planner, declaration.statement());
    Relation altered = reader.alter(declaration.path(), declaration.node(), table.get());
    List<Diagnostic> diagnostics = new ArrayList<>(before.diagnostics());
    diagnostics.addAll(reader.diagnostics());
    return new Declared(Optional.of(altered), before.complete(), List.copyOf(diagnostics));
  }

  private static Optional<Relation.Table> table(Relation relation) {
    return relation instanceof Relation.Table table ? Optional.of(table) : Optional.empty();
  }

  /** Says that a name is not declared, with the help that fits best. */
  public Diagnostic unknownTable(Statement at, Span span, List<String> path) {
    int index = index(at);
    Optional<Integer> later =
        catalog
            .findLater(index, path)
            .map(declaration -> script.original().lineOf(declaration.nameSpan().start()));
    String name = path.get(path.size() - 1);
    Optional<String> nearest =
        later.isPresent() ? Optional.empty() : NearestName.of(name, catalog.names(index));
    Optional<String> help =
        later
            .map(line -> "It is declared in line " + line + "; move that before this statement")
            .or(() -> nearest.map(meant -> "Did you mean '" + meant + "'?"));
    return new Diagnostic(
        DiagnosticCode.UNKNOWN_TABLE,
        script.original(),
        span,
        "There is no table or view '" + String.join(".", path) + "'",
        help,
        WrittenName.replaced(script, span, name, nearest));
  }
}
