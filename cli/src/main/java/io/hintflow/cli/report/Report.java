package io.hintflow.cli.report;

/**
 * Tells what a check found, in one format. Scripts are told one after the other, so that a format
 * that needs no more keeps none of them. Whatever happens in between, a report that is closed is
 * whole.
 */
public interface Report extends AutoCloseable {
  /** Tells what was found in a script; nothing found is worth telling too. */
  void add(CheckedScript script);

  /**
   * Tells that something could not be checked.
   *
   * @param sentence without a full stop
   */
  void addFault(String sentence);

  /** Ends the report and flushes it. The stream that it went to stays open. */
  @Override
  void close();
}
