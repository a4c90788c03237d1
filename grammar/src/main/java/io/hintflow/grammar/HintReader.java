package io.hintflow.grammar;

import io.hintflow.grammar.HintComment.Argument;
import io.hintflow.grammar.HintComment.Written;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Turns hints as written into {@link Hint}s, and says what is wrong with them. */
final class HintReader {
  private static final String BROADCAST = "BROADCAST";
  private static final String HASH_BY_KEY = "HASH_BY_KEY";
  private static final String DISTRIBUTEBY = "DISTRIBUTEBY";
  private static final String LATE_DATA_SINK = "LATE_DATA_SINK";
  private static final String LOOKUP = "LOOKUP";
  private static final String OPTIONS = "OPTIONS";

  /** Hints that Flink itself acts on or at least accepts, whatever their arguments. */
  private static final List<String> NATIVE =
      List.of("STATE_TTL", "SHUFFLE_HASH", "SHUFFLE_MERGE", "NEST_LOOP");

  private static final List<String> KNOWN =
      Stream.concat(
              Stream.of(BROADCAST, HASH_BY_KEY, DISTRIBUTEBY, LATE_DATA_SINK, LOOKUP, OPTIONS),
              NATIVE.stream())
          .toList();

  private static final String DUPLICATE_LEFT = "duplicate.left";
  private static final String DUPLICATE_RIGHT = "duplicate.right";
  private static final String SOURCE_PARALLELISM = "source.parallelism";
  private static final List<String> OWN_OPTIONS =
      List.of(DUPLICATE_LEFT, DUPLICATE_RIGHT, SOURCE_PARALLELISM);

  private static final String SINK_NAME = "sink.name";
  private static final String WINDOW_START_FIELD = "window.start.field";
  private static final String WINDOW_END_FIELD = "window.end.field";
  private static final List<String> LATE_DATA_SINK_KEYS =
      List.of(SINK_NAME, WINDOW_START_FIELD, WINDOW_END_FIELD);

  private final SourceText text;
  private final Findings findings;

  /** Whether the statement runs in batch mode, in which Flink has a BROADCAST hint of its own. */
  private final boolean batch;

  HintReader(SourceText text, Findings findings, boolean batch) {
    this.text = text;
    this.findings = findings;
    this.batch = batch;
  }

  /** The options of a table and those of them that are hints. */
  record TableHints(List<TableOption> options, List<Hint> hints) {
    static final TableHints NONE = new TableHints(List.of(), List.of());
  }

  /** The hints of a comment behind SELECT. */
  List<Hint> readBehindSelect(HintComment comment) {
    List<Hint> hints = new ArrayList<>();
    Set<String> once = new HashSet<>();
    for (Written hint : comment.hints()) {
      String name = upperCase(hint.name());
      if ((name.equals(DISTRIBUTEBY) || name.equals(LATE_DATA_SINK)) && !once.add(name)) {
        findings.add(
            DiagnosticCode.REPEATED_HINT,
            hint.span(),
            "A SELECT can have one " + name + " only",
            "Remove one of them");
        continue;
      }
      switch (name) {
        case BROADCAST -> (batch ? nativeHint(hint) : broadcast(hint)).ifPresent(hints::add);
        case HASH_BY_KEY -> hashByKey(hint).ifPresent(hints::add);
        case DISTRIBUTEBY -> distributeBy(hint).ifPresent(hints::add);
        case LATE_DATA_SINK -> lateDataSink(hint).ifPresent(hints::add);
        case LOOKUP -> lookup(hint).ifPresent(hints::add);
        case OPTIONS -> optionsBehindSelect(hint);
        default -> {
          if (NATIVE.contains(name)) {
            nativeHint(hint).ifPresent(hints::add);
          } else {
            unknown(hint);
          }
        }
      }
    }
    return List.copyOf(hints);
  }

  /** The options of a comment behind a table that is read. */
  TableHints readBehindTable(HintComment comment) {
    List<TableOption> options = optionsOf(comment);
    return new TableHints(options, ownOptions(options));
  }

  /**
   * The options of a comment before a table that is read. Only the vendor's dialect allows a
   * comment there, so it has to hold one of the vendor's options.
   */
  TableHints readBeforeTable(HintComment comment) {
    List<TableOption> options = optionsOf(comment);
    List<Hint> hints = ownOptions(options);
    boolean vendors =
        options.stream().anyMatch(option -> OWN_OPTIONS.contains(option.key().text()));
    if (!vendors) {
      for (TableOption option : options) {
        findings.add(
            DiagnosticCode.MISPLACED_HINT,
            option.span(),
            "'" + option.key().text() + "' has no effect before a table",
            "Write the hint directly behind the table's name");
      }
    }
    return new TableHints(options, hints);
  }

  /**
   * Checks a comment behind a table that no SELECT reads: only Flink's own options make sense
   * there.
   */
  void checkBehindTarget(HintComment comment) {
    for (TableOption option : optionsOf(comment)) {
      String key = option.key().text();
      if (OWN_OPTIONS.contains(key)) {
        findings.add(
            DiagnosticCode.MISPLACED_HINT,
            option.span(),
            "'" + key + "' has no effect here",
            "Write it behind a table in a FROM clause");
      }
    }
  }

  /** The hints among the options of a CREATE TABLE. */
  List<Hint> readWithClause(List<TableOption> options) {
    List<TableOption> usable = new ArrayList<>();
    for (TableOption option : options) {
      String key = option.key().text();
      if (key.equals(DUPLICATE_LEFT) || key.equals(DUPLICATE_RIGHT)) {
        findings.add(
            DiagnosticCode.MISPLACED_HINT,
            option.span(),
            "'" + key + "' belongs to a join, not to a table's definition",
            "Write /*+ OPTIONS('" + key + "'='true') */ behind the table in the FROM clause");
      } else {
        usable.add(option);
      }
    }
    return ownOptions(usable);
  }

  /** Reports a comment that stands neither behind SELECT nor beside a table. */
  void misplaced(HintComment comment) {
    String help =
        comment.hints().stream().allMatch(hint -> upperCase(hint.name()).equals(OPTIONS))
            ? "Write it directly behind the table's name, before any alias"
            : "Write it directly behind SELECT";
    findings.add(
        DiagnosticCode.MISPLACED_HINT, comment.span(), "A hint has no effect at this place", help);
  }

  private static String upperCase(Name name) {
    return name.text().toUpperCase(Locale.ROOT);
  }

  /**
   * A hint for Flink to judge; it must only be one that Flink's parser takes, which wants arguments
   * of one kind.
   */
  private Optional<Hint> nativeHint(Written hint) {
    String name = upperCase(hint.name());
    if (isEmpty(hint, name + "(…)")) {
      return Optional.empty();
    }
    Class<? extends Argument> kind = hint.arguments().get(0).getClass();
    for (Argument argument : hint.arguments()) {
      if (argument.getClass() != kind) {
        wrongArgument(
            argument, name + " takes arguments of one kind", name + "(…) with names or pairs only");
        return Optional.empty();
      }
    }
    return Optional.of(new Hint.Native(hint.span(), hint.name()));
  }

  private void unknown(Written hint) {
    Span span = hint.name().span();
    Optional<String> nearest = NearestName.of(hint.name().text(), KNOWN);
    findings.add(
        DiagnosticCode.UNKNOWN_HINT,
        span,
        "There is no hint " + hint.name().text(),
        nearest
            .map(name -> "Did you mean " + name + "?")
            .orElse("Known hints are " + String.join(", ", KNOWN)),
        nearest.map(name -> List.of(new Replacement(span, name))).orElse(List.of()));
  }

  private Optional<Hint> broadcast(Written hint) {
    String usage = "BROADCAST(table, …)";
    if (isEmpty(hint, usage)) {
      return Optional.empty();
    }
    List<Name> tables = new ArrayList<>();
    for (Argument argument : hint.arguments()) {
      if (argument instanceof Argument.Identifier identifier) {
        tables.add(identifier.name());
      } else {
        wrongArgument(argument, "BROADCAST takes table names without quotes", usage);
        return Optional.empty();
      }
    }
    return Optional.of(new Hint.Broadcast(hint.span(), List.copyOf(tables)));
  }

  private Optional<Hint> distributeBy(Written hint) {
    String usage = "DISTRIBUTEBY('column', …)";
    if (isEmpty(hint, usage)) {
      return Optional.empty();
    }
    List<Name> columns = new ArrayList<>();
    for (Argument argument : hint.arguments()) {
      if (argument instanceof Argument.Text text) {
        columns.add(text.name());
      } else if (argument instanceof Argument.Identifier identifier) {
        columns.add(identifier.name());
      } else {
        wrongArgument(argument, "DISTRIBUTEBY takes column names", usage);
        return Optional.empty();
      }
    }
    boolean named = true;
    for (Name column : columns) {
      named &= isNotBlank(column, "A column name is missing");
    }
    return named
        ? Optional.of(new Hint.DistributeBy(hint.span(), List.copyOf(columns)))
        : Optional.empty();
  }

  private Optional<Hint> hashByKey(Written hint) {
    String usage = "HASH_BY_KEY('table'='column, …', …)";
    return pairs(hint, usage)
        .flatMap(
            options -> {
              List<Hint.TableColumns> tables = new ArrayList<>();
              for (TableOption option : options) {
                List<Name> columns = splitAtCommas(option.value());
                boolean named = true;
                for (Name column : columns) {
                  named &= isNotBlank(column, "A column name is missing");
                }
                if (named) {
                  tables.add(new Hint.TableColumns(option.key(), columns));
                }
              }
              return tables.size() == options.size()
                  ? Optional.of(new Hint.HashByKey(hint.span(), List.copyOf(tables)))
                  : Optional.empty();
            });
  }

  /**
   * The parts of a literal, each trimmed and with its own span; an empty part has the span between
   * its commas.
   */
  private List<Name> splitAtCommas(Name literal) {
    List<Name> parts = new ArrayList<>();
    int limit = literal.span().end() - 1;
    int start = literal.span().start() + 1;
    while (start <= limit) {
      int comma = text.text().indexOf(',', start);
      int end = comma < 0 || comma > limit ? limit : comma;
      Span span = trim(new Span(start, end));
      parts.add(new Name(text.text(span).replace("''", "'"), span));
      start = end + 1;
    }
    return List.copyOf(parts);
  }

  private Span trim(Span span) {
    int start = span.start();
    int end = span.end();
    while (start < end && Character.isWhitespace(text.text().charAt(start))) {
      start++;
    }
    while (end > start && Character.isWhitespace(text.text().charAt(end - 1))) {
      end--;
    }
    return start < end ? new Span(start, end) : span;
  }

  private Optional<Hint> lateDataSink(Written hint) {
    String usage = "LATE_DATA_SINK('sink.name'='table')";
    Optional<List<TableOption>> read = pairs(hint, usage);
    if (read.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Name> values = new LinkedHashMap<>();
    boolean valid = true;
    for (TableOption option : read.get()) {
      String key = option.key().text();
      if (!LATE_DATA_SINK_KEYS.contains(key)) {
        Optional<String> nearest = NearestName.of(key, LATE_DATA_SINK_KEYS);
        findings.add(
            DiagnosticCode.UNKNOWN_HINT_KEY,
            option.key().span(),
            "LATE_DATA_SINK has no key '" + key + "'",
            nearest
                .map(name -> "Did you mean '" + name + "'?")
                .orElse("Its keys are " + quoted(LATE_DATA_SINK_KEYS)),
            nearest
                .map(name -> List.of(Replacement.ofLiteral(option.key().span(), name)))
                .orElse(List.of()));
        valid = false;
      } else {
        valid &= isNotBlank(option.value(), "'" + key + "' needs a name");
        values.put(key, option.value());
      }
    }
    if (valid && !values.containsKey(SINK_NAME)) {
      findings.add(
          DiagnosticCode.MISSING_HINT_KEY,
          hint.span(),
          "LATE_DATA_SINK needs the key '" + SINK_NAME + "'",
          "Write " + usage);
      valid = false;
    }
    return valid
        ? Optional.of(
            new Hint.LateDataSink(
                hint.span(),
                values.get(SINK_NAME),
                Optional.ofNullable(values.get(WINDOW_START_FIELD)),
                Optional.ofNullable(values.get(WINDOW_END_FIELD))))
        : Optional.empty();
  }

  private Optional<Hint> lookup(Written hint) {
    String usage = "LOOKUP('table'='name', 'shuffle'='true')";
    Optional<List<TableOption>> read = pairs(hint, usage);
    if (read.isEmpty()) {
      return Optional.empty();
    }
    Optional<Name> table = Optional.empty();
    Optional<Boolean> shuffle = Optional.of(false);
    Optional<Name> capacity = Optional.empty();
    for (TableOption option : read.get()) {
      switch (option.key().text()) {
        case "table" -> table = Optional.of(option.value());
        case "shuffle" -> shuffle = booleanValue(option);
        case "capacity" -> capacity = Optional.of(option.value());
        default -> {
          // The other keys are Flink's to judge; they differ between its versions.
        }
      }
    }
    if (table.isEmpty()) {
      findings.add(
          DiagnosticCode.MISSING_HINT_KEY,
          hint.span(),
          "LOOKUP needs the key 'table'",
          "Write " + usage);
    }
    return table.isPresent() && shuffle.isPresent()
        ? Optional.of(new Hint.Lookup(hint.span(), table.get(), shuffle.get(), capacity))
        : Optional.empty();
  }

  /**
   * Flink ignores OPTIONS behind SELECT without a word, so whoever wrote it expects something that
   * does not happen.
   */
  private void optionsBehindSelect(Written hint) {
    List<TableOption> options = pairs(hint, "OPTIONS('key'='value')").orElse(List.of());
    Optional<String> own =
        options.stream()
            .map(option -> option.key().text())
            .filter(OWN_OPTIONS::contains)
            .findFirst();
    if (own.isPresent()) {
      findings.add(
          DiagnosticCode.MISPLACED_HINT,
          hint.span(),
          "'" + own.get() + "' has no effect behind SELECT",
          "Write the hint directly behind the table's name");
    } else {
      findings.add(
          DiagnosticCode.IGNORED_OPTIONS,
          hint.span(),
          "Flink ignores OPTIONS behind SELECT",
          "Write the hint directly behind the table's name");
    }
  }

  private List<TableOption> optionsOf(HintComment comment) {
    List<TableOption> options = new ArrayList<>();
    for (Written hint : comment.hints()) {
      String name = upperCase(hint.name());
      if (name.equals(OPTIONS)) {
        pairs(hint, "OPTIONS('key'='value')").ifPresent(options::addAll);
      } else if (KNOWN.contains(name)) {
        findings.add(
            DiagnosticCode.MISPLACED_HINT,
            hint.span(),
            name + " has no effect beside a table",
            "Write it directly behind SELECT");
      } else {
        unknown(hint);
      }
    }
    return List.copyOf(options);
  }

  private List<Hint> ownOptions(List<TableOption> options) {
    List<Hint> hints = new ArrayList<>();
    for (TableOption option : options) {
      switch (option.key().text()) {
        case DUPLICATE_LEFT ->
            booleanValue(option)
                .ifPresent(enabled -> hints.add(new Hint.DuplicateLeft(option.span(), enabled)));
        case DUPLICATE_RIGHT ->
            booleanValue(option)
                .ifPresent(enabled -> hints.add(new Hint.DuplicateRight(option.span(), enabled)));
        case SOURCE_PARALLELISM ->
            parallelism(option)
                .ifPresent(count -> hints.add(new Hint.SourceParallelism(option.span(), count)));
        default -> rejectNearMiss(option.key());
      }
    }
    return List.copyOf(hints);
  }

  /**
   * Any other key is the connector's, unless it can only be a slip: the connector would refuse it
   * at run time.
   */
  private void rejectNearMiss(Name key) {
    NearestName.of(key.text(), OWN_OPTIONS)
        .ifPresent(
            nearest ->
                findings.add(
                    DiagnosticCode.UNKNOWN_HINT_KEY,
                    key.span(),
                    "There is no option '" + key.text() + "'",
                    "Did you mean '" + nearest + "'?",
                    List.of(Replacement.ofLiteral(key.span(), nearest))));
  }

  private Optional<Boolean> booleanValue(TableOption option) {
    String value = option.value().text();
    if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
      return Optional.of(value.equalsIgnoreCase("true"));
    }
    findings.add(
        DiagnosticCode.INVALID_HINT_VALUE,
        option.value().span(),
        "'" + option.key().text() + "' is either 'true' or 'false', not '" + value + "'");
    return Optional.empty();
  }

  private OptionalInt parallelism(TableOption option) {
    String value = option.value().text();
    try {
      int count = Integer.parseInt(value);
      if (count > 0) {
        return OptionalInt.of(count);
      }
    } catch (NumberFormatException e) {
      // Told below, as for zero and less.
    }
    String help =
        value.contains("${")
            ? "Write the number: the job is laid out by it, so it must be known before the job starts"
            : "Write a whole number from 1 to " + Integer.MAX_VALUE;
    findings.add(
        DiagnosticCode.INVALID_HINT_VALUE,
        option.value().span(),
        "'" + SOURCE_PARALLELISM + "' is a positive whole number, not '" + value + "'",
        help);
    return OptionalInt.empty();
  }

  private boolean isEmpty(Written hint, String usage) {
    if (hint.arguments().isEmpty()) {
      findings.add(
          DiagnosticCode.EMPTY_HINT,
          hint.span(),
          upperCase(hint.name()) + " needs arguments",
          "Write " + usage);
    }
    return hint.arguments().isEmpty();
  }

  private void wrongArgument(Argument argument, String message, String usage) {
    findings.add(DiagnosticCode.WRONG_HINT_ARGUMENTS, argument.span(), message, "Write " + usage);
  }

  private boolean isNotBlank(Name name, String message) {
    boolean blank = name.text().isBlank();
    if (blank) {
      findings.add(DiagnosticCode.INVALID_HINT_VALUE, name.span(), message);
    }
    return !blank;
  }

  /** A hint's arguments if they are all pairs and no key comes twice. */
  private Optional<List<TableOption>> pairs(Written hint, String usage) {
    if (isEmpty(hint, usage)) {
      return Optional.empty();
    }
    String name = upperCase(hint.name());
    List<TableOption> options = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    boolean valid = true;
    for (Argument argument : hint.arguments()) {
      if (!(argument instanceof Argument.Pair pair)) {
        wrongArgument(argument, name + " takes pairs of a key and a value", usage);
        return Optional.empty();
      }
      TableOption option = pair.option();
      if (!keys.add(option.key().text())) {
        findings.add(
            DiagnosticCode.DUPLICATE_HINT_KEY,
            option.key().span(),
            "'" + option.key().text() + "' is given twice in this " + name,
            "Remove one of them");
        valid = false;
      }
      options.add(option);
    }
    return valid ? Optional.of(List.copyOf(options)) : Optional.empty();
  }

  private static String quoted(List<String> keys) {
    return keys.stream().map(key -> "'" + key + "'").collect(Collectors.joining(", "));
  }
}
