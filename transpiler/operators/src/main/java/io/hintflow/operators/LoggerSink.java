package io.hintflow.operators;

import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.connector.RuntimeConverter;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.data.RowData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each row at INFO, its kind in front: {@code +I[1, apple]}.
 *
 * <p>It extends Flink's sink that does nothing because the interface of a sink is not the same in
 * Flink 1.20 and 2: each version of that class brings what its interface asks for besides.
 */
final class LoggerSink extends DiscardingSink<RowData> {
  private static final Logger LOG = LoggerFactory.getLogger(LoggerSink.class);

  private final DynamicTableSink.DataStructureConverter converter;
  private final String prefix;

  LoggerSink(DynamicTableSink.DataStructureConverter converter, String prefix) {
    this.converter = converter;
    this.prefix = prefix;
  }

  @Override
  public SinkWriter<RowData> createWriter(WriterInitContext context) {
    converter.open(RuntimeConverter.Context.create(Thread.currentThread().getContextClassLoader()));
    return new SinkWriter<>() {
      @Override
      public void write(RowData row, Context context) {
        LOG.info("{}{}", prefix, converter.toExternal(row));
      }

      @Override
      public void flush(boolean endOfInput) {}

      @Override
      public void close() {}
    };
  }
}
