package io.hintflow.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a user is told about a script: one case for each way to get it wrong. */
class FindingsTest {
  /** A script with the span of every finding marked, and the findings in the order of the marks. */
  record Case(String script, List<Expected> findings) {
    @Override
    public String toString() {
      return script;
    }
  }

  record Expected(DiagnosticCode code, String message, String help) {}

  private static Case found(String script, DiagnosticCode code, String message, String help) {
    return new Case(script, List.of(new Expected(code, message, help)));
  }

  private static Case clean(String script) {
    return new Case(script, List.of());
  }

  static Stream<Case> syntaxErrors() {
    DiagnosticCode code = DiagnosticCode.SYNTAX_ERROR;
    return Stream.of(
        found("SELECT a FORM ⟦t⟧;", code, "Unexpected 't'", "Did you mean FROM instead of FORM?"),
        found(
            "SELECT * FORM ⟦orders⟧;",
            code,
            "Unexpected 'orders'",
            "Did you mean FROM instead of FORM?"),
        found(
            "SELECT a FROM t WHERE a ⟦!=⟧ 1;",
            code,
            "!= has no meaning in Flink SQL",
            "Write <> instead of !="),
        found(
            "⟦SELEC⟧ a FROM t;",
            code,
            "No statement starts with 'SELEC'",
            "Did you mean SELECT instead of SELEC?"),
        found("⟦foo⟧ bar;", code, "Expected a query", ""),
        found("SELECT a, ⟦FROM⟧ t;", code, "Unexpected 'FROM'", "Remove the comma before FROM"),
        found(
            "SELECT a, ⟦value⟧ FROM t;",
            code,
            "Unexpected 'value'",
            "value is a reserved word: put it in backquotes to use it as a name"),
        found(
            "CREATE TABLE t (id INT, ⟦order⟧ INT);",
            code,
            "Unexpected 'order'",
            "order is a reserved word: put it in backquotes to use it as a name"),
        found(
            "CREATE ⟦TABL⟧ t (a INT);",
            code,
            "Unexpected 'TABL'",
            "Did you mean TABLE instead of TABL?"),
        found(
            "CREATE TABLE t (a INT ⟦b⟧ STRING);",
            code,
            "Unexpected 'b'",
            "Is a comma missing before it?"),
        found(
            "CREATE TABLE t (a INT) WITH ('k'='v' 'l'⟦=⟧'w');",
            code,
            "Found '=', expected a literal in single quotes, ')' or ','",
            "Is a comma missing before 'l'?"),
        found(
            "CREATE TABLE t (a INT) WITH (⟦k⟧='v');",
            code,
            "Found 'k', expected a literal in single quotes or ')'",
            ""),
        found(
            "CREATE TABLE t (a INT, PRIMARY KEY (a) NOT ⟦ENFORCE⟧);",
            code,
            "Found 'ENFORCE', expected 'ENFORCED'",
            "Did you mean ENFORCED instead of ENFORCE?"),
        found("SELECT a FROM t ⟦WHERE⟧;", code, "The statement ends too early", ""),
        found(
            "SET a=b\n⟦SELECT⟧ 1;",
            code,
            "Expected a semicolon behind the setting",
            "Is a semicolon missing before it?"),
        found(
            "SET ⟦a⟧.b 'c';",
            code,
            "Found 'a', expected the end of the statement or a literal in single quotes",
            ""),
        found("SELECT a FROM t GROUP ⟦a⟧;", code, "Found 'a', expected 'BY'", ""),
        found(
            "SELECT a FROM t GRUOP ⟦BY⟧ a;",
            code,
            "Unexpected 'BY'",
            "Did you mean GROUP instead of GRUOP?"),
        found(
            "SELECT a FROM (SELECT b FROM ⟦c⟧;",
            code,
            "The statement ends too early",
            "The parenthesis at line 1, column 15 is never closed"),
        found(
            "SELECT f(a ⟦FROM⟧ t;",
            code,
            "Unexpected 'FROM'",
            "The parenthesis at line 1, column 9 is never closed"),
        found(
            "SELECT a FROM t\n⟦SELECT⟧ b FROM u;",
            code,
            "Unexpected 'SELECT'",
            "Is a semicolon missing before it?"),
        found(
            "SELECT a FROM t WHERE a =⟦=⟧ 1;",
            code,
            "Unexpected '='",
            "SQL compares with a single ="),
        found(
            "SELECT ⟦\"⟧a\" FROM t;",
            code,
            "Unexpected '\"'",
            "Put names in backquotes and literals in single quotes"),
        found(
            "SELECT a ⟦，⟧ b FROM t;",
            code,
            "The character ， (U+FF0C) has no meaning in SQL",
            "Write the plain character ,"),
        found(
            "SELECT a⟦\u3000⟧FROM t;",
            code,
            "The character U+3000 has no meaning in SQL",
            "Write a plain space"),
        found(
            "SELECT a⟦\u200B⟧ FROM t;",
            code,
            "The character U+200B has no meaning in SQL",
            "Remove it: it has no width"),
        found(
            "SELECT a ⟦–⟧ 1 FROM t;",
            code,
            "The character – (U+2013) has no meaning in SQL",
            "Write the plain character -"),
        found(
            "SELECT a FROM t WHERE a = 1 ⟦\\⟧;",
            code,
            "The character \\ (U+005C) has no meaning in SQL",
            ""),
        found(
            "SELECT '😀' AS ⟦😀⟧ FROM t;",
            code,
            "The character 😀 (U+1F600) has no meaning in SQL",
            ""),
        found(
            "SELECT ⟦한⟧글 FROM t;",
            code,
            "The character 한 (U+D55C) has no meaning in SQL",
            "Put the name in backquotes"));
  }

  static Stream<Case> readingProblems() {
    return Stream.of(
        found(
            "⟦⟧",
            DiagnosticCode.EMPTY_SCRIPT,
            "The script holds no statement",
            "Write at least one statement, ended by a semicolon"),
        found(
            "⟦⟧-- nothing\n ; ;\n",
            DiagnosticCode.EMPTY_SCRIPT,
            "The script holds no statement",
            "Write at least one statement, ended by a semicolon"),
        found(
            "SELECT ⟦'abc FROM t⟧;\nSELECT 'b' FROM u;",
            DiagnosticCode.UNTERMINATED,
            "This literal is never closed",
            "Close it with '"),
        found(
            "SELECT ⟦`abc FROM t⟧;\nSELECT `b` FROM u;",
            DiagnosticCode.UNTERMINATED,
            "This name is never closed",
            "Close it with `"),
        found(
            "SELECT 1; ⟦/*⟧ never\nSELECT 2;",
            DiagnosticCode.UNTERMINATED,
            "This comment is never closed",
            "Close it with */"),
        found(
            "⟦EXECUTE STATEMENT SET BEGIN⟧ INSERT INTO a SELECT 1;",
            DiagnosticCode.STATEMENT_SET,
            "The statement set is not closed",
            "Write END; behind its last INSERT"),
        found(
            "⟦BEGIN STATEMENT SET⟧; BEGIN STATEMENT SET; INSERT INTO a SELECT 1; END;",
            DiagnosticCode.STATEMENT_SET,
            "The statement set is not closed before the next one begins",
            "Write END; behind its last INSERT"),
        found(
            "INSERT INTO a SELECT 1; ⟦END⟧;",
            DiagnosticCode.STATEMENT_SET,
            "This END closes no statement set",
            "Open the set with EXECUTE STATEMENT SET BEGIN"),
        found(
            "⟦BEGIN STATEMENT SET⟧; END;",
            DiagnosticCode.STATEMENT_SET,
            "The statement set holds no INSERT",
            ""),
        found(
            "BEGIN STATEMENT SET; ⟦CREATE⟧ TABLE t (a INT); INSERT INTO a SELECT 1; END;",
            DiagnosticCode.STATEMENT_SET,
            "Only INSERT may stand in a statement set",
            "Move the statement before the set, or close the set with END;"),
        found(
            "SELECT a FROM ⟦${TABLE}⟧ WHERE b = '${B:-x}';",
            DiagnosticCode.PLACEHOLDER_OUTSIDE_LITERAL,
            "A placeholder can only stand inside a literal",
            "Put it in single quotes, or write out what it stands for"),
        found(
            "SELECT a FROM ⟦`db_${ENV}`⟧.t;",
            DiagnosticCode.PLACEHOLDER_OUTSIDE_LITERAL,
            "A placeholder can only stand inside a literal",
            "Put it in single quotes, or write out what it stands for"),
        found(
            "SELECT " + "(".repeat(100) + "⟦(⟧1" + ")".repeat(101) + ";",
            DiagnosticCode.NESTED_TOO_DEEPLY,
            "The statement is nested too deeply to be read",
            "Move inner queries into views"),
        found(
            "⟦SELECT⟧ " + "CASE WHEN ".repeat(20_000) + "1;",
            DiagnosticCode.NESTED_TOO_DEEPLY,
            "The statement is nested too deeply to be read",
            "Move inner queries into views"),
        found(
            "CREATE TABLE t (a INT) WITH ('k'='v'⟦,⟧ -- the last\n);",
            DiagnosticCode.TRAILING_COMMA,
            "There is nothing between this comma and the closing parenthesis; it was skipped",
            "Remove the comma"),
        found(
            "SET ⟦a.b=c⟧;",
            DiagnosticCode.UNQUOTED_SETTING,
            "The key and the value of a setting are literals; what stands here was read as if quoted",
            "Write SET 'key' = 'value'"),
        found(
            "SET 'a.b' = ⟦c d⟧ ; -- why",
            DiagnosticCode.UNQUOTED_SETTING,
            "The key and the value of a setting are literals; what stands here was read as if quoted",
            "Write SET 'key' = 'value'"),
        found(
            "RESET ⟦a.b⟧;",
            DiagnosticCode.UNQUOTED_SETTING,
            "The key and the value of a setting are literals; what stands here was read as if quoted",
            "Write RESET 'key'"),
        found(
            "⟦Flink SQL>⟧ SELECT 1;",
            DiagnosticCode.PASTED_PROMPT,
            "The prompt 'Flink SQL>' is not part of the statement; it was skipped",
            "Remove the prompt"),
        new Case(
            "  ⟦Flink SQL>⟧ SELECT a\n⟦>⟧ FROM t\n⟦>⟧ WHERE a\n⟦>⟧ > 5;\nSELECT a\n> 5 FROM t;",
            List.of(
                new Expected(
                    DiagnosticCode.PASTED_PROMPT,
                    "The prompt 'Flink SQL>' is not part of the statement; it was skipped",
                    "Remove the prompt"),
                prompt(),
                prompt(),
                prompt())),
        found(
            "⟦# don't ask; why⟧\nSELECT 1;",
            DiagnosticCode.HASH_COMMENT,
            "# starts no comment in SQL; the line was skipped",
            "Write -- instead of #"),
        found(
            "-- hintflow:ignore ⟦HF3O5⟧\nSELECT 1;",
            DiagnosticCode.UNKNOWN_IGNORED_CODE,
            "There is no code HF3O5",
            "Did you mean HF305?"),
        found(
            "SELECT 1; -- hintflow:ignore ⟦column⟧: why",
            DiagnosticCode.UNKNOWN_IGNORED_CODE,
            "There is no code column",
            "Write the code that a finding shows in brackets, such as HF305"),
        found(
            "--⟦hintflow:ignore⟧ \nSELECT 1;",
            DiagnosticCode.UNKNOWN_IGNORED_CODE,
            "This comment names no code to ignore",
            "Write the code of the finding behind it, such as -- hintflow:ignore HF305"),
        found(
            "SELECT 1⟦⟧ -- end\n",
            DiagnosticCode.MISSING_SEMICOLON,
            "The last statement does not end in a semicolon",
            "Add a semicolon"));
  }

  static Stream<Case> swallowedStatements() {
    return Stream.of(
        swallowed("CREATE TABLE t (a INT);-- join 逻辑⟦INSERT INTO t SELECT 1⟧\n"),
        swallowed(
            "CREATE TABLE t (a INT);-- 😀 all INSERT\r\n--\t逻辑\t⟦insert\tInto t SELECT '😀'⟧ \t\r\n"),
        swallowed("CREATE TABLE t (a INT);\r\n\t-- é⟦INSERT OVERWRITE t SELECT 1;⟧\r\n\r\n"),
        swallowed("CREATE TABLE t (a INT);// the join: ⟦INSERT INTO tSELECT 1⟧"),
        swallowed(
            "INSERT INTO t SELECT 1; -- and then ⟦INSERT INTO t SELECT 2; INSERT INTO t SELECT 3⟧"),
        swallowed("CREATE TABLE t (a INT);\n-- ⟦INSERT INTO t SELECT 1⟧"),
        swallowed(
            "CREATE TABLE t (a INT);\nCREATE VIEW v AS SELECT 1;\n---- (⟦INSERT INTO t SELECT 1)⟧"),
        new Case(
            "⟦⟧-- all of it INSERT\n-- CREATE TABLE t (a INT);⟦INSERT INTO t SELECT 1⟧",
            List.of(
                new Expected(
                    DiagnosticCode.EMPTY_SCRIPT,
                    "The script holds no statement",
                    "Write at least one statement, ended by a semicolon"),
                swallowed())),
        clean("INSERT INTO t SELECT 1;\n-- INSERT INTO t SELECT 2"),
        clean("INSERT INTO t SELECT 1;\n--- -- (INSERT INTO t SELECT 2)"),
        clean("SELECT 1;\n// INSERT OVERWRITE t SELECT 2"),
        clean("BEGIN STATEMENT SET; INSERT INTO t SELECT 1; END;\n-- INSERT INTO t SELECT 2"),
        clean("CREATE TABLE t AS SELECT 1 AS a;\n-- INSERT INTO t SELECT 2"),
        clean("-- INSERT INTO t SELECT 2\nINSERT INTO t SELECT 1;"),
        clean("-- why: INSERT INTO t SELECT 2\nCREATE TABLE t (a INT);"),
        clean("-- why: INSERT INTO t SELECT 2\nCREATE TABLE t (a INT); -- the last"),
        clean("CREATE TABLE t (a INT); /* why: INSERT INTO t SELECT 1 */"),
        clean(
            "CREATE TABLE t (a INT); -- noINSERT INTO, 9INSERT INTO, _INSERT INTO, an INSERT of t"),
        clean("SELECT '-- why: INSERT INTO t SELECT 1';"),
        found(
            "INSERT INTO t ⟦SELEC⟧ 1;\n-- INSERT INTO t SELECT 2",
            DiagnosticCode.SYNTAX_ERROR,
            "Expected a query",
            ""));
  }

  private static Case swallowed(String script) {
    return new Case(script, List.of(swallowed()));
  }

  private static Expected swallowed() {
    return new Expected(
        DiagnosticCode.SWALLOWED_STATEMENT,
        "The INSERT in this comment is not run, and no statement follows",
        "Put a line break before INSERT");
  }

  private static Expected prompt() {
    return new Expected(
        DiagnosticCode.PASTED_PROMPT,
        "The prompt '>' is not part of the statement; it was skipped",
        "Remove the prompt");
  }

  static Stream<Case> hintProblems() {
    String known =
        "Known hints are BROADCAST, HASH_BY_KEY, DISTRIBUTEBY, LATE_DATA_SINK, LOOKUP, OPTIONS,"
            + " STATE_TTL, SHUFFLE_HASH, SHUFFLE_MERGE, NEST_LOOP";
    String form = "Hints are written as /*+ NAME(argument, …), NAME(argument, …) */";
    return Stream.of(
        found(
            "SELECT /*+ ⟦BROADCATS⟧(a) */ * FROM a;",
            DiagnosticCode.UNKNOWN_HINT,
            "There is no hint BROADCATS",
            "Did you mean BROADCAST?"),
        found(
            "SELECT /*+ ⟦distribute_by⟧('a') */ * FROM a;",
            DiagnosticCode.UNKNOWN_HINT,
            "There is no hint distribute_by",
            "Did you mean DISTRIBUTEBY?"),
        found(
            "SELECT /*+ ⟦`A\u001b[31m`⟧(b) */ * FROM a;",
            DiagnosticCode.UNKNOWN_HINT,
            "There is no hint A\uFFFD[31m",
            known),
        found(
            "SELECT /*+ ⟦GO_FASTER⟧ */ * FROM a;",
            DiagnosticCode.UNKNOWN_HINT,
            "There is no hint GO_FASTER",
            known),
        found(
            "SELECT * FROM a /*+ ⟦OPTION⟧('k'='v') */;",
            DiagnosticCode.UNKNOWN_HINT,
            "There is no hint OPTION",
            "Did you mean OPTIONS?"),
        found(
            "SELECT ⟦/*+⟧ BROADCAST(a) * FROM a;",
            DiagnosticCode.MALFORMED_HINT,
            "The hint comment is not closed",
            "Close it with */"),
        found(
            "SELECT /*+ BROADCAST(a) ⟦HASH_BY_KEY⟧('b'='c') */ * FROM a;",
            DiagnosticCode.MALFORMED_HINT,
            "Expected a comma or the end of the hint comment, but found 'HASH_BY_KEY'",
            form),
        found(
            "SELECT /*+ BROADCAST⟦（⟧a） */ * FROM a;",
            DiagnosticCode.MALFORMED_HINT,
            "Expected a comma or the end of the hint comment, but found '（'",
            form),
        found(
            "SELECT /*+ BROADCAST(a⟦.⟧b) */ * FROM a;",
            DiagnosticCode.MALFORMED_HINT,
            "Expected a comma or a closing parenthesis, but found '.'",
            form),
        found(
            "SELECT /*+ BROADCAST(a ⟦*/⟧ * FROM a;",
            DiagnosticCode.MALFORMED_HINT,
            "Expected a comma or a closing parenthesis, but found the end of the hint comment",
            form),
        found(
            "SELECT /*+ HASH_BY_KEY('b'=⟦c⟧) */ * FROM a;",
            DiagnosticCode.MALFORMED_HINT,
            "Expected a value in single quotes, but found 'c'",
            form),
        found(
            "SELECT ⟦/*+⟧ BROADCAST(a;SELECT 1;",
            DiagnosticCode.MALFORMED_HINT,
            "The hint comment is not closed",
            "Close it with */"),
        found(
            "SELECT /*+ ⟦(⟧a) */ * FROM a;",
            DiagnosticCode.MALFORMED_HINT,
            "Expected the name of a hint, but found '('",
            form),
        found(
            "SELECT ⟦/*+ */⟧ * FROM a;",
            DiagnosticCode.EMPTY_HINT,
            "The hint comment is empty",
            "Write a hint, or remove the comment"),
        found(
            "SELECT /*+ ⟦BROADCAST()⟧ */ * FROM a;",
            DiagnosticCode.EMPTY_HINT,
            "BROADCAST needs arguments",
            "Write BROADCAST(table, …)"),
        found(
            "SELECT /*+ ⟦DistributeBy⟧ */ * FROM a;",
            DiagnosticCode.EMPTY_HINT,
            "DISTRIBUTEBY needs arguments",
            "Write DISTRIBUTEBY('column', …)"),
        found(
            "SELECT /*+ ⟦STATE_TTL()⟧ */ * FROM a;",
            DiagnosticCode.EMPTY_HINT,
            "STATE_TTL needs arguments",
            "Write STATE_TTL(…)"),
        found(
            "SELECT * FROM a /*+ ⟦OPTIONS()⟧ */;",
            DiagnosticCode.EMPTY_HINT,
            "OPTIONS needs arguments",
            "Write OPTIONS('key'='value')"),
        found(
            "SELECT /*+ BROADCAST(⟦'a'⟧) */ * FROM a;",
            DiagnosticCode.WRONG_HINT_ARGUMENTS,
            "BROADCAST takes table names without quotes",
            "Write BROADCAST(table, …)"),
        found(
            "SELECT /*+ BROADCAST(a, ⟦'b'='c'⟧) */ * FROM a;",
            DiagnosticCode.WRONG_HINT_ARGUMENTS,
            "BROADCAST takes table names without quotes",
            "Write BROADCAST(table, …)"),
        found(
            "SELECT /*+ HASH_BY_KEY(⟦b⟧) */ * FROM a;",
            DiagnosticCode.WRONG_HINT_ARGUMENTS,
            "HASH_BY_KEY takes pairs of a key and a value",
            "Write HASH_BY_KEY('table'='column, …', …)"),
        found(
            "SELECT /*+ DISTRIBUTEBY(⟦'a'='b'⟧) */ * FROM a;",
            DiagnosticCode.WRONG_HINT_ARGUMENTS,
            "DISTRIBUTEBY takes column names",
            "Write DISTRIBUTEBY('column', …)"),
        found(
            "SELECT /*+ DISTRIBUTEBY(⟦1⟧) */ * FROM a;",
            DiagnosticCode.WRONG_HINT_ARGUMENTS,
            "DISTRIBUTEBY takes column names",
            "Write DISTRIBUTEBY('column', …)"),
        found(
            "SELECT /*+ LATE_DATA_SINK(⟦'s'⟧) */ * FROM a;",
            DiagnosticCode.WRONG_HINT_ARGUMENTS,
            "LATE_DATA_SINK takes pairs of a key and a value",
            "Write LATE_DATA_SINK('sink.name'='table')"),
        found(
            "SELECT /*+ NEST_LOOP(a, ⟦'b'⟧) */ * FROM a;",
            DiagnosticCode.WRONG_HINT_ARGUMENTS,
            "NEST_LOOP takes arguments of one kind",
            "Write NEST_LOOP(…) with names or pairs only"),
        found(
            "SELECT /*+ LATE_DATA_SINK('sink.name'='s', ⟦'windows.start.field'⟧='w') */ * FROM a;",
            DiagnosticCode.UNKNOWN_HINT_KEY,
            "LATE_DATA_SINK has no key 'windows.start.field'",
            "Did you mean 'window.start.field'?"),
        found(
            "SELECT /*+ LATE_DATA_SINK('sink.name'='s', ⟦'x'⟧='w') */ * FROM a;",
            DiagnosticCode.UNKNOWN_HINT_KEY,
            "LATE_DATA_SINK has no key 'x'",
            "Its keys are 'sink.name', 'window.start.field', 'window.end.field'"),
        found(
            "SELECT * FROM a JOIN b /*+ OPTIONS(⟦'duplicate.rigth'⟧='true') */ ON a.x = b.x;",
            DiagnosticCode.UNKNOWN_HINT_KEY,
            "There is no option 'duplicate.rigth'",
            "Did you mean 'duplicate.right'?"),
        found(
            "CREATE TABLE t (a INT) WITH ('connector'='x', ⟦'source.paralelism'⟧='2');",
            DiagnosticCode.UNKNOWN_HINT_KEY,
            "There is no option 'source.paralelism'",
            "Did you mean 'source.parallelism'?"),
        found(
            "SELECT /*+ HASH_BY_KEY('b'='c', ⟦'b'⟧='d') */ * FROM a;",
            DiagnosticCode.DUPLICATE_HINT_KEY,
            "'b' is given twice in this HASH_BY_KEY",
            "Remove one of them"),
        found(
            "SELECT * FROM a /*+ OPTIONS('k'='v', ⟦'k'⟧='w') */;",
            DiagnosticCode.DUPLICATE_HINT_KEY,
            "'k' is given twice in this OPTIONS",
            "Remove one of them"),
        found(
            "SELECT /*+ ⟦LATE_DATA_SINK('window.end.field'='e')⟧ */ * FROM a;",
            DiagnosticCode.MISSING_HINT_KEY,
            "LATE_DATA_SINK needs the key 'sink.name'",
            "Write LATE_DATA_SINK('sink.name'='table')"),
        found(
            "SELECT /*+ ⟦LOOKUP('shuffle'='true')⟧ */ * FROM a;",
            DiagnosticCode.MISSING_HINT_KEY,
            "LOOKUP needs the key 'table'",
            "Write LOOKUP('table'='name', 'shuffle'='true')"),
        found(
            "SELECT /*+ LOOKUP('table'='d', 'shuffle'=⟦'maybe'⟧) */ * FROM a;",
            DiagnosticCode.INVALID_HINT_VALUE,
            "'shuffle' is either 'true' or 'false', not 'maybe'",
            ""),
        found(
            "SELECT /*+ HASH_BY_KEY('b'='c,⟦ ⟧,d') */ * FROM a;",
            DiagnosticCode.INVALID_HINT_VALUE,
            "A column name is missing",
            ""),
        found(
            "SELECT /*+ HASH_BY_KEY('b'='⟦⟧') */ * FROM a;",
            DiagnosticCode.INVALID_HINT_VALUE,
            "A column name is missing",
            ""),
        found(
            "SELECT /*+ DISTRIBUTEBY(⟦' '⟧) */ * FROM a;",
            DiagnosticCode.INVALID_HINT_VALUE,
            "A column name is missing",
            ""),
        found(
            "SELECT /*+ LATE_DATA_SINK('sink.name'=⟦''⟧) */ * FROM a;",
            DiagnosticCode.INVALID_HINT_VALUE,
            "'sink.name' needs a name",
            ""),
        found(
            "SELECT * FROM a JOIN b /*+ OPTIONS('duplicate.left'=⟦'yes'⟧) */ ON a.x = b.x;",
            DiagnosticCode.INVALID_HINT_VALUE,
            "'duplicate.left' is either 'true' or 'false', not 'yes'",
            ""),
        parallelism("0"),
        parallelism("-1"),
        parallelism("two"),
        parallelism("99999999999"),
        parallelism(""),
        parallelism("2.0"),
        found(
            "CREATE TABLE t (a INT) WITH ('source.parallelism' = ⟦'${N}'⟧);",
            DiagnosticCode.INVALID_HINT_VALUE,
            "'source.parallelism' is a positive whole number, not '${N}'",
            "Write the number: the job is laid out by it, so it must be known before the job starts"),
        found(
            "⟦/*+ BROADCAST(a) */⟧ SELECT * FROM a;",
            DiagnosticCode.MISPLACED_HINT,
            "A hint has no effect at this place",
            "Write it directly behind SELECT"),
        found(
            "⟦/*+ BROADCAST(a) */⟧;",
            DiagnosticCode.MISPLACED_HINT,
            "A hint has no effect at this place",
            "Write it directly behind SELECT"),
        found(
            "SELECT * FROM a JOIN b AS c ⟦/*+ OPTIONS('duplicate.right'='true') */⟧ ON a.x = c.x;",
            DiagnosticCode.MISPLACED_HINT,
            "A hint has no effect at this place",
            "Write it directly behind the table's name, before any alias"),
        found(
            "SELECT DISTINCT ⟦/*+ DISTRIBUTEBY('x') */⟧ x FROM a;",
            DiagnosticCode.MISPLACED_HINT,
            "A hint has no effect at this place",
            "Write it directly behind SELECT"),
        found(
            "SELECT /*+ DISTRIBUTEBY('x') */ ⟦/*+ BROADCAST(a) */⟧ x FROM a;",
            DiagnosticCode.MISPLACED_HINT,
            "A hint has no effect at this place",
            "Write it directly behind SELECT"),
        found(
            "SELECT x FROM a /*+ ⟦BROADCAST(a)⟧ */ JOIN b ON a.x = b.x;",
            DiagnosticCode.MISPLACED_HINT,
            "BROADCAST has no effect beside a table",
            "Write it directly behind SELECT"),
        found(
            "SELECT /*+ ⟦OPTIONS('source.parallelism'='2')⟧ */ x FROM a;",
            DiagnosticCode.MISPLACED_HINT,
            "'source.parallelism' has no effect behind SELECT",
            "Write the hint directly behind the table's name"),
        found(
            "INSERT INTO s /*+ OPTIONS(⟦'source.parallelism'='2'⟧) */ SELECT x FROM a;",
            DiagnosticCode.MISPLACED_HINT,
            "'source.parallelism' has no effect here",
            "Write it behind a table in a FROM clause"),
        found(
            "SELECT * FROM a JOIN /*+ OPTIONS(⟦'k'='v'⟧) */ b ON a.x = b.x;",
            DiagnosticCode.MISPLACED_HINT,
            "'k' has no effect before a table",
            "Write the hint directly behind the table's name"),
        found(
            "CREATE TABLE t (a INT) WITH (⟦'duplicate.left' = 'true'⟧);",
            DiagnosticCode.MISPLACED_HINT,
            "'duplicate.left' belongs to a join, not to a table's definition",
            "Write /*+ OPTIONS('duplicate.left'='true') */ behind the table in the FROM clause"),
        found(
            "SELECT /*+ DISTRIBUTEBY('x'), ⟦distributeby('y')⟧ */ x, y FROM a;",
            DiagnosticCode.REPEATED_HINT,
            "A SELECT can have one DISTRIBUTEBY only",
            "Remove one of them"),
        found(
            "SELECT /*+ ⟦OPTIONS('k'='v')⟧ */ x FROM a;",
            DiagnosticCode.IGNORED_OPTIONS,
            "Flink ignores OPTIONS behind SELECT",
            "Write the hint directly behind the table's name"),
        clean("SELECT /*+ STATE_TTL('a'='1d'), SHUFFLE_HASH(a), NEST_LOOP(b) */ x FROM a;"),
        clean("INSERT INTO s /*+ OPTIONS('sink.parallelism'='2') */ SELECT x FROM a;"),
        clean("SELECT x FROM a /*+ OPTIONS('scan.parallelism'='2', 'scan.startup.mode'='x') */;"),
        clean("INSERT INTO s TABLE a /*+ OPTIONS('k'='v') */;"),
        clean("SELECT '/*+ NOPE */' FROM a; -- /*+ NOPE */"));
  }

  private static Case parallelism(String value) {
    return found(
        "SELECT * FROM a /*+ OPTIONS('source.parallelism'=⟦'" + value + "'⟧) */;",
        DiagnosticCode.INVALID_HINT_VALUE,
        "'source.parallelism' is a positive whole number, not '" + value + "'",
        "Write a whole number from 1 to 2147483647");
  }

  @ParameterizedTest
  @MethodSource({"syntaxErrors", "readingProblems", "swallowedStatements", "hintProblems"})
  void tellsWhatIsWrongAndExactlyWhere(Case example) {
    MarkedText marked = MarkedText.of(example.script());
    ScriptReader.Result result = ScriptReader.read(new SourceText("x.sql", marked.text()));
    assertThat(result.diagnostics())
        .extracting(
            diagnostic ->
                new Expected(diagnostic.code(), diagnostic.message(), diagnostic.help().orElse("")))
        .containsExactlyElementsOf(example.findings());
    assertThat(result.diagnostics())
        .extracting(Diagnostic::span)
        .containsExactlyElementsOf(marked.spans());
  }

  @Test
  void everyCodeOfThisModuleHasACase() {
    List<DiagnosticCode> tested =
        Stream.of(syntaxErrors(), readingProblems(), swallowedStatements(), hintProblems())
            .flatMap(cases -> cases)
            .flatMap(example -> example.findings().stream())
            .map(Expected::code)
            .toList();
    List<DiagnosticCode> own =
        Arrays.stream(DiagnosticCode.values())
            .filter(code -> code.id().startsWith("HF1") || code.id().startsWith("HF2"))
            // A script reaches this module as text, so the command line tells of its encoding.
            .filter(code -> code != DiagnosticCode.NOT_UTF_8)
            // What is not used is known when everything else has been found.
            .filter(code -> code != DiagnosticCode.UNUSED_IGNORE)
            .toList();
    assertThat(tested).containsAll(own);
  }

  @Test
  void codesHaveStableDistinctNames() {
    assertThat(Arrays.stream(DiagnosticCode.values()).map(DiagnosticCode::id))
        .doesNotHaveDuplicates()
        .allMatch(id -> id.matches("HF[1-9][0-9]{2}"));
  }

  @Test
  void placesAreTheLineAndColumnThatAnEditorShows() {
    String script = "-- 中文\r\n\tSELECT '😀', a FORM t;";
    Diagnostic diagnostic = ScriptReader.read(new SourceText("x.sql", script)).diagnostics().get(0);
    assertThat(diagnostic.location()).isEqualTo(new Location(2, 21));
    assertThat(diagnostic.span().length()).isEqualTo(1);
  }

  @Test
  void severalErrorsAreToldInOneRunAndTheRestIsRead() {
    MarkedText marked =
        MarkedText.of(
            """
            SELECT ⟦FROM⟧ t;
            CREATE TABLE good (a INT);
            SELECT /*+ ⟦BROADCAS⟧(a) */ * FROM a;
            SELECT 1 ⟦1⟧;
            INSERT INTO good SELECT 2;
            """);
    ScriptReader.Result result = ScriptReader.read(new SourceText("x.sql", marked.text()));
    assertThat(result.diagnostics())
        .extracting(Diagnostic::span)
        .containsExactlyElementsOf(marked.spans());
    assertThat(result.script().statements())
        .extracting(statement -> statement.getClass().getSimpleName())
        .containsExactly("CreateTable", "Query", "Insert");
  }

  @Test
  void repairsKeepTheLengthAndTheLines() {
    String script = "Flink SQL> SELECT f(a,\n> b,) -- c\n#x\nFROM t;";
    ScriptReader.Result result = ScriptReader.read(new SourceText("x.sql", script));
    assertThat(result.script().original().text()).isEqualTo(script);
    assertThat(result.script().text().text())
        .isEqualTo("           SELECT f(a,\n  b ) -- c\n  \nFROM t;");
    assertThat(result.diagnostics())
        .extracting(Diagnostic::severity)
        .containsOnly(Severity.WARNING);
    assertThat(result.script().statements()).hasSize(1);
  }

  @Test
  void settingValuesAreNeverRepeatedInMessages() {
    String script = "SET security.token=s3cr3t;";
    List<Diagnostic> diagnostics = ScriptReader.read(new SourceText("x.sql", script)).diagnostics();
    assertThat(diagnostics).hasSize(1);
    assertThat(diagnostics.get(0).message() + diagnostics.get(0).help()).doesNotContain("s3cr3t");
    assertThat(Optional.of(diagnostics.get(0).severity())).contains(Severity.WARNING);
  }
}
