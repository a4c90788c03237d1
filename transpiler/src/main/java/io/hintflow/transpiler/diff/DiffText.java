package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.emission.VisibleText;
import io.hintflow.transpiler.plan.Origin;
import java.util.function.UnaryOperator;

/** A difference of plans for people at a terminal. */
public final class DiffText {
  private final StringBuilder text = new StringBuilder();

  private DiffText() {}

  /** Ends in a line feed; of no difference, one line. */
  public static String of(PlanDiff diff) {
    DiffText writer = new DiffText();
    if (diff.isEmpty()) {
      writer.line(0, DiffWords.NO_DIFFERENCE);
      return writer.text.toString();
    }
    if (!diff.job().isEmpty()) {
      writer.line(0, "job");
      diff.job().forEach(writer::change);
      writer.text.append('\n');
    }
    diff.changed().forEach(writer::stage);
    LostState.of(diff).forEach(writer::lost);
    writer.line(0, DiffWords.savepoint(diff.savepoint()) + ".");
    return writer.text.toString();
  }

  private void stage(StageDiff stage) {
    line(0, "%s  %s".formatted(stage.id(), String.join(", ", DiffWords.presence(stage))));
    stage.formerId().ifPresent(id -> line(2, "was " + id));
    line(2, places(stage));
    stage.changes().forEach(this::change);
    for (StateVerdict verdict : stage.state()) {
      line(
          2,
          "state %s: %s: %s"
              .formatted(DiffWords.fate(verdict.fate()), verdict.what(), verdict.reason()));
    }
    text.append('\n');
  }

  private void lost(LostState lost) {
    line(0, DiffWords.OTHER_STAGES);
    line(2, "state %s: %s".formatted(DiffWords.fate(lost.fate()), lost.reason()));
    lost.stages().forEach((id, what) -> line(4, id + ": " + String.join("; ", what)));
    text.append('\n');
  }

  private static String places(StageDiff stage) {
    String before = stage.before().map(Origin::toString).orElse("");
    String after = stage.after().map(Origin::toString).orElse("");
    if (stage.isAdded() || stage.isRemoved()) {
      return "%s at %s%s".formatted(stage.kind(), before, after);
    }
    return before.equals(after)
        ? "%s at %s".formatted(stage.kind(), after)
        : "%s at %s, before at %s".formatted(stage.kind(), after, before);
  }

  private void change(Change change) {
    if (change instanceof Change.Sql sql) {
      line(2, sql.text());
      line(
          4,
          DiffWords.joined(
              DiffWords.shortened(sql.edits()),
              UnaryOperator.identity(),
              DiffText::removed,
              DiffText::added));
    } else if (change instanceof Change.Travel travel) {
      line(2, DiffWords.travel(travel));
    } else {
      Change.Value value = (Change.Value) change;
      line(
          2,
          "%s: %s"
              .formatted(
                  DiffWords.name(value),
                  DiffWords.values(value, DiffText::removed, DiffText::added)));
    }
  }

  // As git diff --word-diff marks them.

  private static String removed(String words) {
    return "[-" + words + "-]";
  }

  private static String added(String words) {
    return "{+" + words + "+}";
  }

  private void line(int indentation, String content) {
    text.append(" ".repeat(indentation)).append(VisibleText.inOneLine(content)).append('\n');
  }
}
