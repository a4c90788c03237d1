package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Hint;
import io.hintflow.grammar.Statement;
import io.hintflow.transpiler.analysis.BlockAnalysis;
import java.util.List;
import java.util.Optional;

/**
 * A block of a statement, on its turn.
 *
 * @param enclosing the blocks around it, the nearest first
 */
public record BlockContext(
    ScriptContext script, Statement statement, Block block, List<Block> enclosing) {

  /** The block's only hint of a kind; the grammar has seen to it that there are not two. */
  public <H extends Hint> Optional<H> hint(Class<H> kind) {
    return block.hints().stream().filter(kind::isInstance).map(kind::cast).findFirst();
  }

  /** What the block means; empty if it cannot be told. What is wrong with the query is reported. */
  public Optional<BlockAnalysis> analysis() {
    return script.analyze(statement, block);
  }

  /** Whether something is wrong with the statement's query, which has then been reported. */
  public boolean hasErrors() {
    return !script.analysis().analyze(statement).diagnostics().isEmpty();
  }

  /** Takes a hint out of the block's text; the comment goes with the last one. */
  public void removeHint(Hint hint) {
    script.removeHint(block, hint);
  }

  /** Writes a hint in the block's text anew; empty text takes it out. */
  public void rewriteHint(Hint hint, String rewritten) {
    script.rewriteHint(block, hint, rewritten);
  }
}
