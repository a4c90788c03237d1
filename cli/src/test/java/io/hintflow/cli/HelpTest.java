package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.HintGuide;
import io.hintflow.transpiler.Transpiler;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HelpTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"", "transpile", "run", "plan", "check", "hints", "diff", "explain", "completion"})
  void everyCommandHasHelpWithExamplesAndAVersion(String command) {
    Invocation help = invoke(command, "--help");
    assertThat(help.exitCode()).isZero();
    assertThat(help.err()).isEmpty();
    assertThat(help.out()).startsWith("Usage: hintflow").contains("\nExamples:\n  ");
    assertThat(help.out().lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));

    Invocation version = invoke(command, "--version");
    assertThat(version.exitCode()).isZero();
    assertThat(version.out()).startsWith("hintflow ");
  }

  private static Invocation invoke(String command, String option) {
    return command.isEmpty() ? Invocation.of(option) : Invocation.of(command, option);
  }

  @Test
  void namesTheDefaultVersionOfFlink() {
    assertThat(Invocation.of("transpile", "--help").out())
        .contains("Default:")
        .containsPattern("Default:\\s+" + FlinkVersion.DEFAULT.label() + "\\.");
  }

  @Test
  void listsTheHints() {
    Invocation list = Invocation.of("hints");
    assertThat(list.exitCode()).isZero();
    assertThat(list.out().lines()).hasSize(Transpiler.hintGuides().size());
    assertThat(list.out()).contains("DISTRIBUTEBY", "source.parallelism");
  }

  @Test
  void tellsAllAboutAHintAndItsExampleTranspiles(@TempDir Path folder) throws Exception {
    List<HintGuide> guides = Transpiler.hintGuides();
    assertThat(guides).isNotEmpty();
    for (HintGuide guide : guides) {
      Invocation shown = Invocation.of("hints", guide.name().toLowerCase(Locale.ROOT));
      assertThat(shown.exitCode()).isZero();
      assertThat(shown.out())
          .contains(guide.summary())
          .contains(guide.syntax())
          .contains(guide.places())
          .contains(guide.limits())
          .endsWith(guide.example().stripTrailing() + "\n");
      Path script = Files.writeString(folder.resolve("example.sql"), guide.example());
      Invocation transpiled = Invocation.of("transpile", script, "-o", folder.resolve("job"));
      assertThat(transpiled.exitCode()).as(transpiled.err()).isZero();
    }
  }

  @Test
  void namesTheNearestHint() {
    Invocation refused = Invocation.of("hints", "DISTRIBUTBY");
    assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE_OR_FAULT);
    assertThat(refused.err()).contains("did you mean DISTRIBUTEBY?");
  }

  @Test
  void completionIsAScriptThatBashCanRead(@TempDir Path folder) throws Exception {
    Path script = folder.resolve("completion");
    Files.writeString(script, Invocation.of("completion").out(), StandardCharsets.UTF_8);
    Process parse = new ProcessBuilder("bash", "-n", script.toString()).inheritIO().start();
    assertThat(parse.waitFor()).isZero();
    Process complete =
        new ProcessBuilder(
                "bash",
                "-c",
                """
                source "$1"
                COMP_WORDS=(hintflow transpile --flink); COMP_CWORD=2
                _complete_hintflow 2>/dev/null # outside of a completion, compopt complains
                echo "${COMPREPLY[@]}"
                """,
                "bash",
                script.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String offered = new String(complete.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(offered.strip()).isEqualTo("--flink-version");
  }
}
