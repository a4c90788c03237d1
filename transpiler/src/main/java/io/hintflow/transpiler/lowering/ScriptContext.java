package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Hint;
import io.hintflow.grammar.Replacement;
import io.hintflow.grammar.Script;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.TableReference;
import io.hintflow.grammar.Tokens;
import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.analysis.BlockAnalysis;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.QueryAnalysis;
import io.hintflow.transpiler.analysis.ScriptAnalysis;
import io.hintflow.transpiler.plan.Origin;
import io.hintflow.transpiler.plan.Stage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** What the lowerings of one script share: what is known of it, and what they decide about it. */
public final class ScriptContext {
  private final Script script;
  private final ScriptAnalysis analysis;
  private final SourceParallelism sourceParallelism;
  private final FlinkVersion flinkVersion;
  private final Map<String, String> configuration;
  private final StageNames names;
  private final Edits edits;
  private final OptionsHints optionsHints;
  private final Function<Span, Origin> origins;
  private final List<Diagnostic> diagnostics = new ArrayList<>();
  private final Set<Diagnostic> reported = new HashSet<>();
  private final List<Stage> stages = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Map<String, String> stagesOfViews = new LinkedHashMap<>();
  private final Map<Hint, String> rewrittenHints = new IdentityHashMap<>();
  private final Map<From.Item, List<String>> columnsOfStages = new IdentityHashMap<>();
  private Optional<Tokens> tokens = Optional.empty();
  private final Map<Span, String> withoutNativeForm = new TreeMap<>();

  /**
   * @param configuration what the script's SET statements say
   * @param origins from a part of the script's text to the place it is reported as
   */
  public ScriptContext(
      Script script,
      ScriptAnalysis analysis,
      FlinkVersion flinkVersion,
      Map<String, String> configuration,
      Function<Span, Origin> origins) {
    this.script = script;
    this.analysis = analysis;
    this.sourceParallelism = new SourceParallelism(script, analysis);
    this.flinkVersion = flinkVersion;
    this.configuration = configuration;
    this.names = StageNames.of(script);
    this.edits = new Edits(script.text());
    this.optionsHints = new OptionsHints(script.text(), edits);
    this.origins = origins;
  }

  public Script script() {
    return script;
  }

  /** The tokens of the script's text. */
  public Tokens tokens() {
    if (tokens.isEmpty()) {
      tokens = Optional.of(Tokens.of(script.text()));
    }
    return tokens.get();
  }

  public ScriptAnalysis analysis() {
    return analysis;
  }

  public SourceParallelism sourceParallelism() {
    return sourceParallelism;
  }

  public DuplicateOptions duplicateOptions(Statement statement, Block block, From from) {
    return DuplicateOptions.of(script, statement, block, from);
  }

  public FlinkVersion flinkVersion() {
    return flinkVersion;
  }

  public StageNames names() {
    return names;
  }

  public Edits edits() {
    return edits;
  }

  public OptionsHints optionsHints() {
    return optionsHints;
  }

  public Map<String, String> configuration() {
    return configuration;
  }

  public Optional<String> setting(String key) {
    return Optional.ofNullable(configuration.get(key));
  }

  /** Adds a setting that the script does not make. */
  public void addSetting(String key, String value) {
    configuration.putIfAbsent(key, value);
  }

  /** Whether the script says that its job runs in batch mode. */
  public boolean isBatch() {
    return setting("execution.runtime-mode").filter("batch"::equalsIgnoreCase).isPresent();
  }

  public Origin origin(Span span) {
    return origins.apply(span);
  }

  public void report(DiagnosticCode code, Span span, String message, String help) {
    diagnostics.add(new Diagnostic(code, script.original(), span, message, Optional.of(help)));
  }

  /** Reports a finding whose help is, or begins with, these edits; there may be none. */
  public void report(
      DiagnosticCode code, Span span, String message, String help, List<Replacement> fix) {
    diagnostics.add(new Diagnostic(code, script.original(), span, message, Optional.of(help), fix));
  }

  /**
   * The edit that writes the name that was meant in place of one in the script; none if nobody
   * knows what was meant.
   */
  public List<Replacement> otherName(Span written, Optional<String> meant) {
    return meant
        .map(name -> List.of(Replacement.ofName(script.original(), written, name)))
        .orElse(List.of());
  }

  /** Reports findings, each once: several queries can come upon the same. */
  public void report(List<Diagnostic> found) {
    found.stream().filter(reported::add).forEach(diagnostics::add);
  }

  public void add(Stage stage) {
    stages.add(stage);
    if (stage instanceof Stage.Operators operators) {
      stagesOfViews.put(operators.view(), operators.id());
    }
  }

  /** Says that a stage has a further view, besides the one that it names. */
  public void addView(String view, Stage.Operators stage) {
    stagesOfViews.put(view, stage.id());
  }

  public void note(String note) {
    if (!notes.contains(note)) {
      notes.add(note);
    }
  }

  /** What a block means; empty if it cannot be told. What is wrong with the query is reported. */
  public Optional<BlockAnalysis> analyze(Statement statement, Block block) {
    QueryAnalysis query = analysis.analyze(statement);
    report(query.diagnostics());
    return query.block(block);
  }

  /** Takes a hint out of a block's text; the comment goes with the last one. */
  void removeHint(Block block, Hint hint) {
    rewriteHint(block, hint, "");
  }

  /** Writes a hint in a block's text anew; empty text takes it out. */
  void rewriteHint(Block block, Hint hint, String rewritten) {
    rewrittenHints.put(hint, rewritten);
    Span comment = block.hintComment().orElseThrow();
    List<String> remaining =
        block.hints().stream()
            .map(other -> rewrittenHints.getOrDefault(other, script.text().text(other.span())))
            .filter(text -> !text.isEmpty())
            .toList();
    if (remaining.isEmpty()) {
      edits.remove(Gap.withSpaceBehind(script.text().text(), comment));
    } else {
      edits.replace(comment, "/*+ " + String.join(", ", remaining) + " */");
    }
  }

  public List<Diagnostic> diagnostics() {
    return diagnostics;
  }

  public List<Stage> stages() {
    return stages;
  }

  public List<String> notes() {
    return notes;
  }

  /** Says that an item of a FROM is now read through a stage, with these of its columns. */
  public void readThroughStage(From.Item item, List<String> columns) {
    columnsOfStages.put(item, columns);
  }

  /** The columns that are left of an item; empty if it is read as the script has it. */
  public Optional<List<String>> columnsOfStage(From.Item item) {
    return Optional.ofNullable(columnsOfStages.get(item));
  }

  /** The ids of the stages that a piece of a statement reads rows from, as it will be emitted. */
  public List<String> reads(Statement statement, Span span) {
    TreeMap<Span, String> found = new TreeMap<>();
    statement.blocks().forEach(block -> collectReads(statement, block, span, found));
    List<String> reads = new ArrayList<>(found.values());
    edits.viewsReadIn(span).forEach(view -> reads.add(stagesOfViews.get(view)));
    return reads.stream().distinct().toList();
  }

  private void collectReads(Statement statement, Block block, Span span, Map<Span, String> found) {
    for (TableReference reference : block.tables()) {
      if (span.contains(reference.nameSpan())
          && !edits.isReplaced(reference.nameSpan())
          && block.commonTable(reference).isEmpty()) {
        found.put(reference.nameSpan(), stageOf(statement, reference.path()));
      }
    }
    block.inner().forEach(inner -> collectReads(statement, inner, span, found));
  }

  /**
   * The id of the stage that declares a table or view; {@code table/NAME} if the script does not.
   */
  public String stageOf(Statement at, List<String> path) {
    return analysis
        .resolve(at, path)
        .map(relation -> names.id(relation.statement()))
        .orElseGet(() -> "table/" + String.join(".", path));
  }

  /** Says that something was lowered that no SQL script can express. */
  public void requireJavaJob(Span span, String what) {
    withoutNativeForm.putIfAbsent(span, what);
  }

  /** What no SQL script can express, by where the user asked for it. */
  public Map<Span, String> withoutNativeForm() {
    return withoutNativeForm;
  }
}
