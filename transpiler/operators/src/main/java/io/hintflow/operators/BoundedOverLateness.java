package io.hintflow.operators;

import java.time.Duration;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Splits off what Flink's bounded OVER would drop: rows that are not newer than the last of their
 * key that has been worked on. A row behind the watermark is still taken if its key has had no
 * newer one. Keeps the same two times, by the same timers, as Flink's functions for ROWS and RANGE
 * do.
 *
 * <p>With several tasks, the window's watermark can lag behind the one here, and come between two
 * rows that are both behind this one: it would work on the first before it gets the second, and
 * drop that. So with several tasks a row behind the watermark counts as worked on at once, and a
 * range's times are not cleared: a few more rows are late than in stock Flink, but none is lost.
 */
final class BoundedOverLateness<T> extends KeyedProcessFunction<Row, T, T> {
  private static final long serialVersionUID = 1L;

  private final long range;
  private final Duration retention;
  private final boolean alone;
  private final OutputTag<Row> late;

  /** The time of the last row that has been worked on; 1970 at first, as in Flink. */
  private transient ValueState<Long> lastWorkedOn;

  /** When a range's state is cleared; absent if nothing is due. */
  private transient ValueState<Long> clearing;

  private transient Counter lateRows;

  /**
   * @param retention how long Flink's function keeps a key that gets no rows; zero for ever
   * @param alone whether this operator has one task, and the window behind it too
   */
  BoundedOverLateness(
      EventTimeWindow.BoundedOver window, Duration retention, boolean alone, OutputTag<Row> late) {
    this.range = window.range();
    this.retention = retention;
    this.alone = alone;
    this.late = late;
  }

  private boolean isRange() {
    return range >= 0;
  }

  @Override
  public void open(OpenContext context) {
    ValueStateDescriptor<Long> descriptor = new ValueStateDescriptor<>("worked on", Types.LONG);
    // The function for ROWS forgets idle keys after one and a half times the retention at most, and
    // that for RANGE when it clears them. What is forgotten here before it is forgotten there would
    // be lost there.
    if (!retention.isZero() && !(isRange() && alone)) {
      descriptor.enableTimeToLive(
          StateTtlConfig.newBuilder(retention.multipliedBy(2)).updateTtlOnReadAndWrite().build());
    }
    lastWorkedOn = getRuntimeContext().getState(descriptor);
    clearing = getRuntimeContext().getState(new ValueStateDescriptor<>("clearing", Types.LONG));
    lateRows = LateRow.counter(getRuntimeContext());
  }

  @Override
  public void processElement(T row, Context context, Collector<T> out) throws Exception {
    long time = context.timestamp();
    Long last = lastWorkedOn.value();
    if (time <= (last == null ? 0 : last)) {
      lateRows.inc();
      context.output(late, LateRow.withoutWindow(row));
      return;
    }
    if (!alone && time <= context.timerService().currentWatermark()) {
      lastWorkedOn.update(time);
    } else {
      context.timerService().registerEventTimeTimer(time);
    }
    if (isRange()) {
      clearLater(time, context);
    }
    out.collect(row);
  }

  /** Rows count for a range's length, and are kept for half as long again. */
  private void clearLater(long time, Context context) throws Exception {
    Long due = clearing.value();
    if (due == null || due < time + range + 1) {
      long later = time + (long) (range * 1.5) + 1;
      context.timerService().registerEventTimeTimer(later);
      clearing.update(later);
    }
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<T> out) throws Exception {
    Long due = clearing.value();
    boolean clears = due != null && due <= time;
    if (clears) {
      clearing.clear();
    }
    Long last = lastWorkedOn.value();
    if (clears && alone) {
      lastWorkedOn.clear();
    } else if (last == null || last < time) {
      // Flink's function for RANGE counts rows up to here as worked on, even if the timer was for
      // clearing only.
      lastWorkedOn.update(time);
    }
  }
}
