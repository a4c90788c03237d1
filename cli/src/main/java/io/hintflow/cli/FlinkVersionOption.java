package io.hintflow.cli;

import io.hintflow.transpiler.FlinkVersion;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option {@code --flink-version}, which several commands take. */
final class FlinkVersionOption {
  @Option(
      names = "--flink-version",
      paramLabel = "VERSION",
      converter = Converter.class,
      completionCandidates = Candidates.class,
      description = "The Flink that the job is for: ${COMPLETION-CANDIDATES}. Default: 2.2.")
  private FlinkVersion version = FlinkVersion.DEFAULT;

  FlinkVersion version() {
    return version;
  }

  static final class Converter implements ITypeConverter<FlinkVersion> {
    @Override
    public FlinkVersion convert(String label) {
      return FlinkVersion.of(label)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "Flink '%s' is not among %s"
                          .formatted(label, String.join(", ", FlinkVersion.labels()))));
    }
  }

  static final class Candidates implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return FlinkVersion.labels().iterator();
    }
  }
}
