package io.hintflow.cli;

import io.hintflow.transpiler.Transpilation;
import io.hintflow.transpiler.Transpiler;
import io.hintflow.transpiler.TranspilerOptions;
import io.hintflow.transpiler.TranspilerOptions.Emission;
import io.hintflow.transpiler.plan.JobPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code hintflow run}: a script in, its rows out. */
@Command(
    name = "run",
    description = {
      "Transpiles a script, builds the job with Maven and runs it on an embedded Flink.",
      "",
      "What print sinks and bare SELECTs print goes to stdout, everything else to stderr. Relative "
          + "paths in the script are taken from the current folder. Ctrl-C ends the job.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = {
      "hintflow run [-hV] [--verbose] [--color=WHEN] [--config=FILE]",
      "                    [--flink-version=VERSION] [--keep=DIR] [--parallelism=N]",
      "                    SCRIPT.sql [-- ARGS...]"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the script has errors, or the job failed",
      "2:wrong usage, no Maven, a build that failed, or an internal fault",
      "n:any other exit code of the job"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  hintflow run orders.sql",
      "  hintflow run orders.sql --parallelism 4 --config test.yaml",
      "  hintflow run orders.sql --keep orders-job -- -DINPUT=data"
    })
final class RunCommand implements Callable<Integer> {
  @ParentCommand private HintflowCommand hintflow;
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "SCRIPT.sql", description = "Flink SQL, in UTF-8.")
  private Path script;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "ARGS",
      description =
          "Behind --: arguments of the job: --config FILE, and -Dkey=value for an option of Flink "
              + "or a $${NAME} of the script.")
  private List<String> arguments = List.of();

  @Mixin private FlinkVersionOption flink;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A config.yaml in place of the one that the script's SET statements give.")
  private Optional<Path> config = Optional.empty();

  @Option(names = "--parallelism", paramLabel = "N", description = "The job's parallelism.")
  private Optional<Integer> parallelism = Optional.empty();

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "Write the job to DIR, as transpile does, and keep it.")
  private Optional<Path> keep = Optional.empty();

  @Override
  public Integer call() throws CliException {
    List<String> jobArguments = jobArguments();
    TranspilerOptions options =
        new TranspilerOptions(
            flink.version(),
            TranspilerOptions.DEFAULT_PACKAGE,
            TranspileCommand.jobName(script),
            Emission.PROJECT);
    Optional<Transpilation> transpilation =
        TranspileCommand.transpile(
            hintflow,
            ScriptFiles.read(List.of(script)),
            sources -> Transpiler.transpile(sources, options));
    if (transpilation.isEmpty()) {
      return ExitCode.INPUT_HAS_ERRORS;
    }
    try (ChildProcesses children = new ChildProcesses()) {
      Path project = keep.isPresent() ? keep.get() : temporaryFolder(children);
      new OutputFolder(project).write(transpilation.get().files());
      JobPlan plan = transpilation.get().plan().orElseThrow();
      return new LocalJob(project, hintflow, children)
          .run(plan.packageName() + "." + plan.mainClass(), jobArguments);
    }
  }

  private List<String> jobArguments() throws CliException {
    List<String> given = spec.commandLine().getParseResult().originalArgs();
    int separator = given.indexOf("--");
    int behindSeparator = separator < 0 ? 0 : given.size() - separator - 1;
    if (arguments.size() > behindSeparator) {
      throw new ParameterException(
          spec.commandLine(),
          "unexpected argument '%s'; arguments of the job come behind --"
              .formatted(arguments.get(0)));
    }
    List<String> all = new ArrayList<>();
    if (config.isPresent()) {
      if (!Files.isReadable(config.get()) || Files.isDirectory(config.get())) {
        throw new CliException("cannot read the configuration file " + config.get());
      }
      all.addAll(List.of("--config", config.get().toString()));
    }
    if (parallelism.isPresent()) {
      if (parallelism.get() < 1) {
        throw new ParameterException(
            spec.commandLine(), "--parallelism is a positive number, not " + parallelism.get());
      }
      all.add("-Dparallelism.default=" + parallelism.get());
    }
    all.addAll(arguments);
    return all;
  }

  private static Path temporaryFolder(ChildProcesses children) throws CliException {
    try {
      Path folder = Files.createTempDirectory("hintflow-run-");
      children.deleteAtEnd(folder);
      return folder;
    } catch (IOException e) {
      throw new CliException("cannot make a temporary folder: " + FileFaults.reason(e));
    }
  }
}
