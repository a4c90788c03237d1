package io.hintflow.cli.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.Transpilation;
import io.hintflow.transpiler.Transpiler;
import io.hintflow.transpiler.TranspilerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A script as the jar that a user would submit. */
final class JobJar {
  private JobJar() {}

  /** Transpiles the script, writes the project below the folder, which is new, and packages it. */
  static Path of(Path script, FlinkVersion version, Path folder)
      throws IOException, InterruptedException {
    return of(new SourceText(script.toString(), Files.readString(script)), version, folder);
  }

  /** As above, of a script that is in no file. */
  static Path of(SourceText script, FlinkVersion version, Path folder)
      throws IOException, InterruptedException {
    Transpilation transpilation =
        Transpiler.transpile(
            List.of(script),
            new TranspilerOptions(
                version,
                TranspilerOptions.DEFAULT_PACKAGE,
                "job",
                TranspilerOptions.Emission.PROJECT));
    assertThat(transpilation.diagnostics()).isEmpty();
    for (Map.Entry<String, String> file : transpilation.files().entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }
    Maven.run(folder.resolve("pom.xml"), "package");
    Path jar = folder.resolve("target").resolve("job-1.0.0.jar");
    assertThat(jar).exists();
    return jar;
  }
}
