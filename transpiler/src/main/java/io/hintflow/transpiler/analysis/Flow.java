package io.hintflow.transpiler.analysis;

import java.util.Collections;
import java.util.List;

/**
 * How rows come out of a plan.
 *
 * @param rowWise as in {@link BlockAnalysis}
 * @param roles what each column is for, beyond its type
 */
record Flow(Changelog changelog, boolean rowWise, List<Role> roles) {

  /** What time and window operators see in a column. */
  enum Role {
    PLAIN(TimeAttribute.NONE),
    ROWTIME(TimeAttribute.ROWTIME),
    PROCTIME(TimeAttribute.PROCTIME),
    WINDOW_START(TimeAttribute.NONE),
    WINDOW_END(TimeAttribute.NONE),
    /**
     * A window's {@code window_time}: unlike other time attributes it survives a grouping by it.
     */
    WINDOW_ROWTIME(TimeAttribute.ROWTIME),
    WINDOW_PROCTIME(TimeAttribute.PROCTIME),
    /** The group that a legacy group window makes of a row. */
    GROUP_WINDOW(TimeAttribute.NONE),
    /** A number given to rows of a partition; keeping only some of them takes rows back. */
    ROW_NUMBER(TimeAttribute.NONE),
    /** A number given in the order of processing time: the first row stays the first. */
    ARRIVAL_NUMBER(TimeAttribute.NONE),
    /** A number given within a window, which is complete when it comes out. */
    WINDOW_ROW_NUMBER(TimeAttribute.NONE);

    private final TimeAttribute timeAttribute;

    Role(TimeAttribute timeAttribute) {
      this.timeAttribute = timeAttribute;
    }

    TimeAttribute timeAttribute() {
      return timeAttribute;
    }

    static Role of(TimeAttribute timeAttribute) {
      return switch (timeAttribute) {
        case NONE -> PLAIN;
        case ROWTIME -> ROWTIME;
        case PROCTIME -> PROCTIME;
      };
    }

    boolean isRowtime() {
      return timeAttribute == TimeAttribute.ROWTIME;
    }

    boolean isTime() {
      return timeAttribute != TimeAttribute.NONE;
    }
  }

  /** What to assume where nothing is known. */
  static Flow unknown(int columns) {
    return new Flow(Changelog.UNKNOWN, false, plain(columns));
  }

  static List<Role> plain(int columns) {
    return Collections.nCopies(columns, Role.PLAIN);
  }

  TimeAttribute timeAttribute(int column) {
    return roles.get(column).timeAttribute();
  }
}
