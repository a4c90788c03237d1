package io.hintflow.cli.report;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.Severity;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * JUnit's XML as Jenkins and GitLab read it: a suite for each script, in it a failed case for each
 * finding, since both show only the first failure of a case; a script without any is a case that
 * passed. What is no failure is the suite's output.
 */
public final class JunitReport implements Report {
  private final boolean strict;
  private final XMLStreamWriter xml;
  private final List<String> faults = new ArrayList<>();

  /**
   * @param strict whether warnings are failures
   */
  public JunitReport(PrintStream out, boolean strict) {
    this.strict = strict;
    try {
      this.xml =
          XMLOutputFactory.newDefaultFactory()
              .createXMLStreamWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
      xml.writeStartDocument("UTF-8", "1.0");
      newLine(0);
      start("testsuites");
      attribute("name", "hintflow check");
    } catch (XMLStreamException e) {
      throw unwritable(e);
    }
  }

  /** A PrintStream keeps faults of its file to itself, so whatever this is, it is one of ours. */
  private static IllegalStateException unwritable(XMLStreamException fault) {
    return new IllegalStateException("The XML cannot be written", fault);
  }

  @Override
  public void add(CheckedScript script) {
    List<Finding> failures = new ArrayList<>();
    List<Finding> others = new ArrayList<>();
    for (Diagnostic found : script.diagnostics()) {
      boolean failure =
          found.severity() == Severity.ERROR || strict && found.severity() == Severity.WARNING;
      (failure ? failures : others).add(Finding.of(script.path(), found));
    }
    try {
      startSuite(script.path(), Math.max(1, failures.size()), failures.size(), 0);
      for (Finding failure : failures) {
        startCase(script.path(), failure.code().id() + " " + place(failure));
        attribute("file", script.path());
        newLine(3);
        start("failure");
        attribute("type", failure.code().id());
        attribute("message", failure.message());
        text(line(failure));
        end();
        newLine(2);
        end();
      }
      if (failures.isEmpty()) {
        startCase(script.path(), "no findings");
        attribute("file", script.path());
        end();
      }
      if (!others.isEmpty()) {
        newLine(2);
        start("system-out");
        text(String.join("\n", others.stream().map(JunitReport::line).toList()));
        end();
      }
      newLine(1);
      end();
    } catch (XMLStreamException e) {
      throw unwritable(e);
    }
  }

  private static String line(Finding finding) {
    return "%s:%s: %s[%s]: %s"
        .formatted(
            finding.path(),
            place(finding),
            finding.code().severity().label(),
            finding.code().id(),
            finding.sentences());
  }

  private static String place(Finding finding) {
    return finding.region().start().line() + ":" + finding.region().start().column();
  }

  @Override
  public void addFault(String sentence) {
    faults.add(sentence);
  }

  @Override
  public void close() {
    try {
      if (!faults.isEmpty()) {
        startSuite("hintflow", faults.size(), 0, faults.size());
        for (String fault : faults) {
          startCase("hintflow", fault);
          newLine(3);
          start("error");
          attribute("type", "fault");
          attribute("message", fault);
          end();
          newLine(2);
          end();
        }
        newLine(1);
        end();
      }
      newLine(0);
      end();
      newLine(0);
      xml.writeEndDocument();
      xml.flush();
    } catch (XMLStreamException e) {
      throw unwritable(e);
    }
  }

  private void startSuite(String name, int tests, int failures, int errors)
      throws XMLStreamException {
    newLine(1);
    start("testsuite");
    attribute("name", name);
    attribute("tests", Integer.toString(tests));
    attribute("failures", Integer.toString(failures));
    attribute("errors", Integer.toString(errors));
    attribute("skipped", "0");
  }

  private void startCase(String className, String name) throws XMLStreamException {
    newLine(2);
    start("testcase");
    attribute("classname", className);
    attribute("name", name);
  }

  private void newLine(int depth) throws XMLStreamException {
    xml.writeCharacters("\n" + "  ".repeat(depth));
  }

  private void start(String element) throws XMLStreamException {
    xml.writeStartElement(element);
  }

  private void end() throws XMLStreamException {
    xml.writeEndElement();
  }

  private void attribute(String name, String value) throws XMLStreamException {
    xml.writeAttribute(name, legal(value));
  }

  private void text(String text) throws XMLStreamException {
    xml.writeCharacters(legal(text));
  }

  /** XML has no way to write most control characters, and none for half a surrogate pair. */
  private static String legal(String text) {
    StringBuilder legal = new StringBuilder(text.length());
    text.codePoints()
        .map(codePoint -> isLegal(codePoint) ? codePoint : '\uFFFD')
        .forEach(legal::appendCodePoint);
    return legal.toString();
  }

  private static boolean isLegal(int codePoint) {
    return codePoint == '\t'
        || codePoint == '\n'
        || codePoint == '\r'
        || codePoint >= 0x20 && codePoint <= 0xD7FF
        || codePoint >= 0xE000 && codePoint <= 0xFFFD
        || codePoint >= 0x10000;
  }
}
