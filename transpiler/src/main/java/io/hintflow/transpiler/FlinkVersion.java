package io.hintflow.transpiler;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The Flink versions that jobs can be emitted for, oldest first. */
public enum FlinkVersion {
  V1_20("1.20", "1.20.3"),
  V2_2("2.2", "2.2.0"),
  V2_3("2.3", "2.3.0");

  /** What is taken when the user names none. */
  public static final FlinkVersion DEFAULT = V2_2;

  private final String label;
  private final String release;

  FlinkVersion(String label, String release) {
    this.label = label;
    this.release = release;
  }

  /** As the user names it: {@code 2.2}. */
  public String label() {
    return label;
  }

  /** The release whose artifacts an emitted job depends on: {@code 2.2.0}. */
  public String release() {
    return release;
  }

  public static Optional<FlinkVersion> of(String label) {
    return Arrays.stream(values()).filter(version -> version.label.equals(label)).findFirst();
  }

  public static List<String> labels() {
    return Arrays.stream(values()).map(FlinkVersion::label).toList();
  }
}
