package io.hintflow.transpiler.broadcast;

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
 * {@code BROADCAST(t)} and {@code HASH_BY_KEY('t'='c1, c2')}: the small side of a join goes to
 * every task, the big side is spread without regard to the join key.
 */
public final class BroadcastLowering implements Lowering {
  static final String STAGE_KIND = "broadcast";

  /** {@code inner}, or {@code outer} if big rows come out that nothing matches. */
  static final String JOIN = "join";

  /** The name of the big side's table. */
  static final String BIG = "big side";

  /** The name of the small side's table. */
  static final String SMALL = "small side";

  /** The view of the join whose rows are the big side. */
  static final String PREVIOUS = "behind";

  /** Columns that must be equal: {@link JoinText#key}. */
  static final String KEYS = "equal";

  /** What else must hold, all of it: {@link JoinText#clause}. */
  static final String CONDITION = "condition";

  /** Whether the big rows go by the hash of all of their columns. */
  static final String WHOLE_ROW = "by the whole row";

  /** How long the big side's rows are kept, where a STATE_TTL says so: {@code 1000 ms}. */
  static final String BIG_RETENTION = "keeps the big side for";

  /** The same of the small side. */
  static final String SMALL_RETENTION = "keeps the small side for";

  /** What comes out: {@link JoinText#column}. */
  static final String COLUMNS = "columns";

  @Override
  public Set<Class<? extends Hint>> hints() {
    return Set.of(Hint.Broadcast.class, Hint.HashByKey.class);
  }

  @Override
  public List<HintGuide> guides() {
    return BroadcastGuides.ALL;
  }

  @Override
  public BlockLowering begin(ScriptContext script) {
    return new BlockBroadcast(script);
  }

  @Override
  public String stageKind() {
    return STAGE_KIND;
  }

  @Override
  public Set<String> operators() {
    return Set.of(
        "BroadcastJoin",
        "BroadcastJoinOperator",
        "Distribution",
        "JoinColumn",
        "JoinCondition",
        "JoinKey",
        "KeyGroups",
        "PackedRow",
        "Placement",
        "RowHash",
        "RowTypes",
        "SmallRows",
        "TableStreams");
  }

  @Override
  public StageSource emit(Stage.Operators stage) {
    boolean behindJoin = !stage.parameter(PREVIOUS).isEmpty();
    String joined = JavaSource.variable(stage.view());
    String big = joined + "Big";
    String small = joined + "Small";
    Stage.Input bigInput = stage.inputs().get(0);
    Set<String> imports = new LinkedHashSet<>(List.of("org.apache.flink.table.api.Table"));
    Set<String> operators = new LinkedHashSet<>(List.of("BroadcastJoin", "TableStreams"));
    List<String> statements = new ArrayList<>();
    if (!behindJoin) {
      statements.add(JavaSource.query(big, bigInput.sql()));
      operators.add("Placement");
    }
    statements.add(JavaSource.query(small, stage.inputs().get(1).sql()));
    StringBuilder join =
        new StringBuilder("BroadcastJoin %s =\n    BroadcastJoin.".formatted(joined))
            .append(
                "%s(streams, %s)"
                    .formatted(stage.parameter(JOIN).get(0), JavaSource.string(stage.id())));
    if (behindJoin) {
      call(join, "big", JavaSource.variable(stage.parameter(PREVIOUS).get(0)));
    } else {
      String parallelism = bigInput.parallelism().map(tasks -> ", " + tasks).orElse("");
      call(
          join,
          "big",
          "%s, %s, %s%s"
              .formatted(
                  JavaSource.string(stage.parameter(BIG).get(0)),
                  big,
                  placement(stage, bigInput),
                  parallelism));
    }
    call(join, "small", JavaSource.string(stage.parameter(SMALL).get(0)) + ", " + small);
    for (String written : stage.parameter(KEYS)) {
      BroadcastJoinStage.Key key = JoinText.readKey(written);
      call(join, "on", path(key.big()) + ", " + path(key.small()));
    }
    List<List<PairCondition.Comparison>> clauses =
        stage.parameter(CONDITION).stream().map(JoinText::readClause).toList();
    if (!clauses.isEmpty()) {
      operators.add("JoinCondition");
      call(join, "where", where(clauses));
    }
    retain(join, "retainBig", stage.parameter(BIG_RETENTION), imports);
    retain(join, "retainSmall", stage.parameter(SMALL_RETENTION), imports);
    // A query that only counts rows reads none of their columns.
    for (String written : stage.parameter(COLUMNS)) {
      JoinText.Column column = JoinText.readColumn(written);
      call(join, "select", path(column.path()) + ", " + JavaSource.string(column.name()));
    }
    statements.add(join.append(";").toString());
    if (stage.parameters().containsKey(COLUMNS)) {
      statements.add(
          "tables.createTemporaryView(%s, %s.toTable());"
              .formatted(JavaSource.string(stage.view()), joined));
    }
    return new StageSource(comment(stage), statements, imports, operators);
  }

  private static void call(StringBuilder join, String method, String arguments) {
    join.append("\n        .").append(method).append('(').append(arguments).append(')');
  }

  private static void retain(
      StringBuilder join, String method, List<String> time, Set<String> imports) {
    if (!time.isEmpty()) {
      imports.add("java.time.Duration");
      call(join, method, JavaSource.duration(time.get(0)));
    }
  }

  private static String placement(Stage.Operators stage, Stage.Input big) {
    if (!stage.parameter(WHOLE_ROW).isEmpty()) {
      return "Placement.byWholeRow()";
    }
    return big.distribution() instanceof Distribution.Hash hash
        ? "Placement.byHash(%s)"
            .formatted(
                hash.columns().stream().map(JavaSource::string).collect(Collectors.joining(", ")))
        : "Placement.inTurn()";
  }

  private static String path(List<String> path) {
    return JavaSource.string(String.join(".", path));
  }

  private static String where(List<List<PairCondition.Comparison>> clauses) {
    String margin = "\n                ";
    StringBuilder where = new StringBuilder(clause(clauses.get(0), margin));
    for (List<PairCondition.Comparison> clause : clauses.subList(1, clauses.size())) {
      where.append(margin).append(".and(").append(clause(clause, margin + "        ")).append(')');
    }
    return where.toString();
  }

  private static String clause(List<PairCondition.Comparison> comparisons, String margin) {
    return comparison(comparisons.get(0))
        + comparisons.subList(1, comparisons.size()).stream()
            .map(comparison -> margin + ".or(" + comparison(comparison) + ")")
            .collect(Collectors.joining());
  }

  private static String comparison(PairCondition.Comparison comparison) {
    String left = path(comparison.left());
    return comparison.operator() == PairCondition.Operator.TRUE
        ? "JoinCondition.isTrue(%s)".formatted(left)
        : "JoinCondition.%s(%s, %s)"
            .formatted(comparison.operator().method(), left, path(comparison.right()));
  }

  private static String comment(Stage.Operators stage) {
    String small = stage.parameter(SMALL).get(0);
    Stage.Input big = stage.inputs().get(0);
    String spread =
        stage.parameter(PREVIOUS).isEmpty()
            ? " The rows of %s %s: %s."
                .formatted(
                    stage.parameter(BIG).get(0), spread(stage, big.distribution()), big.reason())
            : " The rows of the join above stay on their tasks.";
    String unmatched =
        stage.parameter(JOIN).get(0).equals("outer")
            ? " Those that match nothing come out with NULLs."
            : "";
    return "%s: %s. Every task has all rows of %s.%s%s"
        .formatted(stage.origin(), stage.hint(), small, spread, unmatched);
  }

  private static String spread(Stage.Operators stage, Distribution distribution) {
    if (!stage.parameter(WHOLE_ROW).isEmpty()) {
      return "go by the hash of the whole row";
    }
    return distribution instanceof Distribution.Hash hash
        ? "go by the hash of " + String.join(", ", hash.columns())
        : "go to the tasks in turn";
  }
}
