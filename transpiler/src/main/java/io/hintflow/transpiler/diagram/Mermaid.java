package io.hintflow.transpiler.diagram;

import io.hintflow.transpiler.diagram.Diagram.Arrow;
import io.hintflow.transpiler.diagram.Diagram.Box;
import io.hintflow.transpiler.plan.JobPlan;
import java.util.ArrayList;
import java.util.List;

/** The plan as a flowchart of Mermaid, which Markdown files and comments can hold. */
public final class Mermaid {
  private Mermaid() {}

  public static String of(JobPlan plan) {
    Diagram diagram = Diagram.of(plan);
    StringBuilder text = new StringBuilder("flowchart TB\n");
    for (int i = 0; i < diagram.boxes().size(); i++) {
      Box box = diagram.boxes().get(i);
      text.append("  n%d%s\n".formatted(i, shaped(box)));
    }
    for (Arrow arrow : diagram.arrows()) {
      String label = arrow.label().isEmpty() ? "" : "|\"" + escaped(arrow.label()) + "\"|";
      text.append("  n%d %s%s n%d\n".formatted(arrow.from(), line(arrow.way()), label, arrow.to()));
    }
    return text.toString();
  }

  private static String shaped(Box box) {
    List<String> lines = new ArrayList<>();
    lines.add(box.name());
    lines.add(box.what() + box.origin().map(place -> ", " + place).orElse(""));
    lines.addAll(box.lines());
    lines.addAll(box.state());
    String label =
        "\"" + String.join("<br/>", lines.stream().map(Mermaid::escaped).toList()) + "\"";
    return switch (box.kind()) {
      case TABLE -> "[(" + label + ")]";
      case VIEW -> "([" + label + "])";
      case OPERATORS -> "[[" + label + "]]";
      case INSERT -> "[/" + label + "\\]";
      case QUERY -> ">" + label + "]";
      case STATEMENT -> "[" + label + "]";
    };
  }

  private static String line(Way way) {
    return switch (way) {
      case PLANNED -> "-->";
      case HASH -> "==>";
      case BROADCAST -> "==o";
      case ROUND_ROBIN -> "-.->";
      case KEPT -> "--o";
    };
  }

  /**
   * As character references, whatever could mean something: to Mermaid itself, to the Markdown that
   * it takes labels for, or to HTML.
   */
  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    Labels.clipped(text)
        .codePoints()
        .forEach(
            codePoint -> {
              boolean plain =
                  Character.isLetterOrDigit(codePoint)
                      || codePoint > 0x7F
                      || " ,./()='-".indexOf(codePoint) >= 0;
              if (plain) {
                escaped.appendCodePoint(codePoint);
              } else {
                escaped.append('#').append(codePoint).append(';');
              }
            });
    return escaped.toString();
  }
}
