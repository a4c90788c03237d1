package io.hintflow.cli.bench;

/**
 * What one run took.
 *
 * @param wallSeconds from its start to its end
 * @param cpuSeconds of all threads, in the system too
 */
record Cost(double wallSeconds, double cpuSeconds) {}
