package io.hintflow.transpiler.analysis;

/** What kinds of rows a table or query produces, as far as the script tells. */
public enum Changelog {
  /** Only insertions, for certain. */
  INSERT_ONLY,
  /** Updates or deletions can occur. */
  UPDATING,
  /**
   * The script does not tell; to be treated as {@link #UPDATING} wherever correctness hangs on it.
   */
  UNKNOWN
}
