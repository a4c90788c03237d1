package io.hintflow.transpiler.distribution;

import io.hintflow.grammar.Hint;
import io.hintflow.transpiler.HintGuide;
import io.hintflow.transpiler.lowering.JavaSource;
import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.lowering.StageSource;
import io.hintflow.transpiler.plan.Stage;
import java.util.List;
import java.util.Set;

/**
 * {@code DISTRIBUTEBY('c1', 'c2')}: the rows of a block are hashed by columns of its output before
 * anything reads them. {@code LOOKUP('table'='t', 'shuffle'='true')}, where Flink does not do it
 * itself: those of a table are, before a look-up.
 */
public final class DistributionLowering implements Lowering {
  static final String STAGE_KIND = "distribution";

  /** The output columns whose hash decides. */
  static final String COLUMNS = "columns";

  /** The parallelism behind the exchange, where the sink sets one of its own. */
  static final String PARALLELISM = "parallelism";

  @Override
  public Set<Class<? extends Hint>> hints() {
    return Set.of(Hint.DistributeBy.class);
  }

  @Override
  public List<HintGuide> guides() {
    return List.of(
        new HintGuide(
            "DISTRIBUTEBY",
            "Sends the rows of a query on by the hash of some of its output columns: equal values meet on one task, in order.",
            List.of(
                "SELECT /*+ DISTRIBUTEBY('c1', 'c2') */ …", "SELECT /*+ DISTRIBUTEBY(c1, c2) */ …"),
            List.of(
                "Behind any SELECT: of an INSERT, a view, a subquery, a WITH table, a branch of a UNION, a statement set, or one"
                    + " that stands alone."),
            List.of(
                "The columns are those of the query's output, so aliases count: for id AS id1 write 'id1'.",
                "It concerns the rows of its own SELECT, its ORDER BY and LIMIT included, not those of queries inside it.",
                "A subquery that reads columns of the query around it, or stands for a single value, can't be distributed.",
                "Where the rows are updates and the sink has a primary key, each column should be part of that key: otherwise"
                    + " updates of one key can overtake each other, and a warning says so.",
                "Columns of processing time have no value to hash."),
            """
        CREATE TABLE clicks (
          user_id STRING,
          page STRING
        ) WITH (
          'connector' = 'datagen',
          'number-of-rows' = '20',
          'fields.user_id.length' = '1',
          'fields.page.length' = '4'
        );
        CREATE TABLE visits (
          user_id STRING,
          page STRING
        ) WITH (
          'connector' = 'print'
        );
        INSERT INTO visits
        SELECT /*+ DISTRIBUTEBY('user_id') */ user_id, page FROM clicks;
        """),
        new HintGuide(
            "LOOKUP",
            "Flink's own hint of a look-up join; with 'shuffle', rows of one key go to one task, whose cache then has them.",
            List.of("SELECT /*+ LOOKUP('table'='t', 'shuffle'='true', …) */ …"),
            List.of(
                "Behind a SELECT that joins the table with FOR SYSTEM_TIME AS OF; it may stand once for each such table."),
            List.of(
                "All keys pass through to Flink.",
                "Flink 1.20 does not know 'shuffle': there the job hashes the rows of the first table of FROM by the columns that"
                    + " the key is made of. Where the look-up is joined with something else than a table or query and look-ups of"
                    + " it, a warning says that rows stay where they are."),
            """
        -- Needs a Redis server on this machine; keys that it does not have give NULL.
        CREATE TABLE clicks (
          user_id STRING,
          read_at AS PROCTIME()
        ) WITH (
          'connector' = 'datagen',
          'number-of-rows' = '20',
          'fields.user_id.length' = '1'
        );
        CREATE TABLE users (
          user_id STRING,
          age INT
        ) WITH (
          'connector' = 'redis',
          'hostname' = '127.0.0.1',
          'port' = '${REDIS_PORT:-6379}',
          'format' = 'json',
          'lookup.cache.max-rows' = '1000'
        );
        SELECT /*+ LOOKUP('table'='u', 'shuffle'='true') */ c.user_id, u.age
        FROM clicks c LEFT JOIN users FOR SYSTEM_TIME AS OF c.read_at AS u ON c.user_id = u.user_id;
        """));
  }

  @Override
  public BlockLowering begin(ScriptContext script) {
    BlockDistribution distribution = new BlockDistribution(script);
    LookupDistribution lookups = new LookupDistribution(script);
    return block -> {
      lookups.lower(block);
      distribution.lower(block);
    };
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
    List<String> columns = stage.parameter(COLUMNS);
    String distributed = JavaSource.variable(stage.view());
    String query = distributed + "Query";
    String rows = JavaSource.stream(query, input.parallelism());
    String sinkParallelism =
        stage.parameter(PARALLELISM).stream()
            .map("\n        .setParallelism(%s)"::formatted)
            .findFirst()
            .orElse("");
    StringBuilder comment =
        new StringBuilder(
            "%s: %s. Rows equal in %s meet on one task, in order."
                .formatted(stage.origin(), stage.hint(), String.join(", ", columns)));
    input
        .parallelism()
        .ifPresent(
            tasks ->
                comment.append(
                    (" The query is planned with the %s of its source, so that rows reach the exchange in the"
                            + " order in which they were read.")
                        .formatted(JavaSource.tasks(tasks))));
    stage.parameter(PARALLELISM).stream()
        .findFirst()
        .ifPresent(
            tasks ->
                comment.append(
                    " Behind the exchange run the sink's own %s tasks, for a second exchange would undo the first."
                        .formatted(tasks)));
    return new StageSource(
        comment.toString(),
        List.of(
            JavaSource.query(query, input.sql()),
            JavaSource.call(
                "DataStream<Row> %s = ".formatted(distributed),
                "Distribution.byHash",
                List.of(rows, query, JavaSource.listOf(columns), JavaSource.string(stage.id())),
                sinkParallelism + ";",
                0),
            JavaSource.temporaryView(stage.view(), List.of(distributed, query))),
        Set.of(
            "org.apache.flink.streaming.api.datastream.DataStream",
            "org.apache.flink.table.api.Table",
            "org.apache.flink.types.Row",
            "java.util.List"),
        Set.of("Distribution", "TableStreams"));
  }
}
