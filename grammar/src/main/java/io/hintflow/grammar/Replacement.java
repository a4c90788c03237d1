package io.hintflow.grammar;

/**
 * One edit of a script.
 *
 * @param span what is taken out; empty where something is only put in
 * @param text what is put there; empty where something is only taken out
 */
public record Replacement(Span span, String text) {

  /** Writes another name where one stands, quoted as that one is or as the new one needs it. */
  public static Replacement ofName(SourceText source, Span written, String name) {
    boolean literal = source.text().startsWith("'", written.start());
    return new Replacement(written, literal ? literal(name) : Identifiers.text(name));
  }

  /** Writes a literal where a name or a literal stands. */
  static Replacement ofLiteral(Span written, String value) {
    return new Replacement(written, literal(value));
  }

  private static String literal(String value) {
    return "'" + value.replace("'", "''") + "'";
  }
}
