package io.hintflow.cli;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real saves in a real folder. How fast they are seen is measured by the bench. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class CheckWatchTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String CLEAN = "SELECT 1;\n";
  private static final String WRONG = "SELECT FROM;\n";
  private static final String WARNED = "SELECT 1\n";

  @TempDir private Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private Thread watch;

  @BeforeEach
  void makeAFolder() throws IOException {
    Files.createDirectories(folder.resolve("sql"));
  }

  private void watch(Object... words) {
    Terminal terminal =
        new Terminal(
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            false);
    List<String> line = new ArrayList<>(List.of("check", "--watch"));
    Stream.of(words).map(Object::toString).forEach(line::add);
    watch =
        new Thread(
            () ->
                exitCode.complete(
                    new HintflowCommand(terminal).execute(line.toArray(String[]::new))));
    watch.start();
  }

  @AfterEach
  void endsWhenItIsInterrupted() throws Exception {
    watch.interrupt();
    assertThat(exitCode.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isZero();
    watch.join();
  }

  private Path save(String name, String text) throws IOException {
    return Files.writeString(folder.resolve("sql").resolve(name), text);
  }

  private String shown() {
    String all = out.toString(StandardCharsets.UTF_8);
    return all.substring(Math.max(0, all.lastIndexOf("hintflow check --watch")));
  }

  /** Waits until what was shown last ends in a line, and is whole therefore. */
  private void awaitShown(String lastLine) throws InterruptedException {
    await(() -> shown().endsWith("\n" + lastLine + "\n"));
  }

  private String told() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private void await(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(shown() + told()).isLessThan(deadline);
      assertThat(exitCode).as(told()).isNotDone();
      Thread.sleep(5);
    }
  }

  @Test
  void seesAFileWrittenAnewMovedOverDeletedAndBackAgain() throws Exception {
    Path script = save("a.sql", CLEAN);
    save("b.sql", CLEAN);
    watch(script, folder.resolve("sql/b.sql"));
    awaitShown("nothing found in 2 scripts");
    save("a.sql", WRONG);
    awaitShown("1 error in 2 scripts");
    Files.move(save("a.sql.new", WARNED), script, ATOMIC_MOVE);
    awaitShown("1 warning in 2 scripts");
    Files.delete(script);
    awaitShown("nothing found in 1 script");
    // What cannot be read is told behind what is shown.
    await(() -> told().contains("cannot read " + script));
    save("a.sql", WRONG);
    awaitShown("1 error in 2 scripts");
  }

  @Test
  void seesScriptsAndFoldersComeAndGo() throws Exception {
    Path sql = folder.resolve("sql");
    watch(sql);
    awaitShown("nothing found in 0 scripts");
    Path script = save("a.sql", WRONG);
    awaitShown("1 error in 1 script");
    Path below = Files.createDirectories(sql.resolve("below/deep"));
    save("below/deep/b.sql", WARNED);
    awaitShown("1 error, 1 warning in 2 scripts");
    save("below/deep/b.sql", WRONG);
    awaitShown("2 errors in 2 scripts");
    Files.delete(script);
    awaitShown("1 error in 1 script");
    // Another folder in place of one that is watched.
    Files.move(sql.resolve("below"), folder.resolve("elsewhere"));
    awaitShown("nothing found in 0 scripts");
    Files.createDirectories(below);
    save("below/deep/b.sql", WARNED);
    awaitShown("1 warning in 1 script");
    save("below/deep/b.sql", CLEAN);
    awaitShown("nothing found in 1 script");
  }

  @Test
  void seesAChangeBehindALink() throws Exception {
    Path target = Files.writeString(folder.resolve("target.sql"), CLEAN);
    Path link = Files.createSymbolicLink(folder.resolve("sql/link.sql"), target);
    watch(link);
    awaitShown("nothing found in 1 script");
    Files.writeString(target, WRONG);
    awaitShown("1 error in 1 script");
  }

  @Test
  void checksAllAnewThatAreChecksAsOne() throws Exception {
    Path tables = save("tables.sql", "CREATE TABLE t (a INT) WITH ('connector' = 'datagen');\n");
    Path job = save("job.sql", "SELECT a FROM t;\n");
    watch(tables, job, "--as-one");
    awaitShown("nothing found in 2 scripts");
    save("tables.sql", "CREATE TABLE t (b INT) WITH ('connector' = 'datagen');\n");
    awaitShown("1 error in 2 scripts");
    assertThat(shown()).contains("HF305", "job.sql:1:8");
  }

  @Test
  void staysSilentAboutWhatConcernsNoScript() throws Exception {
    save("a.sql", CLEAN);
    watch(folder.resolve("sql"));
    awaitShown("nothing found in 1 script");
    save("notes.txt", "nothing to check");
    Path whole = save(".a.sql.swp", WRONG);
    // Moved over, for a file that is written anew can be seen twice: empty, and then whole.
    Files.move(whole, folder.resolve("sql/a.sql"), ATOMIC_MOVE);
    awaitShown("1 error in 1 script");
    assertThat(out.toString(StandardCharsets.UTF_8).split("hintflow check --watch", -1)).hasSize(3);
  }
}
