package io.hintflow.operators;

import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;

/**
 * Drops updates whose row before equals the row after. The row before is held back until the next
 * row, watermark or barrier, or the end of the input. So there is no state: if a barrier comes
 * between the two, both go on, and what is behind takes one for the other.
 */
final class UnchangedUpdateFilter extends AbstractStreamOperator<Row>
    implements OneInputStreamOperator<Row, Row> {
  private static final long serialVersionUID = 1L;

  /** The row before an update; null if none is held back. */
  private transient StreamRecord<Row> before;

  private transient Counter suppressedUpdates;

  @Override
  public void open() throws Exception {
    super.open();
    suppressedUpdates = getMetricGroup().counter("suppressedUpdates");
  }

  @Override
  public void processElement(StreamRecord<Row> change) {
    if (before != null && isUnchanged(before.getValue(), change.getValue())) {
      before = null;
      suppressedUpdates.inc();
      return;
    }
    letGo();
    if (change.getValue().getKind() == RowKind.UPDATE_BEFORE) {
      // Flink uses the record again for the next row.
      before = change.copy(change.getValue());
    } else {
      output.collect(change);
    }
  }

  private static boolean isUnchanged(Row before, Row after) {
    if (after.getKind() != RowKind.UPDATE_AFTER) {
      return false;
    }
    // Rows of different kinds are never equal.
    after.setKind(RowKind.UPDATE_BEFORE);
    boolean unchanged = after.equals(before);
    after.setKind(RowKind.UPDATE_AFTER);
    return unchanged;
  }

  private void letGo() {
    if (before != null) {
      output.collect(before);
      before = null;
    }
  }

  @Override
  public void processWatermark(Watermark watermark) throws Exception {
    letGo();
    super.processWatermark(watermark);
  }

  @Override
  public void processWatermarkStatus(WatermarkStatus status) throws Exception {
    letGo();
    super.processWatermarkStatus(status);
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpoint) {
    letGo();
  }

  @Override
  public void finish() throws Exception {
    letGo();
    super.finish();
  }
}
