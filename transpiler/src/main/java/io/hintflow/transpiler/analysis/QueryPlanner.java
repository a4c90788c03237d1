package io.hintflow.transpiler.analysis;

import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.hint.RelHint;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.metadata.ProxyingMetadataHandlerProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.validate.SqlNameMatchers;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.sql2rel.SqlRexConvertlet;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.apache.flink.sql.parser.FlinkSqlParsingValidator;
import org.apache.flink.sql.parser.validate.FlinkSqlConformance;

/**
 * Calcite, set up as Flink sets it up: finds what names in a query mean, and makes logical plans.
 */
final class QueryPlanner {
  private static final SqlValidator.Config VALIDATION =
      SqlValidator.Config.DEFAULT
          .withIdentifierExpansion(true)
          .withDefaultNullCollation(NullCollation.LOW)
          .withTypeCoercionEnabled(false)
          .withConformance(FlinkSqlConformance.DEFAULT);

  /** Projections and sorts stay as written, so that a block's plan reads like the block. */
  private static final SqlToRelConverter.Config CONVERSION =
      SqlToRelConverter.config()
          .withTrimUnusedFields(false)
          .withRemoveSortInSubQuery(false)
          .withInSubQueryThreshold(Integer.MAX_VALUE)
          .withExpand(false)
          .withAddJsonTypeOperatorEnabled(false)
          .withRelBuilderConfigTransform(config -> config.withBloat(-1).withSimplify(false));

  private final FlinkTypeFactory typeFactory = new FlinkTypeFactory();

  /**
   * One for all plans, because a view's plan becomes part of its readers'. Made when needed: it
   * takes long.
   */
  private Optional<RelOptCluster> cluster = Optional.empty();

  private RelOptCluster cluster() {
    if (cluster.isEmpty()) {
      HepPlanner planner = new HepPlanner(HepProgram.builder().build());
      RelOptCluster created = RelOptCluster.create(planner, new RexBuilder(typeFactory));
      // Calcite's usual provider compiles Java code at run time, which takes longer than all the
      // rest.
      created.setMetadataQuerySupplier(
          () ->
              new RelMetadataQuery(
                  new ProxyingMetadataHandlerProvider(DefaultRelMetadataProvider.INSTANCE)));
      cluster = Optional.of(created);
    }
    return cluster.get();
  }

  FlinkTypeFactory typeFactory() {
    return typeFactory;
  }

  /** A query in which every name is resolved. */
  record Validated(SqlNode query, RelDataType rowType, Validator validator) {}

  /**
   * The plans of a query and of every SELECT in it that the query uses.
   *
   * @param froms the plans of what FROM clauses name and join, by their nodes
   */
  record Planned(RelNode query, Map<SqlSelect, RelNode> selects, Map<SqlNode, RelNode> froms) {}

  /**
   * Finds the meaning of every name in a query, which it changes. Throws whatever Calcite throws if
   * there is none.
   */
  Validated validate(SqlNode query, Validator validator) {
    SqlNode validated = validator.validate(query);
    return new Validated(validated, validator.getValidatedNodeType(validated), validator);
  }

  Validator validator(Tables tables) {
    return new Validator(new FlinkOperators(), new CatalogReader(tables, typeFactory), typeFactory);
  }

  /** Throws whatever Calcite throws if it can't plan what it found valid. */
  Planned plan(Validated validated) {
    Converter converter = new Converter(cluster(), validated.validator());
    RelNode plan = converter.convertQuery(validated.query(), false, true).project();
    return new Planned(plan, converter.plans, converter.froms);
  }

  /** A type as a declaration writes it; nullable unless it says otherwise. */
  RelDataType type(SqlDataTypeSpec spec) {
    Validator validator =
        validator(new Tables(Set.of(), List.of("", ""), path -> Optional.empty()));
    return spec.deriveType(validator, spec.getNullable() == null || spec.getNullable());
  }

  /** Whether a plan reads columns of a query around it. */
  static boolean isCorrelated(RelNode plan) {
    Set<CorrelationId> used = new HashSet<>(RelOptUtil.getVariablesUsed(plan));
    used.removeAll(RelOptUtil.getVariablesSet(plan));
    return !used.isEmpty();
  }

  /**
   * The plan with the names of a row type, and without the columns behind it that it carries only
   * to sort by them.
   */
  static RelNode shape(RelNode plan, RelDataType rowType) {
    if (plan.getRowType().getFieldNames().equals(rowType.getFieldNames())) {
      return plan;
    }
    List<RexNode> columns =
        rowType.getFieldList().stream()
            .map(field -> (RexNode) RexInputRef.of(field.getIndex(), plan.getRowType()))
            .toList();
    return LogicalProject.create(plan, List.of(), columns, rowType.getFieldNames(), Set.of());
  }

  /**
   * The tables that a query can name.
   *
   * @param databases catalog and name of each known database
   * @param current the catalog and database of unqualified names
   */
  record Tables(Set<List<String>> databases, List<String> current, Lookup lookup) {
    interface Lookup {
      /** The table with this catalog, database and name. */
      Optional<RelationTable> find(List<String> path);
    }
  }

  /** Flink's validator, which its type names insist on, without its planner. */
  static final class Validator extends FlinkSqlParsingValidator {
    private final FlinkOperators operators;

    Validator(FlinkOperators operators, CatalogReader catalogReader, FlinkTypeFactory typeFactory) {
      super(operators, catalogReader, typeFactory, VALIDATION, false);
      this.operators = operators;
    }

    /** Whether the query calls a function that we don't know. */
    boolean metUnknownFunctions() {
      return operators.unknownFunctions();
    }

    private CalciteCatalogReader catalogReader() {
      return (CalciteCatalogReader) getCatalogReader();
    }
  }

  private static final class CatalogReader extends CalciteCatalogReader {
    CatalogReader(Tables tables, FlinkTypeFactory typeFactory) {
      super(
          CalciteSchema.createRootSchema(false, false, "", new TablesSchema(tables, List.of())),
          SqlNameMatchers.withCaseSensitive(true),
          List.of(tables.current(), tables.current().subList(0, 1), List.of()),
          typeFactory,
          caseSensitive());
    }

    private static CalciteConnectionConfigImpl caseSensitive() {
      return new CalciteConnectionConfigImpl(new Properties())
          .set(CalciteConnectionProperty.CASE_SENSITIVE, "true");
    }
  }

  /** Remembers the plan of each SELECT, and of what its FROM names and joins. */
  private static final class Converter extends SqlToRelConverter {
    private final Validator namespaces;
    private final Map<SqlSelect, RelNode> plans = new IdentityHashMap<>();
    private final Map<SqlNode, RelNode> froms = new IdentityHashMap<>();

    Converter(RelOptCluster cluster, Validator validator) {
      super(
          new Context(cluster),
          validator,
          validator.catalogReader(),
          cluster,
          new Convertlets(),
          CONVERSION);
      this.namespaces = validator;
    }

    @Override
    protected void convertFrom(Blackboard blackboard, SqlNode from, List<String> fieldNames) {
      super.convertFrom(blackboard, from, fieldNames);
      if (from != null) {
        froms.put(from, blackboard.root());
      }
    }

    @Override
    public RelNode convertSelect(SqlSelect select, boolean top) {
      RelNode plan = super.convertSelect(select, top);
      plans.putIfAbsent(select, shape(plan, namespaces.getNamespace(select).getRowType()));
      return plan;
    }
  }

  private record Context(RelOptCluster cluster) implements RelOptTable.ToRelContext {
    @Override
    public RelOptCluster getCluster() {
      return cluster;
    }

    @Override
    public List<RelHint> getTableHints() {
      return List.of();
    }

    @Override
    public RelRoot expandView(
        RelDataType rowType, String queryString, List<String> schemaPath, List<String> viewPath) {
      throw new UnsupportedOperationException();
    }
  }

  /** What Calcite can't turn into an expression by itself. */
  private static final class Convertlets implements SqlRexConvertletTable {
    @Override
    public SqlRexConvertlet get(SqlCall call) {
      if (call.getOperator() == FlinkOperators.TRY_CAST) {
        return Convertlets::tryCast;
      }
      if (call.getOperator() instanceof WindowTableFunction) {
        return WindowTableFunction::convert;
      }
      if (call.getKind() == SqlKind.CAST && isTimestamp(call.operand(1))) {
        return Convertlets::castToTimestamp;
      }
      return StandardConvertletTable.INSTANCE.get(call);
    }

    private static boolean isTimestamp(SqlNode target) {
      return target instanceof SqlDataTypeSpec type
          && type.getTypeName().toString().startsWith("TIMESTAMP");
    }

    /**
     * A cast of a time attribute to its own type makes a plain column of it; Calcite would drop the
     * cast.
     */
    private static RexNode castToTimestamp(SqlRexContext context, SqlCall call) {
      RexNode converted = StandardConvertletTable.INSTANCE.get(call).convertCall(context, call);
      return converted instanceof RexInputRef
          ? context.getRexBuilder().makeAbstractCast(converted.getType(), converted, false)
          : converted;
    }

    private static RexNode tryCast(SqlRexContext context, SqlCall call) {
      RexNode value = context.convertExpression(call.operand(0));
      RelDataType type = context.getValidator().getValidatedNodeType(call);
      return context.getRexBuilder().makeCall(type, FlinkOperators.TRY_CAST, List.of(value));
    }
  }
}
