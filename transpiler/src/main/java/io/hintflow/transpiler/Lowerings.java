package io.hintflow.transpiler;

import io.hintflow.transpiler.broadcast.BroadcastLowering;
import io.hintflow.transpiler.deduplication.DeduplicationLowering;
import io.hintflow.transpiler.distribution.DistributionLowering;
import io.hintflow.transpiler.latedata.LateDataLowering;
import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.sourceparallelism.SourceParallelismLowering;
import java.util.List;

/**
 * The lowerings there are, in the order in which they take their turn at a block: what feeds it
 * before what leaves it.
 */
final class Lowerings {
  static final List<Lowering> ALL =
      List.of(
          new SourceParallelismLowering(),
          new DeduplicationLowering(),
          new BroadcastLowering(),
          new LateDataLowering(),
          new DistributionLowering());

  private Lowerings() {}

  /** The lowering that makes stages of a kind. */
  static Lowering of(String stageKind) {
    return ALL.stream()
        .filter(lowering -> lowering.stageKind().equals(stageKind))
        .findFirst()
        .orElseThrow();
  }
}
