package io.hintflow.transpiler;

import io.hintflow.transpiler.broadcast.BroadcastLowering;
import io.hintflow.transpiler.deduplication.DeduplicationLowering;
import io.hintflow.transpiler.distribution.DistributionLowering;
import io.hintflow.transpiler.latedata.LateDataLowering;
import io.hintflow.transpiler.logger.LoggerConnector;
import io.hintflow.transpiler.lowering.CarriedConnector;
import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.redis.RedisConnector;
import io.hintflow.transpiler.sourceparallelism.SourceParallelismLowering;
import java.util.List;
import java.util.Optional;

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

  /** The connectors that jobs bring along. */
  static final List<CarriedConnector> CONNECTORS =
      List.of(new RedisConnector(), new LoggerConnector());

  private Lowerings() {}

  /** The lowering that makes stages of a kind. */
  static Lowering of(String stageKind) {
    return ALL.stream()
        .filter(lowering -> lowering.stageKind().equals(stageKind))
        .findFirst()
        .orElseThrow();
  }

  /** The carried connector of a name; empty if it is another one. */
  static Optional<CarriedConnector> connector(String name) {
    return CONNECTORS.stream().filter(connector -> connector.name().equals(name)).findFirst();
  }
}
