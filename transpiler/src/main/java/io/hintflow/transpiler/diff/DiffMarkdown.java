package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.diagram.Markup;
import io.hintflow.transpiler.plan.Origin;
import java.util.List;
import java.util.stream.Stream;

/** A difference of plans as a comment of a pull request. */
public final class DiffMarkdown {
  /** GitHub takes 65,536 characters, GitLab a million. */
  private static final int LIMIT = 60_000;

  private DiffMarkdown() {}

  /** What a comment has no room for is counted at its end. */
  public static String of(PlanDiff diff) {
    if (diff.isEmpty()) {
      return "**hintflow**: the plans are the same.\n";
    }
    String end = "\n> " + DiffWords.savepoint(diff.savepoint()) + ".\n";
    StringBuilder text = new StringBuilder("### hintflow: the plans differ\n");
    if (!diff.job().isEmpty()) {
      text.append("\n**The job**\n\n");
      diff.job().forEach(change -> text.append(item(change)));
    }
    List<String> parts =
        Stream.concat(
                diff.changed().stream().map(DiffMarkdown::stage),
                LostState.of(diff).stream().map(DiffMarkdown::lost))
            .toList();
    for (int i = 0; i < parts.size(); i++) {
      if (text.length() + parts.get(i).length() + end.length() > LIMIT) {
        text.append("\n… and %d further parts.\n".formatted(parts.size() - i));
        break;
      }
      text.append(parts.get(i));
    }
    return text.append(end).toString();
  }

  private static String stage(StageDiff stage) {
    StringBuilder text =
        new StringBuilder("\n**")
            .append(code(stage.id()))
            .append("** ")
            .append(String.join(", ", DiffWords.presence(stage)));
    stage.formerId().ifPresent(id -> text.append(", was ").append(code(id)));
    text.append(" (")
        .append(
            stage.after().or(stage::before).map(Origin::toString).map(DiffMarkdown::escaped).get())
        .append(")\n\n");
    stage.changes().forEach(change -> text.append(item(change)));
    for (StateVerdict verdict : stage.state()) {
      text.append(
          "- state **%s**: %s: %s\n"
              .formatted(
                  DiffWords.fate(verdict.fate()),
                  escaped(verdict.what()),
                  escaped(verdict.reason())));
    }
    return text.toString();
  }

  private static String lost(LostState lost) {
    StringBuilder text =
        new StringBuilder(
            "\n**%s**, state **%s**: %s\n\n"
                .formatted(
                    DiffWords.OTHER_STAGES, DiffWords.fate(lost.fate()), escaped(lost.reason())));
    lost.stages()
        .forEach(
            (id, what) ->
                text.append("- %s: %s\n".formatted(code(id), escaped(String.join("; ", what)))));
    return text.toString();
  }

  private static String item(Change change) {
    if (change instanceof Change.Sql sql) {
      return "- %s: <code>%s</code>\n"
          .formatted(
              sql.text(),
              DiffWords.joined(
                  DiffWords.shortened(sql.edits()),
                  DiffMarkdown::escaped,
                  DiffMarkdown::removed,
                  DiffMarkdown::added));
    }
    if (change instanceof Change.Travel travel) {
      return "- " + escaped(DiffWords.travel(travel)) + "\n";
    }
    Change.Value value = (Change.Value) change;
    return "- %s: %s\n"
        .formatted(
            escaped(DiffWords.name(value)),
            DiffWords.values(value, DiffMarkdown::removed, DiffMarkdown::added));
  }

  private static String removed(String words) {
    return "<del>" + escaped(words) + "</del>";
  }

  private static String added(String words) {
    return "<ins>" + escaped(words) + "</ins>";
  }

  private static String code(String text) {
    return "<code>" + escaped(text) + "</code>";
  }

  /** Text in which neither HTML nor Markdown sees anything of its own, in one line. */
  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    Markup.escaped(text)
        .replace("&#39;", "'")
        .replace("&quot;", "\"")
        .chars()
        .forEach(
            c -> {
              if ("*_`[]~|\\@#!".indexOf(c) >= 0) {
                boolean ofEntity = c == '#' && escaped.toString().endsWith("&");
                escaped.append(ofEntity ? "#" : "&#" + c + ";");
              } else {
                escaped.append(c == '\n' || c == '\r' ? ' ' : (char) c);
              }
            });
    return escaped.toString();
  }
}
