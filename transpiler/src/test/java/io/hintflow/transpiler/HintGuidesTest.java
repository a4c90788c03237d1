package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.transpiler.testing.ChangelogLines;
import io.hintflow.transpiler.testing.EmittedJob;
import io.hintflow.transpiler.testing.RedisProcess;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code hintflow hints} tells. */
class HintGuidesTest {
  static Stream<HintGuide> guides() {
    return Transpiler.hintGuides().stream();
  }

  private static RedisProcess redis;

  @BeforeAll
  static void startServer() throws IOException {
    redis = RedisProcess.start();
  }

  @AfterAll
  static void stopServer() {
    redis.close();
  }

  @ParameterizedTest
  @MethodSource("guides")
  void theExampleRuns(HintGuide guide) {
    EmittedJob.Run run =
        EmittedJob.of(FlinkVersion.DEFAULT, guide.example()).run("-DREDIS_PORT=" + redis.port());

    assertThat(ChangelogLines.changes(run.lines())).hasSize(20);
  }
}
