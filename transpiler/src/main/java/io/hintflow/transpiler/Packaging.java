package io.hintflow.transpiler;

import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.TableOption;
import io.hintflow.transpiler.lowering.CarriedConnector;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.plan.Dependency;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The artifacts and the carried connectors that a script's tables ask for, each once, in the order
 * in which the script first asks.
 */
record Packaging(List<Dependency> dependencies, List<CarriedConnector> connectors) {

  static Packaging of(ScriptContext script) {
    Map<String, Dependency> dependencies = new LinkedHashMap<>();
    Set<CarriedConnector> connectors = new LinkedHashSet<>();
    for (Statement statement : script.script().statements()) {
      if (statement instanceof Statement.CreateTable table) {
        for (TableOption option : table.options()) {
          collect(script, table, option, dependencies, connectors);
        }
      }
    }
    return new Packaging(List.copyOf(dependencies.values()), List.copyOf(connectors));
  }

  private static void collect(
      ScriptContext script,
      Statement.CreateTable table,
      TableOption option,
      Map<String, Dependency> dependencies,
      Set<CarriedConnector> connectors) {
    String key = option.key().text();
    String value = option.value().text();
    boolean connector = key.equals("connector");
    boolean format = key.equals("format") || key.endsWith(".format");
    if (!connector && !format || value.contains("${")) {
      return;
    }
    String what = connector ? "connector" : "format";
    String reason = "%s '%s' of %s".formatted(what, value, String.join(".", table.path()));
    Optional<CarriedConnector> carried = connector ? Lowerings.connector(value) : Optional.empty();
    if (carried.isPresent()) {
      connectors.add(carried.get());
      carried.get().dependencies(reason).forEach(dependency -> add(dependency, dependencies));
      script.requireJavaJob(
          option.value().span(),
          "The connector '%s', which the job carries as source,".formatted(value));
      return;
    }
    Connectors.Source source =
        connector
            ? Connectors.connector(value, script.flinkVersion())
            : Connectors.format(value, script.flinkVersion());
    if (source instanceof Connectors.Source.Artifact artifact) {
      add(artifact.dependency(reason), dependencies);
      if (connector) {
        Connectors.companions(value, script.flinkVersion())
            .forEach(companion -> add(companion.dependency(reason), dependencies));
      }
    } else if (source instanceof Connectors.Source.TestOnly) {
      script.report(
          DiagnosticCode.TEST_CONNECTOR,
          option.value().span(),
          "The connector '%s' exists only inside Flink's own tests".formatted(value),
          "Replace the options of %s in the job's config.yaml"
              .formatted(String.join(".", table.path())));
    } else if (source instanceof Connectors.Source.Unreleased) {
      script.report(
          DiagnosticCode.CONNECTOR_NOT_FOR_VERSION,
          option.value().span(),
          "The connector '%s' has no release for Flink %s yet"
              .formatted(value, script.flinkVersion().label()),
          "Choose --flink-version 2.2, or replace the options of %s in the job's config.yaml"
              .formatted(String.join(".", table.path())));
    } else if (source instanceof Connectors.Source.Unknown) {
      script.report(
          DiagnosticCode.UNKNOWN_CONNECTOR,
          option.value().span(),
          "No artifact is known for the %s '%s', so the emitted project does not depend on one"
              .formatted(what, value),
          "Put its jar into Flink's lib folder, add it to the emitted pom.xml, or replace the options of %s in the job's config.yaml"
              .formatted(String.join(".", table.path())));
    }
  }

  private static void add(Dependency dependency, Map<String, Dependency> dependencies) {
    dependencies.putIfAbsent(dependency.group() + ":" + dependency.artifact(), dependency);
  }
}
