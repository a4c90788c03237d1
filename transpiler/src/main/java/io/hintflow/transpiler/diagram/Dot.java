package io.hintflow.transpiler.diagram;

import io.hintflow.transpiler.diagram.Diagram.Arrow;
import io.hintflow.transpiler.diagram.Diagram.Box;
import io.hintflow.transpiler.emission.VisibleText;
import io.hintflow.transpiler.plan.JobPlan;
import java.util.ArrayList;
import java.util.List;

/** The plan as a graph for Graphviz. */
public final class Dot {
  private Dot() {}

  public static String of(JobPlan plan) {
    Diagram diagram = Diagram.of(plan);
    StringBuilder text = new StringBuilder("digraph job {\n");
    text.append("  label=\"%s\";\n".formatted(escaped(diagram.title())));
    text.append("  labelloc=t;\n");
    text.append("  node [fontname=\"Helvetica\", fontsize=11];\n");
    text.append("  edge [fontname=\"Helvetica\", fontsize=10];\n");
    for (int i = 0; i < diagram.boxes().size(); i++) {
      Box box = diagram.boxes().get(i);
      text.append(
          "  n%d [%s, label=\"%s\", tooltip=\"%s\"];\n"
              .formatted(i, shape(box.kind()), label(box), tooltip(box.tooltip())));
    }
    for (Arrow arrow : diagram.arrows()) {
      text.append(
          "  n%d -> n%d [%s, label=\"%s\", tooltip=\"%s\"];\n"
              .formatted(
                  arrow.from(),
                  arrow.to(),
                  style(arrow.way()),
                  escaped(arrow.label()),
                  tooltip(arrow.reason())));
    }
    return text.append("}\n").toString();
  }

  private static String label(Box box) {
    List<String> lines = new ArrayList<>();
    lines.add(box.name());
    lines.add(box.what() + box.origin().map(place -> ", " + place).orElse(""));
    lines.addAll(box.lines());
    lines.addAll(box.state());
    // Each line ends to the left of its box.
    return String.join("", lines.stream().map(line -> escaped(line) + "\\l").toList());
  }

  private static String shape(Diagram.Kind kind) {
    return switch (kind) {
      case TABLE -> "shape=cylinder";
      case VIEW -> "shape=box, style=\"rounded,dashed\"";
      case OPERATORS -> "shape=component, style=bold";
      case INSERT -> "shape=box, peripheries=2";
      case QUERY -> "shape=note";
      case STATEMENT -> "shape=box, style=dotted";
    };
  }

  private static String style(Way way) {
    return switch (way) {
      case PLANNED -> "style=solid, arrowhead=vee";
      case HASH -> "style=bold, arrowhead=normal";
      case BROADCAST -> "color=\"black:invis:black\", arrowhead=normalnormal";
      case ROUND_ROBIN -> "style=dashed, arrowhead=normal";
      case KEPT -> "style=dotted, arrowhead=diamond";
    };
  }

  private static String escaped(String text) {
    return quotable(Labels.clipped(text));
  }

  private static String tooltip(String text) {
    return quotable(VisibleText.of(text)).replace("\n", "\\n");
  }

  /** Graphviz reads escape sequences and character references in a quoted text. */
  private static String quotable(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("&", "&amp;");
  }
}
