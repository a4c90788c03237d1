package io.hintflow.transpiler.sourceparallelism;

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

/** {@code 'source.parallelism' = 'n'}, in a table's WITH or in an OPTIONS hint. */
public final class SourceParallelismLowering implements Lowering {
  static final String STAGE_KIND = "source-parallelism";

  /**
   * The columns by which the rows of a source with updates are hashed; absent if they are dealt out
   * in turn.
   */
  static final String KEY = "key";

  /** Present if the key is all that the rows have. */
  static final String WHOLE_ROW = "whole row";

  /** The columns of the table's primary key, to be declared again. */
  static final String PRIMARY_KEY = "primary key";

  @Override
  public Set<Class<? extends Hint>> hints() {
    return Set.of(Hint.SourceParallelism.class);
  }

  @Override
  public List<HintGuide> guides() {
    return List.of(
        new HintGuide(
            "source.parallelism",
            "Reads a table with n tasks, whatever the parallelism of the job.",
            List.of(
                "CREATE TABLE t (…) WITH (…, 'source.parallelism' = 'n')",
                "FROM t /*+ OPTIONS('source.parallelism' = 'n') */"),
            List.of(
                "In the WITH clause of a table, for all that read it.",
                "In an OPTIONS hint behind a table's name, for that place alone; it outweighs the WITH clause."),
            List.of(
                "n is a positive whole number.",
                "Where the connector knows scan.parallelism for the Flink version, the option becomes that one; elsewhere the"
                    + " job plans the source with n tasks itself.",
                "Behind the source the rows are dealt out to the job's tasks in turn, so their order is not kept; rows of a"
                    + " changelog go by primary key, or by the whole row where there is none, and so keep the order of each"
                    + " key.",
                "With a DISTRIBUTEBY behind it, all that lies between runs with n tasks too, and rows equal in the named columns"
                    + " stay in the order in which they were read.",
                "On a table behind FOR SYSTEM_TIME AS OF it has no effect: a look-up has no source."),
            """
        CREATE TABLE clicks (
          user_id STRING,
          page STRING
        ) WITH (
          'connector' = 'datagen',
          'number-of-rows' = '20',
          'fields.user_id.length' = '1',
          'fields.page.length' = '4',
          'source.parallelism' = '2'
        );
        SELECT user_id, page FROM clicks;
        """));
  }

  @Override
  public BlockLowering begin(ScriptContext script) {
    return new SourceRewriter(script);
  }

  @Override
  public String stageKind() {
    return STAGE_KIND;
  }

  @Override
  public Set<String> operators() {
    return Set.of("Distribution", "RowHash", "TableStreams");
  }

  @Override
  public StageSource emit(Stage.Operators stage) {
    Stage.Input input = stage.inputs().get(0);
    int parallelism = input.parallelism().orElseThrow();
    String spread = JavaSource.variable(stage.view());
    String table = spread + "Table";
    String rows = JavaSource.stream(table, input.parallelism());
    String uid = JavaSource.string(stage.id());
    String function;
    List<String> exchange;
    if (!stage.parameter(KEY).isEmpty()) {
      function = "Distribution.byHash";
      exchange = List.of(rows, table, JavaSource.listOf(stage.parameter(KEY)), uid);
    } else if (!stage.parameter(WHOLE_ROW).isEmpty()) {
      function = "Distribution.byWholeRow";
      exchange = List.of(rows, table, uid);
    } else {
      function = "Distribution.rebalance";
      exchange = List.of(rows, uid);
    }
    List<String> arguments = new ArrayList<>(List.of(spread, table));
    stage.parameter(PRIMARY_KEY).forEach(column -> arguments.add(JavaSource.string(column)));
    return new StageSource(
        "%s: %s. The table is read with %s, then its rows are spread over the job's tasks: %s."
            .formatted(stage.origin(), stage.hint(), JavaSource.tasks(parallelism), input.reason()),
        List.of(
            JavaSource.query(table, input.sql()),
            JavaSource.call("DataStream<Row> %s = ".formatted(spread), function, exchange, ";", 0),
            JavaSource.temporaryView(stage.view(), arguments)),
        imports(!stage.parameter(KEY).isEmpty()),
        Set.of("Distribution", "TableStreams"));
  }

  private static Set<String> imports(boolean withList) {
    Set<String> imports = new LinkedHashSet<>();
    imports.add("org.apache.flink.streaming.api.datastream.DataStream");
    imports.add("org.apache.flink.table.api.Table");
    imports.add("org.apache.flink.types.Row");
    if (withList) {
      imports.add("java.util.List");
    }
    return imports;
  }
}
