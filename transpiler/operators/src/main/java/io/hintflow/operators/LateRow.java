package io.hintflow.operators;

import java.time.LocalDateTime;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.OutputTag;

/** What a split sends to its side output: a row with the start and end of the window it missed. */
final class LateRow {
  private LateRow() {}

  static OutputTag<Row> tag(TypeInformation<?> rows) {
    return new OutputTag<>("late", Types.ROW(rows, Types.LOCAL_DATE_TIME, Types.LOCAL_DATE_TIME));
  }

  /**
   * @param row in either form
   * @param start of the window, in local time as {@link WindowClock} tells it, as is its end
   */
  static Row of(Object row, long start, long end) {
    return of(row, WindowClock.dateTime(start), WindowClock.dateTime(end));
  }

  static Row withoutWindow(Object row) {
    return of(row, null, null);
  }

  private static Row of(Object row, LocalDateTime start, LocalDateTime end) {
    Row late = Row.of(row, start, end);
    late.setKind(row instanceof Row changed ? changed.getKind() : RowKind.INSERT);
    return late;
  }

  static Object row(Row late) {
    return late.getField(0);
  }

  static Counter counter(RuntimeContext context) {
    return context.getMetricGroup().counter("lateRows");
  }
}
