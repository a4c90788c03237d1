package io.hintflow.transpiler.emission;

import io.hintflow.transpiler.lowering.JavaSource;
import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.lowering.StageSource;
import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.plan.Stage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The job's main class: one paragraph a stage, in the order of the script. */
final class MainClass {
  private static final int WIDTH = 100;

  /** A method of the JVM holds 65,535 bytes of code; a step takes some thirty. */
  private static final int STEPS_OF_A_METHOD = 500;

  private static final String OPERATORS_PACKAGE = "operators";

  private final JobPlan plan;
  private final Map<String, Lowering> lowerings;
  private final SortedSet<String> imports = new TreeSet<>();

  private MainClass(JobPlan plan, List<Lowering> lowerings) {
    this.plan = plan;
    this.lowerings =
        lowerings.stream().collect(Collectors.toMap(Lowering::stageKind, lowering -> lowering));
  }

  static String of(JobPlan plan, List<Lowering> lowerings) {
    return new MainClass(plan, lowerings).write();
  }

  private String write() {
    boolean hasOperators =
        plan.stages().stream().anyMatch(stage -> stage instanceof Stage.Operators);
    boolean hasInserts =
        plan.stages().stream()
            .anyMatch(stage -> stage instanceof Stage.Insert || stage instanceof Stage.Print);
    imports.add(operator("JobConfiguration"));
    imports.add("org.apache.flink.streaming.api.environment.StreamExecutionEnvironment");
    imports.add("org.apache.flink.table.api.bridge.java.StreamTableEnvironment");
    if (hasInserts) {
      imports.add("org.apache.flink.table.api.bridge.java.StreamStatementSet");
    }
    List<String> steps = plan.stages().stream().map(this::step).toList();
    List<Map<String, String>> parts = List.of();
    if (steps.size() > STEPS_OF_A_METHOD) {
      parts = parts(steps, hasOperators, hasInserts);
      steps =
          parts.stream()
              .map(part -> "    %s(%s);".formatted(part.get("name"), part.get("arguments")))
              .toList();
    }
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("packageName", plan.packageName());
    values.put("imports", imports);
    values.put("jobName", plan.jobName());
    values.put("scripts", String.join(", ", plan.scripts()));
    values.put("flinkVersion", plan.flinkVersion().label());
    values.put("mainClass", plan.mainClass());
    values.put("hasOperators", hasOperators);
    values.put("hasInserts", hasInserts);
    values.put("steps", steps);
    values.put("parts", parts);
    return Templates.fill("Main.java.mustache", values);
  }

  private List<Map<String, String>> parts(
      List<String> steps, boolean hasOperators, boolean hasInserts) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("job", "JobConfiguration");
    parameters.put("tables", "StreamTableEnvironment");
    if (hasOperators) {
      parameters.put("streams", "TableStreams");
    }
    if (hasInserts) {
      parameters.put("inserts", "StreamStatementSet");
    }
    List<Map<String, String>> parts = new ArrayList<>();
    for (int from = 0; from < steps.size(); from += STEPS_OF_A_METHOD) {
      int to = Math.min(steps.size(), from + STEPS_OF_A_METHOD);
      parts.add(
          Map.of(
              "name",
              "part" + (parts.size() + 1),
              "arguments",
              String.join(", ", parameters.keySet()),
              "parameters",
              parameters.entrySet().stream()
                  .map(parameter -> parameter.getValue() + " " + parameter.getKey())
                  .collect(Collectors.joining(", ")),
              "body",
              String.join("\n\n", steps.subList(from, to))));
    }
    return parts;
  }

  private String operator(String simpleName) {
    return plan.packageName() + "." + OPERATORS_PACKAGE + "." + simpleName;
  }

  private String step(Stage stage) {
    if (stage instanceof Stage.Operators operators) {
      StageSource source = lowerings.get(operators.kind()).emit(operators);
      imports.addAll(source.imports());
      source.operators().stream().map(this::operator).forEach(imports::add);
      return comment(source.comment())
          + source.statements().stream()
              .map(statement -> "    " + statement.replace("\n", "\n    "))
              .collect(Collectors.joining("\n"));
    }
    return comment(String.valueOf(stage.origin())) + "    " + statement(stage);
  }

  private String statement(Stage stage) {
    if (stage instanceof Stage.TableDefinition table) {
      return """
          tables.executeSql(
                  job.createTable(
                      %s,
                      %s));"""
          .formatted(JavaSource.string(table.table()), JavaSource.textBlock(table.sql(), 12));
    }
    if (stage instanceof Stage.Insert insert) {
      return "inserts.addInsertSql(\n        " + JavaSource.sql(insert.sql(), 8) + ");";
    }
    if (stage instanceof Stage.Print print) {
      imports.add("org.apache.flink.table.api.TableDescriptor");
      return """
          inserts.addInsert(
                  TableDescriptor.forConnector("print").option("print-identifier", %s).build(),
                  tables.sqlQuery(
                      %s));"""
          .formatted(JavaSource.string(print.id()), JavaSource.sql(print.sql(), 12));
    }
    String execution =
        "tables.executeSql(\n        " + JavaSource.sql(PlanText.sql(stage), 8) + ")";
    return stage instanceof Stage.Inspection ? execution + ".print();" : execution + ";";
  }

  private static String comment(String sentences) {
    StringBuilder comment = new StringBuilder();
    StringBuilder line = new StringBuilder("    //");
    for (String word : sentences.strip().split("\\s+")) {
      if (line.length() + 1 + word.length() > WIDTH) {
        comment.append(line).append('\n');
        line = new StringBuilder("    //");
      }
      line.append(' ').append(word);
    }
    return comment.append(line).append('\n').toString();
  }
}
