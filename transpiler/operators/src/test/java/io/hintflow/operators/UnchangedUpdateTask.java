package io.hintflow.operators;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.types.Row;

/** A task of a filter of unchanged updates, without a cluster. */
final class UnchangedUpdateTask implements AutoCloseable {
  private final TaskMetrics metrics = new TaskMetrics();
  private final MockEnvironment environment =
      new MockEnvironmentBuilder().setMetricGroup(metrics.group()).build();
  private final OneInputStreamOperatorTestHarness<Row, Row> harness;

  UnchangedUpdateTask(TypeInformation<Row> type) throws Exception {
    this(type, Optional.empty());
  }

  /**
   * @param snapshot of the task that this one goes on for
   */
  UnchangedUpdateTask(TypeInformation<Row> type, Optional<OperatorSubtaskState> snapshot)
      throws Exception {
    harness = new OneInputStreamOperatorTestHarness<>(new UnchangedUpdateFilter(), environment);
    harness.setup(type.createSerializer(harness.getExecutionConfig().getSerializerConfig()));
    if (snapshot.isPresent()) {
      harness.initializeState(snapshot.get());
    }
    harness.open();
  }

  void process(Row... rows) throws Exception {
    for (Row row : rows) {
      process(new StreamRecord<>(row));
    }
  }

  void process(StreamRecord<Row> row) throws Exception {
    harness.processElement(row);
  }

  void processWatermark(long watermark) throws Exception {
    harness.processWatermark(watermark);
  }

  void processStatus(WatermarkStatus status) throws Exception {
    harness.processWatermarkStatus(status);
  }

  void processBarrier() throws Exception {
    harness.prepareSnapshotPreBarrier(1);
  }

  /** As behind a barrier. */
  OperatorSubtaskState snapshot() throws Exception {
    return harness.snapshot(1, 1);
  }

  /** As at the end of the input. */
  void finish() throws Exception {
    harness.getOperator().finish();
  }

  /** What has come out since the last call: records, and what stands between them. */
  List<Object> outputWithTimestamps() {
    List<Object> output = new ArrayList<>(harness.getOutput());
    harness.getOutput().clear();
    return output;
  }

  /** As above, but rows in place of records. */
  List<Object> output() {
    List<Object> output = new ArrayList<>();
    for (Object element : outputWithTimestamps()) {
      output.add(element instanceof StreamRecord<?> row ? row.getValue() : element);
    }
    return output;
  }

  long suppressedUpdates() {
    return metrics.count("suppressedUpdates");
  }

  @Override
  public void close() {
    try {
      harness.close();
      environment.close();
    } catch (Exception failure) {
      throw new IllegalStateException("A task of the test could not be closed.", failure);
    }
  }
}
