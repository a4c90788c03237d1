package io.hintflow.operators;

import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.streaming.api.TimerService;

/**
 * The watermark that a restarted job goes on from. Most of Flink starts again without one, but its
 * operator for window table functions remembers that of its checkpoint, the least of all its tasks.
 * What splits rows in front of it has to remember it too: else rows would pass here, and be dropped
 * there.
 */
final class RestoredWatermark {
  private final boolean remembers;
  private final ListState<Long> state;
  private final long restored;

  /** Knows the watermark as of now, once a row has come. */
  private Optional<TimerService> timers = Optional.empty();

  /**
   * @param remembers whether the operator behind does; without it, a job starts again at none
   */
  RestoredWatermark(FunctionInitializationContext context, boolean remembers) throws Exception {
    this.remembers = remembers;
    state =
        context
            .getOperatorStateStore()
            .getUnionListState(new ListStateDescriptor<>("watermark", Types.LONG));
    long least = Long.MAX_VALUE;
    for (Long watermark : state.get()) {
      least = Math.min(least, watermark);
    }
    restored = least == Long.MAX_VALUE || !remembers ? Long.MIN_VALUE : least;
  }

  /** The watermark that counts for a row. */
  long now(TimerService timers) {
    if (this.timers.isEmpty()) {
      this.timers = Optional.of(timers);
    }
    return Math.max(restored, timers.currentWatermark());
  }

  /** Writes it to a checkpoint. */
  void snapshot() throws Exception {
    long watermark = timers.map(this::now).orElse(restored);
    boolean known = remembers && watermark > Long.MIN_VALUE;
    state.update(known ? List.of(watermark) : List.of());
  }
}
