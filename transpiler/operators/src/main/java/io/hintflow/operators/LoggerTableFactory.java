package io.hintflow.operators;

import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.SinkV2Provider;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.DataType;

/** {@code 'connector' = 'logger'}: every change goes to the log of its task, as it is. */
public final class LoggerTableFactory implements DynamicTableSinkFactory {
  private static final ConfigOption<String> PRINT_IDENTIFIER =
      ConfigOptions.key("print-identifier").stringType().noDefaultValue();

  @Override
  public String factoryIdentifier() {
    return "logger";
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of(PRINT_IDENTIFIER, FactoryUtil.SINK_PARALLELISM);
  }

  @Override
  public DynamicTableSink createDynamicTableSink(Context context) {
    FactoryUtil.TableFactoryHelper helper = FactoryUtil.createTableFactoryHelper(this, context);
    helper.validate();
    return new LoggerTable(
        context.getPhysicalRowDataType(),
        helper.getOptions().getOptional(PRINT_IDENTIFIER),
        helper.getOptions().getOptional(FactoryUtil.SINK_PARALLELISM));
  }

  private record LoggerTable(
      DataType rowType, Optional<String> identifier, Optional<Integer> parallelism)
      implements DynamicTableSink {
    /** Whatever the query gives: a log can take back nothing, and need not. */
    @Override
    public ChangelogMode getChangelogMode(ChangelogMode requestedMode) {
      return requestedMode;
    }

    @Override
    public SinkRuntimeProvider getSinkRuntimeProvider(Context context) {
      return SinkV2Provider.of(
          new LoggerSink(
              context.createDataStructureConverter(rowType),
              identifier.map(text -> text + "> ").orElse("")),
          parallelism.orElse(null));
    }

    @Override
    public DynamicTableSink copy() {
      return this;
    }

    @Override
    public String asSummaryString() {
      return "Logger";
    }
  }
}
