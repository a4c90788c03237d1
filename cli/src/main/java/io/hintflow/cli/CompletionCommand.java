package io.hintflow.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code hintflow completion}: the script with which a shell completes the command line. */
@Command(
    name = "completion",
    description = "Prints a completion script for bash and zsh.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(hintflow completion)",
      "  hintflow completion > ~/.local/share/bash-completion/completions/hintflow"
    })
final class CompletionCommand implements Runnable {
  @ParentCommand private HintflowCommand hintflow;
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    String script = AutoComplete.bash("hintflow", spec.root().commandLine());
    hintflow.terminal().out().println(script.strip());
  }
}
