package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.diff.PlanDiff.Savepoint;
import io.hintflow.transpiler.diff.StateVerdict.Fate;
import io.hintflow.transpiler.diff.WordEdit.Kind;
import io.hintflow.transpiler.emission.Distributions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What all forms of a difference say in the same words. */
final class DiffWords {
  static final String NO_DIFFERENCE = "The plans are the same.";

  static final String OTHER_STAGES = "unchanged stages";

  /** How many words that are the same are shown on either side of others. */
  private static final int CONTEXT = 8;

  private DiffWords() {}

  /** What has happened to a stage as a whole. */
  static List<String> presence(StageDiff stage) {
    if (stage.isAdded()) {
      return List.of("added");
    }
    if (stage.isRemoved()) {
      return List.of("removed");
    }
    List<String> words = new ArrayList<>();
    if (stage.moved()) {
      words.add("moved");
    }
    if (stage.formerId().isPresent()) {
      words.add("renamed");
    }
    if (!stage.changes().isEmpty()) {
      words.add("changed");
    }
    return words.isEmpty() ? List.of("unchanged") : words;
  }

  static String fate(Fate fate) {
    return switch (fate) {
      case KEPT -> "kept";
      case NEW -> "new";
      case DROPPED -> "dropped";
      case INCOMPATIBLE -> "incompatible";
    };
  }

  /** Without a full stop. */
  static String savepoint(Savepoint savepoint) {
    return switch (savepoint) {
      case EMPTY -> "The old job keeps no state that a savepoint would have to bring over";
      case RESTORED -> "A savepoint of the old job is restored by the new one as a whole";
      case LOSES_STATE ->
          "A savepoint of the old job is restored by the new one only with --allowNonRestoredState,"
              + " without the state that is dropped";
      case UNUSABLE ->
          "A savepoint of the old job must not be restored by the new one, for the state that is"
              + " incompatible";
    };
  }

  static String travel(Change.Travel travel) {
    return "rows from %s: %s instead of %s: %s"
        .formatted(
            String.join(", ", travel.from()),
            Distributions.describe(travel.after()),
            Distributions.describe(travel.before()),
            travel.reason());
  }

  static String name(Change.Value value) {
    return switch (value.group()) {
      case "hint" -> "hint";
      case "tasks" -> "tasks that the " + value.name() + " is planned with";
      case "Flink" -> "Flink";
      default -> "%s '%s'".formatted(value.group(), value.name());
    };
  }

  static String values(Change.Value value, UnaryOperator<String> old, UnaryOperator<String> now) {
    return Stream.concat(value.before().map(old).stream(), value.after().map(now).stream())
        .collect(Collectors.joining(" "));
  }

  /** Runs of words one behind the other, those of each kind marked in their own way. */
  static String joined(
      List<WordEdit> edits,
      UnaryOperator<String> same,
      UnaryOperator<String> removed,
      UnaryOperator<String> added) {
    StringBuilder joined = new StringBuilder();
    for (WordEdit edit : edits) {
      UnaryOperator<String> mark =
          switch (edit.kind()) {
            case SAME -> same;
            case REMOVED -> removed;
            case ADDED -> added;
          };
      joined.append(edit.text().startsWith(" ") ? " " : "").append(mark.apply(edit.text().strip()));
    }
    return joined.toString();
  }

  /** The edits with long runs that are the same cut down to what is near a difference. */
  static List<WordEdit> shortened(List<WordEdit> edits) {
    List<WordEdit> shortened = new ArrayList<>();
    for (int i = 0; i < edits.size(); i++) {
      WordEdit edit = edits.get(i);
      shortened.add(
          edit.kind() == Kind.SAME
              ? new WordEdit(Kind.SAME, near(edit.text(), i > 0, i + 1 < edits.size()))
              : edit);
    }
    return shortened;
  }

  private static String near(String text, boolean behindOther, boolean beforeOther) {
    String[] words = text.strip().split(" ");
    int shown = (behindOther ? CONTEXT : 0) + (beforeOther ? CONTEXT : 0);
    if (words.length <= shown + 1) {
      return text;
    }
    List<String> near = new ArrayList<>();
    if (behindOther) {
      near.addAll(List.of(words).subList(0, CONTEXT));
    }
    near.add("…");
    if (beforeOther) {
      near.addAll(List.of(words).subList(words.length - CONTEXT, words.length));
    }
    return (text.startsWith(" ") ? " " : "") + String.join(" ", near);
  }
}
