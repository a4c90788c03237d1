package io.hintflow.transpiler.distribution;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Hint;
import io.hintflow.grammar.Name;
import io.hintflow.grammar.NearestName;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.Tokens;
import io.hintflow.transpiler.analysis.BlockAnalysis;
import io.hintflow.transpiler.analysis.Changelog;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.analysis.Relation;
import io.hintflow.transpiler.analysis.TimeAttribute;
import io.hintflow.transpiler.lowering.BlockContext;
import io.hintflow.transpiler.lowering.CommonTableClosure;
import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.lowering.SqlNames;
import io.hintflow.transpiler.plan.Distribution;
import io.hintflow.transpiler.plan.Stage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Lifts blocks with a DISTRIBUTEBY out of one script's statements. */
final class BlockDistribution implements Lowering.BlockLowering {
  /**
   * Of a block whose tables the script does not declare: the emitted job checks the columns when it
   * starts.
   */
  private static final BlockAnalysis NOTHING_KNOWN =
      new BlockAnalysis(
          List.of(), false, false, Changelog.UNKNOWN, false, Optional.empty(), Optional.empty());

  /** What stands before a subquery whose rows are looked through rather than taken for a value. */
  private static final List<String> SET_QUANTIFIERS = List.of("IN", "EXISTS", "ANY", "SOME", "ALL");

  private static final Pattern SINK_PARALLELISM =
      Pattern.compile("'sink\\.parallelism'\\s*=\\s*'([^']*)'");

  private final ScriptContext script;

  BlockDistribution(ScriptContext script) {
    this.script = script;
  }

  @Override
  public void lower(BlockContext context) {
    context.hint(Hint.DistributeBy.class).ifPresent(hint -> lower(context, hint));
  }

  private void lower(BlockContext context, Hint.DistributeBy hint) {
    script.requireJavaJob(hint.span(), "DISTRIBUTEBY");
    BlockAnalysis analysis = context.analysis().orElse(NOTHING_KNOWN);
    if (!context.hasErrors() && isDistributable(context, hint, analysis)) {
      lift(context, hint, analysis);
    }
  }

  private void lift(BlockContext context, Hint.DistributeBy hint, BlockAnalysis analysis) {
    Statement statement = context.statement();
    Block block = context.block();
    List<String> columns = hint.columns().stream().map(Name::text).toList();
    context.removeHint(hint);

    Span span = withItsOwnCommonTables(statement, block);
    String sql =
        CommonTableClosure.clause(script, block, block.span())
            + script.edits().render(block.span());
    String view = script.names().view(statement, block, "distributed");
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    parameters.put(DistributionLowering.COLUMNS, columns);
    sinkParallelism(context)
        .ifPresent(tasks -> parameters.put(DistributionLowering.PARALLELISM, List.of(tasks)));
    script.add(
        new Stage.Operators(
            script.names().id(statement, block, "distribution"),
            script.origin(hint.span()),
            DistributionLowering.STAGE_KIND,
            script.script().text().text(hint.span()),
            List.of(
                new Stage.Input(
                    sql,
                    script.reads(statement, span),
                    script.sourceParallelism().ofBlock(statement, block),
                    new Distribution.Hash(columns),
                    "DISTRIBUTEBY asks for it")),
            parameters,
            List.of(),
            view,
            analysis.planLines()));
    String selection =
        "SELECT %s FROM %s".formatted(selectList(statement, analysis), SqlNames.identifier(view));
    script.edits().replace(span, selection, List.of(view));
    warnOfTornKey(context, hint, analysis);
    noteLostRowtimes(hint, analysis);
  }

  /**
   * All columns; by name where an INSERT names those it fills, for Flink 1.20 takes a star there
   * for one column.
   */
  private static String selectList(Statement statement, BlockAnalysis analysis) {
    boolean namesColumns =
        statement instanceof Statement.Insert insert
            && insert.node().getTargetColumnList() != null
            && !analysis.output().isEmpty();
    return namesColumns
        ? analysis.output().stream()
            .map(column -> SqlNames.identifier(column.name()))
            .collect(Collectors.joining(", "))
        : "*";
  }

  private boolean isDistributable(
      BlockContext context, Hint.DistributeBy hint, BlockAnalysis analysis) {
    if (analysis.correlated()) {
      script.report(
          DiagnosticCode.CORRELATED_BLOCK,
          hint.span(),
          "This subquery reads columns of the query around it, so its rows can't be distributed by themselves",
          "Put the hint on the outer SELECT, or write the subquery as a join");
      return false;
    }
    if (isScalar(context.block())) {
      script.report(
          DiagnosticCode.SCALAR_SUBQUERY,
          hint.span(),
          "This subquery stands for a single value, so it has no rows to distribute",
          "Take the hint out, or put it on the outer SELECT");
      return false;
    }
    if (analysis == NOTHING_KNOWN) {
      return isDistributableUnseen(context, hint);
    }
    boolean found = true;
    for (Name column : hint.columns()) {
      found &= isHashable(column, analysis.output());
    }
    return found;
  }

  /**
   * Whether a block is a value in an expression. Flink then counts on there being one row at a
   * time, and changes of it that take different ways would make it two for a moment.
   */
  private boolean isScalar(Block block) {
    if (standsInFrom(block)) {
      return false;
    }
    Tokens tokens = script.tokens();
    int before = tokens.indexAt(block.span().start()) - 1;
    while (tokens.isSymbol(before, "(")) {
      before--;
    }
    int at = before;
    return SET_QUANTIFIERS.stream().noneMatch(word -> tokens.isWord(at, word));
  }

  /** Whether a block's rows are read as rows, wherever the blocks around it stand. */
  private static boolean standsInFrom(Block block) {
    return block.path().isEmpty()
        || block
            .path()
            .get(block.path().size() - 1)
            .matches("(cte|union|intersect|except|query|from) .*");
  }

  private boolean isDistributableUnseen(BlockContext context, Hint.DistributeBy hint) {
    if (!standsInFrom(context.block())) {
      script.report(
          DiagnosticCode.CORRELATED_BLOCK,
          hint.span(),
          "Whether this subquery reads the query around it can't be told, because its tables are not known",
          "Put the hint on the outer SELECT, or declare the tables in the script");
      return false;
    }
    hint.columns()
        .forEach(
            column ->
                script.report(
                    DiagnosticCode.UNCHECKED_COLUMN,
                    column.span(),
                    "The columns of this SELECT are not known here, so '%s' is checked when the job starts"
                        .formatted(column.text()),
                    "Declare the tables that it reads in the script"));
    return true;
  }

  private boolean isHashable(Name column, List<OutputColumn> output) {
    Optional<OutputColumn> match =
        output.stream().filter(candidate -> candidate.name().equals(column.text())).findFirst();
    if (match.isEmpty()) {
      List<String> names = output.stream().map(OutputColumn::name).toList();
      Optional<String> nearest = NearestName.of(column.text(), names);
      script.report(
          DiagnosticCode.UNKNOWN_OUTPUT_COLUMN,
          column.span(),
          "'%s' is not among the output columns of this SELECT".formatted(column.text()),
          nearest
              .map("Did you mean '%s'? The columns are "::formatted)
              .orElse("The columns are ")
              .concat(String.join(", ", names)),
          script.otherName(column.span(), nearest));
      return false;
    }
    if (match.get().timeAttribute() == TimeAttribute.PROCTIME) {
      script.report(
          DiagnosticCode.UNHASHABLE_COLUMN,
          column.span(),
          "'%s' is processing time, which has no value before it is read".formatted(column.text()),
          "Name a column with a value of its own");
      return false;
    }
    return true;
  }

  /**
   * The block's span; with the WITH clause before it if the block is all that the clause is for.
   */
  private Span withItsOwnCommonTables(Statement statement, Block block) {
    Optional<Span> query = query(statement);
    boolean wholeQuery =
        query.isPresent()
            && query.get().end() == block.span().end()
            && block.path().isEmpty()
            && !block.commonTables().isEmpty();
    return wholeQuery ? query.get() : block.span();
  }

  private static Optional<Span> query(Statement statement) {
    if (statement instanceof Statement.Insert insert) {
      return Optional.of(insert.query());
    }
    if (statement instanceof Statement.CreateView view) {
      return Optional.of(view.query());
    }
    if (statement instanceof Statement.Query query) {
      return Optional.of(query.span());
    }
    return Optional.empty();
  }

  /**
   * The parallelism that the sink sets for itself, in its WITH or behind its name in the INSERT, if
   * the block's rows go straight there. An exchange to the job's parallelism would then be followed
   * by one that deals the rows out again.
   */
  private Optional<String> sinkParallelism(BlockContext context) {
    Optional<Relation.Table> sink = sink(context);
    if (sink.isEmpty()) {
      return Optional.empty();
    }
    Statement.Insert insert = (Statement.Insert) context.statement();
    String target =
        script.script().text().text(new Span(insert.targetSpan().end(), insert.query().start()));
    Optional<String> parallelism =
        SINK_PARALLELISM
            .matcher(target)
            .results()
            .map(match -> match.group(1))
            .findFirst()
            .or(() -> Optional.ofNullable(sink.get().options().get("sink.parallelism")));
    if (parallelism.filter(value -> !value.matches("[1-9][0-9]{0,8}")).isPresent()) {
      script.note(
          "%s: the sink's parallelism is not known before the job starts; if it is not the job's, rows are dealt out again behind %s"
              .formatted(script.origin(insert.targetSpan()), "DISTRIBUTEBY"));
      return Optional.empty();
    }
    return parallelism;
  }

  private Optional<Relation.Table> sink(BlockContext context) {
    if (!(context.statement() instanceof Statement.Insert insert)
        || !context.enclosing().isEmpty()
        || !context.block().path().stream().allMatch(part -> part.startsWith("union "))) {
      return Optional.empty();
    }
    return script.analysis().resolveTable(insert, insert.target());
  }

  private void warnOfTornKey(BlockContext context, Hint.DistributeBy hint, BlockAnalysis analysis) {
    if (analysis.changelog() != Changelog.UPDATING) {
      return;
    }
    Optional<Relation.Table> sink = sink(context).filter(table -> !table.primaryKey().isEmpty());
    if (sink.isEmpty()) {
      return;
    }
    List<String> targets = sinkColumns((Statement.Insert) context.statement(), sink.get());
    for (Name column : hint.columns()) {
      int position =
          analysis.output().stream().map(OutputColumn::name).toList().indexOf(column.text());
      if (position < targets.size() && !sink.get().primaryKey().contains(targets.get(position))) {
        script.report(
            DiagnosticCode.SINK_KEY_NOT_COVERED,
            column.span(),
            "'%s' is not part of the sink's primary key (%s), so updates of one key can take different ways and overtake each other"
                .formatted(column.text(), String.join(", ", sink.get().primaryKey())),
            "Distribute by columns of the key only");
      }
    }
  }

  private void noteLostRowtimes(Hint.DistributeBy hint, BlockAnalysis analysis) {
    List<String> rowtimes =
        analysis.output().stream()
            .filter(column -> column.timeAttribute() == TimeAttribute.ROWTIME)
            .map(OutputColumn::name)
            .toList();
    if (rowtimes.size() > 1) {
      script.note(
          "%s: behind DISTRIBUTEBY, %s stays event time; %s comes back as plain timestamp, for a stream carries one"
              .formatted(
                  script.origin(hint.span()),
                  rowtimes.get(0),
                  String.join(", ", rowtimes.subList(1, rowtimes.size()))));
    }
  }

  /** The sink's columns in the order in which the query fills them. */
  private static List<String> sinkColumns(Statement.Insert insert, Relation.Table sink) {
    if (insert.node().getTargetColumnList() != null) {
      return insert.node().getTargetColumnList().stream().map(Object::toString).toList();
    }
    return sink.writableColumns().stream().map(column -> column.name()).toList();
  }
}
