package io.hintflow.transpiler;

/**
 * What the user chose.
 *
 * @param packageName the Java package of the emitted job, such as {@code com.example.orders}
 * @param jobName the job's name in Flink's web interface and the project's artifact
 */
public record TranspilerOptions(
    FlinkVersion flinkVersion, String packageName, String jobName, Emission emission) {

  /** What is written. */
  public enum Emission {
    /** A Maven project. */
    PROJECT,
    /** One standard Flink SQL script; only where every hint has a native form. */
    SQL
  }

  /** The package of a job whose user names none. */
  public static final String DEFAULT_PACKAGE = "flinkjob";
}
