package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.transpiler.testing.EmittedJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the connector 'logger' logs; the log of these tests goes to standard output. */
class LoggerJobTest {
  /** A source whose last row of each id counts, and one that takes rows back. */
  private static final String SCRIPT =
      """
      SET 'parallelism.default' = '1';
      CREATE TABLE upserts (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
        'connector' = 'changelog', 'path' = '${DATA}/upserts', 'changelog-mode' = '+I,+U,-D', 'run' = 'upserts-%1$s'
      );
      CREATE TABLE changes (id INT, v STRING) WITH (
        'connector' = 'changelog', 'path' = '${DATA}/changes', 'changelog-mode' = '+I,-U,+U,-D', 'run' = 'changes-%1$s'
      );
      CREATE TABLE keyed (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'logger', 'print-identifier' = 'keyed');
      CREATE TABLE plain (id INT, v STRING) WITH ('connector' = 'logger');
      INSERT INTO keyed SELECT * FROM upserts;
      INSERT INTO plain SELECT id, UPPER(v) FROM changes;
      """;

  @ParameterizedTest
  @EnumSource(names = {"V1_20", "V2_2"})
  void everyChangeAsItIs(FlinkVersion version, @TempDir Path folder) throws IOException {
    Files.write(folder.resolve("upserts"), List.of("+I|0|1|ann", "+U|0|1|cid", "-D|0|1|cid"));
    Files.write(
        folder.resolve("changes"),
        List.of("+I|0|2|ben", "-U|0|2|ben", "+U|0|2|dan", "-D|0|2|dan", "+I|0|3|\\N"));

    List<String> lines =
        EmittedJob.of(version, SCRIPT.formatted(version)).run("-DDATA=" + folder).lines();

    assertThat(lines)
        .filteredOn(line -> line.startsWith("keyed> "))
        .as("Flink adds the row before an update, as it does for its table 'print'")
        .containsExactly(
            "keyed> +I[1, ann]", "keyed> -U[1, ann]", "keyed> +U[1, cid]", "keyed> -D[1, cid]");
    assertThat(lines)
        .filteredOn(line -> !line.startsWith("keyed> "))
        .containsExactly("+I[2, BEN]", "-U[2, BEN]", "+U[2, DAN]", "-D[2, DAN]", "+I[3, null]");
  }
}
