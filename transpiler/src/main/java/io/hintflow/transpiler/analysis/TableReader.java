package io.hintflow.transpiler.analysis;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.NearestName;
import io.hintflow.grammar.Script;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.TableOption;
import io.hintflow.transpiler.analysis.Column.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.flink.sql.parser.ddl.SqlTableColumn;
import org.apache.flink.sql.parser.ddl.SqlTableColumn.SqlComputedColumn;
import org.apache.flink.sql.parser.ddl.SqlTableColumn.SqlMetadataColumn;
import org.apache.flink.sql.parser.ddl.SqlTableColumn.SqlRegularColumn;
import org.apache.flink.sql.parser.ddl.SqlWatermark;
import org.apache.flink.sql.parser.ddl.constraint.SqlTableConstraint;
import org.apache.flink.sql.parser.ddl.position.SqlTableColumnPosition;
import org.apache.flink.sql.parser.ddl.table.SqlAlterTable;
import org.apache.flink.sql.parser.ddl.table.SqlAlterTableDrop;
import org.apache.flink.sql.parser.ddl.table.SqlAlterTableOptions;
import org.apache.flink.sql.parser.ddl.table.SqlAlterTableRenameColumn;
import org.apache.flink.sql.parser.ddl.table.SqlAlterTableReset;
import org.apache.flink.sql.parser.ddl.table.SqlAlterTableSchema;
import org.apache.flink.sql.parser.ddl.table.SqlCreateTableLike;
import org.apache.flink.sql.parser.ddl.table.SqlTableLike;
import org.apache.flink.sql.parser.ddl.table.SqlTableLike.FeatureOption;
import org.apache.flink.sql.parser.ddl.table.SqlTableLike.MergingStrategy;

/** Reads what one CREATE TABLE or ALTER TABLE says. */
final class TableReader {
  private static final String ROW = "declared columns";

  private final Script script;
  private final QueryPlanner planner;
  private final Statement statement;
  private final List<Diagnostic> diagnostics = new ArrayList<>();

  private final Map<String, Column> columns = new LinkedHashMap<>();
  private final Map<String, SqlNode> expressions = new LinkedHashMap<>();
  private List<String> primaryKey = List.of();
  private Optional<String> watermark = Optional.empty();
  private final Map<String, String> options = new LinkedHashMap<>();

  TableReader(Script script, QueryPlanner planner, Statement statement) {
    this.script = script;
    this.planner = planner;
    this.statement = statement;
  }

  List<Diagnostic> diagnostics() {
    return List.copyOf(diagnostics);
  }

  /**
   * What contradicts itself in a declaration, without looking at types or other tables: a column
   * declared twice, a primary key or a watermark of a column that isn't there.
   */
  static List<Diagnostic> check(Script script, Statement.CreateTable create) {
    List<Diagnostic> found = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>();
    for (SqlNode node : create.node().getColumnList()) {
      SqlIdentifier name =
          node instanceof SqlTableColumn column ? column.getName() : (SqlIdentifier) node;
      if (!names.add(name.toString())) {
        found.add(
            invalid(
                script,
                create,
                name,
                "The column '" + name.toString() + "' is declared twice",
                Optional.empty()));
      }
    }
    boolean ownColumnsOnly =
        !(create.node() instanceof SqlCreateTableLike)
            && create.blocks().isEmpty()
            && !names.isEmpty();
    if (!ownColumnsOnly) {
      return found;
    }
    List<SqlIdentifier> used = new ArrayList<>();
    for (SqlTableConstraint constraint : constraints(create)) {
      constraint.getColumns().forEach(name -> used.add((SqlIdentifier) name));
    }
    create
        .node()
        .getWatermark()
        .ifPresent(watermark -> used.add(watermark.getEventTimeColumnName()));
    for (SqlIdentifier name : used) {
      if (!names.contains(name.names.get(0))) {
        found.add(
            invalid(
                script,
                create,
                name,
                "The table declares no column '" + name + "'",
                NearestName.of(name.names.get(0), names)));
      }
    }
    return found;
  }

  /**
   * @param meant the name that was most likely meant in place of the one there
   */
  private static Diagnostic invalid(
      Script script, Statement statement, SqlNode at, String message, Optional<String> meant) {
    Span span = script.span(statement, at.getParserPosition());
    return new Diagnostic(
        DiagnosticCode.INVALID_DECLARATION,
        script.original(),
        span,
        message,
        meant.map(name -> "Did you mean '" + name + "'?"),
        WrittenName.replaced(script, span, script.text().text(span), meant));
  }

  /**
   * A CREATE TABLE.
   *
   * @param base the table that it is LIKE
   * @param query the columns of the query behind its AS
   */
  Relation.Table create(
      List<String> path,
      Statement.CreateTable create,
      Optional<Relation.Table> base,
      List<OutputColumn> query) {
    base.ifPresent(table -> take(table, ((SqlCreateTableLike) create.node()).getTableLike()));
    List<String> order = new ArrayList<>();
    for (SqlNode node : create.node().getColumnList()) {
      if (node instanceof SqlTableColumn column) {
        add(column);
      } else if (node instanceof SqlIdentifier name) {
        order.add(name.toString());
      }
    }
    takeQuery(query, order, create.nameSpan());
    for (SqlTableConstraint constraint : constraints(create)) {
      if (constraint.isPrimaryKey()) {
        primaryKey = columnNames(constraint);
      }
    }
    create.node().getWatermark().ifPresent(this::setWatermark);
    for (TableOption option : create.options()) {
      options.put(option.key().text(), option.value().text());
    }
    return build(path, create);
  }

  /** An ALTER TABLE. */
  Relation.Table alter(List<String> path, SqlAlterTable node, Relation.Table before) {
    before.columns().forEach(column -> columns.put(column.name(), column));
    primaryKey = before.primaryKey();
    watermark = before.watermark();
    options.putAll(before.options());
    if (node instanceof SqlAlterTableOptions set && set.getPartitionSpec() == null) {
      options.putAll(set.getProperties());
    } else if (node instanceof SqlAlterTableReset reset) {
      reset.getResetKeys().forEach(options::remove);
    } else if (node instanceof SqlAlterTableRenameColumn rename) {
      rename(
          rename.getOldColumnIdentifier().toString(), rename.getNewColumnIdentifier().toString());
    } else if (node instanceof SqlAlterTableDrop drop) {
      drop(drop);
    } else if (node instanceof SqlAlterTableSchema schema) {
      change(schema);
    }
    return build(path, before.statement());
  }

  private Relation.Table build(List<String> path, Statement.CreateTable create) {
    computeTypes();
    primaryKey.forEach(
        name ->
            columns.computeIfPresent(
                name,
                (unused, column) ->
                    with(
                        column,
                        planner.typeFactory().createTypeWithNullability(column.type(), false),
                        column.timeAttribute())));
    watermark.ifPresent(
        name ->
            columns.computeIfPresent(
                name, (unused, column) -> with(column, column.type(), TimeAttribute.ROWTIME)));
    return new Relation.Table(
        path,
        List.copyOf(columns.values()),
        primaryKey,
        watermark,
        Collections.unmodifiableMap(options),
        create,
        ConnectorChangelog.of(options));
  }

  private static Column with(Column column, RelDataType type, TimeAttribute timeAttribute) {
    return new Column(
        column.name(), type, timeAttribute, column.kind(), column.span(), column.certain());
  }

  // ------------------------------------------------------------------------ LIKE, AS

  private void take(Relation.Table base, SqlTableLike like) {
    for (Column column : base.columns()) {
      boolean taken =
          switch (column.kind()) {
            case PHYSICAL -> true;
            case COMPUTED -> isTaken(like, FeatureOption.GENERATED);
            case METADATA, VIRTUAL_METADATA -> isTaken(like, FeatureOption.METADATA);
          };
      if (taken) {
        TimeAttribute time =
            column.timeAttribute() == TimeAttribute.ROWTIME
                ? TimeAttribute.NONE
                : column.timeAttribute();
        columns.put(column.name(), with(column, column.type(), time));
      }
    }
    if (isTaken(like, FeatureOption.CONSTRAINTS)) {
      primaryKey = base.primaryKey();
    }
    if (isTaken(like, FeatureOption.WATERMARKS)) {
      watermark = base.watermark();
    }
    if (isTaken(like, FeatureOption.OPTIONS)) {
      options.putAll(base.options());
    }
  }

  /**
   * Whether a feature of the base table is taken over: all are, unless an option of LIKE excludes
   * it.
   */
  private static boolean isTaken(SqlTableLike like, FeatureOption feature) {
    MergingStrategy strategy = MergingStrategy.INCLUDING;
    for (SqlTableLike.SqlTableLikeOption option : like.getOptions()) {
      if (option.getFeatureOption() == FeatureOption.ALL) {
        strategy = option.getMergingStrategy();
      }
    }
    for (SqlTableLike.SqlTableLikeOption option : like.getOptions()) {
      if (option.getFeatureOption() == feature) {
        strategy = option.getMergingStrategy();
      }
    }
    return strategy != MergingStrategy.EXCLUDING;
  }

  private void takeQuery(List<OutputColumn> query, List<String> order, Span span) {
    Map<String, OutputColumn> byName = new LinkedHashMap<>();
    order.forEach(
        name ->
            query.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .ifPresent(column -> byName.put(name, column)));
    query.forEach(column -> byName.putIfAbsent(column.name(), column));
    for (OutputColumn column : byName.values()) {
      columns.putIfAbsent(
          column.name(),
          new Column(column.name(), column.type(), TimeAttribute.NONE, Kind.PHYSICAL, span, false));
    }
  }

  // ------------------------------------------------------------------------ columns

  private void add(SqlTableColumn node) {
    Column column = read(node);
    columns.remove(column.name());
    columns.put(column.name(), column);
  }

  private Column read(SqlTableColumn node) {
    String name = node.getName().toString();
    Span span = script.span(statement, node.getName().getParserPosition());
    expressions.remove(name);
    if (node instanceof SqlRegularColumn regular) {
      return new Column(
          name, type(regular.getType()), TimeAttribute.NONE, Kind.PHYSICAL, span, true);
    }
    if (node instanceof SqlMetadataColumn metadata) {
      Kind kind = metadata.isVirtual() ? Kind.VIRTUAL_METADATA : Kind.METADATA;
      return new Column(name, type(metadata.getType()), TimeAttribute.NONE, kind, span, true);
    }
    SqlNode expression = ((SqlComputedColumn) node).getExpr();
    if (isProctime(expression)) {
      RelDataType type = planner.typeFactory().proctime();
      return new Column(name, type, TimeAttribute.PROCTIME, Kind.COMPUTED, span, true);
    }
    expressions.put(name, expression);
    RelDataType unknown = planner.typeFactory().unknown();
    return new Column(name, unknown, TimeAttribute.NONE, Kind.COMPUTED, span, false);
  }

  private static boolean isProctime(SqlNode expression) {
    return expression instanceof SqlCall call
        && call.getOperator().getName().equalsIgnoreCase("PROCTIME")
        && call.operandCount() == 0;
  }

  private RelDataType type(SqlDataTypeSpec spec) {
    try {
      return planner.type(spec);
    } catch (CalciteContextException e) {
      // Which may stand within another one: ARRAY<TEXT>.
      SqlParserPos position =
          new SqlParserPos(
              e.getPosLine(), e.getPosColumn(), e.getEndPosLine(), e.getEndPosColumn());
      Span span = script.span(statement, position);
      diagnostics.add(
          new Diagnostic(
              DiagnosticCode.UNUSABLE_TYPE,
              script.original(),
              span,
              "There is no type '" + script.original().text(span) + "'",
              Optional.empty()));
    } catch (RuntimeException e) {
      // A type of Flink's that Calcite does not have, such as BITMAP.
    }
    return planner.typeFactory().unknown();
  }

  /** Computed columns see the others, but not each other. */
  private void computeTypes() {
    if (expressions.isEmpty()) {
      return;
    }
    List<Column> visible =
        columns.values().stream()
            .filter(column -> !expressions.containsKey(column.name()))
            .toList();
    RelationTable row =
        RelationTable.of(
            List.of(ROW, ROW, ROW), visible, Changelog.UNKNOWN, List.of(), planner.typeFactory());
    expressions.forEach((name, expression) -> computeType(name, expression, row));
  }

  private void computeType(String name, SqlNode expression, RelationTable row) {
    SqlSelect query =
        new SqlSelect(
            SqlParserPos.ZERO,
            null,
            SqlNodeList.of(
                SqlStdOperatorTable.AS.createCall(
                    SqlParserPos.ZERO, expression, new SqlIdentifier(name, SqlParserPos.ZERO))),
            new SqlIdentifier(ROW, SqlParserPos.ZERO),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);
    QueryPlanner.Validator validator =
        planner.validator(
            new QueryPlanner.Tables(
                Set.of(List.of(ROW, ROW)), List.of(ROW, ROW), path -> Optional.of(row)));
    try {
      RelDataType type = planner.validate(QueryCopy.of(query).root(), validator).rowType();
      Column column = columns.get(name);
      columns.put(name, with(column, type.getFieldList().get(0).getType(), column.timeAttribute()));
    } catch (RuntimeException e) {
      QueryError.of(e, validator.metUnknownFunctions()).ifPresent(this::report);
    } catch (StackOverflowError | AssertionError e) {
      // Not the user's fault: the column keeps its unknown type.
    }
  }

  private void report(QueryError error) {
    Span span = script.span(statement, error.position());
    String wrong = error.name().orElse("");
    // A computed column cannot read another one: then the name itself is right.
    Optional<String> nearest =
        NearestName.of(wrong, columns.keySet()).filter(meant -> !meant.equals(wrong));
    diagnostics.add(
        new Diagnostic(
            error.code(),
            script.original(),
            span,
            error.message(),
            nearest.map(meant -> "Did you mean '" + meant + "'?"),
            WrittenName.replaced(script, span, wrong, nearest)));
  }

  private static List<SqlTableConstraint> constraints(Statement.CreateTable create) {
    List<SqlTableConstraint> all = new ArrayList<>();
    for (SqlNode node : create.node().getColumnList()) {
      if (node instanceof SqlRegularColumn column) {
        column.getConstraint().ifPresent(all::add);
      }
    }
    all.addAll(create.node().getTableConstraints());
    return all;
  }

  private static List<String> columnNames(SqlTableConstraint constraint) {
    return constraint.getColumns().stream().map(SqlNode::toString).toList();
  }

  private void setWatermark(SqlWatermark declared) {
    // A nested field can't be a time attribute; Flink says so.
    watermark = Optional.of(declared.getEventTimeColumnName().toString());
  }

  // ------------------------------------------------------------------------ ALTER TABLE

  private void rename(String from, String to) {
    Map<String, Column> before = new LinkedHashMap<>(columns);
    columns.clear();
    before.forEach(
        (name, column) -> {
          String now = name.equals(from) ? to : name;
          columns.put(
              now,
              new Column(
                  now,
                  column.type(),
                  column.timeAttribute(),
                  column.kind(),
                  column.span(),
                  column.certain()));
        });
    primaryKey = primaryKey.stream().map(name -> name.equals(from) ? to : name).toList();
    watermark = watermark.map(name -> name.equals(from) ? to : name);
  }

  private void drop(SqlAlterTableDrop drop) {
    if (drop instanceof SqlAlterTableDrop.SqlAlterTableDropColumn dropColumn) {
      for (SqlNode name : dropColumn.getColumnList()) {
        columns.remove(name.toString());
      }
    } else if (drop instanceof SqlAlterTableDrop.SqlAlterTableDropWatermark) {
      watermark
          .map(columns::get)
          .ifPresent(
              column ->
                  columns.put(column.name(), with(column, column.type(), TimeAttribute.NONE)));
      watermark = Optional.empty();
    } else {
      primaryKey = List.of();
    }
  }

  /** ADD and MODIFY. */
  private void change(SqlAlterTableSchema schema) {
    for (SqlNode node : schema.getColumnPositions()) {
      SqlTableColumnPosition position = (SqlTableColumnPosition) node;
      Column column = read(position.getColumn());
      List<Column> rest = new ArrayList<>(columns.values());
      int place = place(position, column, rest);
      rest.removeIf(other -> other.name().equals(column.name()));
      rest.add(Math.min(place, rest.size()), column);
      columns.clear();
      rest.forEach(other -> columns.put(other.name(), other));
    }
    schema.getFullConstraint().ifPresent(key -> primaryKey = columnNames(key));
    schema.getWatermark().ifPresent(this::setWatermark);
  }

  private static int place(SqlTableColumnPosition position, Column column, List<Column> columns) {
    List<String> names = columns.stream().map(Column::name).toList();
    if (position.isFirstColumn()) {
      return 0;
    }
    if (position.isAfterReferencedColumn()) {
      return names.indexOf(position.getAfterReferencedColumn().toString()) + 1;
    }
    int before = names.indexOf(column.name());
    return before < 0 ? names.size() : before;
  }
}
