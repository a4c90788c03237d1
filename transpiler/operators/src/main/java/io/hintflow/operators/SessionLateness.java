package io.hintflow.operators;

import java.util.Iterator;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Splits off rows whose own session has passed and that no open session of their key takes in.
 * Keeps the bounds of the open sessions, as Flink's session window does: two that touch are one.
 */
final class SessionLateness<T> extends KeyedProcessFunction<Row, T, T>
    implements CheckpointedFunction {
  private static final long serialVersionUID = 1L;

  private final long gap;
  private final boolean grouped;
  private final WindowClock clock;
  private final OutputTag<Row> late;

  /** The end of each open session, by its start, in local time. */
  private transient MapState<Long, Long> sessions;

  private transient RestoredWatermark restoredWatermark;
  private transient Counter lateRows;

  SessionLateness(EventTimeWindow.Session window, WindowClock clock, OutputTag<Row> late) {
    this.gap = window.gap();
    this.grouped = window.grouped();
    this.clock = clock;
    this.late = late;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    // Flink's operator for windows of GROUP BY starts again without a watermark.
    restoredWatermark = new RestoredWatermark(context, !grouped);
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    restoredWatermark.snapshot();
  }

  @Override
  public void open(OpenContext context) {
    sessions =
        getRuntimeContext()
            .getMapState(new MapStateDescriptor<>("sessions", Types.LONG, Types.LONG));
    lateRows = LateRow.counter(getRuntimeContext());
  }

  @Override
  public void processElement(T row, Context context, Collector<T> out) throws Exception {
    long time = clock.local(context.timestamp());
    long watermark = restoredWatermark.now(context.timerService());
    long start = time;
    long end = time + gap;
    Iterator<Map.Entry<Long, Long>> open = sessions.iterator();
    while (open.hasNext()) {
      Map.Entry<Long, Long> session = open.next();
      if (session.getKey() <= time + gap && session.getValue() >= time) {
        start = Math.min(start, session.getKey());
        end = Math.max(end, session.getValue());
        open.remove();
      }
    }
    if (passedAt(end) <= watermark) {
      lateRows.inc();
      context.output(late, LateRow.of(row, start, end));
      return;
    }
    sessions.put(start, end);
    context.timerService().registerEventTimeTimer(passedAt(end));
    out.collect(row);
  }

  private long passedAt(long end) {
    return clock.passedAt(end - 1);
  }

  private void removePassed(long watermark) throws Exception {
    Iterator<Map.Entry<Long, Long>> open = sessions.iterator();
    while (open.hasNext()) {
      if (passedAt(open.next().getValue()) <= watermark) {
        open.remove();
      }
    }
    // A map that only its iterator has emptied stays in memory.
    if (sessions.isEmpty()) {
      sessions.clear();
    }
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<T> out) throws Exception {
    removePassed(time);
  }
}
