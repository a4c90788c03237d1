package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.diagram.Markup;
import io.hintflow.transpiler.plan.Origin;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A difference of plans as a comment of a pull request. */
public final class DiffMarkdown {
  /** GitHub takes 65,536 characters, GitLab a million. */
  private static final int LIMIT = 60_000;

  /** Of a longer run of words, only this many characters are shown. */
  private static final int LONGEST_RUN = 4_000;

  private DiffMarkdown() {}

  /** What a comment has no room for is counted at its end. */
  public static String of(PlanDiff diff) {
    if (diff.isEmpty()) {
      return "**hintflow**: the plans are the same.\n";
    }
    String end = "\n> " + DiffWords.savepoint(diff.savepoint()) + ".\n";
    StringBuilder text = new StringBuilder("### hintflow: the plans differ\n");
    List<String> parts =
        Stream.of(
                Stream.of(job(diff)),
                diff.changed().stream().map(DiffMarkdown::stage),
                LostState.of(diff).stream().map(DiffMarkdown::lost))
            .flatMap(Function.identity())
            .filter(part -> !part.isEmpty())
            .toList();
    for (int i = 0; i < parts.size(); i++) {
      if (text.length() + parts.get(i).length() + end.length() > LIMIT) {
        int left = parts.size() - i;
        text.append("\n… and %d further part%s.\n".formatted(left, left == 1 ? "" : "s"));
        break;
      }
      text.append(parts.get(i));
    }
    return text.append(end).toString();
  }

  private static String job(PlanDiff diff) {
    return diff.job().isEmpty()
        ? ""
        : diff.job().stream()
            .map(DiffMarkdown::item)
            .collect(Collectors.joining("", "\n**The job**\n\n", ""));
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
    // In code, where what looks like a name of somebody or an emoji is not taken for it.
    return "- %s: <code>%s</code>\n"
        .formatted(
            escaped(DiffWords.name(value)),
            DiffWords.values(value, DiffMarkdown::removed, DiffMarkdown::added));
  }

  private static String removed(String words) {
    return "<del>" + escaped(shortened(words)) + "</del>";
  }

  private static String added(String words) {
    return "<ins>" + escaped(shortened(words)) + "</ins>";
  }

  private static String shortened(String words) {
    if (words.length() <= LONGEST_RUN) {
      return words;
    }
    boolean splitsPair = Character.isHighSurrogate(words.charAt(LONGEST_RUN - 1));
    return words.substring(0, splitsPair ? LONGEST_RUN - 1 : LONGEST_RUN) + "…";
  }

  private static String code(String text) {
    return "<code>" + escaped(text) + "</code>";
  }

  /**
   * Text in which neither HTML nor Markdown sees anything of its own, in one line. GitHub looks for
   * people ({@code @name}) and issues ({@code #1}) in what has become of the Markdown; there, a
   * comment of HTML parts the mark from the name.
   */
  private static String escaped(String text) {
    return Markup.escaped(text)
        .replace("&#39;", "'")
        .replace("&quot;", "\"")
        .replaceAll("[\r\n]", " ")
        .replace("#", "&#35;<!-- -->")
        .replace("@", "&#64;<!-- -->")
        // Links and emoji.
        .replaceAll(":(?=[/a-zA-Z+-])", "&#58;")
        .replace("*", "&#42;")
        .replace("_", "&#95;")
        .replace("`", "&#96;")
        .replace("[", "&#91;")
        .replace("]", "&#93;")
        .replace("~", "&#126;")
        .replace("|", "&#124;")
        .replace("\\", "&#92;")
        .replace("$", "&#36;");
  }
}
