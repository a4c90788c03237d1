package io.hintflow.transpiler.emission;

import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.plan.Stage;
import io.hintflow.transpiler.state.JobState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A plan as a Maven project: a pure function from the plan to the project's files. */
public final class ProjectEmission {
  private static final String FACTORY_SERVICES =
      "src/main/resources/META-INF/services/org.apache.flink.table.factories.Factory";
  private static final Pattern PLAIN_YAML = Pattern.compile("[A-Za-z0-9_/][A-Za-z0-9_./-]*");

  /**
   * What Flink's own start scripts open to it on Java 17; a run outside of them has to do the same.
   */
  public static final List<String> JVM_ARGUMENTS =
      Stream.of(
              "java.lang",
              "java.lang.reflect",
              "java.net",
              "java.io",
              "java.nio",
              "java.text",
              "java.time",
              "java.util",
              "java.util.concurrent",
              "java.util.concurrent.atomic",
              "java.util.concurrent.locks",
              "sun.nio.ch")
          .map(opened -> "--add-opens=java.base/" + opened + "=ALL-UNNAMED")
          .toList();

  private final JobPlan plan;
  private final List<Lowering> lowerings;

  private ProjectEmission(JobPlan plan, List<Lowering> lowerings) {
    this.plan = plan;
    this.lowerings = lowerings;
  }

  /** The files of the project by their path, the plan's own included. */
  public static SortedMap<String, String> of(JobPlan plan, List<Lowering> lowerings) {
    return new ProjectEmission(plan, lowerings).files();
  }

  /** The paths that {@link #of} will give for a plan, which lists them itself. */
  public static List<String> paths(
      String packageName, String mainClass, List<String> carriedOperators, List<String> factories) {
    TreeMap<String, String> paths = new TreeMap<>();
    String sources = sourceFolder(packageName);
    paths.put(sources + mainClass + ".java", "");
    carriedOperators.forEach(
        operator -> paths.put(sources + "operators/" + operator + ".java", ""));
    for (String path :
        List.of(
            "README.md",
            "log4j2-local.properties",
            "plan.json",
            "plan.txt",
            "pom.xml",
            "src/main/resources/config.yaml")) {
      paths.put(path, "");
    }
    if (!factories.isEmpty()) {
      paths.put(FACTORY_SERVICES, "");
    }
    return List.copyOf(paths.keySet());
  }

  private static String sourceFolder(String packageName) {
    return "src/main/java/" + packageName.replace('.', '/') + "/";
  }

  private SortedMap<String, String> files() {
    String sources = sourceFolder(plan.packageName());
    Map<String, Object> values = values();
    JobState state = JobState.of(plan);
    TreeMap<String, String> files = new TreeMap<>();
    files.put(sources + plan.mainClass() + ".java", MainClass.of(plan, lowerings));
    plan.carriedOperators()
        .forEach(
            operator -> files.put(sources + "operators/" + operator + ".java", source(operator)));
    files.put("README.md", Templates.fill("README.md.mustache", values));
    files.put(
        "log4j2-local.properties", Templates.fill("log4j2-local.properties.mustache", values));
    files.put("plan.json", PlanJson.of(plan, state));
    files.put("plan.txt", PlanText.of(plan, state));
    files.put("pom.xml", Templates.fill("pom.xml.mustache", xmlEscaped(values)));
    files.put("src/main/resources/config.yaml", Templates.fill("config.yaml.mustache", values));
    if (!plan.factories().isEmpty()) {
      files.put(FACTORY_SERVICES, factoryServices());
    }
    return files;
  }

  /** Where Flink looks for connectors. */
  private String factoryServices() {
    return plan.factories().stream()
        .map(factory -> "%s.operators.%s\n".formatted(plan.packageName(), factory))
        .collect(Collectors.joining());
  }

  private String source(String operator) {
    return Templates.resource("/io/hintflow/operators/" + operator + ".java")
        .replace("package io.hintflow.operators;", "package " + plan.packageName() + ".operators;");
  }

  private Map<String, Object> values() {
    List<String> tables =
        plan.stages().stream()
            .filter(Stage.TableDefinition.class::isInstance)
            .map(stage -> ((Stage.TableDefinition) stage).table())
            .distinct()
            .toList();
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("packageName", plan.packageName());
    values.put("mainClass", plan.mainClass());
    values.put("mainPath", sourceFolder(plan.packageName()) + plan.mainClass() + ".java");
    values.put("jobName", plan.jobName());
    values.put("artifact", plan.jobName().replaceAll("[^A-Za-z0-9_.-]", "-"));
    values.put("scripts", String.join(", ", plan.scripts()));
    values.put("flinkVersion", plan.flinkVersion().label());
    values.put("flinkRelease", plan.flinkVersion().release());
    values.put("jvmArguments", String.join(" ", JVM_ARGUMENTS));
    values.put("dependencies", plan.dependencies());
    values.put("settings", settings());
    values.put("exampleTable", tables.isEmpty() ? "Orders" : tables.get(0));
    values.put("tables", tables.isEmpty() ? List.of() : List.of(String.join(", ", tables)));
    return values;
  }

  private static Map<String, Object> xmlEscaped(Map<String, Object> values) {
    Map<String, Object> escaped = new LinkedHashMap<>();
    values.forEach(
        (key, value) ->
            escaped.put(
                key,
                value instanceof String text
                    ? text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
                    : value));
    return escaped;
  }

  private List<String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("pipeline.name", plan.jobName());
    settings.putAll(plan.configuration());
    return settings.entrySet().stream()
        .map(setting -> yaml(setting.getKey()) + ": " + yaml(setting.getValue()))
        .toList();
  }

  private static String yaml(String value) {
    return PLAIN_YAML.matcher(value).matches() ? value : JsonText.quoted(value);
  }
}
