package io.hintflow.cli;

import io.hintflow.transpiler.FlinkVersion;
import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    // Maven writes it into the jar's manifest; classes that are not in the jar have none.
    String version =
        Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
            .orElse("(not packaged)");
    return new String[] {
      "hintflow " + version,
      "Flink " + String.join(", ", FlinkVersion.labels()),
      "Java " + Runtime.version()
    };
  }
}
