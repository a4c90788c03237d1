package io.hintflow.transpiler.plan;

/**
 * An artifact that the emitted job is packaged with.
 *
 * @param reason which table or setting of the script asks for it
 */
public record Dependency(String group, String artifact, String version, String reason) {}
