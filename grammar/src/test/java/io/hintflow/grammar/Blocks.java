package io.hintflow.grammar;

import java.util.ArrayList;
import java.util.List;

/** Walks blocks in tests. */
final class Blocks {
  private Blocks() {}

  /** All blocks of a statement, outer ones first. */
  static List<Block> allOf(Statement statement) {
    List<Block> blocks = new ArrayList<>();
    statement.blocks().forEach(block -> add(block, blocks));
    return blocks;
  }

  private static void add(Block block, List<Block> blocks) {
    blocks.add(block);
    block.inner().forEach(inner -> add(inner, blocks));
  }
}
