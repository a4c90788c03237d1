package io.hintflow.grammar;

import java.util.Arrays;
import java.util.Optional;

/**
 * Every finding that the product can report. The hundreds tell the area: 1xx reading a script, 2xx
 * hints as such, 3xx tables and queries, 4xx what a hint asks for, 5xx emission. A code, once
 * released, keeps its meaning.
 */
public enum DiagnosticCode {
  NOT_UTF_8("HF100", Severity.ERROR, "The script is not UTF-8"),
  SYNTAX_ERROR("HF101", Severity.ERROR, "The statement is not Flink SQL"),
  EMPTY_SCRIPT("HF102", Severity.ERROR, "The script holds no statement"),
  UNTERMINATED("HF103", Severity.ERROR, "A literal, quoted name or comment is never closed"),
  STATEMENT_SET("HF104", Severity.ERROR, "A statement set is not well formed"),
  PLACEHOLDER_OUTSIDE_LITERAL("HF105", Severity.ERROR, "A placeholder stands outside a literal"),
  NESTED_TOO_DEEPLY("HF106", Severity.ERROR, "The statement is nested too deeply"),
  TRAILING_COMMA("HF107", Severity.WARNING, "A comma stands before a closing parenthesis"),
  UNQUOTED_SETTING("HF108", Severity.WARNING, "The key or value of a setting is not quoted"),
  PASTED_PROMPT("HF109", Severity.WARNING, "A prompt of the SQL client was pasted along"),
  HASH_COMMENT("HF110", Severity.WARNING, "A comment starts with #"),
  MISSING_SEMICOLON("HF111", Severity.WARNING, "The last statement has no semicolon"),
  SWALLOWED_STATEMENT("HF112", Severity.WARNING, "The last comment holds a statement"),
  UNUSED_IGNORE("HF113", Severity.WARNING, "An ignore comment silences nothing"),
  UNKNOWN_IGNORED_CODE("HF114", Severity.WARNING, "An ignore comment names no code"),

  UNKNOWN_HINT("HF201", Severity.ERROR, "There is no such hint"),
  MALFORMED_HINT("HF202", Severity.ERROR, "A hint comment cannot be read"),
  EMPTY_HINT("HF203", Severity.ERROR, "A hint has no arguments"),
  WRONG_HINT_ARGUMENTS("HF204", Severity.ERROR, "A hint takes arguments of another kind"),
  UNKNOWN_HINT_KEY("HF205", Severity.ERROR, "A hint has no such key"),
  DUPLICATE_HINT_KEY("HF206", Severity.ERROR, "A hint has one key twice"),
  MISSING_HINT_KEY("HF207", Severity.ERROR, "A hint lacks a key that it needs"),
  INVALID_HINT_VALUE("HF208", Severity.ERROR, "A hint has a value that it cannot use"),
  MISPLACED_HINT("HF209", Severity.ERROR, "A hint stands where it has no effect"),
  REPEATED_HINT("HF210", Severity.ERROR, "A hint is given twice"),
  IGNORED_OPTIONS("HF211", Severity.WARNING, "OPTIONS behind SELECT is ignored"),

  UNKNOWN_TABLE("HF301", Severity.ERROR, "A query reads a table that is not declared"),
  DUPLICATE_TABLE("HF302", Severity.ERROR, "Two tables or views have one name"),
  INVALID_DECLARATION("HF303", Severity.ERROR, "A table's declaration contradicts itself"),
  UNUSABLE_TYPE("HF304", Severity.ERROR, "A column's type does not exist in Flink"),
  UNKNOWN_COLUMN("HF305", Severity.ERROR, "A query names a column that is not there"),
  AMBIGUOUS_COLUMN("HF306", Severity.ERROR, "A column's name fits more than one table"),
  TYPE_MISMATCH("HF307", Severity.ERROR, "An operation does not fit the types of its operands"),
  INVALID_QUERY("HF308", Severity.ERROR, "A query breaks a rule of SQL"),
  COLUMN_COUNT("HF309", Severity.ERROR, "A query gives more or fewer columns than its sink takes"),
  UNDECLARED_TABLE("HF310", Severity.WARNING, "A script without declarations reads a table"),
  UNKNOWN_TABLE_OPTION("HF311", Severity.ERROR, "A connector has no such option"),
  INVALID_TABLE_OPTION("HF312", Severity.ERROR, "An option has a value that it cannot use"),
  MISSING_TABLE_OPTION("HF313", Severity.ERROR, "A table lacks an option that it needs"),
  SINK_TYPE("HF314", Severity.ERROR, "A sink's column does not take the type of the query's"),

  UNKNOWN_OUTPUT_COLUMN("HF401", Severity.ERROR, "A DISTRIBUTEBY column is not an output column"),
  CORRELATED_BLOCK(
      "HF402", Severity.ERROR, "A hint stands in a subquery that reads the query around it"),
  UNHASHABLE_COLUMN("HF403", Severity.ERROR, "A column to hash by has no value"),
  SINK_KEY_NOT_COVERED("HF404", Severity.WARNING, "DISTRIBUTEBY tears a sink key apart"),
  SOURCE_ORDER_NOT_KEPT("HF405", Severity.NOTE, "Rows leave a source in turn, not in order"),
  HINT_NOT_IN_CREATE_TABLE_AS("HF407", Severity.ERROR, "A hint stands in a CREATE TABLE AS"),
  UNCHECKED_COLUMN("HF408", Severity.WARNING, "A DISTRIBUTEBY column cannot be checked"),
  SCALAR_SUBQUERY("HF409", Severity.ERROR, "DISTRIBUTEBY stands in a subquery of one row"),
  UNKNOWN_JOIN_TABLE("HF410", Severity.ERROR, "A join hint names a table that FROM does not have"),
  AMBIGUOUS_JOIN_TABLE("HF411", Severity.ERROR, "A join hint's name fits several tables of FROM"),
  NOT_JOINED("HF412", Severity.ERROR, "A join hint is for a table that is in no join of its kind"),
  BOTH_SIDES_BROADCAST("HF413", Severity.ERROR, "BROADCAST names both sides of a join"),
  BROADCAST_OF_KEPT_SIDE(
      "HF414", Severity.ERROR, "BROADCAST names the side whose rows an outer join keeps"),
  BROADCAST_IN_TIMED_JOIN(
      "HF415", Severity.ERROR, "BROADCAST stands in a join that goes by time or by single rows"),
  BROADCAST_CONDITION(
      "HF416", Severity.ERROR, "A broadcast join cannot do what the SELECT asks of the join"),
  UNKNOWN_HASH_COLUMN("HF417", Severity.ERROR, "A HASH_BY_KEY column is not in its table"),
  HASHED_BROADCAST("HF418", Severity.ERROR, "HASH_BY_KEY names a table that is broadcast"),
  UNKNOWN_JOIN_COLUMNS(
      "HF419", Severity.ERROR, "The columns of a table in a join with a hint are not known"),
  OVERRULED_DEDUPLICATION(
      "HF420", Severity.WARNING, "Two tables of a join say different things of one of its inputs"),
  DEDUPLICATION_BY_TIME(
      "HF421", Severity.ERROR, "Nothing can be dropped before a join that goes by time"),
  NO_EVENT_TIME_WINDOW(
      "HF422", Severity.ERROR, "LATE_DATA_SINK stands where no row comes late for a window"),
  UNSPLITTABLE_WINDOW(
      "HF423", Severity.ERROR, "The late rows of a window cannot be told from the others"),
  UNUSABLE_LATE_SINK("HF424", Severity.ERROR, "A table does not fit the late rows it is to take"),
  WINDOW_FIELD("HF425", Severity.ERROR, "A column cannot take the start or end of a window"),
  WINDOW_OFFSET("HF426", Severity.WARNING, "Flink loses rows of windows with an offset"),
  COLUMN_ORDER("HF427", Severity.WARNING, "A query gives its sink's columns in another order"),
  LOOKUP_TABLE_KEY("HF428", Severity.ERROR, "A Redis table has no column that can be its key"),
  LOOKUP_KEY("HF429", Severity.ERROR, "A look-up asks for something else than one key"),
  LOOKUP_ONLY("HF430", Severity.ERROR, "A Redis table is used for something else than a look-up"),
  LOOKUP_NOT_SHUFFLED("HF431", Severity.WARNING, "Rows cannot go to a look-up by its key"),
  SMALL_LOOKUP_BUFFER("HF432", Severity.WARNING, "A look-up's buffer cannot hold its batches"),

  NO_NATIVE_FORM("HF501", Severity.ERROR, "The hint has no form in standard Flink SQL"),
  UNKNOWN_CONNECTOR("HF502", Severity.WARNING, "No artifact is known for a connector or format"),
  TEST_CONNECTOR("HF503", Severity.WARNING, "The connector exists only inside Flink's tests"),
  CONNECTOR_NOT_FOR_VERSION(
      "HF504", Severity.WARNING, "The connector has no release for the Flink version"),
  SETTING_AFTER_INSERT("HF505", Severity.WARNING, "A SET stands behind an INSERT");

  private final String id;
  private final Severity severity;
  private final String title;

  DiagnosticCode(String id, Severity severity, String title) {
    this.id = id;
    this.severity = severity;
    this.title = title;
  }

  /** The code of a name, in exactly its case; empty if there is none. */
  public static Optional<DiagnosticCode> of(String id) {
    return Arrays.stream(values()).filter(code -> code.id.equals(id)).findFirst();
  }

  /** The stable name, such as {@code HF203}. */
  public String id() {
    return id;
  }

  public Severity severity() {
    return severity;
  }

  public String title() {
    return title;
  }
}
