package io.hintflow.transpiler.analysis;

import com.google.common.collect.ImmutableList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.plan.RelOptSchema;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelDistribution;
import org.apache.calcite.rel.RelDistributions;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelReferentialConstraint;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.SqlAccessType;
import org.apache.calcite.sql.validate.SqlModality;
import org.apache.calcite.sql.validate.SqlMonotonicity;
import org.apache.calcite.util.ImmutableBitSet;

/** A table or view as Calcite sees it. A view with a plan stands for that plan. */
final class RelationTable extends Prepare.AbstractPreparingTable {
  private final List<String> path;
  private final RelDataType rowType;
  private final List<TimeAttribute> timeAttributes;
  private final Changelog changelog;
  private final Optional<ImmutableBitSet> primaryKey;
  private final ImmutableBitSet certainTypes;
  private final Optional<RelNode> plan;
  private final Table schemaTable = new SchemaTable();

  private RelationTable(
      List<String> path,
      RelDataType rowType,
      List<TimeAttribute> timeAttributes,
      Changelog changelog,
      Optional<ImmutableBitSet> primaryKey,
      ImmutableBitSet certainTypes,
      Optional<RelNode> plan) {
    this.path = path;
    this.rowType = rowType;
    this.timeAttributes = timeAttributes;
    this.changelog = changelog;
    this.primaryKey = primaryKey;
    this.certainTypes = certainTypes;
    this.plan = plan;
  }

  /**
   * @param primaryKey names of columns; none if none is declared
   */
  static RelationTable of(
      List<String> path,
      List<Column> columns,
      Changelog changelog,
      List<String> primaryKey,
      RelDataTypeFactory factory) {
    RelDataTypeFactory.Builder rowType = factory.builder();
    columns.forEach(column -> rowType.add(column.name(), column.type()));
    List<TimeAttribute> timeAttributes = columns.stream().map(Column::timeAttribute).toList();
    List<String> names = columns.stream().map(Column::name).toList();
    Optional<ImmutableBitSet> key =
        primaryKey.isEmpty()
            ? Optional.empty()
            : Optional.of(ImmutableBitSet.of(primaryKey.stream().map(names::indexOf).toList()));
    ImmutableBitSet certainTypes =
        ImmutableBitSet.of(
            IntStream.range(0, columns.size()).filter(i -> columns.get(i).certain()).toArray());
    return new RelationTable(
        path, rowType.build(), timeAttributes, changelog, key, certainTypes, Optional.empty());
  }

  static RelationTable ofView(List<String> path, RelDataType rowType, Optional<RelNode> plan) {
    List<TimeAttribute> timeAttributes =
        Collections.nCopies(rowType.getFieldCount(), TimeAttribute.NONE);
    return new RelationTable(
        path,
        rowType,
        timeAttributes,
        Changelog.UNKNOWN,
        Optional.empty(),
        ImmutableBitSet.of(),
        plan);
  }

  /** One for each column. */
  List<TimeAttribute> timeAttributes() {
    return timeAttributes;
  }

  Changelog changelog() {
    return changelog;
  }

  /** The positions of the columns that tell its rows apart, if it declares them. */
  Optional<ImmutableBitSet> primaryKey() {
    return primaryKey;
  }

  /** The positions of the columns of which {@link Column#certain} holds; of a view none. */
  ImmutableBitSet certainTypes() {
    return certainTypes;
  }

  /** The form in which Calcite's schemas hold tables. */
  private final class SchemaTable extends AbstractTable {
    @Override
    public RelDataType getRowType(RelDataTypeFactory typeFactory) {
      return rowType;
    }

    @Override
    public <C> C unwrap(Class<C> type) {
      return type.isInstance(RelationTable.this)
          ? type.cast(RelationTable.this)
          : super.unwrap(type);
    }
  }

  Table schemaTable() {
    return schemaTable;
  }

  @Override
  public RelNode toRel(RelOptTable.ToRelContext context) {
    return plan.orElseGet(
        () -> LogicalTableScan.create(context.getCluster(), this, context.getTableHints()));
  }

  @Override
  public List<String> getQualifiedName() {
    return path;
  }

  @Override
  public RelDataType getRowType() {
    return rowType;
  }

  /** Flink allows FOR SYSTEM_TIME AS OF on any table and decides later. */
  @Override
  public boolean isTemporal() {
    return true;
  }

  @Override
  public SqlAccessType getAllowedAccess() {
    return SqlAccessType.ALL;
  }

  @Override
  public boolean supportsModality(SqlModality modality) {
    return true;
  }

  @Override
  public SqlMonotonicity getMonotonicity(String columnName) {
    return SqlMonotonicity.NOT_MONOTONIC;
  }

  @Override
  public double getRowCount() {
    return 100;
  }

  @Override
  public RelOptSchema getRelOptSchema() {
    return null;
  }

  @Override
  public List<RelCollation> getCollationList() {
    return ImmutableList.of();
  }

  @Override
  public RelDistribution getDistribution() {
    return RelDistributions.ANY;
  }

  @Override
  public boolean isKey(ImmutableBitSet columns) {
    return false;
  }

  @Override
  public List<ImmutableBitSet> getKeys() {
    return ImmutableList.of();
  }

  @Override
  public List<RelReferentialConstraint> getReferentialConstraints() {
    return ImmutableList.of();
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Expression getExpression(Class type) {
    return null;
  }

  @Override
  protected RelOptTable extend(Table extendedTable) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <C> C unwrap(Class<C> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    return type.isInstance(schemaTable) ? type.cast(schemaTable) : null;
  }
}
