package io.hintflow.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Span;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** What paths and texts can hold that means something in a format. */
class ReportsTest {
  private static final String EVIL = "a,b:c%\r\n]]>&<\"'\u0007\uFFFE\uD83D 订单 😀";

  private static String report(Function<PrintStream, Report> format, CheckedScript... scripts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Report report = format.apply(new PrintStream(bytes, false, StandardCharsets.UTF_8))) {
      List.of(scripts).forEach(report::add);
      report.addFault("cannot read " + EVIL);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** A finding at each place of a word. */
  private static CheckedScript script(String path, DiagnosticCode code, String text, String word) {
    SourceText source = new SourceText("script.sql", text);
    List<Diagnostic> found = new ArrayList<>();
    for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      found.add(
          new Diagnostic(
              code, source, new Span(at, at + word.length()), "about " + EVIL, Optional.of("do")));
    }
    return new CheckedScript(path, found);
  }

  private static CheckedScript evil(DiagnosticCode code) {
    return script(EVIL, code, "SELECT\n x y", "x");
  }

  private static JsonNode sarif(CheckedScript... scripts) throws Exception {
    String text =
        report(out -> new SarifReport(out, "1", code -> "# " + code + "\n\nThis\nis.\n"), scripts);
    return new ObjectMapper().readTree(text).get("runs").get(0);
  }

  private static Document junit(boolean strict, CheckedScript... scripts) throws Exception {
    String text = report(out -> new JunitReport(out, strict), scripts);
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void githubEscapesPropertiesAndMessages() {
    // The message has no control characters any more, the path has.
    assertThat(report(GithubReport::new, evil(DiagnosticCode.COLUMN_ORDER)))
        .isEqualTo(
            "::warning file=a%2Cb%3Ac%25%0D%0A]]>&<\"'\u0007\uFFFE? 订单 😀,line=2,col=2,endLine=2,"
                + "endColumn=3,title=HF427 A query gives its sink's columns in another order"
                + "::about a,b:c%25\uFFFD\uFFFD]]>&<\"'\uFFFD\uFFFE? 订单 😀%0Ahelp: do\n"
                + "::error title=hintflow::cannot read a,b:c%25%0D%0A]]>&<\"'\u0007\uFFFE? 订单 😀\n");
  }

  @Test
  void jsonKeepsWhatItCan() throws Exception {
    String text = report(JsonReport::new, evil(DiagnosticCode.UNKNOWN_COLUMN));
    JsonNode json = new ObjectMapper().readTree(text);
    assertThat(json.get("files").get(0).textValue()).isEqualTo(EVIL.replace('\uD83D' + " ", "? "));
    assertThat(json.get("faults").get(0).textValue()).startsWith("cannot read a,b:c%\r\n]]>");
    assertThat(text).endsWith("}\n");
  }

  @Test
  void jsonIsWholeWithoutAnyScript() throws Exception {
    JsonNode json = new ObjectMapper().readTree(report(JsonReport::new));
    assertThat(json.get("findings")).isEmpty();
    assertThat(json.get("counts").get("error").intValue()).isZero();
  }

  @Test
  void junitReplacesWhatXmlCannotHold() throws Exception {
    Document document = junit(false, evil(DiagnosticCode.UNKNOWN_COLUMN));
    Element failure = (Element) document.getElementsByTagName("failure").item(0);
    assertThat(failure.getAttribute("message"))
        .isEqualTo("about a,b:c%\uFFFD\uFFFD]]>&<\"'\uFFFD\uFFFD\uFFFD 订单 😀");
    assertThat(failure.getAttribute("type")).isEqualTo("HF305");
    assertThat(failure.getTextContent()).contains(":2:2: error[HF305]: about a,b:c%");
    assertThat(document.getElementsByTagName("error").getLength()).isEqualTo(1);
  }

  @Test
  void junitTakesWarningsForFailuresOnlyIfItIsStrict() throws Exception {
    CheckedScript warned = evil(DiagnosticCode.COLUMN_ORDER);
    CheckedScript noted = evil(DiagnosticCode.SOURCE_ORDER_NOT_KEPT);
    Document lenient = junit(false, warned, noted);
    assertThat(lenient.getElementsByTagName("failure").getLength()).isZero();
    assertThat(lenient.getElementsByTagName("system-out").getLength()).isEqualTo(2);
    assertThat(lenient.getElementsByTagName("testcase").getLength()).isEqualTo(3);
    Document strict = junit(true, warned, noted);
    assertThat(strict.getElementsByTagName("failure").getLength()).isEqualTo(1);
    assertThat(strict.getElementsByTagName("system-out").getLength()).isEqualTo(1);
  }

  @Test
  void sarifEncodesAddresses() throws Exception {
    JsonNode relative = sarif(evil(DiagnosticCode.UNKNOWN_COLUMN)).get("results").get(0);
    JsonNode address =
        relative.get("locations").get(0).get("physicalLocation").get("artifactLocation");
    assertThat(address.get("uri").textValue())
        .isEqualTo(
            "a%2Cb%3Ac%25%0D%0A%5D%5D%3E%26%3C%22%27%07%EF%BF%BE%3F%20%E8%AE%A2%E5%8D%95%20"
                + "%F0%9F%98%80");
    assertThat(address.get("uriBaseId").textValue()).isEqualTo("%SRCROOT%");
    JsonNode absolute =
        sarif(script("/sql/a b.sql", DiagnosticCode.UNKNOWN_COLUMN, "x", "x"))
            .findValue("artifactLocation");
    assertThat(absolute.toString()).isEqualTo("{\"uri\":\"file:///sql/a%20b.sql\"}");
  }

  @Test
  void sarifSaysOfEachRuleWhatItsPageSays() throws Exception {
    JsonNode run = sarif(evil(DiagnosticCode.COLUMN_ORDER), evil(DiagnosticCode.UNKNOWN_COLUMN));
    JsonNode rules = run.get("tool").get("driver").get("rules");
    assertThat(rules.findValuesAsText("id")).containsExactly("HF305", "HF427");
    assertThat(rules.get(1).get("name").textValue()).isEqualTo("ColumnOrder");
    assertThat(rules.get(1).get("fullDescription").get("text").textValue()).isEqualTo("This is.");
    assertThat(rules.get(1).get("defaultConfiguration").get("level").textValue())
        .isEqualTo("warning");
    assertThat(run.get("results").findValuesAsText("ruleIndex")).containsExactly("1", "0");
    assertThat(run.get("invocations").get(0).get("executionSuccessful").booleanValue()).isFalse();
  }

  @Test
  void sarifKnowsAFindingAgainWhereverItsLineGoes() throws Exception {
    DiagnosticCode code = DiagnosticCode.UNKNOWN_COLUMN;
    List<String> before = fingerprints(script("a.sql", code, "SELECT x;\nSELECT x, y, x;", "x"));
    assertThat(before).doesNotHaveDuplicates().hasSize(3);
    List<String> moved =
        fingerprints(script("a.sql", code, "\n -- more\n  SELECT x;\r\n\tSELECT x, y, x;\n", "x"));
    assertThat(moved).isEqualTo(before);
    List<String> changed = fingerprints(script("a.sql", code, "SELECT x;\nSELECT x, z, x;", "x"));
    assertThat(changed.get(0)).isEqualTo(before.get(0));
    assertThat(changed.get(1)).isNotEqualTo(before.get(1));
    assertThat(fingerprints(script("a.sql", DiagnosticCode.UNKNOWN_TABLE, "SELECT x;", "x")))
        .doesNotContainAnyElementsOf(before);
  }

  private static List<String> fingerprints(CheckedScript script) throws Exception {
    List<String> fingerprints = new ArrayList<>();
    sarif(script)
        .get("results")
        .forEach(
            result ->
                fingerprints.add(
                    result.get("partialFingerprints").get("codeAndLine/v1").textValue()));
    return fingerprints;
  }

  @Test
  void placesCountCodePointsAndEndBehindTheLastOne() throws Exception {
    CheckedScript script =
        script("a.sql", DiagnosticCode.UNKNOWN_COLUMN, "-- 订单\r\n\t'😀' 订x\r\n", "订x");
    JsonNode region = sarif(script).findValue("region");
    assertThat(region.toString())
        .isEqualTo("{\"startLine\":2,\"startColumn\":6,\"endLine\":2,\"endColumn\":8}");
  }
}
