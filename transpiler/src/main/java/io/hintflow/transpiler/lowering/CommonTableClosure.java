package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.CommonTable;
import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Token;
import io.hintflow.grammar.Tokens;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The WITH tables that a part of a block needs when it stands alone: those it names, and those that
 * these name in turn.
 */
public final class CommonTableClosure {
  private CommonTableClosure() {}

  /**
   * The WITH clause that a part of a block needs, with the script's edits in it; empty text if it
   * names no WITH table.
   */
  public static String clause(ScriptContext script, Block block, Span part) {
    List<CommonTable> needed = of(script.script().text(), block, part);
    if (needed.isEmpty()) {
      return "";
    }
    return needed.stream()
        .map(table -> script.edits().render(table.span()))
        .collect(Collectors.joining(",\n", "WITH ", "\n"));
  }

  private static List<CommonTable> of(SourceText text, Block block, Span part) {
    if (block.commonTables().isEmpty()) {
      return List.of();
    }
    Set<CommonTable> needed = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<CommonTable> open = new ArrayDeque<>();
    collect(block, block, part, needed, open);
    while (!open.isEmpty()) {
      CommonTable table = open.pop();
      Tokens tokens = Tokens.of(new SourceText("", text.text(table.span())));
      for (int i = 0; i < tokens.size(); i++) {
        named(block, tokens.get(i), table).filter(needed::add).ifPresent(open::push);
      }
    }
    return block.commonTables().stream().filter(needed::contains).toList();
  }

  private static void collect(
      Block outer, Block block, Span part, Set<CommonTable> needed, Deque<CommonTable> open) {
    block.tables().stream()
        .filter(reference -> part.contains(reference.nameSpan()))
        .map(block::commonTable)
        .flatMap(Optional::stream)
        .filter(outer.commonTables()::contains)
        .filter(needed::add)
        .forEach(open::push);
    block.inner().forEach(inner -> collect(outer, inner, part, needed, open));
  }

  /**
   * The WITH table before another that a token may name. One too many does no harm: it is only
   * defined, not read.
   */
  private static Optional<CommonTable> named(Block block, Token token, CommonTable before) {
    return block.commonTables().stream()
        .filter(table -> table.span().start() < before.span().start())
        .filter(table -> table.name().text().equals(token.value()))
        .reduce((outer, nearer) -> nearer);
  }
}
