package io.hintflow.operators;

import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.runtime.connector.source.LookupRuntimeProviderContext;

/** Makes Redis tables as Flink's planner does. */
final class RedisTables {
  private RedisTables() {}

  /**
   * @param configuration of the job
   */
  static LookupTableSource create(
      ResolvedSchema schema, Map<String, String> options, Map<String, String> configuration) {
    CatalogTable table =
        CatalogTable.newBuilder()
            .schema(Schema.newBuilder().fromResolvedSchema(schema).build())
            .options(options)
            .build();
    return (LookupTableSource)
        FactoryUtil.createDynamicTableSource(
            new RedisTableFactory(),
            ObjectIdentifier.of("default_catalog", "default_database", "users"),
            new ResolvedCatalogTable(table, schema),
            Map.of(),
            Configuration.fromMap(configuration),
            RedisTables.class.getClassLoader(),
            false);
  }

  /**
   * What the planner asks a table for.
   *
   * @param keys the paths of the columns that the join compares
   */
  static LookupTableSource.LookupContext context(int[][] keys) throws ReflectiveOperationException {
    // Flink 2 has one parameter more, for look-ups with a shuffle of their own.
    var constructor = LookupRuntimeProviderContext.class.getConstructors()[0];
    return (LookupTableSource.LookupContext)
        (constructor.getParameterCount() == 1
            ? constructor.newInstance((Object) keys)
            : constructor.newInstance(keys, false));
  }

  /** Of a task without metrics. */
  static FunctionContext functionContext() {
    return new FunctionContext(null);
  }
}
