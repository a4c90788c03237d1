package io.hintflow.transpiler.analysis;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Diagnostic;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a statement's query means.
 *
 * @param diagnostics what is wrong with it
 * @param blocks by the block itself (identity); a block is missing if nothing certain can be said
 *     about it. Iterate over the statement's blocks rather than this map, whose order is arbitrary
 */
public record QueryAnalysis(List<Diagnostic> diagnostics, Map<Block, BlockAnalysis> blocks) {
  public QueryAnalysis {
    diagnostics = List.copyOf(diagnostics);
    Map<Block, BlockAnalysis> copy = new IdentityHashMap<>(blocks);
    blocks = Collections.unmodifiableMap(copy);
  }

  public Optional<BlockAnalysis> block(Block block) {
    return Optional.ofNullable(blocks.get(block));
  }
}
