package io.hintflow.transpiler.lowering;

import io.hintflow.transpiler.HintGuide;
import io.hintflow.transpiler.plan.Dependency;
import java.util.List;
import java.util.Set;

/**
 * A connector that stock Flink lacks, so that a job with such a table carries it as source. A new
 * one is one implementation in a package of its own and one line in {@code Lowerings}.
 */
public interface CarriedConnector {
  /** What {@code 'connector'} says. */
  String name();

  /** The simple name of the class that Flink finds it by. */
  String factory();

  /** The simple names of the classes that a job carries for it, the factory among them. */
  Set<String> operators();

  /**
   * What these need beside Flink.
   *
   * @param reason why the job's project depends on it
   */
  List<Dependency> dependencies(String reason);

  HintGuide guide();

  /** Begins a script: checks its tables with this connector, and then each block that uses one. */
  Lowering.BlockLowering begin(ScriptContext script);
}
