package io.hintflow.grammar;

/** A place in a text: line and column, both 1-based, the column in code points. */
public record Location(int line, int column) {}
