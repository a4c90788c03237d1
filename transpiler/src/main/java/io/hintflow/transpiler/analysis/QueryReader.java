package io.hintflow.transpiler.analysis;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.NearestName;
import io.hintflow.grammar.Script;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.TableReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlValidatorNamespace;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.flink.sql.parser.ddl.SqlReplaceTableAs;
import org.apache.flink.sql.parser.ddl.materializedtable.SqlCreateMaterializedTable;
import org.apache.flink.sql.parser.ddl.table.SqlCreateTableAs;
import org.apache.flink.sql.parser.ddl.view.SqlAlterViewAs;
import org.apache.flink.sql.parser.dml.RichSqlInsert;
import org.apache.flink.sql.parser.dql.SqlRichExplain;

/** Reads what one statement's query means. */
final class QueryReader {
  /**
   * @param rowType what the query produces; empty if that is not known
   * @param columns the same, with the time attributes
   * @param plan the whole query's plan
   */
  record Result(
      QueryAnalysis analysis,
      Optional<RelDataType> rowType,
      List<OutputColumn> columns,
      Optional<RelNode> plan) {}

  /** Thrown through Calcite when a query names something whose columns are not known. */
  private static final class UnknownColumns extends RuntimeException {
    UnknownColumns() {
      super("", null, false, false);
    }
  }

  private final Script script;
  private final Catalog catalog;
  private final QueryPlanner planner;
  private final FlowReader flows;
  private final SinkTypes sinkTypes;
  private final ScriptAnalysis analysis;
  private final Statement statement;
  private final int index;

  private final Set<Diagnostic> diagnostics = new LinkedHashSet<>();
  private final Map<Block, BlockAnalysis> blocks = new IdentityHashMap<>();
  private boolean readsUnknownColumns;

  QueryReader(
      Script script,
      Catalog catalog,
      QueryPlanner planner,
      FlowReader flows,
      SinkTypes sinkTypes,
      ScriptAnalysis analysis,
      Statement statement) {
    this.script = script;
    this.catalog = catalog;
    this.planner = planner;
    this.flows = flows;
    this.sinkTypes = sinkTypes;
    this.analysis = analysis;
    this.statement = statement;
    this.index = analysis.index(statement);
  }

  Result read() {
    Optional<SqlNode> query = query();
    if (query.isEmpty()) {
      return unknown();
    }
    Optional<QueryCopy> copied = attempt(() -> QueryCopy.of(query.get()));
    if (copied.isEmpty()) {
      return unknown();
    }
    QueryCopy copy = copied.get();
    Optional<QueryPlanner.Validated> validated = copy.isKnown() ? validate(copy) : Optional.empty();
    if (validated.isEmpty()) {
      if (diagnostics.isEmpty()) {
        allBlocks().forEach(block -> readFromText(block, copy));
      }
      return unknown();
    }
    return read(copy, validated.get());
  }

  private Result read(QueryCopy copy, QueryPlanner.Validated validated) {
    Optional<QueryPlanner.Planned> planned = attempt(() -> planner.plan(validated));
    allBlocks().forEach(block -> read(block, copy, validated.validator(), planned));
    Optional<RelNode> plan = planned.map(QueryPlanner.Planned::query);
    checkSink(validated.rowType(), plan);
    List<OutputColumn> columns = OutputColumn.of(validated.rowType(), plan.flatMap(this::flow));
    return new Result(
        new QueryAnalysis(List.copyOf(diagnostics), blocks),
        Optional.of(validated.rowType()),
        columns,
        plan);
  }

  private Result unknown() {
    return new Result(
        new QueryAnalysis(List.copyOf(diagnostics), blocks),
        Optional.empty(),
        List.of(),
        Optional.empty());
  }

  /** Calcite fails in many ways on what it does not know; none of them is the user's fault. */
  static <T> Optional<T> attempt(Supplier<T> step) {
    try {
      return Optional.of(step.get());
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      return Optional.empty();
    }
  }

  private Optional<SqlNode> query() {
    if (statement instanceof Statement.Insert insert) {
      return Optional.of(insert.node().getSource());
    }
    if (statement instanceof Statement.CreateView view) {
      return Optional.of(view.node().getQuery());
    }
    if (statement instanceof Statement.CreateTable create) {
      return queryOf(create.node());
    }
    if (statement instanceof Statement.Query query) {
      return Optional.of(query.node());
    }
    if (statement instanceof Statement.Inspection inspection) {
      return queryOf(inspection.node());
    }
    return statement instanceof Statement.Other other ? queryOf(other.node()) : Optional.empty();
  }

  private static Optional<SqlNode> queryOf(SqlNode node) {
    if (node instanceof SqlCreateTableAs create) {
      return Optional.of(create.getAsQuery());
    }
    if (node instanceof SqlReplaceTableAs replace) {
      return Optional.of(replace.getAsQuery());
    }
    if (node instanceof SqlCreateMaterializedTable create) {
      return Optional.of(create.getAsQuery());
    }
    if (node instanceof SqlAlterViewAs alter) {
      return Optional.of(alter.getNewQuery());
    }
    if (node instanceof SqlRichExplain explain) {
      return queryOf(explain.getStatement());
    }
    if (node instanceof RichSqlInsert insert) {
      return Optional.of(insert.getSource());
    }
    return node.isA(SqlKind.QUERY) ? Optional.of(node) : Optional.empty();
  }

  private Stream<Block> allBlocks() {
    return statement.blocks().stream().flatMap(QueryReader::withInner);
  }

  private static Stream<Block> withInner(Block block) {
    return Stream.concat(Stream.of(block), block.inner().stream().flatMap(QueryReader::withInner));
  }

  // ------------------------------------------------------------------------ names

  private Optional<QueryPlanner.Validated> validate(QueryCopy copy) {
    QueryPlanner.Validator validator =
        planner.validator(
            new QueryPlanner.Tables(catalog.databases(), catalog.database(index), this::find));
    try {
      return Optional.of(planner.validate(copy.root(), validator));
    } catch (RuntimeException e) {
      if (!readsUnknownColumns) {
        QueryError.of(e, validator.metUnknownFunctions())
            .filter(error -> !namesFieldOfColumn(error))
            .ifPresent(this::report);
      }
    } catch (AssertionError | StackOverflowError e) {
      // As in attempt: not the user's fault.
    }
    return Optional.empty();
  }

  private Optional<RelationTable> find(List<String> path) {
    return catalog.find(index, path).map(this::read);
  }

  private RelationTable read(Declaration declaration) {
    ScriptAnalysis.Declared declared = analysis.declared(declaration);
    diagnostics.addAll(declared.diagnostics());
    if (declared.relation().isPresent() && declared.complete()) {
      Relation relation = declared.relation().get();
      if (relation instanceof Relation.Table table) {
        return RelationTable.of(
            table.path(),
            table.columns(),
            table.changelog(),
            table.primaryKey(),
            planner.typeFactory());
      }
      if (relation instanceof Relation.View view) {
        Optional<RelationTable> expanded = expand(view);
        if (expanded.isPresent()) {
          return expanded.get();
        }
      }
    }
    readsUnknownColumns = true;
    throw new UnknownColumns();
  }

  private Optional<RelationTable> expand(Relation.View view) {
    Result result = analysis.query(view.statement());
    diagnostics.addAll(result.analysis().diagnostics());
    if (result.rowType().isEmpty()) {
      return Optional.empty();
    }
    RelDataType rowType = result.rowType().get();
    SqlNodeList names = view.statement().node().getFieldList();
    if (names == null || names.isEmpty()) {
      return Optional.of(RelationTable.ofView(view.path(), rowType, result.plan()));
    }
    if (names.size() != rowType.getFieldCount()) {
      return Optional.empty();
    }
    List<String> renamed = names.stream().map(name -> name.toString()).toList();
    RelDataTypeFactory.Builder type = planner.typeFactory().builder();
    for (RelDataTypeField field : rowType.getFieldList()) {
      type.add(renamed.get(field.getIndex()), field.getType());
    }
    RelDataType renamedType = type.build();
    Optional<RelNode> plan = result.plan().map(body -> QueryPlanner.shape(body, renamedType));
    return Optional.of(RelationTable.ofView(view.path(), renamedType, plan));
  }

  // ------------------------------------------------------------------------ errors

  /**
   * Whether the error is about {@code column.field} where Calcite cannot tell: nothing is known of
   * what a user's function gives, and of what rows have in common, as in COALESCE, it wants the
   * table in front.
   */
  private boolean namesFieldOfColumn(QueryError error) {
    String name = error.name().orElse("");
    boolean qualified = error.code() == DiagnosticCode.UNKNOWN_TABLE || name.contains(".");
    return qualified
        && columnsWithFields(script.span(statement, error.position()))
            .contains(name.split("\\.")[0]);
  }

  /** The columns that may have fields: those that the query itself makes, for all that is known. */
  private Set<String> columnsWithFields(Span span) {
    Set<String> names = new HashSet<>();
    allBlocks()
        .filter(block -> block.span().contains(span))
        .flatMap(block -> block.tables().stream())
        .flatMap(table -> columns(table).entrySet().stream())
        .filter(
            column ->
                column.getValue().isStruct()
                    || column.getValue().getSqlTypeName() == SqlTypeName.ANY)
        .forEach(column -> names.add(column.getKey()));
    allBlocks().forEach(block -> names(block).ifPresent(names::addAll));
    query().ifPresent(query -> addAliasedColumns(query, names));
    return names;
  }

  /** Adds the columns that aliases name: {@code AS alias (column, …)}. */
  private static void addAliasedColumns(SqlNode query, Set<String> names) {
    query.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlCall call) {
            if (call.getKind() == SqlKind.AS) {
              call.getOperandList().stream().skip(2).forEach(name -> names.add(name.toString()));
            }
            return super.visit(call);
          }
        });
  }

  private void report(QueryError error) {
    Span span = script.span(statement, error.position());
    switch (error.code()) {
      case UNKNOWN_TABLE -> {
        if (!catalog.hasForeignCatalogs()) {
          reportUnknownTable(error, span);
        }
      }
      case UNKNOWN_COLUMN -> {
        String name = error.name().orElse("");
        Optional<String> nearest = NearestName.of(name, columnsAround(span, error.table()));
        diagnostics.add(
            new Diagnostic(
                error.code(),
                script.original(),
                WrittenName.lastPart(script, span, name),
                error.message(),
                nearest.map(meant -> "Did you mean '" + meant + "'?"),
                WrittenName.replaced(script, span, name, nearest)));
      }
      case AMBIGUOUS_COLUMN ->
          report(error, span, Optional.of("Write the name of its table before it"));
      default -> report(error, span, Optional.empty());
    }
  }

  private void report(QueryError error, Span span, Optional<String> help) {
    diagnostics.add(new Diagnostic(error.code(), script.original(), span, error.message(), help));
  }

  private void reportUnknownTable(QueryError error, Span span) {
    Optional<TableReference> reference =
        allBlocks()
            .flatMap(block -> block.tables().stream())
            .filter(table -> table.nameSpan().contains(span) || span.contains(table.nameSpan()))
            .findFirst();
    if (reference.isPresent()) {
      diagnostics.add(
          analysis.unknownTable(statement, reference.get().nameSpan(), reference.get().path()));
    } else {
      report(error, span, Optional.empty());
    }
  }

  /**
   * The columns that could have been meant at a place.
   *
   * @param qualifier the name before the column's, if there is one
   */
  private List<String> columnsAround(Span span, Optional<String> qualifier) {
    List<String> names = new ArrayList<>();
    allBlocks()
        .filter(block -> block.span().contains(span))
        .flatMap(block -> block.tables().stream())
        .filter(table -> qualifier.map(table.exposedName()::equals).orElse(true))
        .forEach(table -> names.addAll(columns(table).keySet()));
    allBlocks()
        .filter(block -> block.span().contains(span))
        .flatMap(block -> block.inner().stream())
        .forEach(inner -> names(inner).ifPresent(names::addAll));
    return names;
  }

  /** The columns of a table of the query by their names; none if they are not known. */
  private Map<String, RelDataType> columns(TableReference table) {
    Map<String, RelDataType> columns = new LinkedHashMap<>();
    Optional<Relation> relation =
        catalog.find(index, table.path()).flatMap(found -> analysis.declared(found).relation());
    if (relation.isPresent() && relation.get() instanceof Relation.Table declared) {
      declared.columns().forEach(column -> columns.put(column.name(), column.type()));
    } else if (relation.isPresent() && relation.get() instanceof Relation.View view) {
      expand(view)
          .ifPresent(
              expanded ->
                  expanded
                      .getRowType()
                      .getFieldList()
                      .forEach(field -> columns.put(field.getName(), field.getType())));
    }
    return columns;
  }

  /** What the sink has against the query. */
  private void checkSink(RelDataType rowType, Optional<RelNode> plan) {
    if (!(statement instanceof Statement.Insert insert)) {
      return;
    }
    Optional<Declaration> sink = catalog.find(index, insert.target());
    if (sink.isEmpty()) {
      if (!catalog.hasForeignCatalogs()) {
        diagnostics.add(analysis.unknownTable(statement, insert.targetSpan(), insert.target()));
      }
      return;
    }
    ScriptAnalysis.Declared declared = analysis.declared(sink.get());
    diagnostics.addAll(declared.diagnostics());
    if (!declared.complete()
        || !(declared.relation().orElse(null) instanceof Relation.Table table)) {
      return;
    }
    SqlNodeList targets = insert.node().getTargetColumnList();
    if (targets != null) {
      targets.forEach(target -> checkTarget((SqlIdentifier) target, table));
    }
    int expected = table.filledBy(insert).size();
    int given = rowType.getFieldCount();
    if (given != expected) {
      diagnostics.add(
          new Diagnostic(
              DiagnosticCode.COLUMN_COUNT,
              script.original(),
              insert.targetSpan(),
              "The query gives %d column%s, but the sink takes %d"
                  .formatted(given, given == 1 ? "" : "s", expected),
              Optional.empty()));
    } else if (plan.isPresent()) {
      attempt(() -> sinkTypes.check(insert, table, rowType, plan.get()))
          .ifPresent(diagnostics::addAll);
    }
  }

  private void checkTarget(SqlIdentifier target, Relation.Table sink) {
    String name = target.names.get(0);
    List<String> columns = sink.columns().stream().map(Column::name).toList();
    if (!columns.contains(name)) {
      Span span = script.span(statement, target.getParserPosition());
      Optional<String> nearest = NearestName.of(name, columns);
      diagnostics.add(
          new Diagnostic(
              DiagnosticCode.UNKNOWN_COLUMN,
              script.original(),
              span,
              "The sink has no column '" + name + "'",
              nearest.map(meant -> "Did you mean '" + meant + "'?"),
              WrittenName.replaced(script, span, name, nearest)));
    }
  }

  // ------------------------------------------------------------------------ blocks

  private void read(
      Block block,
      QueryCopy copy,
      QueryPlanner.Validator validator,
      Optional<QueryPlanner.Planned> planned) {
    Optional<SqlSelect> select = copy.copyOf(block.select());
    Optional<SqlValidatorNamespace> namespace = select.map(validator::getNamespace);
    if (namespace.isEmpty()) {
      readFromText(block, copy);
      return;
    }
    Optional<RelNode> plan =
        planned.flatMap(plans -> Optional.ofNullable(plans.selects().get(select.get())));
    boolean correlated =
        plan.map(QueryPlanner::isCorrelated).orElse(!copy.isIndependent(block.select()));
    Optional<Flow> flow = plan.flatMap(this::flow);
    blocks.put(
        block,
        new BlockAnalysis(
            OutputColumn.of(namespace.get().getRowType(), flow),
            correlated,
            flow.map(Flow::rowWise).orElse(false),
            flow.map(Flow::changelog).orElse(Changelog.UNKNOWN),
            plan.flatMap(query -> attempt(() -> flows.isByWindow(query))).orElse(false),
            correlated ? Optional.empty() : plan,
            scope(block.select(), select.get(), validator, planned)));
  }

  private Optional<BlockScope> scope(
      SqlSelect select,
      SqlSelect copy,
      QueryPlanner.Validator validator,
      Optional<QueryPlanner.Planned> planned) {
    if (select.getFrom() == null) {
      return Optional.empty();
    }
    return attempt(
        () ->
            new BlockScope(
                new FromReader(validator, flows, planned, copy).read(select.getFrom()),
                copy,
                validator));
  }

  private Optional<Flow> flow(RelNode plan) {
    return attempt(() -> flows.read(plan));
  }

  /** What a block's own text tells: the names of its columns, if it lists them. */
  private void readFromText(Block block, QueryCopy copy) {
    RelDataType type = planner.typeFactory().unknown();
    names(block)
        .ifPresent(
            names ->
                blocks.put(
                    block,
                    new BlockAnalysis(
                        names.stream()
                            .map(name -> new OutputColumn(name, type, TimeAttribute.NONE))
                            .toList(),
                        !copy.isIndependent(block.select()),
                        false,
                        Changelog.UNKNOWN,
                        false,
                        Optional.empty(),
                        Optional.empty())));
  }

  private static Optional<List<String>> names(Block block) {
    SqlNodeList items = block.select().getSelectList();
    boolean star =
        items.stream()
            .anyMatch(item -> item instanceof SqlIdentifier identifier && identifier.isStar());
    return star
        ? Optional.empty()
        : Optional.of(
            IntStream.range(0, items.size())
                .mapToObj(i -> SqlValidatorUtil.alias(items.get(i), i))
                .toList());
  }
}
