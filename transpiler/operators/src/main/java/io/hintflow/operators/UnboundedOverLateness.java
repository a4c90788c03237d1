package io.hintflow.operators;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** Splits off the rows whose time has passed: for OVER without a lower bound. */
final class UnboundedOverLateness<T> extends ProcessFunction<Tuple2<Integer, T>, T> {
  private static final long serialVersionUID = 1L;

  private final OutputTag<Row> late;

  private transient Counter lateRows;

  UnboundedOverLateness(OutputTag<Row> late) {
    this.late = late;
  }

  @Override
  public void open(OpenContext context) {
    lateRows = LateRow.counter(getRuntimeContext());
  }

  @Override
  public void processElement(Tuple2<Integer, T> numbered, Context context, Collector<T> out) {
    T row = numbered.f1;
    long time = context.timestamp();
    if (time > context.timerService().currentWatermark()) {
      out.collect(row);
    } else {
      lateRows.inc();
      context.output(late, LateRow.withoutWindow(row));
    }
  }
}
