package io.hintflow.transpiler.latedata;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Hint;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.TableReference;
import io.hintflow.transpiler.analysis.BlockAnalysis;
import io.hintflow.transpiler.analysis.BlockScope;
import io.hintflow.transpiler.analysis.Column;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.analysis.TimeAttribute;
import io.hintflow.transpiler.lowering.BlockContext;
import io.hintflow.transpiler.lowering.ColumnUse;
import io.hintflow.transpiler.lowering.ColumnUses;
import io.hintflow.transpiler.lowering.CommonTableClosure;
import io.hintflow.transpiler.lowering.Condition;
import io.hintflow.transpiler.lowering.FromText;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.lowering.SelectText;
import io.hintflow.transpiler.lowering.SqlNames;
import io.hintflow.transpiler.lowering.StagedItem;
import io.hintflow.transpiler.lowering.WhereClause;
import io.hintflow.transpiler.plan.Distribution;
import io.hintflow.transpiler.plan.HeldState;
import io.hintflow.transpiler.plan.Stage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Puts a stage in front of a block's windows: it reads what they read, and they read what comes in
 * time. The rest is inserted into the table for late rows.
 */
final class LateDataRewrite {
  private final BlockContext context;
  private final ScriptContext script;
  private final Statement statement;
  private final Block block;
  private final BlockAnalysis analysis;
  private final Hint.LateDataSink hint;
  private final LateSink sink;
  private final From from;
  private final FromText text;
  private final WhereClause where;
  private final ColumnUses.Found uses;

  LateDataRewrite(
      BlockContext context,
      BlockAnalysis analysis,
      BlockScope scope,
      Hint.LateDataSink hint,
      LateSink sink) {
    this.context = context;
    this.script = context.script();
    this.statement = context.statement();
    this.block = context.block();
    this.analysis = analysis;
    this.hint = hint;
    this.sink = sink;
    this.from = scope.from();
    this.text = FromText.of(script, statement, block, from);
    this.where = WhereClause.of(script, block, from, text);
    this.uses = ColumnUses.of(script, statement, block, scope);
  }

  /**
   * One window's part of the stage.
   *
   * @param table what the window reads, as a FROM has it
   * @param conditions of WHERE that are about its input alone
   * @param columns of its input that are needed
   */
  private record Part(
      SplitWindow window,
      StagedItem item,
      Span table,
      List<Condition> conditions,
      List<OutputColumn> columns,
      WindowPart names) {}

  void rewrite(List<SplitWindow> windows) {
    List<Part> parts = windows.stream().map(this::part).toList();
    noteUnmovedConditions(parts);
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    parameters.put(LateDataLowering.SINK, List.of(String.join(".", sink.path())));
    List<Stage.Input> inputs = new ArrayList<>();
    List<HeldState> state = new ArrayList<>();
    for (Part part : parts) {
      state.addAll(part.names().state(part.columns()));
      inputs.add(input(part));
      part.names().write(parameters, inputs.size());
    }
    Stage.Operators stage =
        new Stage.Operators(
            script.names().id(statement, block, "late rows"),
            script.origin(hint.span()),
            LateDataLowering.STAGE_KIND,
            script.script().text().text(hint.span()),
            inputs,
            parameters,
            state,
            parts.get(0).names().onTime(),
            analysis.planLines());
    script.add(stage);
    parts.forEach(part -> script.addView(part.names().onTime(), stage));
    // What only explains a query runs no job that late rows could come up in.
    if (!(statement instanceof Statement.Inspection)) {
      script.add(insert(parts, stage));
    }
    where.remove(
        parts.stream().flatMap(part -> part.conditions().stream()).collect(Collectors.toSet()));
    parts.forEach(this::readOnTime);
    context.removeHint(hint);
  }

  private Part part(SplitWindow window) {
    List<Condition> conditions =
        where.conjuncts().stream().filter(condition -> isOfInput(condition, window)).toList();
    List<Span> moved = conditions.stream().map(condition -> text.span(condition.range())).toList();
    ColumnUses.Found remaining =
        new ColumnUses.Found(
            uses.all().stream()
                .filter(use -> moved.stream().noneMatch(span -> span.contains(use.span())))
                .toList(),
            uses.stars());
    StagedItem item = new StagedItem(script, block, from, text, remaining, window.item());
    Span table =
        window.kind().isFunction() ? functionText(window).table() : text.span(window.item());
    String subject = window.kind().isFunction() ? subject(window, table) : item.subject();
    return new Part(
        window,
        item,
        table,
        conditions,
        columns(window, item),
        new WindowPart(
            window.kind(),
            window.time().name(),
            window.keys(),
            window.lengths(),
            window.offset(),
            subject,
            script.names().view(List.of(subject), "rows"),
            script.names().view(List.of(subject), "on_time"),
            script.names().view(List.of(subject), "late"),
            sink.takesBounds()
                ? List.of(
                    unlikeColumns("window_start", window), unlikeColumns("window_end", window))
                : List.of()));
  }

  private FunctionText functionText(SplitWindow window) {
    return FunctionText.of(script.tokens(), text.range(window.item()), window.kind().name());
  }

  private String subject(SplitWindow window, Span table) {
    return block.tables().stream()
        .filter(reference -> table.contains(reference.nameSpan()))
        .map(TableReference::path)
        .map(path -> path.get(path.size() - 1))
        .findFirst()
        .or(window.item()::alias)
        .orElse("subquery");
  }

  private static String unlikeColumns(String name, SplitWindow window) {
    return window.column(name).isPresent() ? unlikeColumns(name + "_", window) : name;
  }

  /**
   * Whether a condition can be looked at before the window, where stock Flink does: a row that
   * WHERE rejects is not late, it does not count at all.
   */
  private boolean isOfInput(Condition condition, SplitWindow window) {
    if (isOuter(from) || hasColumnList(window.item()) || ColumnUses.hasQuery(condition.node())) {
      return false;
    }
    List<ColumnUse> read = uses.in(text.span(condition.range()));
    return !read.isEmpty()
        && read.stream()
            .allMatch(
                use ->
                    use.item() == window.item() && window.column(use.column().name()).isPresent());
  }

  private static boolean isOuter(From part) {
    return part instanceof From.Join join
        && ((join.node().getJoinType().generatesNullsOnLeft()
                || join.node().getJoinType().generatesNullsOnRight())
            || isOuter(join.left())
            || isOuter(join.right()));
  }

  /** {@code AS w (a, b, …)}: the columns have other names behind the window. */
  private static boolean hasColumnList(From.Item item) {
    return item.node().getKind() == SqlKind.AS && ((SqlCall) item.node()).operandCount() > 2;
  }

  private void noteUnmovedConditions(List<Part> parts) {
    boolean all =
        where.conjuncts().stream()
            .allMatch(
                condition ->
                    parts.stream().anyMatch(part -> part.conditions().contains(condition))
                        || readsWindow(condition, parts));
    if (!all) {
      script.note(
          "%s: rows that WHERE rejects are among the late ones, where it reads more than one table"
              .formatted(script.origin(hint.span())));
    }
  }

  /** Whether a condition is about a window's start or end, which a late row has not. */
  private boolean readsWindow(Condition condition, List<Part> parts) {
    return uses.in(text.span(condition.range())).stream()
        .anyMatch(
            use ->
                parts.stream()
                    .anyMatch(
                        part ->
                            part.window().item() == use.item()
                                && part.window().column(use.column().name()).isEmpty()));
  }

  /** What the block reads of the window's input, and what the stage needs of it. */
  private List<OutputColumn> columns(SplitWindow window, StagedItem item) {
    Set<String> needed = new HashSet<>(sink.filledByInput());
    needed.add(window.time().name());
    needed.addAll(window.keys());
    if (!window.kind().isFunction()) {
      return item.usedColumns(needed);
    }
    if (hasColumnList(window.item())) {
      return window.columns();
    }
    item.usedColumns(Set.of()).forEach(column -> needed.add(column.name()));
    return window.columns().stream().filter(column -> needed.contains(column.name())).toList();
  }

  private Stage.Input input(Part part) {
    StringBuilder source = new StringBuilder(script.edits().render(part.table()));
    if (!part.conditions().isEmpty()) {
      if (part.window().kind().isFunction()) {
        part.window()
            .item()
            .alias()
            .ifPresent(alias -> source.append(" AS ").append(SqlNames.identifier(alias)));
      }
      source.append(
          part.conditions().stream()
              .map(where::render)
              .collect(Collectors.joining("\n  AND ", "\nWHERE ", "")));
    }
    boolean keyed = part.window().kind().isKeyed();
    return new Stage.Input(
        CommonTableClosure.clause(script, block, part.table())
            + SelectText.of(selected(part), source.toString()),
        script.reads(statement, part.table()),
        Optional.empty(),
        keyed ? new Distribution.Hash(keys(part.window())) : new Distribution.Kept(),
        keyed
            ? "late is judged for each key"
            : "rows keep their task and their order, and watermarks go from every task to every task");
  }

  private static List<String> keys(SplitWindow window) {
    return window.keys().isEmpty() ? List.of("nothing") : window.keys();
  }

  private List<String> selected(Part part) {
    List<String> selected = new ArrayList<>();
    for (OutputColumn column : part.columns()) {
      String name = SqlNames.identifier(column.name());
      if (column.timeAttribute() == TimeAttribute.ROWTIME && !column.equals(part.window().time())) {
        // A stream carries one event time: that of the window.
        selected.add("CAST(%s AS %s) AS %s".formatted(name, timestamp(column), name));
        script.note(
            "%s: behind the split, %s is a plain timestamp, for a stream carries one event time"
                .formatted(script.origin(hint.span()), column.name()));
      } else {
        selected.add(name);
      }
    }
    return selected;
  }

  private static String timestamp(OutputColumn column) {
    String type =
        column.type().getSqlTypeName() == SqlTypeName.TIMESTAMP ? "TIMESTAMP" : "TIMESTAMP_LTZ";
    return "%s(%d)".formatted(type, column.type().getPrecision());
  }

  /** One INSERT for all windows: two writers of one table can be in each other's way. */
  private Stage.Insert insert(List<Part> parts, Stage.Operators stage) {
    return new Stage.Insert(
        stage.id() + "/insert",
        stage.origin(),
        "INSERT INTO %s\n%s"
            .formatted(
                SqlNames.path(sink.path()),
                parts.stream().map(this::lateRows).collect(Collectors.joining("\nUNION ALL\n"))),
        List.of(stage.id()),
        script.stageOf(statement, sink.path()));
  }

  private String lateRows(Part part) {
    List<String> written = new ArrayList<>();
    for (Column column : sink.columns()) {
      String name = SqlNames.identifier(column.name());
      if (sink.isStart(column)) {
        written.add(SqlNames.identifier(part.names().bounds().get(0)) + " AS " + name);
      } else if (sink.isEnd(column)) {
        written.add(SqlNames.identifier(part.names().bounds().get(1)) + " AS " + name);
      } else {
        written.add(name);
      }
    }
    return SelectText.of(written, SqlNames.identifier(part.names().late()));
  }

  private void readOnTime(Part part) {
    String view = part.names().onTime();
    if (part.window().kind().isFunction()) {
      script
          .edits()
          .replace(
              functionText(part.window()).argument(),
              "TABLE " + SqlNames.identifier(view),
              List.of(view));
    } else {
      part.item().readFrom(view);
    }
  }
}
