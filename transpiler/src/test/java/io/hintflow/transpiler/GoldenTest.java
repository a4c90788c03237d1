package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.testing.ScriptCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plan, job and configuration of each case, against files that a person has read. {@code make
 * golden} rewrites them. The operators that a project carries are left out: they have tests of
 * their own.
 */
class GoldenTest {
  private static final boolean REWRITE = "rewrite".equals(System.getProperty("hintflow.golden"));

  static Stream<Arguments> casesForAllVersions() {
    return Stream.of(FlinkVersion.V1_20, FlinkVersion.V2_2)
        .flatMap(version -> ScriptCase.all().map(scriptCase -> Arguments.of(version, scriptCase)));
  }

  @ParameterizedTest
  @MethodSource("casesForAllVersions")
  void isWhatItWas(FlinkVersion version, ScriptCase scriptCase) throws IOException {
    Path folder = scriptCase.folder().resolve("expected").resolve(version.label());
    SortedMap<String, String> actual = emit(version, scriptCase);
    if (REWRITE) {
      rewrite(folder, actual);
    }

    assertThat(read(folder)).isEqualTo(actual);
  }

  @ParameterizedTest
  @MethodSource("casesForAllVersions")
  void isTheSameASecondTime(FlinkVersion version, ScriptCase scriptCase) {
    assertThat(emit(version, scriptCase)).isEqualTo(emit(version, scriptCase));
  }

  private static SortedMap<String, String> emit(FlinkVersion version, ScriptCase scriptCase) {
    Transpilation transpilation =
        Transpiler.transpile(
            List.of(new SourceText("script.sql", scriptCase.script())),
            new TranspilerOptions(
                version, "com.example", scriptCase.name(), TranspilerOptions.Emission.PROJECT));
    assertThat(transpilation.hasErrors()).as("%s", transpilation.diagnostics()).isFalse();
    TreeMap<String, String> files = new TreeMap<>();
    transpilation
        .files()
        .forEach(
            (path, text) -> {
              if (!path.contains("/operators/")
                  && !path.equals("README.md")
                  && !path.equals("log4j2-local.properties")) {
                files.put(path.substring(path.lastIndexOf('/') + 1), text);
              }
            });
    return files;
  }

  private static Map<String, String> read(Path folder) throws IOException {
    TreeMap<String, String> files = new TreeMap<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> paths = Files.list(folder)) {
        for (Path path : paths.toList()) {
          files.put(path.getFileName().toString(), Files.readString(path));
        }
      }
    }
    return files;
  }

  private static void rewrite(Path folder, SortedMap<String, String> files) throws IOException {
    Files.createDirectories(folder);
    for (String old : read(folder).keySet()) {
      Files.delete(folder.resolve(old));
    }
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
    }
  }
}
