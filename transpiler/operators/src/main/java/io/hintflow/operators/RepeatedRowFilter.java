package io.hintflow.operators;

import java.time.Duration;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.Collector;

/**
 * Counts equal rows, and lets out only the first that comes and the last that goes, as SELECT
 * DISTINCT does. What is taken back but was never there, or has expired, is dropped, as there.
 *
 * <p>Where rows are kept for a time only, what is behind would forget a row that is held back for
 * as long as it repeats. So a row that repeats comes out again now and then, as an update of
 * itself, or as an insertion if there are only such.
 */
final class RepeatedRowFilter extends KeyedProcessFunction<Long, Row, Row> {
  private static final long serialVersionUID = 1L;

  /** An update of itself is due after this part of the retention. */
  private static final int RENEWALS = 10;

  private final TypeInformation<Row> type;
  private final boolean insertOnly;
  private final Duration retention;

  private transient PackedRow.Serializer serializer;

  /** How many rows there are of each, and when one of them has come out. */
  private transient MapState<PackedRow, Tuple2<Long, Long>> counts;

  private transient Counter suppressedDuplicates;

  /**
   * @param type of the rows in state: changing it makes savepoints useless
   * @param insertOnly whether rows are never taken back, nor may any come out as an update
   * @param retention how long to keep a row after the last change of one like it; zero for ever
   */
  RepeatedRowFilter(TypeInformation<Row> type, boolean insertOnly, Duration retention) {
    this.type = type;
    this.insertOnly = insertOnly;
    this.retention = retention;
  }

  @Override
  public void open(OpenContext context) {
    serializer = new PackedRow.Serializer(getRuntimeContext().createSerializer(type));
    MapStateDescriptor<PackedRow, Tuple2<Long, Long>> descriptor =
        new MapStateDescriptor<>(
            "rows",
            serializer.duplicate(),
            getRuntimeContext().createSerializer(Types.TUPLE(Types.LONG, Types.LONG)));
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
    Tuple2<Long, Long> known = counts.get(packed);
    if (added) {
      add(row, packed, known, context, out);
    } else {
      remove(row, packed, known, out);
    }
  }

  private void add(
      Row row, PackedRow packed, Tuple2<Long, Long> known, Context context, Collector<Row> out)
      throws Exception {
    long now = retention.isZero() ? 0 : context.timerService().currentProcessingTime();
    if (known == null) {
      counts.put(packed, Tuple2.of(1L, now));
      out.collect(row);
      return;
    }
    boolean due = !retention.isZero() && now - known.f1 >= renewalTime();
    counts.put(packed, Tuple2.of(known.f0 + 1, due ? now : known.f1));
    if (!due) {
      suppressedDuplicates.inc();
    } else if (insertOnly) {
      out.collect(row);
    } else {
      row.setKind(RowKind.UPDATE_BEFORE);
      Row after = Row.copy(row);
      after.setKind(RowKind.UPDATE_AFTER);
      out.collect(row);
      out.collect(after);
    }
  }

  /** An insertion must wait until the one before has been forgotten, or it would count twice. */
  private long renewalTime() {
    return insertOnly ? retention.toMillis() : retention.toMillis() / RENEWALS;
  }

  private void remove(Row row, PackedRow packed, Tuple2<Long, Long> known, Collector<Row> out)
      throws Exception {
    if (known != null && known.f0 == 1) {
      counts.remove(packed);
      row.setKind(RowKind.DELETE);
      out.collect(row);
      return;
    }
    if (known != null) {
      counts.put(packed, Tuple2.of(known.f0 - 1, known.f1));
    }
    suppressedDuplicates.inc();
  }
}
