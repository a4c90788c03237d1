package io.hintflow.transpiler.analysis;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.rel.type.RelProtoDataType;
import org.apache.calcite.schema.Function;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.SchemaVersion;
import org.apache.calcite.schema.Table;

/**
 * {@link QueryPlanner.Tables} as Calcite asks for them: catalogs, in them databases, in them
 * tables.
 */
final class TablesSchema implements Schema {
  private final QueryPlanner.Tables tables;
  private final List<String> path;

  /**
   * @param path empty for the catalogs, a catalog for its databases, a catalog and a database for
   *     its tables
   */
  TablesSchema(QueryPlanner.Tables tables, List<String> path) {
    this.tables = tables;
    this.path = path;
  }

  @Override
  public Table getTable(String name) {
    if (path.size() < 2) {
      return null;
    }
    List<String> full = Stream.concat(path.stream(), Stream.of(name)).toList();
    return tables.lookup().find(full).map(RelationTable::schemaTable).orElse(null);
  }

  @Override
  public Schema getSubSchema(String name) {
    return getSubSchemaNames().contains(name)
        ? new TablesSchema(tables, Stream.concat(path.stream(), Stream.of(name)).toList())
        : null;
  }

  @Override
  public Set<String> getSubSchemaNames() {
    int depth = path.size();
    return depth > 1
        ? Set.of()
        : tables.databases().stream()
            .filter(database -> database.subList(0, depth).equals(path))
            .map(database -> database.get(depth))
            .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public Set<String> getTableNames() {
    return Set.of();
  }

  @Override
  public RelProtoDataType getType(String name) {
    return null;
  }

  @Override
  public Set<String> getTypeNames() {
    return Set.of();
  }

  @Override
  public Collection<Function> getFunctions(String name) {
    return List.of();
  }

  @Override
  public Set<String> getFunctionNames() {
    return Set.of();
  }

  @Override
  public Expression getExpression(SchemaPlus parentSchema, String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isMutable() {
    return false;
  }

  @Override
  public Schema snapshot(SchemaVersion version) {
    return this;
  }
}
