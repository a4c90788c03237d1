package io.hintflow.operators;

import static java.util.function.Predicate.not;
import static java.util.stream.Collectors.joining;
import static org.apache.flink.table.api.Expressions.$;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.transformations.TwoInputTransformation;
import org.apache.flink.table.api.ApiExpression;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.expressions.Expression;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.Row;

/**
 * Joins a big table with a small one. The small rows go to every task, the big rows to one each,
 * without regard to the join key, so that a frequent key burdens all tasks alike. The result is
 * that of Flink's own join, however rows of either side come late, change or are deleted.
 *
 * <pre>{@code
 * Table joined = BroadcastJoin.inner(streams, "orders-with-users")
 *     .big("o", orders, Placement.inTurn())
 *     .small("u", users)
 *     .on("o.user_id", "u.id")
 *     .toTable(); // o ROW<...>, u ROW<...>
 * }</pre>
 */
public final class BroadcastJoin {
  /** What the big rows are: those of a query, or those that another join lets out. */
  private sealed interface Big {}

  private record Placed(Input input, Placement placement) implements Big {}

  private record Previous(BroadcastJoin join) implements Big {}

  private record Input(String name, Table query, OptionalInt parallelism) {
    DataStream<Row> stream(TableStreams streams) {
      return parallelism.isPresent()
          ? streams.toStream(query, parallelism.getAsInt())
          : streams.toStream(query);
    }
  }

  private record KeyPair(String bigColumn, String smallColumn) {}

  /**
   * A table whose rows are a field of the joined rows.
   *
   * @param optional whether the field is NULL where an outer join found no partner
   */
  private record JoinedTable(
      String name, Table query, TypeInformation<Row> type, boolean optional) {}

  /**
   * A column that is let out.
   *
   * @param column its name in the query of the table
   */
  private record Selected(JoinedTable table, String column, String name) {
    boolean isProctime() {
      return TableStreams.proctimeColumns(table.query).contains(column);
    }

    DataType type() {
      RowType row = (RowType) TableStreams.rowType(table.query).getLogicalType();
      DataType type =
          TableStreams.rowType(table.query).getChildren().get(row.getFieldIndex(column));
      return table.optional ? type.nullable() : type;
    }

    /** The column in a table of {@link #rowsOfTables}. */
    ApiExpression inRows() {
      ApiExpression value = isProctime() ? $(table.name + "_" + column) : $(table.name).get(column);
      return value.as(name);
    }
  }

  /**
   * Rows on their way to the join.
   *
   * @param stream leads to the tasks of the join
   * @param type of a row in state
   * @param tables of which a row has one field each, or the only one whose row it is itself
   */
  private record BigRows(
      DataStream<Row> stream,
      TypeInformation<Row> type,
      List<JoinedTable> tables,
      boolean joined,
      boolean insertOnly,
      BroadcastJoinOperator.GroupChoice groupChoice) {}

  /**
   * What the join lets out.
   *
   * @param flat whether a row has the selected columns, rather than the rows of the tables
   */
  private record JoinedRows(
      SingleOutputStreamOperator<Row> stream,
      List<JoinedTable> tables,
      boolean flat,
      boolean insertOnly) {}

  private final TableStreams streams;
  private final String uid;
  private final boolean outer;
  private Optional<Big> big = Optional.empty();
  private Optional<Input> small = Optional.empty();
  private final List<KeyPair> keys = new ArrayList<>();
  private final Map<String, String> selection = new LinkedHashMap<>();
  private Optional<JoinCondition> condition = Optional.empty();
  private Optional<Duration> bigRetention = Optional.empty();
  private Optional<Duration> smallRetention = Optional.empty();

  private BroadcastJoin(TableStreams streams, String uid, boolean outer) {
    this.streams = streams;
    this.uid = uid;
    this.outer = outer;
  }

  /**
   * Only pairs come out.
   *
   * @param uid identifies the operator in savepoints
   */
  public static BroadcastJoin inner(TableStreams streams, String uid) {
    return new BroadcastJoin(streams, uid, false);
  }

  /**
   * A big row that has no partner comes out with NULL as small row.
   *
   * @param uid identifies the operator in savepoints
   */
  public static BroadcastJoin outer(TableStreams streams, String uid) {
    return new BroadcastJoin(streams, uid, true);
  }

  /**
   * The big side.
   *
   * @param name of the column for its rows, and of the table in conditions
   */
  public BroadcastJoin big(String name, Table query, Placement placement) {
    return big(new Placed(new Input(name, query, OptionalInt.empty()), placement));
  }

  /** The big side, from its sources to the join in a plan at the given parallelism. */
  public BroadcastJoin big(String name, Table query, Placement placement, int parallelism) {
    return big(new Placed(new Input(name, query, OptionalInt.of(parallelism)), placement));
  }

  /**
   * The rows that another join lets out are the big side; each stays on its task. The other join's
   * own toTable must not be called.
   */
  public BroadcastJoin big(BroadcastJoin previous) {
    return big(new Previous(previous));
  }

  private BroadcastJoin big(Big side) {
    if (big.isPresent()) {
      throw new IllegalStateException(
          "A broadcast join has one big side; join its rows with a further join's big(previous).");
    }
    big = Optional.of(side);
    return this;
  }

  /**
   * The small side.
   *
   * @param name of the column for its rows, and of the table in conditions
   */
  public BroadcastJoin small(String name, Table query) {
    return small(new Input(name, query, OptionalInt.empty()));
  }

  /** The small side, from its sources to the join in a plan at the given parallelism. */
  public BroadcastJoin small(String name, Table query, int parallelism) {
    return small(new Input(name, query, OptionalInt.of(parallelism)));
  }

  private BroadcastJoin small(Input side) {
    if (small.isPresent()) {
      throw new IllegalStateException(
          "A broadcast join has one small side; add another with a further join's big(previous).");
    }
    small = Optional.of(side);
    return this;
  }

  /**
   * Demands that two columns are equal; called again, that further ones are, too. NULL equals
   * nothing.
   *
   * @param bigColumn a column of the big side: name of the table, dot, name of the column
   * @param smallColumn a column of the small side, of the same type
   */
  public BroadcastJoin on(String bigColumn, String smallColumn) {
    keys.add(new KeyPair(bigColumn, smallColumn));
    return this;
  }

  /** Demands something else of each pair. */
  public BroadcastJoin where(JoinCondition furtherCondition) {
    if (condition.isPresent()) {
      throw new IllegalStateException(
          "A broadcast join has one further condition; combine several with and(...).");
    }
    condition = Optional.of(furtherCondition);
    return this;
  }

  /**
   * How long to keep a big row after its last change, instead of table.exec.state.ttl. Zero is for
   * ever.
   */
  public BroadcastJoin retainBig(Duration time) {
    bigRetention = Optional.of(time);
    return this;
  }

  /** The same for small rows. */
  public BroadcastJoin retainSmall(Duration time) {
    smallRetention = Optional.of(time);
    return this;
  }

  /**
   * Adds a column to what comes out.
   *
   * @param column name of the table, dot, name of the column; it may be processing time, which is
   *     given anew
   * @param name of the column in {@link #toTable}
   */
  public BroadcastJoin select(String column, String name) {
    if (selection.put(name, column) != null) {
      throw new IllegalArgumentException(
          "Two columns of a broadcast join are named '%s': give each another name."
              .formatted(name));
    }
    return this;
  }

  /**
   * The joined rows: the columns that {@link #select} names; without any, a column for each table,
   * in order, big before small, that holds its row. A rowtime column is a plain timestamp, as
   * behind any join. A proctime column is not in the row of its table, but stands behind the rows,
   * as a column named table_column.
   */
  public Table toTable() {
    if (streams.configured(ExecutionOptions.RUNTIME_MODE) == RuntimeExecutionMode.BATCH) {
      throw new IllegalStateException(
          "A broadcast join keeps rows of all keys at once, which state in batch mode does not:"
              + " remove SET 'execution.runtime-mode' = 'batch', or transpile the script with it.");
    }
    JoinedRows joined = joined(false);
    ChangelogMode changelogMode =
        joined.insertOnly ? ChangelogMode.insertOnly() : ChangelogMode.all();
    if (joined.flat) {
      return streams.toTable(joined.stream, selectedColumns(joined.tables), changelogMode);
    }
    Table rows = streams.toTable(joined.stream, rowsOfTables(joined.tables), changelogMode);
    return selection.isEmpty()
        ? rows
        : rows.select(
            selected(joined.tables).stream().map(Selected::inRows).toArray(Expression[]::new));
  }

  private Schema selectedColumns(List<JoinedTable> tables) {
    Schema.Builder schema = Schema.newBuilder();
    for (Selected column : selected(tables)) {
      if (column.isProctime()) {
        schema.columnByExpression(column.name, "PROCTIME()");
      } else {
        schema.column(column.name, column.type());
      }
    }
    return schema.build();
  }

  /** What select has asked for, in its order. */
  private List<Selected> selected(List<JoinedTable> tables) {
    List<Selected> selected = new ArrayList<>();
    selection.forEach((name, column) -> selected.add(selected(tables, name, column)));
    return selected;
  }

  private static Selected selected(List<JoinedTable> tables, String name, String column) {
    for (JoinedTable table : tables) {
      for (String ofTable : table.query.getResolvedSchema().getColumnNames()) {
        if (column.equals(table.name + "." + ofTable)) {
          return new Selected(table, ofTable, name);
        }
      }
    }
    throw new IllegalArgumentException(
        "There is no column '%s' to select. The tables are: %s."
            .formatted(column, tables.stream().map(JoinedTable::name).collect(joining(", "))));
  }

  private Schema rowsOfTables(List<JoinedTable> tables) {
    Schema.Builder schema = Schema.newBuilder();
    for (JoinedTable table : tables) {
      DataType row = TableStreams.rowType(table.query);
      schema.column(table.name, table.optional ? row.nullable() : row.notNull());
    }
    for (JoinedTable table : tables) {
      for (String column : TableStreams.proctimeColumns(table.query)) {
        schema.columnByExpression(table.name + "_" + column, "PROCTIME()");
      }
    }
    return schema.build();
  }

  /**
   * The join as an operator of the job.
   *
   * @param chained whether another join keeps the rows. It has to keep each in the key group in
   *     which this one keeps the big row, or else a rescaling would separate them; so each row
   *     brings the number of that group along, unless rows are never taken back.
   */
  private JoinedRows joined(boolean chained) {
    BigRows bigRows =
        bigRows(
            big.orElseThrow(
                () ->
                    new IllegalStateException(
                        "A broadcast join needs a big side: call big(...).")));
    Input smallInput =
        small.orElseThrow(
            () ->
                new IllegalStateException("A broadcast join needs a small side: call small(...)."));
    DataStream<Row> smallStream = smallInput.stream(streams);
    JoinedTable smallTable =
        new JoinedTable(
            smallInput.name, smallInput.query, RowTypes.of(smallInput.query, smallStream), outer);
    List<JoinedTable> tables = new ArrayList<>(bigRows.tables);
    tables.add(smallTable);
    requireDistinctNames(tables);
    Map<String, JoinColumn> columns = columns(bigRows, smallTable);

    boolean insertOnly = !outer && bigRows.insertOnly && streams.isInsertOnly(smallInput.query);
    boolean withGroup = chained && !insertOnly;
    List<Selected> travelling =
        chained ? List.of() : selected(tables).stream().filter(not(Selected::isProctime)).toList();
    Optional<TypeInformation<Row>> flatType =
        travelling.isEmpty() ? Optional.empty() : flatType(travelling);
    List<JoinColumn> flatColumns =
        flatType.isEmpty()
            ? List.of()
            : travelling.stream()
                .map(selected -> columns.get(selected.table.name + "." + selected.column))
                .toList();
    Duration configured = streams.configured(ExecutionConfigOptions.IDLE_STATE_RETENTION);
    BroadcastJoinOperator operator =
        new BroadcastJoinOperator(
            new BroadcastJoinOperator.Side(
                bigRows.type,
                new JoinKey(keys.stream().map(pair -> key(columns, pair.bigColumn, true)).toList()),
                bigRetention.orElse(configured)),
            new BroadcastJoinOperator.Side(
                smallTable.type,
                new JoinKey(
                    keys.stream().map(pair -> key(columns, pair.smallColumn, false)).toList()),
                smallRetention.orElse(configured)),
            condition
                .map(given -> given.resolve(name -> column(columns, name)))
                .orElse((bigRow, smallRow) -> true),
            bigRows.groupChoice,
            new BroadcastJoinOperator.Result(
                outer, bigRows.joined ? bigRows.tables.size() : 0, flatColumns, withGroup));
    for (KeyPair pair : keys) {
      JoinCondition.requireComparable(columns.get(pair.bigColumn), columns.get(pair.smallColumn));
    }
    SingleOutputStreamOperator<Row> joined =
        bigRows
            .stream
            .connect(smallStream.broadcast())
            .transform(
                "Broadcast join of %s with %s"
                    .formatted(
                        bigRows.tables.stream().map(JoinedTable::name).collect(joining(", ")),
                        smallInput.name),
                flatType.orElseGet(() -> typeOf(tables, withGroup)),
                operator)
            .uid(uid);
    giveKeyedState(joined);
    return new JoinedRows(joined, tables, flatType.isPresent(), insertOnly);
  }

  private BigRows bigRows(Big side) {
    if (side instanceof Previous previous) {
      JoinedRows joined = previous.join.joined(true);
      return new BigRows(
          joined.stream.forward(),
          joined.stream.getType(),
          joined.tables,
          true,
          joined.insertOnly,
          joined.insertOnly
              ? BroadcastJoinOperator.GroupChoice.own()
              : BroadcastJoinOperator.GroupChoice.inField(joined.tables.size()));
    }
    Placed placed = (Placed) side;
    Table query = placed.input.query;
    DataStream<Row> stream = placed.input.stream(streams);
    TypeInformation<Row> type = RowTypes.of(query, stream);
    boolean insertOnly = streams.isInsertOnly(query);
    List<JoinedTable> table = List.of(new JoinedTable(placed.input.name, query, type, false));
    if (placed.placement.isInTurn()) {
      if (!insertOnly) {
        throw new IllegalStateException(
            ("Rows of table '%s' are updated or deleted, and a change that goes to the next task in"
                    + " turn would not find its row there: transpile the script again with the"
                    + " tables as they are now, or place the rows by hash.")
                .formatted(placed.input.name));
      }
      return new BigRows(
          stream.rebalance(), type, table, false, true, BroadcastJoinOperator.GroupChoice.own());
    }
    KeySelector<Row, Long> hash = placed.placement.hash(query);
    return new BigRows(
        stream.keyBy(hash, Types.LONG),
        type,
        table,
        false,
        insertOnly,
        insertOnly
            ? BroadcastJoinOperator.GroupChoice.own()
            : BroadcastJoinOperator.GroupChoice.of(hash));
  }

  /**
   * Rows that come in turn, or from the join before, have no key by which Flink distributed them.
   * The state needs none: it is under keys that the operator makes, in key groups of its task. But
   * Flink gives keyed state to an operator only if it is told a key, and the public API tells it by
   * keyBy alone, which distributes too.
   */
  private static void giveKeyedState(SingleOutputStreamOperator<Row> joined) {
    @SuppressWarnings("unchecked")
    TwoInputTransformation<Row, Row, Row> join =
        (TwoInputTransformation<Row, Row, Row>) joined.getTransformation();
    if (join.getStateKeyType() == null) {
      join.setStateKeySelectors(row -> 0L, null);
      join.setStateKeyType(Types.LONG);
    }
  }

  /** Empty if a column's values only the type of its whole row can write. */
  private static Optional<TypeInformation<Row>> flatType(List<Selected> columns) {
    return RowTypes.of(
        columns.stream().map(Selected::name).toList(),
        columns.stream().map(column -> column.type().getLogicalType()).toList());
  }

  private static TypeInformation<Row> typeOf(List<JoinedTable> tables, boolean withGroup) {
    List<TypeInformation<?>> types = new ArrayList<>();
    tables.forEach(table -> types.add(table.type));
    if (withGroup) {
      types.add(Types.INT);
      return Types.ROW(types.toArray(TypeInformation<?>[]::new));
    }
    return Types.ROW_NAMED(
        tables.stream().map(JoinedTable::name).toArray(String[]::new),
        types.toArray(TypeInformation<?>[]::new));
  }

  private static void requireDistinctNames(List<JoinedTable> tables) {
    Set<String> names = new HashSet<>();
    for (JoinedTable table : tables) {
      if (!names.add(table.name)) {
        throw new IllegalArgumentException(
            "Two tables of a broadcast join are named '%s': give each another name."
                .formatted(table.name));
      }
    }
  }

  /** All columns of both sides by the name of the table, a dot and the name of the column. */
  private static Map<String, JoinColumn> columns(BigRows bigRows, JoinedTable small) {
    Map<String, JoinColumn> columns = new LinkedHashMap<>();
    for (int table = 0; table < bigRows.tables.size(); table++) {
      addColumns(
          columns, bigRows.tables.get(table), true, bigRows.joined ? table : JoinColumn.ONLY_TABLE);
    }
    addColumns(columns, small, false, JoinColumn.ONLY_TABLE);
    return columns;
  }

  private static void addColumns(
      Map<String, JoinColumn> columns, JoinedTable table, boolean big, int position) {
    RowType row = (RowType) TableStreams.rowType(table.query).getLogicalType();
    for (int field = 0; field < row.getFieldCount(); field++) {
      String name = table.name + "." + row.getFieldNames().get(field);
      columns.put(name, new JoinColumn(name, big, position, field, row.getTypeAt(field)));
    }
  }

  private static JoinColumn column(Map<String, JoinColumn> columns, String name) {
    if (!columns.containsKey(name)) {
      throw new IllegalArgumentException(
          "There is no column '%s' to join by. The columns are: %s."
              .formatted(name, String.join(", ", columns.keySet())));
    }
    return columns.get(name);
  }

  private static JoinColumn key(Map<String, JoinColumn> columns, String name, boolean big) {
    JoinColumn column = column(columns, name);
    if (column.big() != big) {
      throw new IllegalArgumentException(
          "Column '%s' is not of the %s side: a key is a column of the big side, then one of the small side."
              .formatted(name, big ? "big" : "small"));
    }
    if (!Distribution.hashesAlikeEverywhere(column.type())) {
      throw new IllegalArgumentException(
          "Rows cannot be joined by column '%s': values of type %s do not hash alike in every task."
              .formatted(name, column.type()));
    }
    return column;
  }
}
