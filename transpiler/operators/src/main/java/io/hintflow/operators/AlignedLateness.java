package io.hintflow.operators;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** Splits off the rows that come after the last of their windows. */
final class AlignedLateness<T> extends ProcessFunction<Tuple2<Integer, T>, T>
    implements CheckpointedFunction {
  private static final long serialVersionUID = 1L;

  private final long slide;
  private final long size;
  private final long offset;
  private final boolean grouped;
  private final long allowedLateness;
  private final WindowClock clock;
  private final OutputTag<Row> late;

  // Most rows come for the window that the row before came for.
  private transient long start;
  private transient long passedAt;
  private transient boolean knowsWindow;

  private transient RestoredWatermark watermark;
  private transient Counter lateRows;

  /**
   * @param allowedLateness in milliseconds that a window waits for late rows
   */
  AlignedLateness(
      EventTimeWindow.Aligned window,
      long allowedLateness,
      WindowClock clock,
      OutputTag<Row> late) {
    this.slide = window.slide();
    this.size = window.size();
    this.offset = window.offset();
    this.grouped = window.grouped();
    this.allowedLateness = allowedLateness;
    this.clock = clock;
    this.late = late;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    // Flink's operator for windows of GROUP BY starts again without a watermark.
    watermark = new RestoredWatermark(context, !grouped);
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    watermark.snapshot();
  }

  @Override
  public void open(OpenContext context) {
    lateRows = LateRow.counter(getRuntimeContext());
  }

  @Override
  public void processElement(Tuple2<Integer, T> numbered, Context context, Collector<T> out) {
    T row = numbered.f1;
    long local = clock.local(context.timestamp());
    if (!knowsWindow || local < start || local - start >= slide) {
      start = local - Math.floorMod(local - offset, slide);
      passedAt = clock.passedAt(start + size - 1 + allowedLateness);
      knowsWindow = true;
    }
    if (local - start >= size) {
      // Between the windows of a HOP that slides by more than its size. Flink counts such a row in
      // none, and does not tell.
      lateRows.inc();
      context.output(late, LateRow.withoutWindow(row));
    } else if (passedAt <= watermark.now(context.timerService())) {
      lateRows.inc();
      context.output(late, LateRow.of(row, start, start + size));
    } else {
      out.collect(row);
    }
  }
}
