package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Hint;
import io.hintflow.transpiler.HintGuide;
import io.hintflow.transpiler.plan.Stage;
import java.util.List;
import java.util.Set;

/**
 * All there is to one hint, or to a few that work together: what it becomes and how that is written
 * as Java. A new hint is one implementation in a package of its own and one line in {@link
 * Lowerings}.
 */
public interface Lowering {
  /** The kinds of hint that this lowering takes care of. */
  Set<Class<? extends Hint>> hints();

  /** What a user is told of each of them. */
  List<HintGuide> guides();

  /**
   * Begins a script: looks at it as a whole, edits its table definitions, and answers what to do
   * with each block.
   */
  BlockLowering begin(ScriptContext script);

  /**
   * Called for every block of a script, inner blocks before the block around them, with or without
   * hints.
   */
  interface BlockLowering {
    void lower(BlockContext block);
  }

  /** The {@link Stage.Operators#kind} of the stages that it adds. */
  String stageKind();

  /** The simple names of the operator classes that a job with such a stage carries. */
  Set<String> operators();

  /** A stage of {@link #stageKind} as Java statements of the job's main. */
  StageSource emit(Stage.Operators stage);
}
