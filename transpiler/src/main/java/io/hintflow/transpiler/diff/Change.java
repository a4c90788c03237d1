package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.plan.Distribution;
import java.util.List;
import java.util.Optional;

/** One thing that is different in a stage, or in the job as a whole. */
public sealed interface Change {
  /**
   * A value under a name.
   *
   * @param group what such names are: {@code option}, {@code parameter}, {@code setting} and so on
   * @param before absent if it is new
   * @param after absent if it is gone
   */
  record Value(String group, String name, Optional<String> before, Optional<String> after)
      implements Change {}

  /**
   * How rows travel to a stage.
   *
   * @param from the ids of the stages whose rows they are
   * @param reason why they travel so now
   */
  record Travel(List<String> from, Distribution before, Distribution after, String reason)
      implements Change {}

  /**
   * The words of its SQL.
   *
   * @param text which of its texts it is: {@code SQL}, or {@code query 2} of several inputs
   */
  record Sql(String text, List<WordEdit> edits) implements Change {}
}
