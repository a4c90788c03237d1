package io.hintflow.cli;

import io.hintflow.cli.report.CheckedScript;
import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.Transpiler;
import java.io.File;
import java.util.List;

/** Checks scripts for a version of Flink. */
record Checker(FlinkVersion flinkVersion) {

  /**
   * Reads scripts and checks them as one, in the order given. Of several of which some are not
   * UTF-8, only that is told.
   *
   * @throws CliException naming every script that cannot be read
   */
  List<CheckedScript> checkAsOne(List<ScriptInput> inputs) throws CliException {
    ScriptFiles files = ScriptFiles.readInputs(inputs);
    List<Diagnostic> found =
        files.diagnostics().isEmpty()
            ? Transpiler.check(files.sources(), flinkVersion)
            : files.diagnostics();
    return files.sources().stream().map(source -> checked(files, source, found)).toList();
  }

  private static CheckedScript checked(
      ScriptFiles files, SourceText source, List<Diagnostic> found) {
    return new CheckedScript(
        files.pathOf(source).replace(File.separatorChar, '/'),
        found.stream().filter(one -> one.source() == source).toList());
  }
}
