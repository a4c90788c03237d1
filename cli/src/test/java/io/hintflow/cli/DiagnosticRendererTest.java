package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Severity;
import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Span;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiagnosticRendererTest {
  private static final DiagnosticCode ERROR = firstCode(Severity.ERROR);
  private static final DiagnosticCode WARNING = firstCode(Severity.WARNING);

  private static DiagnosticCode firstCode(Severity severity) {
    return Arrays.stream(DiagnosticCode.values())
        .filter(code -> code.severity() == severity)
        .findFirst()
        .orElseThrow();
  }

  private static Diagnostic find(DiagnosticCode code, String text, String marked) {
    int start = text.indexOf(marked);
    return new Diagnostic(
        code,
        new SourceText("orders.sql", text),
        new Span(start, start + marked.length()),
        "unknown hint " + marked,
        Optional.empty());
  }

  private static String render(Diagnostic... diagnostics) throws CliException {
    return new DiagnosticRenderer(ScriptFiles.read(List.of()), false).render(List.of(diagnostics));
  }

  @Test
  void showsNoSecretAndLeavesTheRestInItsPlace() throws CliException {
    String line =
        "'url' = 'redis://me:a@b', 'password' = 'it''s💧', 'token' 'b', 'secret' == \"c\", 'prot' = '1'";
    String shown =
        "'url' = 'redis://me:*@b', 'password' = '*******', 'token' '*', 'secret' == \"*\", 'prot' = '1'";
    assertThat(render(find(ERROR, "-- don't\nWITH (" + line + ")", "'prot'")))
        .contains(
            "2 | WITH ("
                + shown
                + ")\n  | "
                + " ".repeat(6 + shown.indexOf("'prot'"))
                + "^^^^^^\n");
  }

  @Test
  void showsTheLineWithACaretUnderEveryCharacterOfTheSpan() throws CliException {
    Diagnostic found = find(ERROR, "\n".repeat(11) + "SELECT /*+ OOPS('id') */ id", "OOPS");
    Diagnostic helped =
        new Diagnostic(
            ERROR,
            found.source(),
            found.span(),
            found.message(),
            Optional.of("did you mean OPTIONS?"));
    assertThat(render(helped))
        .isEqualTo(
            """
            error[%s]: unknown hint OOPS
              --> orders.sql:12:12
               |
            12 | SELECT /*+ OOPS('id') */ id
               |            ^^^^
               = help: did you mean OPTIONS?

            1 error
            """
                .formatted(ERROR.id()));
  }

  @Test
  void countsWideCharactersAsTwoCellsAndMarksAsNone() throws CliException {
    assertThat(excerpt("订单，ＡＢ 🚚 e\u0301 OOPS", "OOPS"))
        .isEqualTo(
            """
            1 | 订单，ＡＢ 🚚 e\u0301 OOPS
              |                 ^^^^
            """);
    assertThat(excerpt("a 订单 b", "订单"))
        .isEqualTo(
            """
            1 | a 订单 b
              |   ^^^^
            """);
  }

  @Test
  void expandsTabs() throws CliException {
    assertThat(excerpt("\tab\tOOPS", "OOPS"))
        .isEqualTo(
            """
            1 |     ab  OOPS
              |         ^^^^
            """);
  }

  @Test
  void endsLinesAtCarriageReturnsToo() throws CliException {
    assertThat(excerpt("SELECT 1;\r\nOOPS;\r\n", "OOPS"))
        .isEqualTo(
            """
            2 | OOPS;
              | ^^^^
            """);
    assertThat(excerpt("SELECT 1;\rOOPS;\r", "OOPS")).startsWith("2 | OOPS;\n");
  }

  @Test
  void marksTheFirstLineOfALongerSpan() throws CliException {
    assertThat(excerpt("x (a,  \n  b)", "(a,  \n  b)"))
        .isEqualTo(
            """
            1 | x (a,
              |   ^^^
            """);
  }

  @Test
  void marksOneCellWhereTheSpanIsEmpty() throws CliException {
    assertThat(excerpt("SELECT", ""))
        .isEqualTo(
            """
            1 | SELECT
              | ^
            """);
    String text = "SELECT 1\n";
    Diagnostic atEnd =
        new Diagnostic(
            ERROR,
            new SourceText("orders.sql", text),
            new Span(text.length(), text.length()),
            "there is more to come",
            Optional.empty());
    assertThat(render(atEnd)).contains("2 |\n  | ^\n");
  }

  @Test
  void letsNoControlCharacterReachTheTerminal() throws CliException {
    // An escape sequence, its one-character form, and a mark that would turn the direction of the
    // line.
    String shown = render(find(ERROR, "\u001b[2J \u009b2J OOPS\u0007\u202e", "OOPS\u0007\u202e"));
    assertThat(shown)
        .contains("1 | ␛[2J �2J OOPS␇�\n")
        .contains("unknown hint OOPS")
        .doesNotContain("\u001b", "\u009b", "\u0007", "\u202e");
  }

  @Test
  void clipsALongLineAroundTheSpan() throws CliException {
    String[] lines = excerpt("a".repeat(5000) + "OOPS" + "b".repeat(5000), "OOPS").split("\n");
    assertThat(lines[0]).startsWith("1 | …aaa").contains("aOOPSb").endsWith("b…");
    assertThat(lines[0].length()).isLessThan(130);
    assertThat(lines[1].indexOf('^')).isEqualTo(lines[0].indexOf("OOPS"));
    assertThat(lines[1]).endsWith("^^^^");
  }

  @Test
  void clipsASpanThatIsLongerThanALine() throws CliException {
    String[] lines = excerpt("x".repeat(300), "x".repeat(300)).split("\n");
    assertThat(lines[0]).hasSizeLessThan(130).endsWith("…");
    assertThat(lines[1]).hasSizeLessThan(130).endsWith("^");
  }

  @Test
  void countsWhatWasFound() throws CliException {
    String text = "a b c";
    assertThat(render(find(ERROR, text, "a"), find(ERROR, text, "b"), find(WARNING, text, "c")))
        .endsWith("\n2 errors, 1 warning\n");
    assertThat(render()).isEmpty();
  }

  @Test
  void followsTheOrderOfTheScriptsAndOfTheText(@TempDir Path folder) throws Exception {
    Path first = Files.writeString(folder.resolve("z.sql"), "one two");
    Path second = Files.writeString(folder.resolve("a.sql"), "three");
    ScriptFiles files = ScriptFiles.read(List.of(first, second));
    List<Diagnostic> found =
        List.of(
            at(files.sources().get(1), 0),
            at(files.sources().get(0), 4),
            at(files.sources().get(0), 0));
    assertThat(new DiagnosticRenderer(files, false).render(found).lines())
        .filteredOn(line -> line.contains("-->"))
        .containsExactly(
            " --> " + first + ":1:1", " --> " + first + ":1:5", " --> " + second + ":1:1");
  }

  private static Diagnostic at(SourceText source, int offset) {
    return new Diagnostic(
        ERROR, source, new Span(offset, offset + 1), "something is wrong", Optional.empty());
  }

  @Test
  void colorsOnlyWhenAsked() throws CliException {
    Diagnostic found = find(ERROR, "SELECT OOPS", "OOPS");
    String plain = render(found);
    String colored =
        new DiagnosticRenderer(ScriptFiles.read(List.of()), true).render(List.of(found));
    assertThat(plain).doesNotContain("\u001b");
    assertThat(colored).contains("\u001b[1;31merror[").contains("\u001b[1;31m^^^^\u001b[0m");
    assertThat(colored.replaceAll("\u001b\\[[0-9;]*m", "")).isEqualTo(plain);
  }

  @Property
  void showsAnySpanOfAnyTextHarmlessly(
      @ForAll("texts") String text, @ForAll int one, @ForAll int other) throws CliException {
    int start = Math.floorMod(one, text.length() + 1);
    int end = start + Math.floorMod(other, text.length() - start + 1);
    String shown =
        render(
            new Diagnostic(
                ERROR,
                new SourceText("orders.sql", text),
                new Span(start, end),
                text,
                Optional.of(text)));
    assertThat(shown.codePoints())
        .noneMatch(codePoint -> Character.isISOControl(codePoint) && codePoint != '\n');
    assertThat(shown.lines()).hasSize(8);
    assertThat(shown.lines().toList().get(4)).matches(" +\\| *\\^+");
  }

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<Character> characters =
        Arbitraries.frequencyOf(
            Tuple.of(8, Arbitraries.of('a', ' ', '\t', '\n', '\r', '\'', '订', '́')),
            Tuple.of(1, Arbitraries.chars().all()));
    return Arbitraries.oneOf(
        characters.list().ofMaxSize(60).map(DiagnosticRendererTest::join),
        characters.list().ofMinSize(1500).ofMaxSize(2500).map(DiagnosticRendererTest::join));
  }

  private static String join(List<Character> characters) {
    StringBuilder text = new StringBuilder();
    characters.forEach(text::append);
    return text.toString();
  }

  /** The two lines that show the source. */
  private static String excerpt(String text, String marked) throws CliException {
    return render(find(ERROR, text, marked))
        .lines()
        .skip(3)
        .limit(2)
        .reduce("", (all, line) -> all + line + "\n");
  }
}
