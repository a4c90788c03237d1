package io.hintflow.transpiler;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.ScriptReader;
import io.hintflow.grammar.Severity;
import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Span;
import io.hintflow.transpiler.analysis.ScriptAnalysis;
import io.hintflow.transpiler.emission.ProjectEmission;
import io.hintflow.transpiler.lowering.CarriedConnector;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.plan.Stage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Scripts in, a job out. A pure function: no clock, no network, no file, no environment. */
public final class Transpiler {
  private Transpiler() {}

  /** What a user is told of each supported hint and carried connector. */
  public static List<HintGuide> hintGuides() {
    return Stream.concat(
            Lowerings.ALL.stream().flatMap(lowering -> lowering.guides().stream()),
            Lowerings.CONNECTORS.stream().map(CarriedConnector::guide))
        .toList();
  }

  /** Reads the scripts as one, in the order given, and writes the job that they become. */
  public static Transpilation transpile(List<SourceText> scripts, TranspilerOptions options) {
    ScriptSources sources = new ScriptSources(scripts);
    ScriptReader.Result read = ScriptReader.read(sources.joined());
    List<Diagnostic> diagnostics = new ArrayList<>(read.diagnostics());
    if (hasErrors(diagnostics)) {
      return failed(sources, diagnostics);
    }
    ScriptAnalysis analysis = ScriptAnalysis.of(read.script());
    diagnostics.addAll(analysis.diagnostics());
    ScriptContext context =
        new ScriptContext(
            read.script(),
            analysis,
            options.flinkVersion(),
            JobPlanner.configuration(read.script().statements()),
            sources::origin);
    new JobPlanner(context, Lowerings.CONNECTORS, Lowerings.ALL).plan();
    Packaging packaging = Packaging.of(context);
    if (options.emission() == TranspilerOptions.Emission.SQL) {
      refuseWithoutNativeForm(context, options.flinkVersion());
    }
    diagnostics.addAll(context.diagnostics());
    if (hasErrors(diagnostics)) {
      return failed(sources, diagnostics);
    }
    List<Diagnostic> localized = localized(sources, diagnostics);
    JobPlan plan = plan(scripts, options, context, packaging, localized);
    return new Transpilation(localized, Optional.of(plan), files(plan, options, context));
  }

  private static void refuseWithoutNativeForm(ScriptContext context, FlinkVersion version) {
    context
        .withoutNativeForm()
        .forEach(
            (span, what) ->
                context.report(
                    DiagnosticCode.NO_NATIVE_FORM,
                    span,
                    "%s has no form in the SQL of Flink %s".formatted(what, version.label()),
                    "Write the job as a project: --emit project"));
  }

  private static JobPlan plan(
      List<SourceText> scripts,
      TranspilerOptions options,
      ScriptContext context,
      Packaging packaging,
      List<Diagnostic> diagnostics) {
    TreeSet<String> carried =
        new TreeSet<>(List.of("ConfigurationFile", "JobConfiguration", "SqlText"));
    for (Stage stage : context.stages()) {
      if (stage instanceof Stage.Operators operators) {
        carried.addAll(Lowerings.of(operators.kind()).operators());
      }
    }
    packaging.connectors().forEach(connector -> carried.addAll(connector.operators()));
    List<String> factories =
        packaging.connectors().stream().map(CarriedConnector::factory).sorted().toList();
    String mainClass = mainClass(options.jobName());
    List<String> operators = List.copyOf(carried);
    List<String> files =
        options.emission() == TranspilerOptions.Emission.SQL
            ? List.of("plan.json", sqlPath(options))
            : ProjectEmission.paths(options.packageName(), mainClass, operators, factories);
    return new JobPlan(
        options.jobName(),
        options.flinkVersion(),
        options.packageName(),
        mainClass,
        scripts.stream().map(SourceText::name).toList(),
        context.configuration(),
        List.copyOf(context.stages()),
        packaging.dependencies(),
        operators,
        factories,
        Stream.concat(
                diagnostics.stream()
                    .filter(found -> found.severity() != Severity.ERROR)
                    .map(Transpiler::note),
                context.notes().stream())
            .toList(),
        files);
  }

  private static String note(Diagnostic found) {
    return "%s:%d: %s%s"
        .formatted(
            found.source().name(),
            found.location().line(),
            found.message(),
            found.help().map("; "::concat).orElse(""));
  }

  private static SortedMap<String, String> files(
      JobPlan plan, TranspilerOptions options, ScriptContext context) {
    if (options.emission() == TranspilerOptions.Emission.PROJECT) {
      return ProjectEmission.of(plan, Lowerings.ALL);
    }
    String text = context.script().text().text();
    TreeMap<String, String> files = new TreeMap<>();
    files.put(sqlPath(options), context.edits().render(new Span(0, text.length())));
    files.put("plan.json", io.hintflow.transpiler.emission.PlanJson.of(plan));
    return files;
  }

  private static String sqlPath(TranspilerOptions options) {
    return options.jobName().replaceAll("[^\\p{L}\\p{N}_.-]", "-") + ".sql";
  }

  private static String mainClass(String jobName) {
    String words =
        Stream.of(jobName.split("[^\\p{L}\\p{N}]+"))
            .filter(word -> !word.isEmpty())
            .map(
                word -> word.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + word.substring(1))
            .collect(Collectors.joining());
    boolean startsWell = !words.isEmpty() && Character.isJavaIdentifierStart(words.charAt(0));
    return (startsWell ? words : "Job" + words) + (words.endsWith("Job") ? "" : "Job");
  }

  private static Transpilation failed(ScriptSources sources, List<Diagnostic> diagnostics) {
    return new Transpilation(localized(sources, diagnostics), Optional.empty(), new TreeMap<>());
  }

  private static List<Diagnostic> localized(
      ScriptSources sources, Collection<Diagnostic> diagnostics) {
    return diagnostics.stream()
        .sorted(Comparator.comparing(Diagnostic::span))
        .map(sources::localized)
        .toList();
  }

  private static boolean hasErrors(List<Diagnostic> diagnostics) {
    return diagnostics.stream().anyMatch(found -> found.severity() == Severity.ERROR);
  }
}
