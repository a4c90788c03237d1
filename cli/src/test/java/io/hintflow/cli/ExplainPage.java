package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.Transpiler;
import io.hintflow.transpiler.TranspilerOptions;
import io.hintflow.transpiler.TranspilerOptions.Emission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of a page that explains a code.
 *
 * @param heading without its #
 * @param report what is printed of the wrong example, without the summary
 */
record ExplainPage(String heading, Example wrong, String report, Example right) {
  private static final Pattern FORM =
      Pattern.compile(
          "# (?<heading>[^\n]+)\n\n(?<meaning>.+)"
              + "\n## Wrong\n\n```(?<wrongInfo>[^\n]+)\n(?<wrong>.*?)```\n"
              + "\n```text\n(?<report>.*?)```\n"
              + "\n## Right\n\n```(?<rightInfo>[^\n]+)\n(?<right>.*?)```\n",
          Pattern.DOTALL);

  /** The page of a code as it stands among the sources, which a rewrite changes. */
  static ExplainPage of(DiagnosticCode code) throws IOException {
    Matcher page = matcher(Files.readString(file(code)));
    return new ExplainPage(
        page.group("heading"),
        new Example(page.group("wrongInfo"), page.group("wrong")),
        page.group("report"),
        new Example(page.group("rightInfo"), page.group("right")));
  }

  static Path folder() {
    return Path.of("src", "main", "resources", "io", "hintflow", "cli", "explain");
  }

  private static Path file(DiagnosticCode code) {
    return folder().resolve(code.id() + ".md");
  }

  private static Matcher matcher(String page) {
    Matcher matcher = FORM.matcher(page);
    assertThat(matcher.matches()).as("has the form of a page:%n%s", page).isTrue();
    return matcher;
  }

  /** Puts another report into the page of a code. */
  static void rewriteReport(DiagnosticCode code, String report) throws IOException {
    StringBuilder page = new StringBuilder(Files.readString(file(code)));
    Matcher old = matcher(page.toString());
    page.replace(old.start("report"), old.end("report"), report);
    Files.writeString(file(code), page);
  }

  /**
   * A script, or the command that writes one.
   *
   * @param info what stands behind the opening of the block: {@code sql}, or {@code sh} for a
   *     command, and the options that the example is for, such as {@code flink=1.20} or {@code
   *     emit=sql}
   * @param text lines that end in LF
   */
  record Example(String info, String text) {

    /** Writes {@code script.sql} into the folder; the command, if it is one, does so. */
    Path write(Path folder) throws Exception {
      Path script = folder.resolve("script.sql");
      if (info.equals("sh")) {
        Process command =
            new ProcessBuilder("bash", "-c", text).directory(folder.toFile()).inheritIO().start();
        assertThat(command.waitFor()).isZero();
      } else {
        Files.writeString(script, text);
      }
      return script;
    }

    /** What is found in it, with {@code script.sql} written into the folder. */
    List<Diagnostic> diagnostics(Path folder) throws Exception {
      ScriptFiles files = ScriptFiles.read(List.of(write(folder)));
      return files.diagnostics().isEmpty() ? diagnostics(files.sources()) : files.diagnostics();
    }

    private List<Diagnostic> diagnostics(List<SourceText> scripts) {
      if (info.contains("emit=sql")) {
        return Transpiler.transpile(
                scripts, new TranspilerOptions(version(), "com.example", "job", Emission.SQL))
            .diagnostics();
      }
      return Transpiler.check(scripts, version());
    }

    FlinkVersion version() {
      Matcher version = Pattern.compile("flink=(\\S+)").matcher(info);
      return version.find()
          ? FlinkVersion.of(version.group(1)).orElseThrow()
          : FlinkVersion.DEFAULT;
    }
  }
}
