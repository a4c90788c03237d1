package io.hintflow.transpiler.latedata;

import io.hintflow.grammar.Hint;
import io.hintflow.transpiler.HintGuide;
import io.hintflow.transpiler.lowering.JavaSource;
import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.lowering.StageSource;
import io.hintflow.transpiler.plan.Stage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * {@code LATE_DATA_SINK('sink.name'='table')}: rows that an event-time window would drop go to a
 * table.
 */
public final class LateDataLowering implements Lowering {
  static final String STAGE_KIND = "late rows";

  /** The table that late rows go to. */
  static final String SINK = "sink";

  @Override
  public Set<Class<? extends Hint>> hints() {
    return Set.of(Hint.LateDataSink.class);
  }

  @Override
  public List<HintGuide> guides() {
    return LateDataGuides.ALL;
  }

  @Override
  public BlockLowering begin(ScriptContext script) {
    return new BlockLateData(script);
  }

  @Override
  public String stageKind() {
    return STAGE_KIND;
  }

  @Override
  public Set<String> operators() {
    return Set.of(
        "AlignedLateness",
        "BoundedOverLateness",
        "EventTimeWindow",
        "LateRow",
        "LateRows",
        "RestoredWatermark",
        "RowTypes",
        "SessionLateness",
        "TableStreams",
        "UnboundedOverLateness",
        "WindowClock");
  }

  @Override
  public StageSource emit(Stage.Operators stage) {
    List<WindowPart> parts =
        IntStream.rangeClosed(1, stage.inputs().size())
            .mapToObj(number -> WindowPart.read(stage.parameters(), number))
            .toList();
    Set<String> imports = new LinkedHashSet<>(Set.of("org.apache.flink.table.api.Table"));
    if (parts.stream().anyMatch(part -> !part.lengths().isEmpty() || part.offset().isPresent())) {
      imports.add("java.time.Duration");
    }
    List<String> statements = new ArrayList<>();
    boolean together = parts.size() > 1;
    for (int i = 0; i < parts.size(); i++) {
      WindowPart part = parts.get(i);
      statements.add(JavaSource.query(query(part), stage.inputs().get(i).sql()));
      if (together) {
        statements.add(
            JavaSource.call(
                "LateRows.Input %s = ".formatted(input(part)),
                "LateRows.input",
                List.of("streams", query(part), window(part, 8)),
                ";",
                0));
      }
    }
    for (WindowPart part : parts) {
      statements.addAll(split(stage, part, parts));
    }
    return new StageSource(
        comment(stage, parts),
        statements,
        imports,
        Set.of("EventTimeWindow", "LateRows", "TableStreams"));
  }

  private static String query(WindowPart part) {
    return JavaSource.variable(part.rows()) + "Query";
  }

  private static String input(WindowPart part) {
    return JavaSource.variable(part.rows()) + "Input";
  }

  private static List<String> split(
      Stage.Operators stage, WindowPart part, List<WindowPart> parts) {
    String rows = JavaSource.variable(part.rows());
    int number = parts.indexOf(part) + 1;
    String uid = JavaSource.string(number == 1 ? stage.id() : stage.id() + " " + number);
    List<String> arguments = new ArrayList<>();
    if (parts.size() == 1) {
      arguments.addAll(List.of("streams", query(part), window(part, 12), uid));
    } else {
      arguments.addAll(List.of(input(part), uid));
      // A join of windows works on one once all sides have passed it.
      parts.stream()
          .filter(other -> other != part)
          .map(LateDataLowering::input)
          .forEach(arguments::add);
    }
    String bounds =
        part.bounds().stream().map(JavaSource::string).collect(Collectors.joining(", "));
    return List.of(
        JavaSource.call("LateRows %s = ".formatted(rows), "LateRows.split", arguments, ";", 0),
        JavaSource.temporaryView(part.onTime(), rows + ".onTime()"),
        JavaSource.temporaryView(part.late(), rows + ".late(" + bounds + ")"));
  }

  /** {@code EventTimeWindow.hop("ts", Duration.ofMinutes(1), Duration.ofHours(1))}. */
  private static String window(WindowPart part, int indentation) {
    List<String> arguments = new ArrayList<>();
    arguments.add(JavaSource.string(part.time()));
    List<Long> lengths =
        part.kind() == SplitWindow.Kind.CUMULATE
            // The step decides nothing: a row is late when its longest window has passed.
            ? part.lengths().subList(1, 2)
            : part.lengths();
    lengths.forEach(length -> arguments.add(JavaSource.duration(length)));
    part.keys().forEach(key -> arguments.add(JavaSource.string(key)));
    String offset =
        part.offset()
            .map(
                of ->
                    "\n%s.withOffset(%s)"
                        .formatted(" ".repeat(indentation), JavaSource.duration(of)))
            .orElse("");
    return "EventTimeWindow.%s(%s)%s"
        .formatted(part.kind().method(), String.join(", ", arguments), offset);
  }

  private static String comment(Stage.Operators stage, List<WindowPart> parts) {
    String sink = stage.parameter(SINK).get(0);
    String subjects = parts.stream().map(WindowPart::subject).collect(Collectors.joining(" and "));
    return "%s: %s. Rows of %s that %s go to %s."
        .formatted(stage.origin(), stage.hint(), subjects, late(parts.get(0).kind()), sink);
  }

  private static String late(SplitWindow.Kind kind) {
    return switch (kind) {
      case TUMBLE, HOP, CUMULATE, GROUP_TUMBLE, GROUP_HOP ->
          "come after the last of their windows has passed";
      case SESSION, GROUP_SESSION ->
          "come after their session has passed, and that no open session takes in,";
      case UNBOUNDED_OVER -> "come after their time has passed";
      case OVER_ROWS, OVER_RANGE ->
          "are not newer than those of their key that the window has worked on";
    };
  }
}
