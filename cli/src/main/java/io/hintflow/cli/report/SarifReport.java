package io.hintflow.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * SARIF 2.1.0, which GitHub's code scanning and many editors read. Its rules, which are those of
 * the codes that were found, stand before the results; so this keeps all findings to the end.
 */
public final class SarifReport implements Report {
  private static final String SCHEMA =
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

  /** What relative addresses are relative to: the folder in which the check was run. */
  private static final String ROOT = "%SRCROOT%";

  private static final int FINGERPRINT_BYTES = 8;

  private final JsonGenerator json;
  private final String version;
  private final Function<DiagnosticCode, String> pages;
  private final List<Result> results = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  /**
   * @param fingerprint the same as long as code and line are, wherever the line moves to
   */
  private record Result(Finding finding, String fingerprint) {}

  /**
   * @param version hintflow's own
   * @param pages the Markdown page that explains a code, with a heading and a first paragraph
   */
  public SarifReport(PrintStream out, String version, Function<DiagnosticCode, String> pages) {
    this.json = JsonOutput.to(out);
    this.version = version;
    this.pages = pages;
  }

  @Override
  public void add(CheckedScript script) {
    Map<String, Integer> alike = new HashMap<>();
    for (Diagnostic found : script.diagnostics()) {
      String line = found.source().line(found.location().line()).strip();
      String hash = hash(found.code().id() + "\n" + line);
      int count = alike.merge(hash, 1, Integer::sum);
      results.add(new Result(Finding.of(script.path(), found), hash + ":" + count));
    }
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(Arrays.copyOf(digest, FINGERPRINT_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  @Override
  public void addFault(String sentence) {
    faults.add(sentence);
  }

  @Override
  public void close() {
    List<DiagnosticCode> rules =
        List.copyOf(
            results.stream()
                .map(result -> result.finding().code())
                .collect(Collectors.toCollection(TreeSet::new)));
    try {
      json.writeStartObject();
      json.writeStringField("$schema", SCHEMA);
      json.writeStringField("version", "2.1.0");
      json.writeArrayFieldStart("runs");
      json.writeStartObject();
      writeTool(rules);
      writeInvocation();
      json.writeObjectFieldStart("originalUriBaseIds");
      json.writeObjectFieldStart(ROOT);
      writeText("description", "The folder in which hintflow was run");
      json.writeEndObject();
      json.writeEndObject();
      json.writeStringField("columnKind", "unicodeCodePoints");
      json.writeArrayFieldStart("newlineSequences");
      for (String lineEnd : List.of("\r\n", "\n", "\r")) {
        json.writeString(lineEnd);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("results");
      for (Result result : results) {
        write(result, rules.indexOf(result.finding().code()));
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeEndArray();
      json.writeEndObject();
      JsonOutput.end(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void writeTool(List<DiagnosticCode> rules) throws IOException {
    json.writeObjectFieldStart("tool");
    json.writeObjectFieldStart("driver");
    json.writeStringField("name", "hintflow");
    json.writeStringField("version", version);
    json.writeArrayFieldStart("rules");
    for (DiagnosticCode rule : rules) {
      writeRule(rule);
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndObject();
  }

  private void writeRule(DiagnosticCode rule) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", rule.id());
    json.writeStringField("name", pascalCase(rule.name()));
    writeText("shortDescription", rule.title());
    String page = pages.apply(rule);
    writeText("fullDescription", firstParagraph(page));
    json.writeObjectFieldStart("help");
    json.writeStringField("text", page);
    json.writeStringField("markdown", page);
    json.writeEndObject();
    json.writeObjectFieldStart("defaultConfiguration");
    json.writeStringField("level", rule.severity().label());
    json.writeEndObject();
    json.writeEndObject();
  }

  private static String pascalCase(String name) {
    return Stream.of(name.split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }

  /** Of a page that begins with a heading, in one line. */
  private static String firstParagraph(String page) {
    return page.lines()
        .dropWhile(line -> line.startsWith("#") || line.isBlank())
        .takeWhile(line -> !line.isBlank())
        .collect(Collectors.joining(" "));
  }

  private void writeInvocation() throws IOException {
    json.writeArrayFieldStart("invocations");
    json.writeStartObject();
    json.writeBooleanField("executionSuccessful", faults.isEmpty());
    if (!faults.isEmpty()) {
      json.writeArrayFieldStart("toolExecutionNotifications");
      for (String fault : faults) {
        json.writeStartObject();
        json.writeStringField("level", "error");
        writeText("message", fault);
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    json.writeEndObject();
    json.writeEndArray();
  }

  private void write(Result result, int ruleIndex) throws IOException {
    Finding finding = result.finding();
    json.writeStartObject();
    json.writeStringField("ruleId", finding.code().id());
    json.writeNumberField("ruleIndex", ruleIndex);
    json.writeStringField("level", finding.code().severity().label());
    writeText("message", finding.sentences());
    json.writeArrayFieldStart("locations");
    json.writeStartObject();
    json.writeObjectFieldStart("physicalLocation");
    writeArtifact(finding.path());
    writeRegion("region", finding.region());
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndArray();
    json.writeObjectFieldStart("partialFingerprints");
    json.writeStringField("codeAndLine/v1", result.fingerprint());
    json.writeEndObject();
    if (!finding.fix().isEmpty()) {
      writeFix(finding);
    }
    json.writeEndObject();
  }

  private void writeFix(Finding finding) throws IOException {
    json.writeArrayFieldStart("fixes");
    json.writeStartObject();
    writeText("description", finding.help().orElse(finding.message()));
    json.writeArrayFieldStart("artifactChanges");
    json.writeStartObject();
    writeArtifact(finding.path());
    json.writeArrayFieldStart("replacements");
    for (Finding.Edit edit : finding.fix()) {
      json.writeStartObject();
      writeRegion("deletedRegion", edit.region());
      writeText("insertedContent", edit.text());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndArray();
  }

  private void writeRegion(String name, Finding.Region region) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("startLine", region.start().line());
    json.writeNumberField("startColumn", region.start().column());
    json.writeNumberField("endLine", region.end().line());
    json.writeNumberField("endColumn", region.end().column());
    json.writeEndObject();
  }

  private void writeArtifact(String path) throws IOException {
    json.writeObjectFieldStart("artifactLocation");
    boolean absolute = path.startsWith("/");
    json.writeStringField("uri", (absolute ? "file://" : "") + percentEncoded(path));
    if (!absolute) {
      json.writeStringField("uriBaseId", ROOT);
    }
    json.writeEndObject();
  }

  /** A path as a part of an address. */
  private static String percentEncoded(String path) {
    StringBuilder encoded = new StringBuilder();
    for (byte character : path.getBytes(StandardCharsets.UTF_8)) {
      boolean plain =
          character >= 'a' && character <= 'z'
              || character >= 'A' && character <= 'Z'
              || character >= '0' && character <= '9'
              || "/-._~".indexOf(character) >= 0;
      encoded.append(plain ? (char) character : "%%%02X".formatted(character));
    }
    return encoded.toString();
  }

  private void writeText(String name, String text) throws IOException {
    json.writeObjectFieldStart(name);
    json.writeStringField("text", text);
    json.writeEndObject();
  }
}
