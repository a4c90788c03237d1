package io.hintflow.grammar;

/**
 * One table of a WITH clause.
 *
 * @param span its whole text: {@code name (columns) AS (query)}
 */
public record CommonTable(Name name, Span span) {}
