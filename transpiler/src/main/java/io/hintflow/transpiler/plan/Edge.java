package io.hintflow.transpiler.plan;

/**
 * Rows travelling.
 *
 * @param from a stage's id or a table's name
 * @param to a stage's id or a table's name
 * @param reason why they travel so, in one sentence
 */
public record Edge(String from, String to, Distribution distribution, String reason) {}
