package io.hintflow.transpiler.diagram;

import io.hintflow.transpiler.diagram.Diagram.Arrow;
import io.hintflow.transpiler.diagram.Diagram.Box;
import io.hintflow.transpiler.diagram.Layout.Connection;
import io.hintflow.transpiler.diagram.Layout.Point;
import io.hintflow.transpiler.diagram.Layout.Rectangle;
import io.hintflow.transpiler.diagram.Layout.Size;
import io.hintflow.transpiler.emission.Templates;
import io.hintflow.transpiler.plan.JobPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The plan as a picture that needs nothing else: no script, no font, no network. */
public final class Svg {
  /** The colours and line styles of a drawing; the page takes it in too. */
  static final String STYLE = Templates.resource("/io/hintflow/transpiler/diagram/picture.css");

  private static final double MARGIN = 20;
  private static final double TITLE_HEIGHT = 30;

  /** The sizes of texts; picture.css has them too. */
  private static final double HEADING = 16;

  private static final double WHAT = 11;
  private static final double NAME = 13;
  private static final double LINE = 12;
  private static final double LABEL = 11;

  private static final double BOX_PADDING = 12;
  private static final double LINE_HEIGHT = 16;
  private static final double RIM = 7;
  private static final double FOLD = 12;

  private static final double LEGEND_ROW = 20;
  private static final double LEGEND_SAMPLE = 44;

  /** How wide the legend may be, even where the stages are narrower. */
  private static final double LEGEND_WIDTH = 560;

  private final StringBuilder svg = new StringBuilder();
  private final Diagram diagram;

  private Svg(Diagram diagram) {
    this.diagram = diagram;
  }

  public static String of(JobPlan plan) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + new Svg(Diagram.of(plan)).draw(true);
  }

  /** The drawing alone, to stand in a page that has a title and {@link #STYLE}. */
  static String drawing(Diagram diagram) {
    return new Svg(diagram).draw(false);
  }

  private String draw(boolean alone) {
    Layout layout =
        Layout.of(
            diagram.boxes().stream().map(Svg::size).toList(),
            diagram.arrows().stream().map(Svg::connection).toList());
    List<LegendEntry> legend = legend(Math.max(layout.width(), LEGEND_WIDTH));
    double titleWidth = alone ? Labels.width(Labels.clipped(diagram.title())) * HEADING : 0;
    double titleHeight = alone ? TITLE_HEIGHT : 0;
    double legendWidth = legend.stream().mapToDouble(LegendEntry::end).max().orElse(0);
    double legendHeight =
        legend.stream().mapToDouble(entry -> entry.at().y() + LEGEND_ROW + MARGIN).max().orElse(0);
    double width = MARGIN * 2 + Math.max(layout.width(), Math.max(legendWidth, titleWidth));
    double height = MARGIN * 2 + titleHeight + legendHeight + layout.height();

    start(alone, width, height);
    group(new Point(MARGIN, MARGIN + titleHeight), () -> legend.forEach(this::entry));
    group(
        new Point((width - layout.width()) / 2, MARGIN + titleHeight + legendHeight),
        () -> stages(layout));
    add("</svg>");
    return svg.toString();
  }

  private void start(boolean alone, double width, double height) {
    // What can be focused in a page must not lie inside an image.
    String role = alone ? "img" : "group";
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"job\" role=\"%s\""
            + " aria-labelledby=\"job-title job-description\""
            + " width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\">",
        role, number(width), number(height), number(width), number(height));
    add("<title id=\"job-title\">%s</title>", Markup.escaped(diagram.title()));
    add("<desc id=\"job-description\">%s</desc>", Markup.escaped(description()));
    if (alone) {
      add("<style>\n%s</style>", STYLE);
    }
    add("<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>");
    if (alone) {
      text("heading", new Point(MARGIN, MARGIN + 14), diagram.title());
    }
  }

  private void stages(Layout layout) {
    for (int i = 0; i < layout.lines().size(); i++) {
      arrow(diagram.arrows().get(i), layout.lines().get(i));
    }
    for (int i = 0; i < layout.boxes().size(); i++) {
      box(diagram.boxes().get(i), layout.boxes().get(i));
    }
    // Above all lines, so that none runs through a word.
    for (int i = 0; i < layout.lines().size(); i++) {
      label(diagram.arrows().get(i), layout.lines().get(i));
    }
  }

  /** The picture in words, for those who cannot see it. */
  private String description() {
    Stream<String> ways =
        diagram.arrows().stream()
            .map(
                arrow ->
                    "%s to %s: %s."
                        .formatted(
                            diagram.boxes().get(arrow.from()).name(),
                            diagram.boxes().get(arrow.to()).name(),
                            arrow.label().isEmpty() ? arrow.way().title() : arrow.label()));
    return Stream.concat(Stream.of("Stages: %d.".formatted(diagram.boxes().size())), ways)
        .collect(Collectors.joining(" "));
  }

  // Boxes.

  private static Size size(Box box) {
    double width = Labels.width(Labels.clipped(box.name())) * NAME;
    width = Math.max(width, headWidth(box));
    for (String line : all(box)) {
      width = Math.max(width, Labels.width(Labels.clipped(line)) * LINE);
    }
    double height = 36 + all(box).size() * LINE_HEIGHT + BOX_PADDING * 2 - 4;
    return new Size(Math.ceil(width) + BOX_PADDING * 2 + 4, height + rim(box));
  }

  private static double headWidth(Box box) {
    double gap = 16;
    return (Labels.width(Labels.clipped(box.what())) + Labels.width(origin(box))) * WHAT + gap;
  }

  private static String origin(Box box) {
    return box.origin().map(place -> Labels.clipped(place.toString())).orElse("");
  }

  private static List<String> all(Box box) {
    List<String> lines = new ArrayList<>(box.lines());
    lines.addAll(box.state());
    return lines;
  }

  private static double rim(Box box) {
    return box.kind() == Diagram.Kind.TABLE ? RIM * 2 : 0;
  }

  private void box(Box box, Rectangle place) {
    add(
        "<g class=\"stage %s\" data-stage=\"%s\">",
        box.kind().name().toLowerCase(Locale.ROOT), Markup.escaped(box.name()));
    add("<title>%s</title>", Markup.escaped(box.tooltip()));
    outline(box.kind(), place);
    double x = place.x() + BOX_PADDING + 2;
    double y = place.y() + BOX_PADDING + 7 + rim(box);
    text("what", new Point(x, y), box.what());
    if (box.origin().isPresent()) {
      double right =
          place.x() + place.width() - BOX_PADDING - (box.kind() == Diagram.Kind.QUERY ? 6 : 0);
      text("origin", new Point(right, y), origin(box));
    }
    y += 18;
    text("name", new Point(x, y), box.name());
    y += 3;
    for (String line : box.lines()) {
      y += LINE_HEIGHT;
      text("detail", new Point(x, y), line);
    }
    for (String line : box.state()) {
      y += LINE_HEIGHT;
      text("state", new Point(x, y), line);
    }
    add("</g>");
  }

  private void outline(Diagram.Kind kind, Rectangle place) {
    String x = number(place.x());
    String y = number(place.y());
    String right = number(place.x() + place.width());
    switch (kind) {
      case TABLE -> {
        String radii = "%s %s".formatted(number(place.width() / 2), number(RIM));
        String rim = number(place.y() + RIM);
        add(
            "<path class=\"outline\" d=\"M%s %sA%s 0 0 1 %s %sV%sA%s 0 0 1 %s %sZ\"/>",
            x,
            rim,
            radii,
            right,
            rim,
            number(place.y() + place.height() - RIM),
            radii,
            x,
            number(place.y() + place.height() - RIM));
        add("<path class=\"inner\" d=\"M%s %sA%s 0 0 0 %s %s\"/>", x, rim, radii, right, rim);
      }
      case QUERY -> {
        String fold = number(place.x() + place.width() - FOLD);
        String below = number(place.y() + FOLD);
        add(
            "<path class=\"outline\" d=\"M%s %sH%sL%s %sV%sH%sZ\"/>",
            x, y, fold, right, below, number(place.y() + place.height()), x);
        add("<path class=\"inner\" d=\"M%s %sV%sH%s\"/>", fold, y, below, right);
      }
      default -> {
        rectangle("outline", place, kind == Diagram.Kind.VIEW ? 12 : 4);
        if (kind == Diagram.Kind.INSERT) {
          rectangle(
              "inner",
              new Rectangle(place.x() + 4, place.y() + 4, place.width() - 8, place.height() - 8),
              2);
        } else if (kind == Diagram.Kind.OPERATORS) {
          rectangle("bar", new Rectangle(place.x(), place.y(), 6, place.height()), 3);
        }
      }
    }
  }

  private void rectangle(String style, Rectangle place, double radius) {
    add(
        "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"%s\"/>",
        style,
        number(place.x()),
        number(place.y()),
        number(place.width()),
        number(place.height()),
        number(radius));
  }

  // Arrows.

  private static Connection connection(Arrow arrow) {
    return new Connection(
        arrow.from(),
        arrow.to(),
        Optional.of(Labels.clipped(arrow.label()))
            .filter(label -> !label.isEmpty())
            .map(label -> new Size(Math.ceil(Labels.width(label) * LABEL) + 8, LINE_HEIGHT)));
  }

  private void arrow(Arrow arrow, Layout.Line line) {
    add("<g class=\"way %s\">", style(arrow.way()));
    add(
        "<title>%s</title>",
        Markup.escaped(
            "%s\nto %s\n%s"
                .formatted(
                    diagram.boxes().get(arrow.from()).name(),
                    diagram.boxes().get(arrow.to()).name(),
                    (arrow.label().isEmpty() ? "" : arrow.label() + ": ") + arrow.reason())));
    draw(arrow.way(), line.points());
    add("</g>");
  }

  private void label(Arrow arrow, Layout.Line line) {
    line.label()
        .ifPresent(
            corner ->
                text(
                    "label " + style(arrow.way()),
                    new Point(corner.x() + 4, corner.y() + 12),
                    arrow.label()));
  }

  /** The class of everything that is drawn for a way. */
  static String style(Way way) {
    return way.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private void draw(Way way, List<Point> points) {
    Point end = points.get(points.size() - 1);
    Point before = points.get(points.size() - 2);
    double angle = Math.atan2(end.y() - before.y(), end.x() - before.x());
    double head = headLength(way);
    List<Point> shortened = new ArrayList<>(points.subList(0, points.size() - 1));
    shortened.add(new Point(end.x() - head * Math.cos(angle), end.y() - head * Math.sin(angle)));
    String path = path(shortened);
    add("<path class=\"line\" d=\"%s\"/>", path);
    if (way == Way.BROADCAST) {
      add("<path class=\"between\" d=\"%s\"/>", path);
    }
    add(
        "<path class=\"head\" d=\"%s\" transform=\"translate(%s %s) rotate(%d)\"/>",
        head(way), number(end.x()), number(end.y()), Math.round(Math.toDegrees(angle)));
  }

  private static double headLength(Way way) {
    return switch (way) {
      case PLANNED -> 1;
      case HASH, ROUND_ROBIN -> 8;
      case BROADCAST -> 14;
      case KEPT -> 11;
    };
  }

  /** The tip is at the origin, the line comes from the left. */
  private static String head(Way way) {
    return switch (way) {
      case PLANNED -> "M-8 -4.5L0 0L-8 4.5";
      case HASH, ROUND_ROBIN -> "M0 0L-9 -5V5Z";
      case BROADCAST -> "M0 0L-8 -5.5V5.5ZM-7 0L-15 -5.5V5.5Z";
      case KEPT -> "M0 0L-6 -4.5L-12 0L-6 4.5Z";
    };
  }

  /** A line through the points, round at each bend. */
  private static String path(List<Point> points) {
    StringBuilder path = new StringBuilder();
    path.append("M").append(number(points.get(0)));
    for (int i = 1; i < points.size() - 1; i++) {
      Point bend = points.get(i);
      double radius =
          Math.min(
              6,
              Math.min(distance(points.get(i - 1), bend), distance(bend, points.get(i + 1))) / 2);
      path.append("L").append(number(towards(bend, points.get(i - 1), radius)));
      path.append("Q").append(number(bend));
      path.append(" ").append(number(towards(bend, points.get(i + 1), radius)));
    }
    return path.append("L").append(number(points.get(points.size() - 1))).toString();
  }

  private static double distance(Point a, Point b) {
    return Math.hypot(a.x() - b.x(), a.y() - b.y());
  }

  private static Point towards(Point from, Point to, double length) {
    double part = length / Math.max(length, distance(from, to));
    return new Point(from.x() + (to.x() - from.x()) * part, from.y() + (to.y() - from.y()) * part);
  }

  // The legend.

  private record LegendEntry(Way way, Point at, String text) {
    double end() {
      return at.x() + LEGEND_SAMPLE + Labels.width(text) * LABEL;
    }
  }

  /** The ways that occur, in rows of that width. */
  private List<LegendEntry> legend(double width) {
    List<LegendEntry> entries = new ArrayList<>();
    double x = 0;
    double y = 0;
    for (Way way : Way.values()) {
      if (diagram.arrows().stream().anyMatch(arrow -> arrow.way() == way)) {
        LegendEntry entry =
            new LegendEntry(way, new Point(x, y), way.title() + ": " + way.meaning());
        if (entry.end() > width && x > 0) {
          x = 0;
          y += LEGEND_ROW;
          entry = new LegendEntry(way, new Point(x, y), entry.text());
        }
        entries.add(entry);
        x = entry.end() + 24;
      }
    }
    return entries;
  }

  private void entry(LegendEntry entry) {
    double middle = entry.at().y() + LEGEND_ROW / 2;
    add("<g class=\"way %s\">", style(entry.way()));
    draw(
        entry.way(),
        List.of(
            new Point(entry.at().x(), middle),
            new Point(entry.at().x() + LEGEND_SAMPLE - 8, middle)));
    add("</g>");
    text("legend", new Point(entry.at().x() + LEGEND_SAMPLE, middle + 4), entry.text());
  }

  // Markup.

  private void group(Point corner, Runnable content) {
    add("<g transform=\"translate(%s %s)\">", number(corner.x()), number(corner.y()));
    content.run();
    add("</g>");
  }

  private void text(String style, Point at, String text) {
    add(
        "<text class=\"%s\" x=\"%s\" y=\"%s\">%s</text>",
        style, number(at.x()), number(at.y()), Markup.escaped(Labels.clipped(text)));
  }

  private void add(String format, Object... values) {
    svg.append(format.formatted(values)).append('\n');
  }

  private static String number(Point point) {
    return number(point.x()) + " " + number(point.y());
  }

  /** With one decimal, and without it where it is zero. */
  private static String number(double value) {
    long tenths = Math.round(value * 10);
    return tenths % 10 == 0 ? Long.toString(tenths / 10) : Double.toString(tenths / 10.0);
  }
}
