package io.hintflow.transpiler;

import java.util.List;

/**
 * What a user is told of a hint.
 *
 * @param name as written: {@code DISTRIBUTEBY}
 * @param summary what it does, in one sentence
 * @param syntax its forms, one a line
 * @param places where it may stand, one sentence each
 * @param limits what it does not do or asks for, one sentence each
 * @param example a whole script that runs as it is with {@code hintflow run}
 */
public record HintGuide(
    String name,
    String summary,
    List<String> syntax,
    List<String> places,
    List<String> limits,
    String example) {}
