package io.hintflow.transpiler.testing;

import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An emitted job that runs until it is ended, for tests of savepoints. One at a time. */
public final class RunningJob {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final FlinkRuntime runtime;
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private final CompletableFuture<EmittedJob.Run> run;

  private RunningJob(FlinkRuntime runtime, EmittedJob job) {
    this.runtime = runtime;
    this.run =
        CompletableFuture.supplyAsync(
            () -> job.run(output), command -> new Thread(command).start());
  }

  /**
   * Starts a job.
   *
   * @param savepoint where it goes on; empty to begin anew
   * @param mayLoseState whether state that the job has no place for may be left behind
   */
  public static RunningJob start(
      FlinkRuntime runtime, EmittedJob job, Optional<String> savepoint, boolean mayLoseState) {
    call(runtime, "restore", savepoint.orElse(""), mayLoseState);
    int before = runtime.graphs().size();
    RunningJob running = new RunningJob(runtime, job);
    running.await("it is started", () -> runtime.graphs().size() > before);
    // Other tests' jobs begin anew.
    call(runtime, "restore", "", false);
    return running;
  }

  private interface Condition {
    boolean holds();
  }

  /** Returns as soon as the condition holds, or the job has ended. */
  private void await(String what, Condition condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!run.isDone() && !condition.holds()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("Of the job it does not come true that " + what);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (InterruptedException interruption) {
        throw new IllegalStateException(interruption);
      }
    }
  }

  /** Waits until all tasks run; empty if they do, else what the job failed with. */
  public Optional<String> failure() {
    await("all its tasks run", this::checkpoints);
    if (!run.isDone()) {
      return Optional.empty();
    }
    try {
      run.get();
      throw new AssertionError("The job has come to its end.");
    } catch (ExecutionException failure) {
      return Optional.of(String.valueOf(failure.getCause().getMessage()));
    } catch (InterruptedException interruption) {
      throw new IllegalStateException(interruption);
    }
  }

  /**
   * A checkpoint succeeds only while all tasks run. Of a job that fails just then, Flink forgets
   * who waits for one.
   */
  private boolean checkpoints() {
    CompletableFuture<?> checkpoint = (CompletableFuture<?>) call(runtime, "checkpoint");
    try {
      CompletableFuture.anyOf(checkpoint, run).get(10, TimeUnit.SECONDS);
      return !run.isDone();
    } catch (ExecutionException | TimeoutException notYet) {
      return false;
    } catch (InterruptedException interruption) {
      throw new IllegalStateException(interruption);
    }
  }

  /**
   * Waits until the job has printed a text. A savepoint that is taken then comes behind the rows
   * that have been printed.
   */
  public void awaitPrinted(String text) {
    await("it has printed " + text, () -> output.toString(StandardCharsets.UTF_8).contains(text));
  }

  /** Ends the job; where its savepoint is. */
  public String stopWithSavepoint(Path folder) {
    return (String) call(runtime, "stopWithSavepoint", folder.toUri().toString());
  }

  /** Ends the job without one. */
  public void cancel() {
    call(runtime, "cancel");
    run.handle((done, failure) -> "").join();
  }

  /** What the job did until it was stopped with a savepoint. */
  public EmittedJob.Run ended() {
    return run.join();
  }

  /** Flink finds parts of itself through the thread's class loader. */
  private static Object call(FlinkRuntime runtime, String method, Object... arguments) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(runtime.classLoader());
    try {
      for (Method candidate :
          runtime.classLoader().loadClass("harness.RecordingEnvironment").getMethods()) {
        if (candidate.getName().equals(method)) {
          return candidate.invoke(null, arguments);
        }
      }
      throw new IllegalStateException("There is no method " + method);
    } catch (InvocationTargetException failure) {
      throw new IllegalStateException(failure.getCause());
    } catch (ReflectiveOperationException failure) {
      throw new IllegalStateException(failure);
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
