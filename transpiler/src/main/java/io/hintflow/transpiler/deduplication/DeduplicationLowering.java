package io.hintflow.transpiler.deduplication;

import io.hintflow.grammar.Hint;
import io.hintflow.transpiler.HintGuide;
import io.hintflow.transpiler.lowering.JavaSource;
import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.lowering.StageSource;
import io.hintflow.transpiler.plan.Distribution;
import io.hintflow.transpiler.plan.Stage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * {@code OPTIONS('duplicate.left'='true', 'duplicate.right'='true')}: changes that a query cannot
 * see are dropped before the join.
 */
public final class DeduplicationLowering implements Lowering {
  static final String STAGE_KIND = "deduplication";

  /** The name of the table whose changes are dropped. */
  static final String TABLE = "table";

  /**
   * The columns of its key, to be declared again; absent if they are not known or not all there.
   */
  static final String PRIMARY_KEY = "primary key";

  /** Present if equal rows go by the hash of all of their columns. */
  static final String WHOLE_ROW = "by the whole row";

  /** How long equal rows are counted, where a STATE_TTL says so: {@code 1000 ms}. */
  static final String RETENTION = "keeps rows for";

  @Override
  public Set<Class<? extends Hint>> hints() {
    return Set.of(Hint.DuplicateLeft.class, Hint.DuplicateRight.class);
  }

  @Override
  public List<HintGuide> guides() {
    return DeduplicationGuides.ALL;
  }

  @Override
  public BlockLowering begin(ScriptContext script) {
    return new BlockDeduplication(script);
  }

  @Override
  public String stageKind() {
    return STAGE_KIND;
  }

  @Override
  public Set<String> operators() {
    return Set.of(
        "Deduplication",
        "Distribution",
        "PackedRow",
        "Placement",
        "RepeatedRowFilter",
        "RowHash",
        "RowTypes",
        "TableStreams",
        "UnchangedUpdateFilter");
  }

  @Override
  public StageSource emit(Stage.Operators stage) {
    Stage.Input input = stage.inputs().get(0);
    String changes = JavaSource.variable(stage.view());
    String query = changes + "Query";
    String rows = JavaSource.stream(query, input.parallelism());
    Set<String> imports =
        new LinkedHashSet<>(
            List.of(
                "org.apache.flink.streaming.api.datastream.DataStream",
                "org.apache.flink.table.api.Table",
                "org.apache.flink.types.Row"));
    Set<String> operators = new LinkedHashSet<>(List.of("Deduplication", "TableStreams"));
    String function;
    List<String> arguments = new ArrayList<>();
    if (isKeyed(input)) {
      function = "Deduplication.dropUnchangedUpdates";
      arguments.addAll(List.of(rows, query));
    } else {
      function = "Deduplication.dropRepeatedRows";
      arguments.addAll(List.of("streams", rows, query, placement(stage, input)));
      operators.add("Placement");
      for (String time : stage.parameter(RETENTION)) {
        imports.add("java.time.Duration");
        arguments.add(JavaSource.duration(time));
      }
    }
    arguments.add(JavaSource.string(stage.id()));
    List<String> view = new ArrayList<>(List.of(changes, query));
    stage.parameter(PRIMARY_KEY).forEach(column -> view.add(JavaSource.string(column)));
    return new StageSource(
        comment(stage, input),
        List.of(
            JavaSource.query(query, input.sql()),
            JavaSource.call(
                "DataStream<Row> %s = ".formatted(changes), function, arguments, ";", 0),
            JavaSource.temporaryView(stage.view(), view)),
        imports,
        operators);
  }

  /** Whether no two rows can be equal, so that only updates are looked at, where they are read. */
  private static boolean isKeyed(Stage.Input input) {
    return input.distribution() instanceof Distribution.Kept;
  }

  private static String placement(Stage.Operators stage, Stage.Input input) {
    return stage.parameter(WHOLE_ROW).isEmpty()
        ? "Placement.byHash(%s)"
            .formatted(
                hashed(input).stream().map(JavaSource::string).collect(Collectors.joining(", ")))
        : "Placement.byWholeRow()";
  }

  private static List<String> hashed(Stage.Input input) {
    return ((Distribution.Hash) input.distribution()).columns();
  }

  private static String comment(Stage.Operators stage, Stage.Input input) {
    String table = stage.parameter(TABLE).get(0);
    String dropped =
        isKeyed(input)
            ? "Updates of %s that change none of these columns are dropped by the task that reads them."
                .formatted(table)
            : "Of rows of %s that are equal in these columns, only the first goes on, and the deletion of the last. They go by the hash of %s: %s."
                .formatted(table, String.join(", ", hashed(input)), input.reason());
    String planned =
        input
            .parallelism()
            .map(
                tasks ->
                    " The query is planned with the %s of its source, so that the two rows of an update stay together."
                        .formatted(JavaSource.tasks(tasks)))
            .orElse("");
    return "%s: %s. %s%s".formatted(stage.origin(), stage.hint(), dropped, planned);
  }
}
