package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.ScriptMutations;
import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.testing.ScriptCase;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever the script: a job or findings, soon, and never an exception. */
class FuzzTest {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int SCRIPTS = 2_000;

  /** Of processor time, so that a busy machine is not taken for a slow transpiler. */
  private static final Duration LIMIT = Duration.ofSeconds(1);

  @Test
  void neverThrowsAndNeverTakesLong() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<String> originals = ScriptCase.all().map(ScriptCase::script).toList();
    originals.forEach(script -> transpile(script, "warming up"));
    int emitted = 0;
    for (int i = 0; i < SCRIPTS; i++) {
      String script =
          ScriptMutations.mutate(originals.get(random.nextInt(originals.size())), random);
      String about = "seed " + seed + ", script " + i + ":\n" + script;
      long start = THREADS.getCurrentThreadCpuTime();
      Transpilation transpilation = transpile(script, about);
      assertThat(Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - start))
          .as(about)
          .isLessThan(LIMIT);
      assertThat(transpilation.plan().isPresent())
          .as(about)
          .isNotEqualTo(transpilation.hasErrors());
      assertThat(transpilation.files().isEmpty()).as(about).isEqualTo(transpilation.hasErrors());
      emitted += transpilation.hasErrors() ? 0 : 1;
    }
    assertThat(emitted).as("seed %d: some scripts survive", seed).isBetween(1, SCRIPTS - 1);
  }

  private static Transpilation transpile(String script, String about) {
    try {
      return Transpiler.transpile(
          List.of(new SourceText("fuzz.sql", script)),
          new TranspilerOptions(
              FlinkVersion.DEFAULT, "com.example", "fuzz", TranspilerOptions.Emission.PROJECT));
    } catch (RuntimeException | Error failure) {
      throw new AssertionError(about, failure);
    }
  }
}
