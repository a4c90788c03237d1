package io.hintflow.transpiler.broadcast;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.transpiler.analysis.BlockAnalysis;
import io.hintflow.transpiler.analysis.BlockScope;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.lowering.BlockContext;
import io.hintflow.transpiler.lowering.ColumnUse;
import io.hintflow.transpiler.lowering.ColumnUses;
import io.hintflow.transpiler.lowering.FromText;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.lowering.SqlNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * A block that has broadcast joins, and what is known of it.
 *
 * @param text where the parts of its FROM and WHERE stand
 * @param uses where it reads columns of its FROM
 * @param names what these columns are called behind the joins
 */
record JoinedBlock(
    ScriptContext script,
    Statement statement,
    Block block,
    BlockAnalysis analysis,
    BlockScope scope,
    JoinSides sides,
    FromText text,
    ColumnUses.Found uses,
    FlatNames names) {

  static JoinedBlock of(
      BlockContext context, BlockAnalysis analysis, BlockScope scope, JoinSides sides) {
    ScriptContext script = context.script();
    Statement statement = context.statement();
    Block block = context.block();
    return new JoinedBlock(
        script,
        statement,
        block,
        analysis,
        scope,
        sides,
        FromText.of(script, statement, block, scope.from()),
        ColumnUses.of(script, statement, block, scope),
        new FlatNames(scope.from()));
  }

  From from() {
    return scope.from();
  }

  /** The items whose columns an expression reads. */
  Set<From.Item> items(FromText.Range range) {
    Set<From.Item> items = Collections.newSetFromMap(new IdentityHashMap<>());
    uses.in(text.span(range)).forEach(use -> items.add(use.item()));
    return items;
  }

  /**
   * The script's text of an expression, with the edits in it.
   *
   * @param behindJoins the items whose columns have other names where it will stand
   */
  String render(Span span, Collection<From.Item> behindJoins) {
    StringBuilder rendered = new StringBuilder();
    int position = span.start();
    for (ColumnUse use : uses.in(span)) {
      if (behindJoins.contains(use.item())) {
        rendered.append(script.edits().render(new Span(position, use.span().start())));
        rendered.append(flat(use));
        position = use.span().end();
      }
    }
    return rendered.append(script.edits().render(new Span(position, span.end()))).toString();
  }

  /** What is read of a column behind the joins. */
  String flat(ColumnUse use) {
    List<String> path = new ArrayList<>();
    path.add(names.of(use.item(), use.column()));
    path.addAll(use.nested());
    return SqlNames.path(path);
  }

  static boolean isInner(From.Join join) {
    return switch (join.node().getJoinType()) {
      case INNER, CROSS, COMMA -> true;
      default -> false;
    };
  }
}
