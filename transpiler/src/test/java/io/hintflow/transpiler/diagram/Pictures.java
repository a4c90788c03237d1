package io.hintflow.transpiler.diagram;

import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.Transpilation;
import io.hintflow.transpiler.Transpiler;
import io.hintflow.transpiler.TranspilerOptions;
import io.hintflow.transpiler.plan.JobPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The scripts of testdata/plan, and others, with their plans. */
record Pictures(SourceText script, JobPlan plan) {
  static final Path FOLDER = Path.of(System.getProperty("hintflow.testdata"), "plan");

  static Pictures of(String name) throws IOException {
    return of(name, Files.readString(FOLDER.resolve(name + ".sql")));
  }

  static Pictures of(String name, String text) {
    SourceText script = new SourceText(name + ".sql", text);
    Transpilation transpilation =
        Transpiler.transpile(
            List.of(script),
            new TranspilerOptions(
                FlinkVersion.V2_2,
                TranspilerOptions.DEFAULT_PACKAGE,
                name,
                TranspilerOptions.Emission.PROJECT));
    return new Pictures(
        script,
        transpilation
            .plan()
            .orElseThrow(() -> new AssertionError(transpilation.diagnostics().toString())));
  }

  String svg() {
    return Svg.of(plan);
  }

  String html() {
    return Html.of(plan, List.of(script));
  }
}
