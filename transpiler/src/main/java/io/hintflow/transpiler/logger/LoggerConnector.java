package io.hintflow.transpiler.logger;

import io.hintflow.transpiler.HintGuide;
import io.hintflow.transpiler.lowering.CarriedConnector;
import io.hintflow.transpiler.lowering.ConnectorOptions;
import io.hintflow.transpiler.lowering.ConnectorOptions.Kind;
import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.plan.Dependency;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code 'connector' = 'logger'}: a sink that logs each change. */
public final class LoggerConnector implements CarriedConnector {
  private static final ConnectorOptions OPTIONS =
      new ConnectorOptions(
          "logger",
          Set.of(),
          Map.of("print-identifier", Kind.TEXT, "sink.parallelism", Kind.POSITIVE));

  @Override
  public String name() {
    return "logger";
  }

  @Override
  public String factory() {
    return "LoggerTableFactory";
  }

  @Override
  public Set<String> operators() {
    return Set.of("LoggerSink", "LoggerTableFactory");
  }

  @Override
  public List<Dependency> dependencies(String reason) {
    return List.of();
  }

  @Override
  public HintGuide guide() {
    return new HintGuide(
        "logger",
        "A sink that writes each change to the log of its task, at INFO, its row kind in front.",
        List.of("CREATE TABLE t (…) WITH ('connector' = 'logger', 'print-identifier' = 'text')"),
        List.of("As the target of any INSERT."),
        List.of(
            "A line is the identifier, if there is one, '> ' and the row: DebugData> +I[1, apple].",
            "It takes insertions, updates and deletions as the query gives them, with a primary key and without.",
            "The logger is the class LoggerSink of the job; where its lines go is for the log's configuration to say.",
            "'sink.parallelism' is Flink's own option."),
        """
        CREATE TABLE clicks (
          user_id STRING
        ) WITH (
          'connector' = 'datagen',
          'number-of-rows' = '20',
          'fields.user_id.length' = '1'
        );
        CREATE TABLE visits (
          user_id STRING
        ) WITH (
          'connector' = 'logger',
          'print-identifier' = 'visit'
        );
        INSERT INTO visits SELECT user_id FROM clicks;
        """);
  }

  @Override
  public Lowering.BlockLowering begin(ScriptContext script) {
    if (OPTIONS.isUsed(script)) {
      OPTIONS.check(script);
    }
    return block -> {};
  }
}
