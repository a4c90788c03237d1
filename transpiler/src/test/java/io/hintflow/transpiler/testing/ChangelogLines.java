package io.hintflow.transpiler.testing;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What print sinks write, {@code identifier:2> +U[a, b]}, as a result. */
public final class ChangelogLines {
  private static final Pattern LINE =
      Pattern.compile(
          "(?:(?:(?<sink>\\D[^:>]*)(?::(?<task>\\d+))?|(?<soleTask>\\d+))> )?"
              + "(?<kind>\\+I|-U|\\+U|-D)(?<row>\\[.*])");

  private ChangelogLines() {}

  /** One printed change. */
  public record Change(String sink, int task, String kind, String row) {}

  /** The changes among lines of standard output; a job may print other things too. */
  public static List<Change> changes(List<String> lines) {
    return lines.stream()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .map(
            matcher ->
                new Change(
                    Optional.ofNullable(matcher.group("sink")).orElse(""),
                    Optional.ofNullable(matcher.group("task"))
                        .or(() -> Optional.ofNullable(matcher.group("soleTask")))
                        .map(Integer::parseInt)
                        .orElse(1),
                    matcher.group("kind"),
                    matcher.group("row")))
        .toList();
  }

  /** The rows that are left, with how often, by sink, when all changes have been applied. */
  public static Map<String, Integer> materialized(List<Change> changes) {
    Map<String, Integer> rows = new TreeMap<>();
    for (Change change : changes) {
      rows.merge(
          change.sink() + change.row(), change.kind().startsWith("+") ? 1 : -1, Integer::sum);
    }
    rows.values().removeIf(count -> count == 0);
    return rows;
  }
}
