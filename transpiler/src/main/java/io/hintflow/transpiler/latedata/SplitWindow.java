package io.hintflow.transpiler.latedata;

import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.OutputColumn;
import java.util.List;
import java.util.Optional;

/**
 * A window whose late rows are to be split off its input.
 *
 * @param item of FROM: the call of a window table function, or what the window reads
 * @param time the rowtime column of its input
 * @param keys the columns of its input that it tells rows apart by, where late is judged by key
 * @param lengths in milliseconds, in the order in which the kind takes them
 * @param offset in milliseconds
 * @param columns those of its input
 */
record SplitWindow(
    From.Item item,
    Kind kind,
    OutputColumn time,
    List<String> keys,
    List<Long> lengths,
    Optional<Long> offset,
    List<OutputColumn> columns) {

  /** How a window decides what is late. */
  enum Kind {
    TUMBLE("tumble"),
    HOP("hop"),
    CUMULATE("cumulate"),
    SESSION("session"),
    GROUP_TUMBLE("groupTumble"),
    GROUP_HOP("groupHop"),
    GROUP_SESSION("groupSession"),
    UNBOUNDED_OVER("over"),
    OVER_ROWS("overRows"),
    OVER_RANGE("overRange");

    private final String method;

    Kind(String method) {
      this.method = method;
    }

    /** The name of the method that makes one, in the emitted job. */
    String method() {
      return method;
    }

    /** Whether a late row has missed one window that has a start and an end. */
    boolean hasBounds() {
      return switch (this) {
        case TUMBLE, HOP, CUMULATE, SESSION, GROUP_TUMBLE, GROUP_HOP, GROUP_SESSION -> true;
        case UNBOUNDED_OVER, OVER_ROWS, OVER_RANGE -> false;
      };
    }

    /** Whether it is a table function, whose input is the table that it is called with. */
    boolean isFunction() {
      return switch (this) {
        case TUMBLE, HOP, CUMULATE, SESSION -> true;
        case GROUP_TUMBLE, GROUP_HOP, GROUP_SESSION, UNBOUNDED_OVER, OVER_ROWS, OVER_RANGE -> false;
      };
    }

    /** Whether rows must meet by their keys to be judged. */
    boolean isKeyed() {
      return switch (this) {
        case SESSION, GROUP_SESSION, OVER_ROWS, OVER_RANGE -> true;
        case TUMBLE, HOP, CUMULATE, GROUP_TUMBLE, GROUP_HOP, UNBOUNDED_OVER -> false;
      };
    }
  }

  SplitWindow {
    keys = List.copyOf(keys);
    lengths = List.copyOf(lengths);
    columns = List.copyOf(columns);
  }

  /** A column of its input. */
  Optional<OutputColumn> column(String name) {
    return columns.stream().filter(column -> column.name().equals(name)).findFirst();
  }
}
