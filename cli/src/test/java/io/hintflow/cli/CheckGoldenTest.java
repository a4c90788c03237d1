package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.hintflow.grammar.DiagnosticCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * What {@code check} says of the scripts of {@code testdata/check}, in each format, against files
 * that a person has read. {@code make golden} rewrites them.
 */
class CheckGoldenTest {
  private static final boolean REWRITE = "rewrite".equals(System.getProperty("hintflow.golden"));
  private static final Path FOLDER = Path.of(System.getProperty("hintflow.testdata"), "check");

  /** As a path that is not the same on every machine, the folder is called by its name. */
  private static String check(String format) {
    Path scripts = Path.of("").toAbsolutePath().relativize(FOLDER.resolve("scripts"));
    Invocation checked = Invocation.of("check", scripts, "--format", format);
    assertThat(checked.exitCode()).as(checked.err()).isEqualTo(ExitCode.INPUT_HAS_ERRORS);
    assertThat(checked.err()).isEmpty();
    return checked.out().replace(scripts.toString(), "scripts");
  }

  @ParameterizedTest
  @CsvSource({
    "text, text.txt",
    "json, json.json",
    "sarif, sarif.json",
    "github, github.txt",
    "junit, junit.xml"
  })
  void isWhatItWas(String format, String file) throws IOException {
    String actual = withoutPages(check(format));
    Path golden = FOLDER.resolve("expected").resolve(file);
    if (REWRITE) {
      Files.createDirectories(golden.getParent());
      Files.writeString(golden, actual);
    }
    assertThat(actual).isEqualTo(Files.readString(golden));
  }

  /** Of the pages of {@code explain}, which have a test of their own, the names will do. */
  private static String withoutPages(String report) {
    String without = report;
    for (DiagnosticCode code : DiagnosticCode.values()) {
      char[] page = JsonStringEncoder.getInstance().quoteAsString(ExplainPages.markdown(code));
      without = without.replace(new String(page), "(the page of " + code.id() + ")");
    }
    return without;
  }

  @Test
  void sarifIsValid() throws IOException {
    try (InputStream text = getClass().getResourceAsStream("/schemas/sarif-2.1.0-rtm.5.json")) {
      ObjectMapper mapper = new ObjectMapper();
      JsonSchema schema =
          JsonSchemaFactory.getInstance(VersionFlag.V7).getSchema(mapper.readTree(text));
      assertThat(schema.validate(mapper.readTree(check("sarif")))).isEmpty();
    }
  }

  @Test
  void junitCountsItsCases() throws Exception {
    NodeList suites =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(check("junit").getBytes(StandardCharsets.UTF_8)))
            .getElementsByTagName("testsuite");
    assertThat(suites.getLength()).isEqualTo(5);
    for (int i = 0; i < suites.getLength(); i++) {
      Element suite = (Element) suites.item(i);
      assertThat(suite.getElementsByTagName("testcase").getLength())
          .isEqualTo(Integer.parseInt(suite.getAttribute("tests")));
      assertThat(suite.getElementsByTagName("failure").getLength())
          .isEqualTo(Integer.parseInt(suite.getAttribute("failures")));
    }
  }
}
