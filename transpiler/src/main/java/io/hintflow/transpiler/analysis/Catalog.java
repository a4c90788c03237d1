package io.hintflow.transpiler.analysis;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Script;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlNode;
import org.apache.flink.sql.parser.ddl.SqlReplaceTableAs;
import org.apache.flink.sql.parser.ddl.SqlUseDatabase;
import org.apache.flink.sql.parser.ddl.catalog.SqlCreateCatalog;
import org.apache.flink.sql.parser.ddl.catalog.SqlUseCatalog;
import org.apache.flink.sql.parser.ddl.materializedtable.SqlCreateMaterializedTable;
import org.apache.flink.sql.parser.ddl.materializedtable.SqlDropMaterializedTable;
import org.apache.flink.sql.parser.ddl.table.SqlAlterTable;
import org.apache.flink.sql.parser.ddl.table.SqlAlterTableRename;
import org.apache.flink.sql.parser.ddl.table.SqlDropTable;
import org.apache.flink.sql.parser.ddl.view.SqlAlterViewAs;
import org.apache.flink.sql.parser.ddl.view.SqlAlterViewRename;
import org.apache.flink.sql.parser.ddl.view.SqlDropView;

/**
 * What each name stands for when a statement is reached. Keeps a timeline for each name instead of
 * a copy of everything for each statement, so that a script of n statements takes n steps.
 */
final class Catalog {
  private static final String DEFAULT_CATALOG = "default_catalog";

  /**
   * What changed a name's meaning, by the index of the statement that did it; it holds behind that
   * statement.
   */
  private static final class Timelines {
    private final Map<List<String>, NavigableMap<Integer, Optional<Declaration>>> byPath =
        new LinkedHashMap<>();

    Optional<Declaration> before(int index, List<String> path) {
      NavigableMap<Integer, Optional<Declaration>> timeline = byPath.get(path);
      if (timeline == null) {
        return Optional.empty();
      }
      Map.Entry<Integer, Optional<Declaration>> last = timeline.lowerEntry(index);
      return last == null ? Optional.empty() : last.getValue();
    }

    Optional<Declaration> firstFrom(int index, List<String> path) {
      NavigableMap<Integer, Optional<Declaration>> timeline = byPath.get(path);
      return timeline == null
          ? Optional.empty()
          : timeline.tailMap(index, true).values().stream().flatMap(Optional::stream).findFirst();
    }

    void set(int index, List<String> path, Optional<Declaration> declaration) {
      byPath.computeIfAbsent(path, unused -> new TreeMap<>()).put(index, declaration);
    }
  }

  private final Script script;
  private final Timelines permanent = new Timelines();
  private final Timelines temporary = new Timelines();
  private final NavigableMap<Integer, List<String>> databases = new TreeMap<>();
  private final Set<List<String>> knownDatabases = new LinkedHashSet<>();
  private final Map<String, String> defaultDatabases = new HashMap<>();
  private final List<Diagnostic> diagnostics = new ArrayList<>();
  private boolean foreignCatalogs;

  Catalog(Script script) {
    this.script = script;
    defaultDatabases.put(DEFAULT_CATALOG, "default_database");
    databases.put(-1, List.of(DEFAULT_CATALOG, "default_database"));
    for (int i = 0; i < script.statements().size(); i++) {
      read(i, script.statements().get(i));
    }
    knownDatabases.addAll(databases.values());
    for (Timelines timelines : List.of(permanent, temporary)) {
      timelines.byPath.keySet().forEach(path -> knownDatabases.add(path.subList(0, 2)));
    }
  }

  /** Names that are declared twice. */
  List<Diagnostic> diagnostics() {
    return diagnostics;
  }

  /** Whether the script can read tables that it does not declare itself. */
  boolean hasForeignCatalogs() {
    return foreignCatalogs || declaresNothing();
  }

  /**
   * Whether the script neither declares a table or view nor uses a catalog that could have some.
   */
  boolean declaresNothing() {
    return !foreignCatalogs && permanent.byPath.isEmpty() && temporary.byPath.isEmpty();
  }

  /** The current catalog and database when a statement is reached. */
  List<String> database(int index) {
    return databases.lowerEntry(index).getValue();
  }

  /** Catalog, database and name of a name of one to three parts. */
  List<String> qualify(int index, List<String> path) {
    List<String> current = database(index);
    int missing = Math.max(0, 3 - path.size());
    return Stream.concat(current.stream().limit(missing), path.stream()).toList();
  }

  Optional<Declaration> find(int index, List<String> path) {
    List<String> full = qualify(index, path);
    return temporary.before(index, full).or(() -> permanent.before(index, full));
  }

  /** The first declaration of a name from a statement on, for a name that is used too early. */
  Optional<Declaration> findLater(int index, List<String> path) {
    List<String> full = qualify(index, path);
    return temporary.firstFrom(index, full).or(() -> permanent.firstFrom(index, full));
  }

  /** Every catalog and database in which the script declares something or works. */
  Set<List<String>> databases() {
    return knownDatabases;
  }

  /**
   * Every name that can be used without qualification when a statement is reached, in the order of
   * the script.
   */
  List<String> names(int index) {
    List<String> current = database(index);
    return Stream.of(permanent, temporary)
        .flatMap(timelines -> timelines.byPath.keySet().stream())
        .filter(path -> path.subList(0, 2).equals(current) && find(index, path).isPresent())
        .map(path -> path.get(2))
        .distinct()
        .toList();
  }

  private void read(int index, Statement statement) {
    if (statement instanceof Statement.CreateTable create) {
      declare(
          index,
          new Declaration.Table(qualify(index, create.path()), create),
          create.node().isTemporary(),
          create.node().isIfNotExists(),
          create.node() instanceof SqlReplaceTableAs);
    } else if (statement instanceof Statement.CreateView create) {
      declare(
          index,
          new Declaration.View(qualify(index, create.path()), create),
          create.node().isTemporary(),
          create.node().isIfNotExists(),
          create.node().getReplace());
    } else if (statement instanceof Statement.Other other) {
      read(index, other, other.node());
    }
  }

  private void read(int index, Statement.Other statement, SqlNode node) {
    if (node instanceof SqlUseCatalog use) {
      String catalog = use.catalogName();
      foreignCatalogs |= !catalog.equals(DEFAULT_CATALOG);
      String database = defaultDatabases.getOrDefault(catalog, "default");
      databases.put(index, List.of(catalog, database));
    } else if (node instanceof SqlUseDatabase use) {
      List<String> path = Arrays.asList(use.fullDatabaseName());
      String catalog = path.size() > 1 ? path.get(0) : database(index).get(0);
      databases.put(index, List.of(catalog, path.get(path.size() - 1)));
    } else if (node instanceof SqlCreateCatalog create) {
      foreignCatalogs = true;
      Optional.ofNullable(create.getProperties().get("default-database"))
          .ifPresent(database -> defaultDatabases.put(create.catalogName(), database));
    } else if (node instanceof SqlCreateMaterializedTable create) {
      List<String> path = qualify(index, Arrays.asList(create.getFullName()));
      declare(index, new Declaration.Opaque(path, statement), false, create.isIfNotExists(), true);
    } else if (node instanceof SqlDropTable drop) {
      drop(index, drop.getFullName(), drop.isTemporary());
    } else if (node instanceof SqlDropView drop) {
      drop(index, drop.getFullName(), drop.isTemporary());
    } else if (node instanceof SqlDropMaterializedTable drop) {
      drop(index, drop.getFullName(), false);
    } else if (node instanceof SqlAlterTableRename rename) {
      List<String> path = qualify(index, Arrays.asList(rename.fullNewTableName()));
      alter(index, statement, rename, path);
    } else if (node instanceof SqlAlterTable alter) {
      alter(index, statement, alter, qualify(index, Arrays.asList(alter.fullTableName())));
    } else if (node instanceof SqlAlterViewRename rename) {
      List<String> path = qualify(index, Arrays.asList(rename.fullNewViewName()));
      find(index, Arrays.asList(rename.getFullName()))
          .ifPresent(
              before -> {
                drop(index, rename.getFullName(), false);
                Declaration after =
                    before instanceof Declaration.View view
                        ? new Declaration.View(path, view.statement())
                        : before;
                permanent.set(index, path, Optional.of(after));
              });
    } else if (node instanceof SqlAlterViewAs alter) {
      List<String> path = qualify(index, Arrays.asList(alter.getFullName()));
      set(index, new Declaration.Opaque(path, statement));
    }
  }

  private void declare(
      int index,
      Declaration declaration,
      boolean isTemporary,
      boolean ifNotExists,
      boolean replaces) {
    Timelines timelines = isTemporary ? temporary : permanent;
    Optional<Declaration> before = timelines.before(index, declaration.path());
    if (before.isPresent() && ifNotExists) {
      return;
    }
    if (before.isPresent() && !replaces) {
      reportDuplicate(declaration, before.get());
    }
    timelines.set(index, declaration.path(), Optional.of(declaration));
  }

  private void reportDuplicate(Declaration declaration, Declaration before) {
    Span span = declaration.nameSpan();
    String name = declaration.path().get(2);
    int line = script.original().lineOf(before.nameSpan().start());
    diagnostics.add(
        new Diagnostic(
            DiagnosticCode.DUPLICATE_TABLE,
            script.original(),
            span,
            "The name '" + name + "' is declared twice",
            Optional.of(
                "It is first declared in line " + line + "; rename one, or drop it in between")));
  }

  private void drop(int index, String[] name, boolean isTemporary) {
    List<String> path = qualify(index, Arrays.asList(name));
    Timelines timelines = isTemporary ? temporary : permanent;
    timelines.set(index, path, Optional.empty());
  }

  private void alter(int index, Statement.Other statement, SqlAlterTable node, List<String> path) {
    List<String> old = qualify(index, Arrays.asList(node.fullTableName()));
    Optional<Declaration> before = find(index, old);
    if (before.isEmpty()) {
      return;
    }
    if (!old.equals(path)) {
      (isTemporary(index, old) ? temporary : permanent).set(index, old, Optional.empty());
      permanent.set(
          index, path, Optional.of(new Declaration.Altered(path, statement, node, before.get())));
    } else {
      set(index, new Declaration.Altered(path, statement, node, before.get()));
    }
  }

  private boolean isTemporary(int index, List<String> path) {
    return temporary.before(index, path).isPresent();
  }

  /** Changes what a name stands for, in the place where it is found. */
  private void set(int index, Declaration declaration) {
    Timelines timelines = isTemporary(index, declaration.path()) ? temporary : permanent;
    timelines.set(index, declaration.path(), Optional.of(declaration));
  }
}
