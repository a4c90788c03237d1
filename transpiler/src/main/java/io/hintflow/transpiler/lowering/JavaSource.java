package io.hintflow.transpiler.lowering;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Pieces of Java source text. */
public final class JavaSource {
  private static final int LONGEST_CONSTANT = 60_000;
  private static final int WIDTH = 100;
  private static final int BODY_INDENTATION = 4;

  private JavaSource() {}

  /** A string literal. */
  public static String string(String value) {
    return '"' + escape(value, true) + '"';
  }

  /** {@code List.of("a", "b")}. */
  public static String listOf(List<String> values) {
    return values.stream()
        .map(JavaSource::string)
        .collect(Collectors.joining(", ", "List.of(", ")"));
  }

  /**
   * A text block whose value is exactly the given text, but that line ends outside of SQL literals
   * are LF. Its lines begin at the given indentation; the first line is the opening delimiter,
   * unindented.
   */
  public static String textBlock(String value, int indentation) {
    if (value.length() > LONGEST_CONSTANT / 3) {
      // A string constant of a class file is at most 65,535 bytes; a char is at most three.
      return longText(value);
    }
    String margin = " ".repeat(indentation);
    StringBuilder block = new StringBuilder("\"\"\"\n");
    for (String line : normalizeLineEnds(value).split("\n", -1)) {
      String escaped = escapeTrailingSpace(escape(line, false));
      block.append(escaped.isEmpty() ? "" : margin + escaped).append('\n');
    }
    block.setLength(block.length() - 1);
    return block.append("\"\"\"").toString();
  }

  /**
   * A statement or query as an argument; its placeholders, if it has any, are resolved when the job
   * starts.
   */
  public static String sql(String sql, int indentation) {
    return sql.contains("${")
        ? "job.sql(\n" + " ".repeat(indentation + 4) + textBlock(sql, indentation + 4) + ")"
        : textBlock(sql, indentation);
  }

  private static String longText(String value) {
    List<String> parts =
        java.util.stream.IntStream.iterate(
                0, i -> i < value.length(), i -> i + LONGEST_CONSTANT / 3)
            .mapToObj(
                i -> string(value.substring(i, Math.min(value.length(), i + LONGEST_CONSTANT / 3))))
            .toList();
    return "String.join(\n    \"\",\n    " + String.join(",\n    ", parts) + ")";
  }

  /**
   * A call as it looks in a method's body: on one line if it fits behind what is before it, else
   * with its arguments on the next line, else with one argument a line.
   *
   * @param before the start of the statement, on the line of the call or, if it ends in a line
   *     break, before it
   * @param indentation of the line that the call stands on, inside the statement
   */
  public static String call(
      String before, String function, List<String> arguments, String after, int indentation) {
    String all = String.join(", ", arguments);
    String call = function + "(" + all + ")" + after;
    int offset = BODY_INDENTATION + indentation;
    if (offset + before.length() + call.length() <= WIDTH) {
      return before + call;
    }
    if (before.endsWith("= ")) {
      return before.stripTrailing()
          + "\n"
          + " ".repeat(indentation + 4)
          + call("", function, arguments, after, indentation + 4);
    }
    String margin = "\n" + " ".repeat(indentation + 4);
    boolean fits = offset + 4 + all.length() + 1 + after.length() <= WIDTH;
    return before
        + function
        + "("
        + margin
        + (fits ? all : String.join("," + margin, arguments))
        + ")"
        + after;
  }

  /** A number of tasks in words of a comment. */
  public static String tasks(int parallelism) {
    return parallelism == 1 ? "1 task" : parallelism + " tasks";
  }

  /** {@code Table name = tables.sqlQuery(…);} */
  public static String query(String variable, String sql) {
    return "Table %s =\n    tables.sqlQuery(\n        %s);".formatted(variable, sql(sql, 8));
  }

  /** {@code streams.toStream(query)}, or with the parallelism at which the query is planned. */
  public static String stream(String query, Optional<Integer> parallelism) {
    String tasks = parallelism.map(count -> ", " + count).orElse("");
    return "streams.toStream(%s%s)".formatted(query, tasks);
  }

  /**
   * {@code Duration.ofSeconds(5)}
   *
   * @param time as {@link StateRetention#of} writes it
   */
  public static String duration(String time) {
    return duration(Long.parseLong(time.replace(" ms", "")));
  }

  /** {@code Duration.ofSeconds(5)}, in the greatest unit that tells it in whole numbers. */
  public static String duration(long milliseconds) {
    Map<String, Long> units = new LinkedHashMap<>();
    units.put("ofDays", 86_400_000L);
    units.put("ofHours", 3_600_000L);
    units.put("ofMinutes", 60_000L);
    units.put("ofSeconds", 1_000L);
    return units.entrySet().stream()
        .filter(unit -> milliseconds != 0 && milliseconds % unit.getValue() == 0)
        .map(unit -> "Duration.%s(%d)".formatted(unit.getKey(), milliseconds / unit.getValue()))
        .findFirst()
        .orElse("Duration.ofMillis(%d)".formatted(milliseconds));
  }

  /** {@code tables.createTemporaryView("view", …);} */
  public static String temporaryView(String view, List<String> toTableArguments) {
    return temporaryView(view, "streams.toTable(" + String.join(", ", toTableArguments) + ")");
  }

  /** {@code tables.createTemporaryView("view", table);} */
  public static String temporaryView(String view, String table) {
    return call("", "tables.createTemporaryView", List.of(string(view), table), ";", 0);
  }

  /** Lower camel case made from a view's or table's name. */
  public static String variable(String name) {
    StringBuilder variable = new StringBuilder();
    boolean upper = false;
    for (char c : name.toCharArray()) {
      if (!Character.isJavaIdentifierPart(c) || c == '_') {
        upper = variable.length() > 0;
      } else {
        variable.append(upper ? Character.toUpperCase(c) : c);
        upper = false;
      }
    }
    if (variable.length() == 0 || !Character.isJavaIdentifierStart(variable.charAt(0))) {
      variable.insert(0, "rows");
    }
    variable.setCharAt(0, Character.toLowerCase(variable.charAt(0)));
    return variable.toString();
  }

  private static String normalizeLineEnds(String value) {
    return value.replace("\r\n", "\n");
  }

  private static String escapeTrailingSpace(String line) {
    if (line.endsWith(" ")) {
      return line.substring(0, line.length() - 1) + "\\s";
    }
    return line.endsWith("\t") ? line.substring(0, line.length() - 1) + "\\t" : line;
  }

  private static String escape(String value, boolean quotes) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\\' -> escaped.append("\\\\");
        case '\n' -> escaped.append("\\n");
        case '\r' -> escaped.append("\\r");
        case '\t' -> escaped.append(quotes ? "\\t" : "\t");
        case '\f' -> escaped.append("\\f");
        case '\b' -> escaped.append("\\b");
        case '"' ->
            escaped.append(
                quotes || value.startsWith("\"\"\"", i) || lastQuote(value, i) ? "\\\"" : "\"");
        default -> {
          if (Character.isISOControl(c) || Character.isSurrogate(c) && !paired(value, i)) {
            escaped.append(String.format("\\u%04x", (int) c));
          } else {
            escaped.append(c);
          }
        }
      }
    }
    return escaped.toString();
  }

  /** A quote in front of the closing delimiter would be read as part of it. */
  private static boolean lastQuote(String value, int i) {
    return i == value.length() - 1;
  }

  private static boolean paired(String value, int i) {
    return Character.isHighSurrogate(value.charAt(i))
        ? i + 1 < value.length() && Character.isLowSurrogate(value.charAt(i + 1))
        : i > 0 && Character.isHighSurrogate(value.charAt(i - 1));
  }
}
