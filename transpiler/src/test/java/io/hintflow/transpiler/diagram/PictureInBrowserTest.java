package io.hintflow.transpiler.diagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import io.hintflow.transpiler.testing.Browser;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pictures and pages as a real browser shows them, from one stage to sixty. Needs a Chromium;
 * without one it is skipped, but not where CI is set. {@code make screenshots} writes what it sees
 * to testdata/plan.
 */
class PictureInBrowserTest {
  private static final boolean REWRITE =
      "rewrite".equals(System.getProperty("hintflow.screenshots"));

  @TempDir static Path folder;

  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    if (Browser.program().isEmpty()) {
      String reason = "there is no Chromium on the PATH, and CHROME names none";
      assertThat(System.getenv("CI")).as(reason).isNotEqualTo("true");
      abort(reason);
    }
    browser = Browser.start(Browser.program().get());
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void reset() throws Exception {
    browser.resize(1400, 900);
    browser.show(false, false);
  }

  @ParameterizedTest
  @CsvSource({"one-stage, 1", "orders, 14", "large, 61"})
  void boxesAndTextsHaveTheirPlace(String name, int stages) throws Exception {
    for (String kind : List.of("svg", "html")) {
      browser.open(written(name, kind), "");
      assertThat(browser.evaluate("document.querySelectorAll('.stage').length").asInt())
          .isEqualTo(stages);
      for (boolean dark : List.of(false, true)) {
        browser.show(dark, false);
        assertThat(faults()).as("%s, dark: %s", kind, dark).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"one-stage", "orders", "large"})
  void anImageInAnotherPageIsLightOrDarkAsTheReaderPrefers(String name) throws Exception {
    written(name, "svg");
    Path page =
        Files.writeString(
            folder.resolve("image.html"),
            "<!DOCTYPE html><body style='margin: 0'><img src='%s.svg'>".formatted(name));
    browser.open(page, "");

    BufferedImage light = browser.screenshot();
    browser.show(true, false);
    BufferedImage dark = browser.screenshot();

    assertThat(colors(light)).isGreaterThan(20);
    assertThat(colors(dark)).isGreaterThan(20);
    assertThat(light.getRGB(2, 2)).isEqualTo(0xFFFFFFFF);
    assertThat(brightness(dark.getRGB(2, 2))).isLessThan(0x20);
  }

  @Test
  void aChosenStageIsMarkedWithItsLinesAndTold() throws Exception {
    browser.open(written("orders", "html"), "");
    assertThat(chosen()).isEmpty();
    assertThat(told()).isEmpty();

    browser.click("[data-stage='view/in_euros'] .name");
    assertThat(chosen()).containsExactly("view/in_euros");
    assertThat(told()).containsExactly("view/in_euros");
    assertThat(marked()).containsExactly("43", "44", "45");
    assertThat(browser.evaluate("location.hash").asText()).isEqualTo("#view/in_euros");

    browser.press("ArrowDown");
    assertThat(chosen()).containsExactly("view/by_country/deduplication c");
    assertThat(marked()).containsExactly("51");

    browser.press("Escape");
    assertThat(chosen()).isEmpty();
    assertThat(marked()).isEmpty();
  }

  @Test
  void aChosenLineMarksTheStagesThatComeFromIt() throws Exception {
    browser.open(written("orders", "html"), "");

    browser.click(".line:nth-child(51)");
    assertThat(chosen()).containsExactly("view/by_country/deduplication c", "view/by_country");
    assertThat(told()).isEqualTo(chosen());

    // The keyboard does the same: the next line with a stage's beginning, and Enter.
    browser.evaluate("document.querySelector('.line:nth-child(33)').focus()");
    browser.press("Enter");
    assertThat(chosen()).containsExactly("table/rates");
  }

  @Test
  void anAddressLeadsToAStageAndItsLinesAreInSight() throws Exception {
    Path page = written("large", "html");
    browser.open(page, "#select/2/broadcast%20c");

    assertThat(chosen()).containsExactly("select/2/broadcast c");
    for (String selector : List.of(".line.marked", ".stage.chosen .outline")) {
      assertThat(
              browser
                  .evaluate(
                      """
                      (() => {
                        const place = document.querySelector('%s').getBoundingClientRect();
                        return document.elementFromPoint(place.left + 40, place.top + 8) !== null
                            && place.top >= 0 && place.bottom <= innerHeight;
                      })()
                      """
                          .formatted(selector))
                  .asBoolean())
          .as(selector)
          .isTrue();
    }

    browser.click("#fit");
    assertThat(
            browser
                .evaluate(
                    "document.querySelector('#picture').scrollWidth <= document.querySelector('#picture').clientWidth")
                .asBoolean())
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "orders, view/in_euros/broadcast%20r",
    "large, view/clicks_of_products/broadcast%20p"
  })
  void aPageIsLightOrDarkAndFitsScreensOfAllWidths(String name, String stage) throws Exception {
    Path page = written(name, "html");
    browser.resize(1200, 720);
    browser.open(page, "#" + stage);
    BufferedImage light = browser.screenshot();
    browser.show(true, false);
    BufferedImage dark = browser.screenshot();
    if (REWRITE) {
      write(light, name + "-light.png");
      write(dark, name + "-dark.png");
    }

    assertThat(brightness(light.getRGB(2, 2))).isGreaterThan(0xE0);
    assertThat(brightness(dark.getRGB(2, 2))).isLessThan(0x20);
    for (int width : List.of(360, 800, 1400)) {
      browser.resize(width, 800);
      assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
          .isLessThanOrEqualTo(width);
    }
  }

  @Test
  void onPaperThePageIsLightAndTellsAllStages() throws Exception {
    browser.open(written("orders", "html"), "#table/rates");
    browser.show(true, true);

    assertThat(told()).hasSize(14);
    assertThat(brightness(browser.screenshot().getRGB(2, 2))).isGreaterThan(0xE0);
    assertThat(faults()).isEmpty();
  }

  @Test
  void noScriptCanRunCodeInThePage() throws Exception {
    Pictures hostile = HostileText.pictures(HostileText.ALL);
    browser.open(Files.writeString(folder.resolve("hostile.html"), hostile.html()), "");
    assertThat(browser.evaluate("typeof window.hacked").asText()).isEqualTo("undefined");
    // Nothing but the page's own script, and that runs whole.
    assertThat(browser.evaluate("document.scripts.length").asInt()).isEqualTo(1);
    assertThat(browser.evaluate("document.querySelectorAll('img, iframe, object').length").asInt())
        .isZero();
    assertThat(browser.evaluate("stages.length").asInt()).isEqualTo(3 * HostileText.ALL.size());
  }

  /** Even if a text got into the page as it is. */
  @Test
  void thePolicyOfThePageStopsWhatIsNotItsOwn() throws Exception {
    String html = Files.readString(written("one-stage", "html"));
    Path page =
        Files.writeString(
            folder.resolve("injected.html"),
            html.replace(
                "<main>",
                "<main><script>window.hacked = 1</script><img src=x onerror='hacked = 2'>"));
    browser.open(page, "");
    assertThat(browser.evaluate("typeof window.hacked").asText()).isEqualTo("undefined");
  }

  /** A picture of a script of testdata/plan, made once for all tests. */
  private static Path written(String name, String kind) throws IOException {
    Path file = folder.resolve(name + "." + kind);
    if (Files.exists(file)) {
      return file;
    }
    Pictures pictures = Pictures.of(name);
    return Files.writeString(file, kind.equals("svg") ? pictures.svg() : pictures.html());
  }

  private static List<String> faults() throws Exception {
    try (InputStream script =
        PictureInBrowserTest.class.getResourceAsStream("/diagram/faults.js")) {
      return texts(browser.evaluate(new String(script.readAllBytes(), StandardCharsets.UTF_8)));
    }
  }

  private static List<String> chosen() throws Exception {
    return texts(
        browser.evaluate(
            "[...document.querySelectorAll('.chosen')].map((box) => box.dataset.stage)"));
  }

  private static List<String> told() throws Exception {
    return texts(
        browser.evaluate(
            "[...document.querySelectorAll('.details')].filter((shown) => shown.getClientRects().length).map((shown) => shown.dataset.stage)"));
  }

  private static List<String> marked() throws Exception {
    return texts(
        browser.evaluate(
            "[...document.querySelectorAll('.marked .number')].map((number) => number.textContent)"));
  }

  private static List<String> texts(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
  }

  /** As small as a PNG can be. */
  private static void write(BufferedImage image, String file) throws IOException {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
    ImageWriteParam parameters = writer.getDefaultWriteParam();
    parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
    parameters.setCompressionQuality(0);
    Files.deleteIfExists(Pictures.FOLDER.resolve(file));
    try (ImageOutputStream output =
        ImageIO.createImageOutputStream(Pictures.FOLDER.resolve(file).toFile())) {
      writer.setOutput(output);
      writer.write(null, new IIOImage(image, null, null), parameters);
    } finally {
      writer.dispose();
    }
  }

  private static long colors(BufferedImage image) {
    return IntStream.range(0, image.getHeight())
        .flatMap(y -> IntStream.range(0, image.getWidth()).map(x -> image.getRGB(x, y)))
        .distinct()
        .limit(100)
        .count();
  }

  private static int brightness(int color) {
    return Math.max(color >> 16 & 0xFF, Math.max(color >> 8 & 0xFF, color & 0xFF));
  }
}
