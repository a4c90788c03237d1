package io.hintflow.operators;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** Splits off the rows that come after the last of their windows. There is no state. */
final class AlignedLateness extends ProcessFunction<Tuple2<Integer, Row>, Row> {
  private static final long serialVersionUID = 1L;

  private final int timeField;
  private final long slide;
  private final long size;
  private final long offset;
  private final long allowedLateness;
  private final WindowClock clock;
  private final OutputTag<Row> late;

  // Most rows come for the window that the row before came for.
  private transient long start;
  private transient long passedAt;
  private transient boolean knowsWindow;

  private transient Counter lateRows;

  /**
   * @param allowedLateness in milliseconds that a window waits for late rows
   */
  AlignedLateness(
      int timeField,
      EventTimeWindow.Aligned window,
      long allowedLateness,
      WindowClock clock,
      OutputTag<Row> late) {
    this.timeField = timeField;
    this.slide = window.slide();
    this.size = window.size();
    this.offset = window.offset();
    this.allowedLateness = allowedLateness;
    this.clock = clock;
    this.late = late;
  }

  @Override
  public void open(OpenContext context) {
    lateRows = LateRow.counter(getRuntimeContext());
  }

  @Override
  public void processElement(
      Tuple2<Integer, Row> numbered, Context context, Collector<Row> out) {
    Row row = numbered.f1;
    long local = clock.local(WindowClock.instantOf(row.getField(timeField)));
    if (!knowsWindow || local < start || local - start >= slide) {
      start = local - Math.floorMod(local - offset, slide);
      passedAt = clock.passedAt(start + size - 1 + allowedLateness);
      knowsWindow = true;
    }
    if (local - start >= size) {
      // Between the windows of a HOP that slides by more than its size. Flink drops such a row,
      // and counts it among the late ones.
      lateRows.inc();
      context.output(late, LateRow.withoutWindow(row));
    } else if (passedAt <= context.timerService().currentWatermark()) {
      lateRows.inc();
      context.output(late, LateRow.of(row, start, start + size));
    } else {
      out.collect(row);
    }
  }
}
