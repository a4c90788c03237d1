package io.hintflow.transpiler.latedata;

import io.hintflow.transpiler.analysis.OutputColumn;
import io.hintflow.transpiler.lowering.HeldStates;
import io.hintflow.transpiler.plan.HeldState;
import io.hintflow.transpiler.plan.StateColumn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a stage tells of one of its windows.
 *
 * @param time the rowtime column
 * @param keys the columns that rows are told apart by; see {@link SplitWindow}
 * @param lengths in milliseconds
 * @param offset in milliseconds
 * @param subject the name of what the window reads
 * @param rows what to name both parts of its rows together
 * @param onTime the view of the rows that come in time
 * @param late the view of the others
 * @param bounds what the late rows' columns for the start and end of their window are called; none
 *     if nobody asks for them
 */
record WindowPart(
    SplitWindow.Kind kind,
    String time,
    List<String> keys,
    List<Long> lengths,
    Optional<Long> offset,
    String subject,
    String rows,
    String onTime,
    String late,
    List<String> bounds) {
  private static final String WINDOW = "window";
  private static final String KEYS = "keys";
  private static final String LENGTHS = "lengths";
  private static final String OFFSET = "offset";
  private static final String NAMES = "names";
  private static final String BOUNDS = "bounds";

  /**
   * Writes it into the parameters of a stage.
   *
   * @param number from 1 on, for a stage can have several windows
   */
  void write(Map<String, List<String>> parameters, int number) {
    parameters.put(key(WINDOW, number), List.of(kind.name(), time));
    parameters.put(key(KEYS, number), keys);
    parameters.put(key(LENGTHS, number), lengths.stream().map(WindowPart::text).toList());
    parameters.put(key(OFFSET, number), offset.stream().map(WindowPart::text).toList());
    parameters.put(key(NAMES, number), List.of(subject, rows, onTime, late));
    parameters.put(key(BOUNDS, number), bounds);
    parameters.values().removeIf(List::isEmpty);
  }

  /** What {@link #write} wrote. */
  static WindowPart read(Map<String, List<String>> parameters, int number) {
    List<String> window = parameters.get(key(WINDOW, number));
    List<String> names = parameters.get(key(NAMES, number));
    return new WindowPart(
        SplitWindow.Kind.valueOf(window.get(0)),
        window.get(1),
        parameters.getOrDefault(key(KEYS, number), List.of()),
        milliseconds(parameters, key(LENGTHS, number)),
        milliseconds(parameters, key(OFFSET, number)).stream().findFirst(),
        names.get(0),
        names.get(1),
        names.get(2),
        names.get(3),
        parameters.getOrDefault(key(BOUNDS, number), List.of()));
  }

  /**
   * What tells late rows from others after a restart: the watermark, and what is known of each key.
   *
   * @param columns those of the window's input that are needed
   */
  List<HeldState> state(List<OutputColumn> columns) {
    if (!kind.isKeyed()) {
      return List.of(new HeldState("the watermark of " + subject, List.of(), Map.of("time", time)));
    }
    List<StateColumn> keyColumns =
        columns.stream()
            .filter(column -> keys.contains(column.name()))
            .map(HeldStates::column)
            .toList();
    Map<String, String> dependsOn = new LinkedHashMap<>();
    dependsOn.put("window", kind.name());
    dependsOn.put("time", time);
    dependsOn.put("keys", String.join(", ", keys));
    dependsOn.put(
        "lengths", lengths.stream().map(WindowPart::text).collect(Collectors.joining(", ")));
    return List.of(
        new HeldState("how far each key of %s has come".formatted(subject), keyColumns, dependsOn));
  }

  private static String key(String name, int number) {
    return number == 1 ? name : name + " " + number;
  }

  private static String text(long milliseconds) {
    return milliseconds + " ms";
  }

  private static List<Long> milliseconds(Map<String, List<String>> parameters, String key) {
    return parameters.getOrDefault(key, List.of()).stream()
        .map(text -> Long.parseLong(text.replace(" ms", "")))
        .toList();
  }
}
