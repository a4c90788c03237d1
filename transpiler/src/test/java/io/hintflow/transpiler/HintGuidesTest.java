package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.transpiler.testing.ChangelogLines;
import io.hintflow.transpiler.testing.EmittedJob;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code hintflow hints} tells. */
class HintGuidesTest {
  static Stream<HintGuide> guides() {
    return Transpiler.hintGuides().stream();
  }

  @ParameterizedTest
  @MethodSource("guides")
  void theExampleRuns(HintGuide guide) {
    EmittedJob.Run run = EmittedJob.of(FlinkVersion.DEFAULT, guide.example()).run();

    assertThat(ChangelogLines.changes(run.lines())).hasSize(20);
  }
}
