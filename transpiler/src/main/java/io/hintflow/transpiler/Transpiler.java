package io.hintflow.transpiler;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Script;
import io.hintflow.grammar.ScriptReader;
import io.hintflow.grammar.Severity;
import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.transpiler.analysis.ScriptAnalysis;
import io.hintflow.transpiler.emission.ProjectEmission;
import io.hintflow.transpiler.lowering.CarriedConnector;
import io.hintflow.transpiler.lowering.ScriptContext;
import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.plan.Stage;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
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

  /**
   * Reads the scripts as one, in the order given, and writes the job that they become. Warnings and
   * notes that the scripts ask to ignore are left out.
   */
  public static Transpilation transpile(List<SourceText> scripts, TranspilerOptions options) {
    return transpile(scripts, options, (plan, context) -> files(plan, options, context));
  }

  /** As {@link #transpile}, for who wants the plan only: there are no files. */
  public static Transpilation plan(List<SourceText> scripts, TranspilerOptions options) {
    return transpile(scripts, options, (plan, context) -> new TreeMap<>());
  }

  private static Transpilation transpile(
      List<SourceText> scripts,
      TranspilerOptions options,
      BiFunction<JobPlan, ScriptContext, SortedMap<String, String>> files) {
    ScriptSources sources = new ScriptSources(scripts);
    ScriptReader.Result read = ScriptReader.read(sources.joined());
    Told told = new Told(read.ignores(), false);
    Optional<Lowered> lowered = lower(sources, read, options.flinkVersion(), told);
    if (lowered.isPresent() && options.emission() == TranspilerOptions.Emission.SQL) {
      told.add(withoutNativeForm(lowered.get().context(), options.flinkVersion()));
    }
    List<Diagnostic> diagnostics = localized(sources, told);
    if (lowered.isEmpty() || told.hasErrors()) {
      return new Transpilation(diagnostics, Optional.empty(), new TreeMap<>());
    }
    ScriptContext context = lowered.get().context();
    JobPlan plan = plan(scripts, options, context, lowered.get().packaging(), diagnostics);
    return new Transpilation(diagnostics, Optional.of(plan), files.apply(plan, context));
  }

  /**
   * Reads the scripts as one, in the order given, and tells everything found in them, but for what
   * they ask to ignore; no job is made. Errors can be ignored too: the rest is then read as if they
   * were not there. Other than {@link #transpile}, which leaves a query without hints to Flink,
   * this looks into every query.
   */
  public static List<Diagnostic> check(List<SourceText> scripts, FlinkVersion flinkVersion) {
    ScriptSources sources = new ScriptSources(scripts);
    ScriptReader.Result read = ScriptReader.read(sources.joined());
    Told told = new Told(read.ignores(), true);
    lower(sources, read, flinkVersion, told)
        .ifPresent(lowered -> analyzeAll(read.script(), lowered.context().analysis(), told));
    return localized(sources, told);
  }

  /** Adds what is wrong with every declaration and query. */
  private static void analyzeAll(Script script, ScriptAnalysis analysis, Told told) {
    for (Statement statement : script.statements()) {
      if (statement instanceof Statement.CreateTable create) {
        told.add(analysis.analyzeDeclaration(create));
      }
      told.add(analysis.analyze(statement).diagnostics());
    }
  }

  /** What a job is made from. */
  private record Lowered(ScriptContext context, Packaging packaging) {}

  /** Adds what is found; empty if errors in reading leave no script to go on with. */
  private static Optional<Lowered> lower(
      ScriptSources sources, ScriptReader.Result read, FlinkVersion flinkVersion, Told told) {
    told.add(read.diagnostics());
    if (told.hasErrors()) {
      return Optional.empty();
    }
    ScriptAnalysis analysis = ScriptAnalysis.of(read.script());
    told.add(analysis.diagnostics());
    ScriptContext context =
        new ScriptContext(
            read.script(),
            analysis,
            flinkVersion,
            JobPlanner.configuration(read.script().statements()),
            sources::origin);
    new JobPlanner(context, Lowerings.CONNECTORS, Lowerings.ALL).plan();
    Packaging packaging = Packaging.of(context);
    told.add(context.diagnostics());
    return Optional.of(new Lowered(context, packaging));
  }

  private static List<Diagnostic> withoutNativeForm(ScriptContext context, FlinkVersion version) {
    return context.withoutNativeForm().entrySet().stream()
        .map(
            refused ->
                new Diagnostic(
                    DiagnosticCode.NO_NATIVE_FORM,
                    context.script().original(),
                    refused.getKey(),
                    "%s has no form in the SQL of Flink %s"
                        .formatted(refused.getValue(), version.label()),
                    Optional.of("Write the job as a project: --emit project")))
        .toList();
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

  private static List<Diagnostic> localized(ScriptSources sources, Told told) {
    return told.inOrder().stream().map(sources::localized).toList();
  }
}
