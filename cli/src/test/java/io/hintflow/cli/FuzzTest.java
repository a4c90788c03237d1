package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.ScriptMutations;
import io.hintflow.transpiler.testing.ScriptCase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the script: a job or findings, soon, and never a stack trace. */
class FuzzTest {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int SCRIPTS = 2_000;

  /** Of processor time, so that a busy machine is not taken for a slow program. */
  private static final Duration LIMIT = Duration.ofSeconds(1);

  @TempDir private Path folder;

  @Test
  void everyScriptEndsInAJobOrInFindings() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<String> originals = ScriptCase.all().map(ScriptCase::script).toList();
    for (String original : originals) {
      assertThat(transpile(original.getBytes(StandardCharsets.UTF_8)).exitCode()).isZero();
    }
    int emitted = 0;
    for (int i = 0; i < SCRIPTS; i++) {
      byte[] script = mutated(originals.get(random.nextInt(originals.size())), random);
      String about =
          "seed %d, script %d:%n%s".formatted(seed, i, new String(script, StandardCharsets.UTF_8));
      long start = THREADS.getCurrentThreadCpuTime();
      Invocation invocation = transpile(script);
      Duration time = Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - start);

      assertThat(invocation.exitCode()).as(about).isIn(ExitCode.DONE, ExitCode.INPUT_HAS_ERRORS);
      assertThat(invocation.err()).as(about).doesNotContain("\tat ", "Exception");
      assertThat(time).as(about).isLessThan(LIMIT);
      emitted += invocation.exitCode() == ExitCode.DONE ? 1 : 0;
    }
    assertThat(emitted).as("seed %d: jobs among %d scripts", seed, SCRIPTS).isBetween(1, 1_999);
  }

  private Invocation transpile(byte[] script) throws IOException {
    Path file = Files.write(folder.resolve("script.sql"), script);
    return Invocation.of("transpile", file, "-o", folder.resolve("job"));
  }

  /** A mutated script, and for every fifth a stray byte in it besides. */
  private static byte[] mutated(String original, Random random) {
    byte[] script = ScriptMutations.mutate(original, random).getBytes(StandardCharsets.UTF_8);
    if (random.nextInt(5) > 0) {
      return script;
    }
    int at = random.nextInt(script.length + 1);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(script, 0, at);
    bytes.write(random.nextInt(256));
    bytes.write(script, at, script.length - at);
    return bytes.toByteArray();
  }
}
