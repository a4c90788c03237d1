package io.hintflow.cli;

import io.hintflow.transpiler.FlinkVersion;
import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says. */
final class Version implements IVersionProvider {
  /** The version alone. */
  static String ofHintflow() {
    // Maven writes it into the jar's manifest; classes that are not in the jar have none.
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse("(not packaged)");
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "hintflow " + ofHintflow(),
      "Flink " + String.join(", ", FlinkVersion.labels()),
      "Java " + Runtime.version()
    };
  }
}
