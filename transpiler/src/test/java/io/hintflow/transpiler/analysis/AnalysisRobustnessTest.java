package io.hintflow.transpiler.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.Diagnostic;
import io.hintflow.grammar.ScriptReader;
import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AnalysisRobustnessTest {
  /**
   * Ways to put a query around another that keep its columns id and ts and produce its very rows.
   */
  private static final List<String> WRAPPERS =
      List.of(
          "SELECT id, ts FROM (%s) AS q%d",
          "SELECT q%2$d.* FROM (%1$s) AS q%2$d WHERE id > 0",
          "SELECT * FROM (SELECT ts, id AS i FROM (%s) AS q%d) AS r (ts, id)",
          "SELECT id, ts FROM (WITH w AS (%s) SELECT * FROM w) AS q%d",
          "SELECT id, ts FROM (%s) AS q%d UNION ALL SELECT id, ts FROM k",
          "SELECT q%2$d.id, q%2$d.ts FROM (%1$s) AS q%2$d CROSS JOIN UNNEST(ARRAY[q%2$d.id, 2]) AS u (n)");

  @Provide
  Arbitrary<List<String>> wrappers() {
    return Arbitraries.of(WRAPPERS).list().ofMaxSize(5);
  }

  /** However a query is wrapped, its columns, its time and its kinds of rows come through. */
  @Property(tries = 60)
  void wrappingKeepsWhatIsKnown(@ForAll("wrappers") List<String> wrappers) {
    String query = "SELECT id, ts FROM k";
    int depth = 0;
    for (String wrapper : wrappers) {
      query = wrapper.formatted(query, depth++);
    }
    Marked script =
        Marked.read(
            QueryAnalysisTest.TABLES + "CREATE VIEW v AS " + query + ";\nSELECT id, ts FROM v;");
    BlockAnalysis block = script.block();
    assertThat(block.output().stream().map(OutputColumn::name)).containsExactly("id", "ts");
    assertThat(block.output().get(1).timeAttribute()).isEqualTo(TimeAttribute.ROWTIME);
    assertThat(block.changelog()).isEqualTo(Changelog.INSERT_ONLY);
    assertThat(block.rowWise()).isTrue();
  }

  /** Whatever is left of a script whose words were mixed up is analysed without a failure. */
  @Property(tries = 150)
  void mixedUpScriptsNeverFail(@ForAll @IntRange(max = 1_000_000) int seed) {
    Random random = new Random(seed);
    List<String> words =
        new ArrayList<>(
            List.of(
                (QueryAnalysisTest.TABLES
                        + "INSERT INTO c SELECT k.id , x.name FROM k JOIN ( SELECT id , name FROM h WHERE id > 1 ) AS x"
                        + " ON k.id = x.id WHERE EXISTS ( SELECT 1 FROM j WHERE j.id = k.id ) ;"
                        + " SELECT name , window_start , COUNT ( * ) FROM TABLE ( TUMBLE ( TABLE k , DESCRIPTOR ( ts ) ,"
                        + " INTERVAL '1' HOUR ) ) GROUP BY name , window_start , window_end ;")
                    .split(" +")));
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(words.size());
      switch (random.nextInt(3)) {
        case 0 -> words.remove(at);
        case 1 -> words.add(at, words.get(random.nextInt(words.size())));
        default -> words.set(at, words.get(random.nextInt(words.size())));
      }
    }
    String sql = String.join(" ", words);
    ScriptReader.Result result = ScriptReader.read(new SourceText("mixed.sql", sql));
    ScriptAnalysis analysis = ScriptAnalysis.of(result.script());
    List<Diagnostic> findings = new ArrayList<>(analysis.diagnostics());
    for (Statement statement : result.script().statements()) {
      findings.addAll(analysis.analyze(statement).diagnostics());
    }
    assertThat(findings)
        .allSatisfy(finding -> assertThat(finding.span().end()).isLessThanOrEqualTo(sql.length()));
  }

  /**
   * Calcite overflows a small stack on it; the script's author can't be told that this is an error.
   */
  @Test
  void aQueryTooLargeForCalciteIsNoError() throws InterruptedException {
    String branches =
        IntStream.range(0, 1000)
            .mapToObj(i -> "SELECT id, ts FROM k")
            .collect(Collectors.joining(" UNION ALL "));
    Marked script = Marked.read(QueryAnalysisTest.TABLES + branches + ";");
    List<Diagnostic> findings = new ArrayList<>();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread small =
        new Thread(null, () -> findings.addAll(script.findings()), "small stack", 192 * 1024);
    small.setUncaughtExceptionHandler((thread, failure) -> thrown.set(failure));
    small.start();
    small.join();

    assertThat(thrown).hasNullValue();
    assertThat(findings).isEmpty();
  }
}
