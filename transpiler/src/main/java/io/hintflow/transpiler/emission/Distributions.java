package io.hintflow.transpiler.emission;

import io.hintflow.transpiler.plan.Distribution;

/** Distributions in words. */
public final class Distributions {
  private Distributions() {}

  public static String describe(Distribution distribution) {
    if (distribution instanceof Distribution.Hash hash) {
      return "hash by " + String.join(", ", hash.columns());
    }
    if (distribution instanceof Distribution.Kept) {
      return "stay on their task";
    }
    return name(distribution).replace('-', ' ');
  }

  /** The name in plan.json. */
  public static String name(Distribution distribution) {
    if (distribution instanceof Distribution.Hash) {
      return "hash";
    }
    if (distribution instanceof Distribution.RoundRobin) {
      return "round-robin";
    }
    if (distribution instanceof Distribution.Broadcast) {
      return "broadcast";
    }
    if (distribution instanceof Distribution.Kept) {
      return "kept";
    }
    return "planned";
  }
}
