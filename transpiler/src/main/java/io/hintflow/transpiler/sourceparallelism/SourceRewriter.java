package io.hintflow.transpiler.sourceparallelism;

import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Hint;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.TableOption;
import io.hintflow.grammar.TableReference;
import io.hintflow.transpiler.Connectors;
import io.hintflow.transpiler.analysis.BlockAnalysis;
import io.hintflow.transpiler.analysis.Changelog;
import io.hintflow.transpiler.analysis.Relation;
import io.hintflow.transpiler.lowering.BlockContext;
import io.hintflow.transpiler.lowering.Gap;
import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.lowering.SourceParallelism;
import io.hintflow.transpiler.lowering.SqlNames;
import io.hintflow.transpiler.plan.Distribution;
import io.hintflow.transpiler.plan.Stage;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Rewrites the sources of one script. Each option {@code source.parallelism} (its <em>origin</em>)
 * takes one of three ways:
 *
 * <ul>
 *   <li>Its rows go straight to a stage that needs their order: the option goes, and the stage
 *       plans all that lies before its exchange with n tasks. {@code scan.parallelism} would be
 *       wrong there: with it, Flink deals the rows out in turn right behind the source, and they
 *       reach the exchange out of order.
 *   <li>Else, if the connector knows {@code scan.parallelism}: the key is rewritten.
 *   <li>Else the option goes, and what reads the table reads a stage instead, planned with n tasks.
 * </ul>
 */
final class SourceRewriter implements Lowering.BlockLowering {
  private static final Pattern SYSTEM_TIME =
      Pattern.compile(
          "\\s*(/\\*.*?\\*/\\s*)?FOR\\s+SYSTEM_TIME\\b", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Pattern ENDS_WITH_TABLE =
      Pattern.compile(".*\\bTABLE\\s*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private final ScriptContext script;
  private final String text;
  private final SourceParallelism parallelism;
  private final Set<Hint> orderedOrigins;
  private final Map<String, String> viewsOfSources = new HashMap<>();

  /** Most scripts don't have the option; nothing of theirs is then analysed for its sake. */
  private final boolean used;

  SourceRewriter(ScriptContext script) {
    this.script = script;
    this.text = script.script().text().text();
    this.parallelism = script.sourceParallelism();
    this.used = SourceParallelism.isUsed(script.script());
    this.orderedOrigins = used ? parallelism.orderedOrigins(script.script()) : Set.of();
    for (Statement statement : script.script().statements()) {
      if (statement instanceof Statement.CreateTable table) {
        origin(table.hints()).ifPresent(origin -> rewriteDefinition(table, origin));
      }
    }
  }

  private static Optional<Hint.SourceParallelism> origin(List<Hint> hints) {
    return hints.stream()
        .filter(Hint.SourceParallelism.class::isInstance)
        .map(Hint.SourceParallelism.class::cast)
        .findFirst();
  }

  private void rewriteDefinition(Statement.CreateTable table, Hint.SourceParallelism origin) {
    Optional<String> connector =
        script.analysis().declaredBy(table).map(relation -> relation.options().get("connector"));
    List<Span> options = table.options().stream().map(TableOption::span).toList();
    int index = options.indexOf(origin.span());
    if (isNative(origin, connector)) {
      renameKey(table.options().get(index));
    } else {
      script.requireJavaJob(origin.span(), "'source.parallelism' on " + describe(connector));
      Gap.listItem(text, options, index).forEach(script.edits()::remove);
    }
    if (!orderedOrigins.contains(origin)) {
      noteOrder(origin, SqlNames.path(table.path()), script.analysis().declaredBy(table));
    }
  }

  private boolean isNative(Hint.SourceParallelism origin, Optional<String> connector) {
    return !orderedOrigins.contains(origin)
        && Connectors.hasScanParallelism(connector, script.flinkVersion());
  }

  private static String describe(Optional<String> connector) {
    return connector
        .map(name -> "the connector '" + name + "'")
        .orElse("a table without connector");
  }

  private void renameKey(TableOption option) {
    script.edits().replace(option.key().span(), "'" + SourceParallelism.NATIVE_OPTION + "'");
  }

  private void noteOrder(
      Hint.SourceParallelism origin, String table, Optional<Relation.Table> relation) {
    boolean jobsOwn =
        script
            .setting("table.exec.resource.default-parallelism")
            .or(() -> script.setting("parallelism.default"))
            .filter(value -> value.equals(String.valueOf(origin.parallelism())))
            .isPresent();
    boolean insertOnly =
        relation.map(declared -> declared.changelog() != Changelog.UPDATING).orElse(true);
    if (!jobsOwn && insertOnly) {
      script.report(
          DiagnosticCode.SOURCE_ORDER_NOT_KEPT,
          origin.span(),
          "The rows of %s are dealt out in turn behind their %d source tasks, so their order is not kept"
              .formatted(table, origin.parallelism()),
          "Put DISTRIBUTEBY('column') on a query that reads the table row by row: rows equal in the column then stay in order");
    }
  }

  @Override
  public void lower(BlockContext context) {
    if (!used) {
      return;
    }
    for (TableReference reference : context.block().tables()) {
      lower(context, reference);
    }
  }

  private void lower(BlockContext context, TableReference reference) {
    if (context.block().commonTable(reference).isPresent()) {
      return;
    }
    Optional<Relation> relation = script.analysis().resolve(context.statement(), reference.path());
    Optional<Hint.SourceParallelism> own = origin(reference.hints());
    boolean nativeForm = own.isPresent() && isNative(own.get(), connector(reference, relation));
    if (own.isPresent() && !orderedOrigins.contains(own.get())) {
      noteOrder(
          own.get(),
          reference.exposedName(),
          relation.filter(Relation.Table.class::isInstance).map(Relation.Table.class::cast));
    }
    if (nativeForm) {
      reference.options().stream()
          .filter(option -> option.span().equals(own.get().span()))
          .forEach(
              option ->
                  script.optionsHints().rename(reference, option, SourceParallelism.NATIVE_OPTION));
      return;
    }
    own.ifPresent(
        hint ->
            script.requireJavaJob(
                hint.span(),
                "'source.parallelism' on " + describe(connector(reference, relation))));
    boolean stays =
        parallelism.isOrdered(context.statement(), context.block(), context.enclosing())
            || parallelism.isReadByStage(context.statement(), context.block(), reference)
            || context.statement() instanceof Statement.CreateView view
                && parallelism.ofView(view).isPresent()
            || isLookedUp(reference);
    Optional<Integer> tasks = parallelism.ofReference(context.statement(), reference);
    boolean readByStage =
        !stays
            && tasks.isPresent()
            && (own.isPresent() || relation.map(this::needsStage).orElse(false));
    if (readByStage) {
      String view = stage(context, reference, relation, tasks.get());
      replaceByView(reference, view);
    } else if (own.isPresent()) {
      script.optionsHints().removeHints(reference);
    }
  }

  /** Whether the rows of a table or view come from a source that keeps no option of its own. */
  private boolean needsStage(Relation relation) {
    return parallelism.origins(relation).stream()
        .anyMatch(origin -> !isNative(origin.hint(), origin.connector()));
  }

  private static Optional<String> connector(TableReference reference, Optional<Relation> relation) {
    return reference.options().stream()
        .filter(option -> option.key().text().equals("connector"))
        .map(option -> option.value().text())
        .findFirst()
        .or(
            () ->
                relation
                    .filter(Relation.Table.class::isInstance)
                    .map(table -> ((Relation.Table) table).options().get("connector")));
  }

  private String stage(
      BlockContext context, TableReference reference, Optional<Relation> relation, int tasks) {
    String name = script.script().text().text(reference.nameSpan());
    String source =
        script.optionsHints().withoutHints(reference).map(hint -> name + " " + hint).orElse(name);
    String stageKey =
        relation.map(declared -> script.names().id(declared.statement())).orElse(name)
            + source
            + tasks;
    return viewsOfSources.computeIfAbsent(
        stageKey, key -> addStage(context, reference, relation, tasks, source));
  }

  private String addStage(
      BlockContext context,
      TableReference reference,
      Optional<Relation> relation,
      int tasks,
      String source) {
    List<String> primaryKey =
        relation
            .filter(Relation.Table.class::isInstance)
            .map(table -> ((Relation.Table) table).primaryKey())
            .orElse(List.of());
    Changelog changelog = relation.map(this::changelog).orElse(Changelog.UNKNOWN);
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    Distribution distribution;
    String reason;
    if (changelog == Changelog.INSERT_ONLY) {
      distribution = new Distribution.RoundRobin();
      reason = "in turn, for the table only ever inserts";
    } else if (primaryKey.isEmpty()) {
      parameters.put(SourceParallelismLowering.WHOLE_ROW, List.of("true"));
      distribution = new Distribution.Hash(List.of("the whole row"));
      reason =
          "by the whole row, for the table "
              + (changelog == Changelog.UPDATING ? "has" : "may have")
              + " updates and declares no primary key, and a retraction must follow its row";
    } else {
      parameters.put(SourceParallelismLowering.KEY, primaryKey);
      distribution = new Distribution.Hash(primaryKey);
      reason =
          "by the primary key, for the table "
              + (changelog == Changelog.UPDATING ? "has" : "may have")
              + " updates, and those of one key must stay in order";
    }
    if (!primaryKey.isEmpty()) {
      parameters.put(SourceParallelismLowering.PRIMARY_KEY, primaryKey);
    }
    String view = script.names().view(reference.path(), "source");
    String reads = script.stageOf(context.statement(), reference.path());
    Span origin = origin(reference.hints()).map(Hint::span).orElse(reference.nameSpan());
    script.add(
        new Stage.Operators(
            "source/" + view,
            script.origin(origin),
            SourceParallelismLowering.STAGE_KIND,
            "'source.parallelism' = '" + tasks + "'",
            List.of(
                new Stage.Input(
                    "SELECT * FROM " + source,
                    List.of(reads),
                    Optional.of(tasks),
                    distribution,
                    reason)),
            parameters,
            List.of(),
            view,
            List.of()));
    return view;
  }

  /** What reading a table, or a view that flows row by row from tables, gives. */
  private Changelog changelog(Relation relation) {
    if (relation instanceof Relation.Table table) {
      return table.changelog();
    }
    Statement view = relation.statement();
    List<Changelog> blocks =
        view.blocks().stream()
            .map(
                block ->
                    script
                        .analysis()
                        .analyze(view)
                        .block(block)
                        .map(BlockAnalysis::changelog)
                        .orElse(Changelog.UNKNOWN))
            .distinct()
            .toList();
    if (blocks.contains(Changelog.UPDATING)) {
      return Changelog.UPDATING;
    }
    return blocks.equals(List.of(Changelog.INSERT_ONLY))
        ? Changelog.INSERT_ONLY
        : Changelog.UNKNOWN;
  }

  private boolean isLookedUp(TableReference reference) {
    return SYSTEM_TIME.matcher(text).region(reference.nameSpan().end(), text.length()).lookingAt();
  }

  private void replaceByView(TableReference reference, String view) {
    boolean explicitTable =
        ENDS_WITH_TABLE
            .matcher(
                text.substring(
                    Math.max(0, reference.nameSpan().start() - 40), reference.nameSpan().start()))
            .matches();
    String name = SqlNames.identifier(view);
    String replacement =
        reference.alias().isPresent() || explicitTable
            ? name
            : name + " AS " + SqlNames.identifier(reference.exposedName());
    script.optionsHints().remove(reference);
    script.edits().replace(reference.nameSpan(), replacement, List.of(view));
  }
}
