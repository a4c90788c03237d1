package io.hintflow.transpiler.broadcast;

import io.hintflow.grammar.Name;
import io.hintflow.transpiler.analysis.From;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which joins of a block become broadcast joins, and which of their inputs is the small one.
 *
 * @param small the tables that BROADCAST names, by identity
 * @param hashed the columns that HASH_BY_KEY names for a table, by identity
 */
record JoinSides(Set<From.Item> small, Map<From.Item, List<Name>> hashed) {
  static JoinSides none() {
    return new JoinSides(
        Collections.newSetFromMap(new IdentityHashMap<>()), new IdentityHashMap<>());
  }

  boolean isSmall(From from) {
    return from instanceof From.Item item && small.contains(item);
  }

  boolean isBroadcast(From from) {
    return from instanceof From.Join join && (isSmall(join.left()) || isSmall(join.right()));
  }

  From.Item smallOf(From.Join join) {
    return (From.Item) (isSmall(join.left()) ? join.left() : join.right());
  }

  From bigOf(From.Join join) {
    return isSmall(join.left()) ? join.right() : join.left();
  }

  /** The broadcast joins in a FROM, inner ones first. */
  List<From.Join> broadcastJoins(From from) {
    List<From.Join> found = new ArrayList<>();
    collect(from, found);
    return found;
  }

  private void collect(From from, List<From.Join> found) {
    if (from instanceof From.Join join) {
      collect(join.left(), found);
      collect(join.right(), found);
      if (isBroadcast(join)) {
        found.add(join);
      }
    }
  }
}
