package io.hintflow.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.transpiler.FlinkVersion;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;

/**
 * The exact place of a finding of every code, in every format, where tabs, Chinese and an emoji
 * stand before it on its line and lines end in CRLF: those of the wrong examples of the pages,
 * moved by what this puts before them.
 */
class SpansTest {
  /** Columns are counted in code points: the emoji is one, as each of the others. */
  private static final String BEFORE = "\t/* 数据\t😀 */\t";

  @TempDir private Path folder;

  /** A script for each code, and the place of its finding, as {@code line:column+length}. */
  private record Moved(Path script, ExplainPage.Example example, String place) {}

  private Map<DiagnosticCode, Moved> movedExamples() throws Exception {
    Map<DiagnosticCode, Moved> examples = new EnumMap<>(DiagnosticCode.class);
    for (DiagnosticCode code : DiagnosticCode.values()) {
      examples.put(code, moved(code));
    }
    return examples;
  }

  private Moved moved(DiagnosticCode code) throws Exception {
    ExplainPage page = ExplainPage.of(code);
    Matcher report =
        Pattern.compile("script\\.sql:(\\d+):(\\d+)\n.*?\\| +(\\^+)\n", Pattern.DOTALL)
            .matcher(page.report());
    assertThat(report.find()).as(page.report()).isTrue();
    int line = Integer.parseInt(report.group(1));
    int column = Integer.parseInt(report.group(2));
    int length = isBetweenCharacters(code) ? 0 : report.group(3).length();

    // As bytes, for one of the scripts is not UTF-8.
    byte[] script = Files.readAllBytes(page.wrong().write(folder));
    String[] lines = new String(script, ISO_8859_1).split("\n", -1);
    String before = before(code);
    lines[line - 1] = new String(before.getBytes(UTF_8), ISO_8859_1) + lines[line - 1];
    Path moved = folder.resolve(code.id() + ".sql");
    Files.write(moved, String.join("\r\n", lines).getBytes(ISO_8859_1));
    int movedColumn = column + before.codePointCount(0, before.length());
    return new Moved(moved, page.wrong(), line + ":" + movedColumn + "+" + length);
  }

  private static boolean isBetweenCharacters(DiagnosticCode code) {
    return code == DiagnosticCode.EMPTY_SCRIPT || code == DiagnosticCode.MISSING_SEMICOLON;
  }

  private static String before(DiagnosticCode code) {
    return switch (code) {
      // It is told of the script's very start.
      case EMPTY_SCRIPT -> "";
      // Behind anything but blanks it would be no prompt.
      case PASTED_PROMPT -> "\t \t";
      default -> BEFORE;
    };
  }

  private enum Format {
    TEXT {
      @Override
      Stream<Found> read(String output) {
        return Pattern.compile(
                "\\[(HF\\d+)\\]: [^\n]*\n +--> ([^\n]+):(\\d+:\\d+)\n[^\n]*\n[^\n]*\n *\\| +(\\^+)\n")
            .matcher(output)
            .results()
            .map(
                found ->
                    new Found(
                        found.group(1),
                        found.group(2),
                        found.group(3) + "+" + found.group(4).length()));
      }

      @Override
      String shown(String place) {
        // A caret between characters is as wide as one over a character.
        return place.replaceAll("\\+0$", "+1");
      }
    },
    JSON {
      @Override
      Stream<Found> read(String output) throws Exception {
        return elements(new ObjectMapper().readTree(output).get("findings"))
            .map(
                found ->
                    new Found(
                        found.get("code").asText(),
                        found.get("file").asText(),
                        place(
                            found.get("start").get("line").asInt(),
                            found.get("start").get("column").asInt(),
                            found.get("end").get("line").asInt(),
                            found.get("end").get("column").asInt())));
      }
    },
    SARIF {
      @Override
      Stream<Found> read(String output) throws Exception {
        JsonNode run = new ObjectMapper().readTree(output).get("runs").get(0);
        assertThat(run.get("columnKind").asText()).isEqualTo("unicodeCodePoints");
        return elements(run.get("results"))
            .map(
                result -> {
                  JsonNode location = result.get("locations").get(0).get("physicalLocation");
                  JsonNode region = location.get("region");
                  return new Found(
                      result.get("ruleId").asText(),
                      location.get("artifactLocation").get("uri").asText(),
                      place(
                          region.get("startLine").asInt(),
                          region.get("startColumn").asInt(),
                          region.get("endLine").asInt(),
                          region.get("endColumn").asInt()));
                });
      }
    },
    GITHUB {
      @Override
      Stream<Found> read(String output) {
        return Pattern.compile(
                "::\\w+ file=([^,]+),line=(\\d+),col=(\\d+),endLine=(\\d+),endColumn=(\\d+),title=(HF\\d+) ")
            .matcher(output)
            .results()
            .map(
                found ->
                    new Found(
                        found.group(6),
                        found.group(1),
                        place(
                            Integer.parseInt(found.group(2)),
                            Integer.parseInt(found.group(3)),
                            Integer.parseInt(found.group(4)),
                            Integer.parseInt(found.group(5)))));
      }
    },
    JUNIT {
      @Override
      Stream<Found> read(String output) throws Exception {
        Document xml =
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(output.getBytes(UTF_8)));
        return Pattern.compile("(\\S+\\.sql):(\\d+:\\d+): \\w+\\[(HF\\d+)\\]: ")
            .matcher(xml.getDocumentElement().getTextContent())
            .results()
            .map(found -> new Found(found.group(3), found.group(1), found.group(2)));
      }

      @Override
      String shown(String place) {
        return place.replaceAll("\\+\\d+$", "");
      }
    };

    abstract Stream<Found> read(String output) throws Exception;

    /** What this format shows of a place. */
    String shown(String place) {
      return place;
    }

    private static Stream<JsonNode> elements(JsonNode array) {
      return StreamSupport.stream(array.spliterator(), false);
    }

    private static String place(int line, int column, int endLine, int endColumn) {
      assertThat(endLine).isEqualTo(line);
      return line + ":" + column + "+" + (endColumn - column);
    }
  }

  private record Found(String code, String file, String place) {
    boolean isOfItsPage() {
      return file.endsWith("/" + code + ".sql");
    }
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void everyFormatTellsTheExactPlaceOfEveryCode(Format format) throws Exception {
    Map<DiagnosticCode, Moved> examples = movedExamples();
    examples.remove(DiagnosticCode.NO_NATIVE_FORM);
    Map<String, String> expected = new TreeMap<>();
    examples.forEach((code, moved) -> expected.put(code.id(), format.shown(moved.place())));
    Map<String, String> places = new TreeMap<>();
    for (FlinkVersion version : FlinkVersion.values()) {
      List<Object> command = new ArrayList<>(List.of("check", "--flink-version", version.label()));
      command.addAll(List.of("--format", format.name().toLowerCase(Locale.ROOT)));
      examples.values().stream()
          .filter(moved -> moved.example().version() == version)
          .forEach(moved -> command.add(moved.script()));
      Invocation check = Invocation.of(command.toArray());
      format
          .read(check.out())
          .filter(Found::isOfItsPage)
          .forEach(found -> places.put(found.code(), found.place()));
    }
    assertThat(places).isEqualTo(expected);
  }

  /** The one code that no check can give. */
  @Test
  void transpilingToSqlTellsTheExactPlace() throws Exception {
    Moved moved = moved(DiagnosticCode.NO_NATIVE_FORM);
    Invocation transpile =
        Invocation.of("transpile", moved.script(), "-o", folder.resolve("job"), "--emit", "sql");
    assertThat(Format.TEXT.read(transpile.err()).map(Found::place)).containsExactly(moved.place());
  }
}
