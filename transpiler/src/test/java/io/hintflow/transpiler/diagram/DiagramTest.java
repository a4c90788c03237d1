package io.hintflow.transpiler.diagram;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.transpiler.emission.VisibleText;
import java.io.StringReader;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class DiagramTest {
  static Stream<String> hostileTexts() {
    return HostileText.ALL.stream();
  }

  @ParameterizedTest
  @MethodSource("hostileTexts")
  void everyTextOfAScriptStaysAText(String hostile) throws Exception {
    Pictures pictures = HostileText.pictures(List.of(hostile));

    Document svg = parsed(pictures.svg());
    assertThat(svg.getElementsByTagName("script").getLength()).isZero();
    assertThat(svg.getElementsByTagName("g").item(0).getNodeName()).isEqualTo("g");
    String name = svg.getElementsByTagName("title").item(0).getTextContent();
    assertThat(name).isEqualTo(VisibleText.of(hostile) + " for Flink 2.2");

    // The two that are the page's own.
    assertThat(pictures.html().split("<script>", -1)).hasSize(2);
    assertThat(pictures.html().split("</script>", -1)).hasSize(2);

    assertThat(Mermaid.of(pictures.plan()).lines().skip(1))
        .allSatisfy(
            line ->
                assertThat(line)
                    .matches("  n\\d+.*\"[^\"<>&`]*(<br/>[^\"<>&`]*)*\".*|  n\\d+ --> n\\d+"));
    assertThat(Dot.of(pictures.plan()).lines().filter(line -> line.contains("tooltip")))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).matches(".* tooltip=\"([^\"\\\\]|\\\\.)*\"];"));
  }

  @Test
  void aLabelIsClippedAndItsTooltipIsNot() {
    String column = "a".repeat(100);
    Pictures pictures =
        Pictures.of(
            "long",
            "CREATE TABLE t (%s STRING) WITH ('connector' = 'datagen');\nSELECT /*+ DISTRIBUTEBY('%s') */ * FROM t;"
                .formatted(column, column));
    assertThat(pictures.svg())
        .contains(">columns: " + "a".repeat(50) + "…</text>")
        .contains("\ncolumns: " + column + "</title>");
    assertThat(Mermaid.of(pictures.plan())).doesNotContain(column);
    assertThat(Dot.of(pictures.plan())).contains("\\ncolumns: " + column);
  }

  @Test
  void wideCharactersCountTwiceWhenALabelIsClipped() {
    assertThat(Labels.clipped("中".repeat(30))).isEqualTo("中".repeat(30));
    assertThat(Labels.clipped("中".repeat(31))).isEqualTo("中".repeat(29) + "…");
    assertThat(Labels.clipped("\uD83D\uDE00".repeat(31)))
        .isEqualTo("\uD83D\uDE00".repeat(29) + "…");
    assertThat(Labels.clipped("x".repeat(60))).isEqualTo("x".repeat(60));
    assertThat(Labels.clipped("x".repeat(61))).isEqualTo("x".repeat(59) + "…");
  }

  @Test
  void whatSteersADisplayIsMadeVisible() {
    assertThat(VisibleText.of("a\u0000b\u001Bc\u202Ed\u0085e\uD800f\tg\nh\u200Di"))
        .isEqualTo("a\u2400b\u241Bc\uFFFDd\uFFFDe\uFFFDf\tg\nh\u200Di");
  }

  @Test
  void secretsAreInNoPicture() throws Exception {
    Pictures orders = Pictures.of("orders");
    assertThat(orders.script().text()).contains("never shown");
    assertThat(
            List.of(orders.svg(), orders.html(), Mermaid.of(orders.plan()), Dot.of(orders.plan())))
        .allSatisfy(picture -> assertThat(picture).doesNotContain("never shown"));
  }

  @Test
  void secretsOfThePageLeaveEveryLineInItsPlace() {
    Pictures pictures =
        Pictures.of(
            "secrets",
            """
            -- It's a comment that opens a quote.
            SET s3.secret-key = hushed;
            CREATE TABLE t (a STRING) WITH ('connector' = 'datagen', 'password' = 'hushed
            hushed', 'token'
              = 'hush''ed');
            SELECT /*+ DISTRIBUTEBY('a') */ * FROM t;
            """);
    assertThat(pictures.html())
        .doesNotContain("hush")
        .contains("<span class=\"number\">6</span><code>SELECT /*+ DISTRIBUTEBY");
  }

  @Test
  void aTableThatNoStageDeclaresHasABox() {
    Pictures pictures =
        Pictures.of("elsewhere", "INSERT INTO declared_elsewhere SELECT 1 AS a, 'b' AS b;");
    assertThat(Diagram.of(pictures.plan()).boxes())
        .extracting(Diagram.Box::name, Diagram.Box::what)
        .contains(
            org.assertj.core.groups.Tuple.tuple(
                "table/declared_elsewhere", "table, declared elsewhere"));
    assertThat(pictures.html()).contains("table/declared_elsewhere");
  }

  @Test
  void aTableThatIsReadAndWrittenByOneStageIsDrawn() throws Exception {
    Pictures pictures =
        Pictures.of(
            "circle",
            "CREATE TABLE t (a INT) WITH ('connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b', 'format' = 'json');\nINSERT INTO t SELECT a + 1 FROM t;");
    assertThat(parsed(pictures.svg()).getElementsByTagName("path").getLength()).isPositive();
  }

  @Test
  void aPageOfAPlanThatWasWrittenDownShowsNoScript() throws Exception {
    String html = Html.of(Pictures.of("orders").plan(), List.of());
    assertThat(html).doesNotContain("id=\"scripts\"").contains("data-stage=\"view/in_euros\"");
  }

  @Test
  void eachOfSeveralScriptsIsShownWithItsOwnLines() throws Exception {
    Pictures orders = Pictures.of("orders");
    Pictures other = Pictures.of("one-stage");
    String html = Html.of(orders.plan(), List.of(other.script(), orders.script()));
    assertThat(html)
        .contains("id=\"script-0\"", "id=\"script-1\"")
        .contains(
            "data-stage=\"view/in_euros\" data-script=\"1\" data-first=\"43\" data-last=\"45\"");
  }

  private static Document parsed(String xml) throws Exception {
    DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    return parser.parse(new InputSource(new StringReader(xml)));
  }
}
