package io.hintflow.transpiler;

import io.hintflow.transpiler.testing.DeduplicatedJoins;
import java.util.List;

/** {@link DeduplicatedJoins} over random changelogs. */
class DeduplicationOracleTest extends JoinOracleTest {
  DeduplicationOracleTest() {
    super(DeduplicatedJoins.all(), List.of(1, 4));
  }
}
