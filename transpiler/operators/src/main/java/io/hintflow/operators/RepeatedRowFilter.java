package io.hintflow.operators;

import java.time.Duration;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.Collector;

/**
 * Counts equal rows, and lets out only the first that comes and the last that goes, as SELECT
 * DISTINCT does. What is taken back but was never there, or has expired, is dropped, as there.
 */
final class RepeatedRowFilter extends KeyedProcessFunction<Long, Row, Row> {
  private static final long serialVersionUID = 1L;

  private final TypeInformation<Row> type;
  private final Duration retention;

  private transient PackedRow.Serializer serializer;

  /** How many rows there are of each. */
  private transient MapState<PackedRow, Long> counts;

  private transient Counter suppressedDuplicates;

  /**
   * @param type of the rows in state: changing it makes savepoints useless
   * @param retention how long to keep a row after the last change of one like it; zero for ever
   */
  RepeatedRowFilter(TypeInformation<Row> type, Duration retention) {
    this.type = type;
    this.retention = retention;
  }

  @Override
  public void open(OpenContext context) {
    serializer = new PackedRow.Serializer(getRuntimeContext().createSerializer(type));
    MapStateDescriptor<PackedRow, Long> descriptor =
        new MapStateDescriptor<>(
            "rows", serializer.duplicate(), getRuntimeContext().createSerializer(Types.LONG));
    if (!retention.isZero()) {
      descriptor.enableTimeToLive(StateTtlConfig.newBuilder(retention).build());
    }
    counts = getRuntimeContext().getMapState(descriptor);
    suppressedDuplicates = getRuntimeContext().getMetricGroup().counter("suppressedDuplicates");
  }

  @Override
  public void processElement(Row row, Context context, Collector<Row> out) throws Exception {
    boolean added = row.getKind() == RowKind.INSERT || row.getKind() == RowKind.UPDATE_AFTER;
    // The kind is packed too, and must not tell rows apart.
    row.setKind(RowKind.INSERT);
    PackedRow packed = serializer.pack(row);
    Long known = counts.get(packed);
    long before = known == null ? 0 : known;
    if (added) {
      counts.put(packed, before + 1);
    } else if (before > 1) {
      counts.put(packed, before - 1);
    } else {
      counts.remove(packed);
    }
    if (added && before == 0) {
      out.collect(row);
    } else if (!added && before == 1) {
      row.setKind(RowKind.DELETE);
      out.collect(row);
    } else {
      suppressedDuplicates.inc();
    }
  }
}
