package io.hintflow.transpiler.latedata;

import java.util.List;
import java.util.Map;
import java.util.Optional;

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
