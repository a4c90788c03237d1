package io.hintflow.transpiler.lowering;

import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.analysis.SqlTypeText;
import io.hintflow.transpiler.plan.Distribution;
import io.hintflow.transpiler.plan.StateColumn;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the state of different operators has in common. */
public final class HeldStates {
  private HeldStates() {}

  public static List<StateColumn> columns(List<OutputColumn> columns) {
    return columns.stream().map(HeldStates::column).toList();
  }

  public static StateColumn column(OutputColumn column) {
    return new StateColumn(column.name(), SqlTypeText.of(column.type()));
  }

  /** Which task keeps a row: there it is looked for when it changes. */
  public static String placement(Distribution distribution) {
    if (distribution instanceof Distribution.Hash hash) {
      return "hash by " + String.join(", ", hash.columns());
    }
    return "in turn";
  }

  /**
   * Adds whether rows expire, which Flink 1.20 must know of what it reads: it keeps the time of the
   * last change beside those that do. Later versions bring both together. How long rows are kept
   * can always change.
   *
   * @param own the retention that the script gives this state, in milliseconds
   */
  public static void addExpiry(
      Optional<String> own, ScriptContext script, Map<String, String> dependsOn) {
    if (script.flinkVersion() != FlinkVersion.V1_20) {
      return;
    }
    boolean expires = expires(own.or(() -> script.setting("table.exec.state.ttl")));
    dependsOn.put("expiry", expires ? "rows expire" : "rows never expire");
  }

  /**
   * Whether rows expire.
   *
   * @param retention a duration as Flink reads it, for which zero is for ever
   */
  public static boolean expires(Optional<String> retention) {
    return retention.filter(time -> !time.matches("\\s*0\\s*[a-zA-Z]*\\s*")).isPresent();
  }
}
