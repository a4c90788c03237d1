package io.hintflow.grammar;

/** A name or value as the user wrote it, unquoted, and where it stands (quotes included). */
public record Name(String text, Span span) {}
