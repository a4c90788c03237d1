package io.hintflow.grammar;

import io.hintflow.grammar.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.flink.sql.parser.ddl.SqlReset;
import org.apache.flink.sql.parser.ddl.SqlSet;
import org.apache.flink.sql.parser.ddl.table.SqlCreateTable;
import org.apache.flink.sql.parser.ddl.view.SqlCreateView;
import org.apache.flink.sql.parser.dml.RichSqlInsert;

/**
 * Reads scripts: text in, {@link Script} and {@link Diagnostic}s out. Never throws for what a user
 * wrote.
 */
public final class ScriptReader {
  private static final String RUNTIME_MODE = "execution.runtime-mode";

  private final SourceText text;
  private final Tokens tokens;
  private final char[] sql;
  private final Findings findings;
  private final StatementParser parser;
  private final List<Statement> statements = new ArrayList<>();

  /** Whether the SET statements so far have chosen batch mode. */
  private boolean batch;

  private ScriptReader(SourceText text, Tokens tokens, Findings findings) {
    this.text = text;
    this.tokens = tokens;
    this.sql = text.text().toCharArray();
    this.findings = findings;
    this.parser = new StatementParser(findings);
  }

  /**
   * What reading gave: the statements that could be read, and everything found, in the order of the
   * text, whatever the script asks to ignore.
   */
  public record Result(Script script, List<Diagnostic> diagnostics, Ignores ignores) {}

  public static Result read(SourceText source) {
    Findings findings = new Findings(source);
    Tokens written = Tokens.of(source);
    Ignores ignores = Ignores.read(source, written, findings);
    SourceText text = Repairs.mend(source, written, findings);
    Tokens tokens = text == source ? written : Tokens.of(text);
    List<StatementText> parts = StatementText.split(text, tokens, findings);
    ScriptReader reader = new ScriptReader(text, tokens, findings);
    parts.forEach(reader::readStatement);
    // What could not be read may have been such a statement.
    boolean movesRows =
        findings.hasErrors() || reader.statements.stream().anyMatch(ScriptReader::movesRows);
    Repairs.warnOfSwallowedStatement(text, tokens, movesRows, findings);
    if (parts.isEmpty() && !findings.hasErrors()) {
      findings.add(
          DiagnosticCode.EMPTY_SCRIPT,
          new Span(0, 0),
          "The script holds no statement",
          "Write at least one statement, ended by a semicolon");
    }
    Script script = new Script(source, text, List.copyOf(reader.statements));
    return new Result(script, findings.inOrder(), ignores);
  }

  /** Whether a statement writes rows or shows them. */
  private static boolean movesRows(Statement statement) {
    boolean tableFromQuery =
        statement instanceof Statement.CreateTable && !statement.blocks().isEmpty();
    return statement instanceof Statement.Insert
        || statement instanceof Statement.Query
        || tableFromQuery;
  }

  private void readStatement(StatementText part) {
    if (reportUnreadableTokens(part)) {
      return;
    }
    if (tokens.isWord(part.firstToken(), "SET") || tokens.isWord(part.firstToken(), "RESET")) {
      if (readUnquotedSetting(part)) {
        return;
      }
    }
    HintComment.Reading hints = HintComment.readAll(tokens, part, findings);
    if (!hints.complete()) {
      return;
    }
    hints.comments().forEach(comment -> Repairs.blank(sql, comment.span()));
    HintReader hintReader = new HintReader(text, findings, batch);
    List<Token> visible = visible(part);
    if (visible.isEmpty()) {
      hints.comments().forEach(hintReader::misplaced);
      return;
    }
    Span span = part.span(tokens);
    Positions positions = new Positions(text, span);
    Optional<SqlNode> node =
        parser.parse(new String(sql, span.start(), span.length()), visible, positions);
    if (node.isPresent()) {
      BlockReader blockReader = new BlockReader(tokens, positions, hints.comments(), hintReader);
      try {
        add(new Reading(part, positions, hintReader), node.get(), blockReader.read(node.get()));
        blockReader.unclaimed().forEach(hintReader::misplaced);
      } catch (StackOverflowError e) {
        // The syntax tree is walked by recursion, as everything behind it does; what is too deep
        // here is so there too.
        parser.tooDeeplyNested(tokens.get(part.firstToken()).span());
      }
    }
  }

  /**
   * Reports what the parser must not get to see; true if the statement is not worth parsing then.
   */
  private boolean reportUnreadableTokens(StatementText part) {
    boolean unreadable = false;
    for (int i = part.firstToken(); i < part.endToken(); i++) {
      Token token = tokens.get(i);
      boolean placeholder =
          token.kind() == Kind.PLACEHOLDER
              || token.kind() == Kind.QUOTED_NAME && token.text().contains("${");
      if (placeholder) {
        findings.add(
            DiagnosticCode.PLACEHOLDER_OUTSIDE_LITERAL,
            token.span(),
            "A placeholder can only stand inside a literal",
            "Put it in single quotes, or write out what it stands for");
        nameInPlaceOf(token.span());
      } else if (token.kind() == Kind.UNTERMINATED) {
        boolean comment = token.text().startsWith("/*");
        String what = comment ? "comment" : token.text().startsWith("`") ? "name" : "literal";
        String mark = comment ? "*/" : token.text().substring(0, 1);
        Span start =
            comment ? new Span(token.span().start(), token.span().start() + 2) : token.span();
        findings.add(
            DiagnosticCode.UNTERMINATED,
            start,
            "This " + what + " is never closed",
            "Close it with " + mark);
        unreadable = true;
      }
    }
    return unreadable;
  }

  /** Lets the parser find other errors of the statement. */
  private void nameInPlaceOf(Span span) {
    for (int i = span.start(); i < span.end(); i++) {
      sql[i] = '_';
    }
    sql[span.start()] = 'x';
  }

  /** The statement's tokens without its hint comments, as the parser sees them. */
  private List<Token> visible(StatementText part) {
    List<Token> visible = new ArrayList<>();
    boolean inHint = false;
    for (int i = part.firstToken(); i < part.endToken(); i++) {
      Token token = tokens.get(i);
      if (token.kind() == Kind.HINT_START) {
        inHint = true;
      } else if (token.kind() == Kind.HINT_END && inHint) {
        inHint = false;
      } else if (!inHint) {
        visible.add(token);
      }
    }
    return visible;
  }

  /**
   * Reads SET and RESET with a key or value that is not quoted, which Flink's parser refuses; false
   * for any other.
   */
  private boolean readUnquotedSetting(StatementText part) {
    int first = part.firstToken();
    int count = part.endToken() - first;
    boolean set = tokens.isWord(first, "SET");
    int length = set ? 4 : 2;
    if (count < length) {
      return false;
    }
    Token key = tokens.get(first + 1);
    Token last = tokens.get(first + length - 1);
    if (key.kind() != Kind.SETTING && last.kind() != Kind.SETTING) {
      return false;
    }
    if (count > length) {
      // What is not quoted ends with its line, so whatever comes next is on a line of its own.
      findings.add(
          DiagnosticCode.SYNTAX_ERROR,
          tokens.get(first + length).span(),
          "Expected a semicolon behind the setting",
          "Is a semicolon missing before it?");
      return true;
    }
    // The value stays unsaid: it may be a password.
    Span unquoted =
        key.kind() != Kind.SETTING
            ? last.span()
            : last.kind() != Kind.SETTING ? key.span() : key.span().cover(last.span());
    findings.add(
        DiagnosticCode.UNQUOTED_SETTING,
        unquoted,
        "The key and the value of a setting are literals; what stands here was read as if quoted",
        set ? "Write SET 'key' = 'value'" : "Write RESET 'key'",
        Stream.of(key, last)
            .distinct()
            .filter(token -> token.kind() == Kind.SETTING)
            .flatMap(ScriptReader::quotes)
            .toList());
    Reading reading =
        new Reading(
            part, new Positions(text, part.span(tokens)), new HintReader(text, findings, batch));
    if (set) {
      addSet(reading, key.asName(), last.asName());
    } else {
      addReset(reading, Optional.of(key.asName()));
    }
    return true;
  }

  /** Makes a literal of a setting. Only quotes are put in: what they quote may be a password. */
  private static Stream<Replacement> quotes(Token setting) {
    Span span = setting.span();
    IntStream inner =
        IntStream.range(0, span.length())
            .filter(index -> setting.text().charAt(index) == '\'')
            .map(index -> span.start() + index);
    return IntStream.concat(IntStream.of(span.start(), span.end()), inner)
        .sorted()
        .mapToObj(offset -> new Replacement(new Span(offset, offset), "'"));
  }

  /** What is at hand while one statement is read. */
  private record Reading(StatementText part, Positions positions, HintReader hintReader) {}

  private void addSet(Reading reading, Name key, Name value) {
    if (key.text().equals(RUNTIME_MODE)) {
      batch = value.text().equalsIgnoreCase("batch");
    }
    statements.add(
        new Statement.Set(
            reading.positions().statement(), reading.part().commentedSpan(tokens), key, value));
  }

  private void addReset(Reading reading, Optional<Name> key) {
    if (key.isEmpty() || key.get().text().equals(RUNTIME_MODE)) {
      batch = false;
    }
    statements.add(
        new Statement.Reset(
            reading.positions().statement(), reading.part().commentedSpan(tokens), key));
  }

  private void add(Reading reading, SqlNode node, List<Block> blocks) {
    Span span = reading.positions().statement();
    Span commented = reading.part().commentedSpan(tokens);
    int first = reading.part().firstToken();
    if (node instanceof SqlSet set && set.getKey() != null) {
      List<Name> literals = literals(reading.part());
      addSet(reading, literals.get(0), literals.get(literals.size() - 1));
    } else if (node instanceof SqlReset) {
      addReset(reading, literals(reading.part()).stream().findFirst());
    } else if (node instanceof SqlCreateTable create) {
      Span name = reading.positions().span(create.getName().getParserPosition());
      List<TableOption> options = withClause(reading.part(), name);
      statements.add(
          new Statement.CreateTable(
              span,
              commented,
              create,
              List.copyOf(create.getName().names),
              name,
              options,
              reading.hintReader().readWithClause(options),
              blocks));
    } else if (node instanceof SqlCreateView create) {
      Span name = reading.positions().span(create.getName().getParserPosition());
      statements.add(
          new Statement.CreateView(
              span,
              commented,
              create,
              List.copyOf(create.getName().names),
              name,
              viewQuery(reading.part(), name),
              blocks));
    } else if (node instanceof RichSqlInsert insert) {
      SqlIdentifier target = BlockReader.tableName(insert.getTargetTableID());
      Span name = reading.positions().span(target.getParserPosition());
      statements.add(
          new Statement.Insert(
              span,
              commented,
              insert,
              List.copyOf(target.names),
              name,
              insertQuery(reading.part(), name),
              blocks));
    } else if (node.isA(SqlKind.QUERY)) {
      statements.add(new Statement.Query(span, commented, node, blocks));
    } else if (isInspection(first)) {
      statements.add(new Statement.Inspection(span, commented, node, blocks));
    } else {
      statements.add(new Statement.Other(span, commented, node, blocks));
    }
  }

  /** SET without a key lists the settings. */
  private boolean isInspection(int first) {
    return tokens.isWord(first, "EXPLAIN")
        || tokens.isWord(first, "SHOW")
        || tokens.isWord(first, "DESCRIBE")
        || tokens.isWord(first, "DESC")
        || tokens.isWord(first, "SET");
  }

  private List<Name> literals(StatementText part) {
    List<Name> literals = new ArrayList<>();
    for (int i = part.firstToken(); i < part.endToken(); i++) {
      if (tokens.get(i).kind() == Kind.STRING) {
        literals.add(tokens.get(i).asName());
      }
    }
    return literals;
  }

  /**
   * The pairs of a CREATE TABLE's own WITH clause; the parser keeps neither their order nor their
   * places.
   */
  private List<TableOption> withClause(StatementText part, Span name) {
    List<TableOption> options = new ArrayList<>();
    int index = tokens.indexAt(name.end());
    while (index < part.endToken()
        && !tokens.isWord(index, "AS")
        && !(tokens.isWord(index, "WITH") && tokens.isSymbol(index + 1, "("))) {
      index = behind(index);
    }
    if (tokens.isWord(index, "WITH")) {
      int end = behind(index + 1);
      for (int i = index + 2; i + 2 < end; i++) {
        boolean pair =
            tokens.get(i).kind() == Kind.STRING
                && tokens.isSymbol(i + 1, "=")
                && tokens.get(i + 2).kind() == Kind.STRING;
        if (pair) {
          options.add(new TableOption(tokens.get(i).asName(), tokens.get(i + 2).asName()));
        }
      }
    }
    return List.copyOf(options);
  }

  /** The index behind a token, or behind the parentheses that it opens. */
  private int behind(int index) {
    boolean opens = tokens.isSymbol(index, "(");
    return (opens ? tokens.matching(index).orElse(index) : index) + 1;
  }

  private Span viewQuery(StatementText part, Span name) {
    int index = tokens.indexAt(name.end());
    while (index + 1 < part.endToken() && !tokens.isWord(index, "AS")) {
      index = behind(index);
    }
    return span(Math.min(index + 1, part.endToken() - 1), part.endToken());
  }

  private Span insertQuery(StatementText part, Span target) {
    int start = tokens.indexAt(target.end());
    while (start + 1 < part.endToken() && !startsQuery(start)) {
      start = behind(start);
    }
    int end = part.endToken();
    boolean conflictClause =
        tokens.isWord(end - 4, "ON")
            && tokens.isWord(end - 3, "CONFLICT")
            && tokens.isWord(end - 2, "DO");
    return span(Math.min(start, end - 1), conflictClause ? end - 4 : end);
  }

  /**
   * Whether a query begins here, and not a list of columns or partitions: those begin with a name.
   */
  private boolean startsQuery(int index) {
    int first = index;
    while (tokens.isSymbol(first, "(")) {
      first++;
    }
    return tokens.isWord(first, "SELECT")
        || tokens.isWord(first, "WITH")
        || tokens.isWord(first, "VALUES")
        || tokens.isWord(first, "VALUE")
        || tokens.isWord(first, "TABLE");
  }

  private Span span(int first, int end) {
    return tokens.get(first).span().cover(tokens.get(end - 1).span());
  }
}
