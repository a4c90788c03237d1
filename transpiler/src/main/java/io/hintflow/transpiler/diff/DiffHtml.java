package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.diagram.Markup;
import io.hintflow.transpiler.emission.Templates;
import io.hintflow.transpiler.plan.Origin;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A difference of plans as a page of its own, without script and with nothing from elsewhere. */
public final class DiffHtml {
  private final StringBuilder text = new StringBuilder();

  private DiffHtml() {}

  public static String of(PlanDiff diff) {
    DiffHtml page = new DiffHtml();
    page.write(diff);
    return page.text.toString();
  }

  private void write(PlanDiff diff) {
    text.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    text.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    text.append("<title>hintflow: difference of plans</title>\n<style>\n");
    text.append(Templates.resource("/io/hintflow/transpiler/diff/diff.css"));
    text.append("</style>\n</head>\n<body>\n<main>\n<h1>Difference of plans</h1>\n");
    if (diff.isEmpty()) {
      text.append("<p class=\"savepoint\">").append(DiffWords.NO_DIFFERENCE).append("</p>\n");
    } else {
      text.append(
          "<p class=\"savepoint %s\">%s.</p>\n"
              .formatted(
                  diff.savepoint().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                  DiffWords.savepoint(diff.savepoint())));
      if (!diff.job().isEmpty()) {
        text.append("<section>\n<h2>The job</h2>\n<ul>\n");
        diff.job().forEach(this::change);
        text.append("</ul>\n</section>\n");
      }
      diff.changed().forEach(this::stage);
      LostState.of(diff).forEach(this::lost);
    }
    text.append("</main>\n</body>\n</html>\n");
  }

  private void stage(StageDiff stage) {
    text.append("<section>\n<h2>").append(Markup.escaped(stage.id()));
    DiffWords.presence(stage)
        .forEach(word -> text.append(" <span class=\"presence\">%s</span>".formatted(word)));
    text.append("</h2>\n<p class=\"origin\">")
        .append(Markup.escaped(stage.kind()))
        .append(" at ")
        .append(stage.after().or(stage::before).map(Origin::toString).map(Markup::escaped).get());
    stage
        .formerId()
        .ifPresent(id -> text.append(", was <code>%s</code>".formatted(Markup.escaped(id))));
    text.append("</p>\n");
    if (!stage.changes().isEmpty()) {
      text.append("<ul>\n");
      stage.changes().forEach(this::change);
      text.append("</ul>\n");
    }
    if (!stage.state().isEmpty()) {
      text.append("<dl>\n");
      for (StateVerdict verdict : stage.state()) {
        text.append(
            "<dt><span class=\"fate %s\">state %s</span> %s</dt>\n<dd>%s</dd>\n"
                .formatted(
                    DiffWords.fate(verdict.fate()),
                    DiffWords.fate(verdict.fate()),
                    Markup.escaped(verdict.what()),
                    Markup.escaped(verdict.reason())));
      }
      text.append("</dl>\n");
    }
    text.append("</section>\n");
  }

  private void lost(LostState lost) {
    text.append(
        "<section>\n<h2>%s</h2>\n<p><span class=\"fate %s\">state %s</span> %s</p>\n<ul>\n"
            .formatted(
                DiffWords.OTHER_STAGES,
                DiffWords.fate(lost.fate()),
                DiffWords.fate(lost.fate()),
                Markup.escaped(lost.reason())));
    lost.stages()
        .forEach(
            (id, what) ->
                text.append(
                    "<li><code>%s</code>: %s</li>\n"
                        .formatted(Markup.escaped(id), Markup.escaped(String.join("; ", what)))));
    text.append("</ul>\n</section>\n");
  }

  private void change(Change change) {
    text.append("<li>");
    if (change instanceof Change.Sql sql) {
      text.append(sql.text()).append("<pre>").append(edits(sql.edits())).append("</pre>");
    } else if (change instanceof Change.Travel travel) {
      text.append(Markup.escaped(DiffWords.travel(travel)));
    } else {
      Change.Value value = (Change.Value) change;
      text.append(Markup.escaped(DiffWords.name(value)))
          .append(": ")
          .append(
              DiffWords.values(
                  value,
                  old -> "<del>" + Markup.escaped(old) + "</del>",
                  now -> "<ins>" + Markup.escaped(now) + "</ins>"));
    }
    text.append("</li>\n");
  }

  private static String edits(List<WordEdit> edits) {
    return edits.stream()
        .map(
            edit -> {
              String words = Markup.escaped(edit.text());
              return switch (edit.kind()) {
                case SAME -> words;
                case REMOVED -> "<del>" + words + "</del>";
                case ADDED -> "<ins>" + words + "</ins>";
              };
            })
        .collect(Collectors.joining());
  }
}
