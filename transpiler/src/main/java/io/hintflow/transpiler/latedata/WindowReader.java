package io.hintflow.transpiler.latedata;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Hint;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.transpiler.analysis.BlockAnalysis;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.analysis.TimeAttribute;
import io.hintflow.transpiler.analysis.WindowedTable;
import io.hintflow.transpiler.lowering.BlockContext;
import io.hintflow.transpiler.lowering.ColumnUses;
import io.hintflow.transpiler.lowering.ScriptContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.parser.SqlParserUtil;

/**
 * Finds the event-time windows of a block: OVER in its select list, a window in its GROUP BY, or
 * window table functions in its FROM.
 */
final class WindowReader {
  private static final String EARLY_FIRE = "table.exec.emit.early-fire.enabled";
  private static final String LATE_FIRE = "table.exec.emit.late-fire.enabled";
  private static final List<String> NUMBERINGS = List.of("ROW_NUMBER", "RANK", "DENSE_RANK");

  private final BlockContext context;
  private final ScriptContext script;
  private final Block block;
  private final Hint.LateDataSink hint;
  private final BlockAnalysis analysis;
  private final From from;

  WindowReader(BlockContext context, Hint.LateDataSink hint, BlockAnalysis analysis, From from) {
    this.context = context;
    this.script = context.script();
    this.block = context.block();
    this.hint = hint;
    this.analysis = analysis;
    this.from = from;
  }

  /**
   * @return at least one
   */
  List<SplitWindow> read() throws Unsplittable {
    Optional<SqlCall> over = over();
    if (over.isPresent()) {
      return List.of(overWindow(over.get()));
    }
    Optional<SqlCall> group = groupWindow();
    if (group.isPresent()) {
      return List.of(groupWindow(group.get()));
    }
    List<From.Item> functions =
        from.items().stream().filter(item -> item.window().isPresent()).toList();
    if (functions.isEmpty()) {
      throw noWindow(hint);
    }
    requireWorkByWindow(functions);
    List<SplitWindow> windows = new ArrayList<>();
    for (From.Item item : functions) {
      windows.add(function(item, item.window().get()));
    }
    return windows;
  }

  static Unsplittable noWindow(Hint.LateDataSink hint) {
    return new Unsplittable(
        DiagnosticCode.NO_EVENT_TIME_WINDOW,
        hint.span(),
        "There is no event-time window in this SELECT, so none of its rows is late",
        "Put the hint on the SELECT whose FROM has TUMBLE, HOP, CUMULATE or SESSION, or that has the window in OVER or GROUP BY");
  }

  // ------------------------------------------------------------------------ table functions

  /** A window table function by itself drops no row; what works on its windows does. */
  private void requireWorkByWindow(List<From.Item> functions) throws Unsplittable {
    if (!isByWindowOnly(from)) {
      throw new Unsplittable(
          DiagnosticCode.UNSPLITTABLE_WINDOW,
          hint.span(),
          "A join stands between the window function and what works by its windows, so which rows come late can't be told",
          functions.size() == 1
              ? "Put the window function and its GROUP BY into a subquery, and the hint with them"
              : "Join window functions on the start and end of their windows");
    }
    boolean windowJoin = functions.size() > 1;
    if (!windowJoin && !analysis.byWindow()) {
      throw new Unsplittable(
          DiagnosticCode.NO_EVENT_TIME_WINDOW,
          hint.span(),
          "Nothing in this SELECT works by the windows of %s, so no row is late here"
              .formatted(functions.get(0).window().get().function()),
          "Group by window_start and window_end in this SELECT, or number its rows within them");
    }
  }

  /** Whether all joins are of windows, or add to each row what belongs to it. */
  private static boolean isByWindowOnly(From part) {
    if (!(part instanceof From.Join join)) {
      return true;
    }
    boolean addsToRows =
        join.right() instanceof From.Item item && item.kind() != From.Item.Kind.PLAIN;
    boolean joinsFunctions =
        join.kind() == From.Join.Kind.WINDOW
            && join.items().stream().allMatch(item -> item.window().isPresent());
    return (addsToRows || joinsFunctions)
        && isByWindowOnly(join.left())
        && isByWindowOnly(join.right());
  }

  private SplitWindow function(From.Item item, WindowedTable window) throws Unsplittable {
    refuseFires(
        "window table functions",
        "Take the setting out, or group by %s(time, …)".formatted(window.function()));
    noteIgnoredLateness();
    OutputColumn time =
        requireEventTime(
            window.time(), window.column(window.time().getSimple()), window.function());
    SplitWindow.Kind kind = SplitWindow.Kind.valueOf(window.function());
    List<Long> lengths = allMilliseconds(window.lengths());
    int own = kind == SplitWindow.Kind.TUMBLE || kind == SplitWindow.Kind.SESSION ? 1 : 2;
    Optional<Long> offset =
        lengths.size() > own ? Optional.of(lengths.remove(own)) : Optional.empty();
    if (offset.isPresent() && offset.get() % lengths.get(0) != 0) {
      warnOfOffset(window);
    }
    return new SplitWindow(
        item,
        kind,
        time,
        window.keys().stream().map(SqlIdentifier::getSimple).toList(),
        lengths,
        offset,
        window.columns());
  }

  /**
   * Measured on Flink 1.20.3 and 2.2.0: its window operators look for windows to give out as if
   * there were no offset, and miss their ends.
   */
  private void warnOfOffset(WindowedTable window) {
    script.report(
        DiagnosticCode.WINDOW_OFFSET,
        span(window.lengths().get(window.lengths().size() - 1)),
        "Flink's own windows lose rows, late or not, when they have an offset that is no multiple of %s"
            .formatted(window.lengths().size() > 2 ? "the step" : "their size"),
        "Take the offset out");
  }

  /**
   * @param windows that Flink does not give out early or late
   */
  private void refuseFires(String windows, String help) throws Unsplittable {
    for (String setting : List.of(EARLY_FIRE, LATE_FIRE)) {
      if (script.setting(setting).filter("true"::equalsIgnoreCase).isPresent()) {
        throw new Unsplittable(
            DiagnosticCode.UNSPLITTABLE_WINDOW,
            hint.span(),
            "'%s' is set, which Flink does not take with %s".formatted(setting, windows),
            help);
      }
    }
  }

  private void noteIgnoredLateness() {
    String setting = "table.exec.emit.allow-lateness";
    if (script.setting(setting).isPresent()) {
      script.note(
          "%s: %s holds for windows of GROUP BY only, in Flink too"
              .formatted(script.origin(hint.span()), setting));
    }
  }

  // ------------------------------------------------------------------------ GROUP BY

  private Optional<SqlCall> groupWindow() {
    SqlNodeList group = block.select().getGroup();
    return group == null
        ? Optional.empty()
        : group.stream().filter(WindowReader::isGroupWindow).map(SqlCall.class::cast).findFirst();
  }

  private static boolean isGroupWindow(SqlNode node) {
    return switch (node.getKind()) {
      case TUMBLE, HOP, SESSION -> true;
      default -> false;
    };
  }

  private SplitWindow groupWindow(SqlCall call) throws Unsplittable {
    String function = call.getKind().name();
    From.Item item = requireSingleInput("GROUP BY " + function);
    SplitWindow.Kind kind = SplitWindow.Kind.valueOf("GROUP_" + function);
    OutputColumn time = requireEventTime(call.operand(0), column(call.operand(0)), function);
    List<Long> lengths = allMilliseconds(call.getOperandList().subList(1, call.operandCount()));
    List<SqlNode> keys = new ArrayList<>();
    if (kind.isKeyed()) {
      refuseFires("sessions", "Take the setting out");
      block.select().getGroup().stream().filter(key -> key != call).forEach(keys::add);
    }
    return new SplitWindow(
        item, kind, time, columns(keys), lengths, Optional.empty(), item.columns());
  }

  // ------------------------------------------------------------------------ OVER

  /** The first OVER that is ordered by time. */
  private Optional<SqlCall> over() {
    List<SqlCall> overs = new ArrayList<>();
    block.select().getSelectList().forEach(item -> collectOvers(item, overs));
    return overs.stream()
        .filter(over -> !isNumbering(over) || !canBeFiltered())
        .filter(over -> timeOf(over).isPresent())
        .findFirst();
  }

  private static void collectOvers(SqlNode node, List<SqlCall> overs) {
    if (node instanceof SqlCall call && !node.isA(SqlKind.QUERY)) {
      if (call.getKind() == SqlKind.OVER) {
        overs.add(call);
      }
      call.getOperandList().stream()
          .filter(operand -> operand != null)
          .forEach(operand -> collectOvers(operand, overs));
    } else if (node instanceof SqlNodeList list) {
      list.forEach(item -> collectOvers(item, overs));
    }
  }

  private static boolean isNumbering(SqlCall over) {
    return over.operand(0) instanceof SqlCall function
        && NUMBERINGS.contains(function.getOperator().getName());
  }

  /**
   * Whether numbers of rows can be looked at, so that Flink would keep the first or last rows only,
   * with no window over time.
   */
  private boolean canBeFiltered() {
    return block.select().getQualify() != null
        || !block.path().isEmpty()
        || !context.enclosing().isEmpty()
        || context.statement() instanceof Statement.CreateView;
  }

  private SqlWindow window(SqlCall over) {
    SqlNode window = over.operand(1);
    return window instanceof SqlIdentifier name ? named(name) : (SqlWindow) window;
  }

  private SqlWindow named(SqlIdentifier name) {
    return block.select().getWindowList().stream()
        .map(SqlWindow.class::cast)
        .filter(window -> window.getDeclName().getSimple().equals(name.getSimple()))
        .findFirst()
        .orElseThrow();
  }

  private SqlNodeList partitionOf(SqlWindow window) {
    return window.getPartitionList().isEmpty() && window.getRefName() != null
        ? partitionOf(named(window.getRefName()))
        : window.getPartitionList();
  }

  private SqlNodeList orderOf(SqlWindow window) {
    return window.getOrderList().isEmpty() && window.getRefName() != null
        ? orderOf(named(window.getRefName()))
        : window.getOrderList();
  }

  private Optional<SqlIdentifier> timeOf(SqlCall over) {
    return orderOf(window(over)).stream()
        .findFirst()
        .filter(SqlIdentifier.class::isInstance)
        .map(SqlIdentifier.class::cast)
        .filter(
            name ->
                column(name).filter(it -> it.timeAttribute() != TimeAttribute.NONE).isPresent());
  }

  private SplitWindow overWindow(SqlCall over) throws Unsplittable {
    From.Item item = requireSingleInput("OVER");
    SqlIdentifier name = timeOf(over).orElseThrow();
    OutputColumn time = requireEventTime(name, column(name), "OVER");
    SqlWindow window = window(over);
    SqlNode lower = window.getLowerBound();
    if (lower == null || SqlWindow.isUnboundedPreceding(lower)) {
      return over(item, SplitWindow.Kind.UNBOUNDED_OVER, time, List.of(), List.of());
    }
    List<String> keys = columns(partitionOf(window).getList());
    if (window.isRows()) {
      return over(item, SplitWindow.Kind.OVER_ROWS, time, keys, List.of());
    }
    long range = SqlWindow.isCurrentRow(lower) ? 0 : milliseconds(((SqlCall) lower).operand(0));
    return over(item, SplitWindow.Kind.OVER_RANGE, time, keys, List.of(range));
  }

  private static SplitWindow over(
      From.Item item,
      SplitWindow.Kind kind,
      OutputColumn time,
      List<String> keys,
      List<Long> lengths) {
    return new SplitWindow(item, kind, time, keys, lengths, Optional.empty(), item.columns());
  }

  // ------------------------------------------------------------------------ parts of all of them

  private From.Item requireSingleInput(String window) throws Unsplittable {
    if (from instanceof From.Item item && item.kind() == From.Item.Kind.PLAIN) {
      return item;
    }
    throw new Unsplittable(
        DiagnosticCode.UNSPLITTABLE_WINDOW,
        hint.span(),
        "The window of %s reads a join, whose late rows have no one table to be taken from"
            .formatted(window),
        "Put the join into a view or a subquery, and this SELECT over it");
  }

  private Optional<OutputColumn> column(SqlNode name) {
    return name instanceof SqlIdentifier identifier
        ? ColumnUses.resolve(from, identifier.names)
            .filter(resolved -> resolved.nested().isEmpty())
            .map(ColumnUses.Resolved::column)
        : Optional.empty();
  }

  private List<String> columns(List<SqlNode> names) throws Unsplittable {
    List<String> columns = new ArrayList<>();
    for (SqlNode name : names) {
      Optional<OutputColumn> column = column(name);
      if (column.isEmpty()) {
        throw new Unsplittable(
            DiagnosticCode.UNSPLITTABLE_WINDOW,
            span(name),
            "Late rows are judged by key here, and this key is no column",
            "Give the expression a name in a view or a subquery, and this SELECT over it");
      }
      columns.add(column.get().name());
    }
    return columns;
  }

  private OutputColumn requireEventTime(SqlNode name, Optional<OutputColumn> column, String window)
      throws Unsplittable {
    Optional<OutputColumn> time = column.filter(it -> it.timeAttribute() == TimeAttribute.ROWTIME);
    if (time.isPresent()) {
      return time.get();
    }
    boolean processingTime =
        column.isPresent()
            ? column.get().timeAttribute() == TimeAttribute.PROCTIME
            : name instanceof SqlCall call && call.getOperator().getName().equals("PROCTIME");
    throw processingTime
        ? new Unsplittable(
            DiagnosticCode.NO_EVENT_TIME_WINDOW,
            span(name),
            "%s goes by processing time here, which no row is late for".formatted(window),
            "Use a column with a WATERMARK, or take the hint out")
        : new Unsplittable(
            DiagnosticCode.NO_EVENT_TIME_WINDOW,
            span(name),
            "%s is no event time here, for it has no watermark"
                .formatted(script.script().text().text(span(name))),
            "Declare a WATERMARK for it in its table, and keep it as it is on the way here");
  }

  private List<Long> allMilliseconds(List<SqlNode> lengths) throws Unsplittable {
    List<Long> milliseconds = new ArrayList<>();
    for (SqlNode length : lengths) {
      milliseconds.add(milliseconds(length));
    }
    return milliseconds;
  }

  private long milliseconds(SqlNode length) throws Unsplittable {
    if (length instanceof SqlIntervalLiteral literal
        && literal.getValue() instanceof SqlIntervalLiteral.IntervalValue interval
        && !interval.getIntervalQualifier().isYearMonth()) {
      try {
        return SqlParserUtil.intervalToMillis(interval);
      } catch (RuntimeException e) {
        // A placeholder, or no number.
      }
    }
    throw notALength(length);
  }

  private Unsplittable notALength(SqlNode length) {
    return new Unsplittable(
        DiagnosticCode.UNSPLITTABLE_WINDOW,
        span(length),
        "How long the window is must be known here, and this is no interval in days or less",
        "Write a literal, such as INTERVAL '5' MINUTE");
  }

  private Span span(SqlNode node) {
    return script.script().span(context.statement(), node.getParserPosition());
  }
}
