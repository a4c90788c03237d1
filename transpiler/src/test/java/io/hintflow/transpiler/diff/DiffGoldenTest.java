package io.hintflow.transpiler.diff;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.SourceText;
import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.Transpilation;
import io.hintflow.transpiler.Transpiler;
import io.hintflow.transpiler.TranspilerOptions;
import io.hintflow.transpiler.emission.PlanJson;
import io.hintflow.transpiler.emission.PlanReader;
import io.hintflow.transpiler.plan.JobPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The differences that edits of one script make, against files that a person has read. {@code make
 * golden} rewrites them.
 */
class DiffGoldenTest {
  private static final boolean REWRITE = "rewrite".equals(System.getProperty("hintflow.golden"));
  private static final Path FOLDER = Path.of(System.getProperty("hintflow.testdata"), "diff");

  private static final String TOTALS =
      "CREATE TABLE totals (customer STRING, amount BIGINT) WITH ('connector' = 'print');";

  private static final String SUMS = TOTALS.replace("totals", "sums");

  /** Pieces of the script and what they become, by the name of the edit. */
  private static final Map<String, List<String>> EDITS = edits();

  private static Map<String, List<String>> edits() {
    Map<String, List<String>> edits = new LinkedHashMap<>();
    edits.put(
        "layout",
        List.of(
            "SELECT customer, CAST(SUM(amount) AS BIGINT) FROM orders GROUP BY customer;",
            "  select customer,\r\n\tcast(sum(`amount`) as bigint) -- all of them\n from orders\n group by customer ;",
            "-- What large orders are worth.",
            "",
            "/*+ BROADCAST(r), HASH_BY_KEY('o'='customer') */",
            "/*+ BROADCAST( r ),\n HASH_BY_KEY( 'o' = 'customer' ) */"));
    edits.put(
        "case",
        List.of(
            "PRIMARY KEY (currency) NOT ENFORCED",
            "primary key (currency) not enforced",
            "TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ordered_at)",
            "table(tumble(table orders, descriptor(ordered_at)",
            "id INT",
            "id integer"));
    edits.put("secret", List.of("'user and password'", "'another user and password'"));
    edits.put(
        "statement added",
        List.of(
            "INSERT INTO totals",
            "INSERT INTO late_orders SELECT id, ordered_at FROM orders WHERE amount < 0;\n\nINSERT INTO totals"));
    edits.put(
        "statement removed",
        List.of(
            "INSERT INTO totals\nSELECT customer, CAST(SUM(amount) AS BIGINT) FROM orders GROUP BY customer;\n",
            ""));
    edits.put(
        "statement moved",
        List.of(
            "INSERT INTO totals\nSELECT customer, CAST(SUM(amount) AS BIGINT) FROM orders GROUP BY customer;\n",
            "",
            "-- The pages of a customer, in order.",
            "INSERT INTO totals\nSELECT customer, CAST(SUM(amount) AS BIGINT) FROM orders GROUP BY customer;\n\n-- The pages of a customer, in order."));
    edits.put(
        "statement replaced", List.of("INSERT INTO totals", "INSERT INTO sums", TOTALS, SUMS));
    edits.put(
        "table becomes a view",
        List.of(
            "CREATE TABLE visits (",
            "CREATE TABLE all_visits (",
            "CREATE VIEW large_orders",
            "CREATE VIEW visits AS SELECT * FROM all_visits WHERE page <> 'ping';\n\nCREATE VIEW large_orders"));
    edits.put(
        "second statement of a sink in front",
        List.of(
            "INSERT INTO totals",
            "INSERT INTO viewers SELECT customer, 0, page FROM visits;\n\nINSERT INTO totals"));
    edits.put(
        "declaration moved",
        List.of(
            "CREATE TABLE paths (customer STRING, page STRING) WITH ('connector' = 'print');\n",
            "",
            "CREATE VIEW large_orders",
            "CREATE TABLE paths (customer STRING, page STRING) WITH ('connector' = 'print');\n\nCREATE VIEW large_orders"));
    edits.put(
        "hint added",
        List.of(
            "SELECT customer, CAST(", "SELECT /*+ DISTRIBUTEBY('customer') */ customer, CAST("));
    edits.put("hint removed", List.of("/*+ DISTRIBUTEBY('customer') */ ", ""));
    edits.put(
        "broadcast removed", List.of("/*+ BROADCAST(r), HASH_BY_KEY('o'='customer') */ ", ""));
    edits.put("distribution column", List.of("DISTRIBUTEBY('customer')", "DISTRIBUTEBY('page')"));
    edits.put(
        "placement of a join", List.of("HASH_BY_KEY('o'='customer')", "HASH_BY_KEY('o'='id')"));
    edits.put("join key", List.of("ON o.currency = r.currency", "ON o.customer = r.currency"));
    edits.put(
        "join condition",
        List.of("ON o.currency = r.currency;", "ON o.currency = r.currency AND o.id > r.rate;"));
    edits.put(
        "column type in state",
        List.of(
            "  id INT,\n  customer",
            "  id BIGINT,\n  customer",
            "late_orders (id INT",
            "late_orders (id BIGINT",
            "converted (id INT",
            "converted (id BIGINT"));
    edits.put("column length in state", List.of("customer VARCHAR(20)", "customer VARCHAR(200)"));
    edits.put("unread column added", List.of("  note STRING,", "  note STRING,\n  shop STRING,"));
    edits.put("value in a filter", List.of("page <> 'home'", "page <> 'index'"));
    edits.put("value in a shared filter", List.of("amount > 5", "amount > 10"));
    edits.put("aggregate", List.of("SUM(amount) AS BIGINT", "MAX(amount) AS BIGINT"));
    edits.put("window length", List.of("INTERVAL '1' MINUTE", "INTERVAL '2' MINUTE"));
    edits.put("topic", List.of("'topic' = 'orders'", "'topic' = 'orders-v2'"));
    edits.put(
        "lines in a value",
        List.of("'topic' = 'orders'", "'topic' = 'orders\n\nThe plans are the same.\u001b[2J'"));
    edits.put(
        "how rows are parsed",
        List.of(
            "'scan.startup.mode'", "'json.ignore-parse-errors' = 'true',\n  'scan.startup.mode'"));
    edits.put("start of reading", List.of("'earliest-offset'", "'latest-offset'"));
    edits.put(
        "format",
        List.of(
            "'path' = '${DATA}/visits', 'format' = 'csv'",
            "'path' = '${DATA}/visits', 'format' = 'json'"));
    edits.put(
        "source parallelism",
        List.of("'format' = 'csv'\n);", "'format' = 'csv', 'source.parallelism' = '1'\n);"));
    edits.put("deduplication removed", List.of(" /*+ OPTIONS('duplicate.right'='true') */", ""));
    edits.put(
        "deduplicated columns",
        List.of(
            "ON o.customer = v.customer",
            "ON o.customer = v.customer AND o.ordered_at > v.seen_at"));
    edits.put("parallelism", List.of("'parallelism.default' = '2'", "'parallelism.default' = '4'"));
    edits.put(
        "more tasks than keys can be spread over",
        List.of("'parallelism.default' = '2'", "'parallelism.default' = '200'"));
    edits.put(
        "table altered",
        List.of(
            "CREATE VIEW large_orders",
            "ALTER TABLE orders SET ('topic' = 'others');\n\nCREATE VIEW large_orders"));
    edits.put(
        "rows expire",
        List.of("SET 'parallelism", "SET 'table.exec.state.ttl' = '1 d';\nSET 'parallelism"));
    edits.put(
        "most tasks as they were",
        List.of("SET 'parallelism", "SET 'pipeline.max-parallelism' = '128';\nSET 'parallelism"));
    edits.put(
        "most tasks",
        List.of("SET 'parallelism", "SET 'pipeline.max-parallelism' = '256';\nSET 'parallelism"));
    return edits;
  }

  static Stream<String> names() {
    return EDITS.keySet().stream();
  }

  private static String script() throws IOException {
    return Files.readString(FOLDER.resolve("script.sql"));
  }

  private static String edited(String name) throws IOException {
    String script = script();
    List<String> edit = EDITS.get(name);
    for (int i = 0; i < edit.size(); i += 2) {
      assertThat(script).contains(edit.get(i));
      script = script.replace(edit.get(i), edit.get(i + 1));
    }
    return script;
  }

  private static JobPlan plan(String script, FlinkVersion version) {
    Transpilation transpilation =
        Transpiler.transpile(
            List.of(new SourceText("script.sql", script)),
            new TranspilerOptions(version, "jobs", "script", TranspilerOptions.Emission.PROJECT));
    assertThat(transpilation.hasErrors()).as("%s", transpilation.diagnostics()).isFalse();
    return transpilation.plan().orElseThrow();
  }

  private static JobPlan plan(String script) {
    return plan(script, FlinkVersion.V2_2);
  }

  private static void isWhatItWas(String file, String actual) throws IOException {
    Path golden = FOLDER.resolve(file);
    if (REWRITE) {
      Files.writeString(golden, actual);
    }
    assertThat(golden).hasContent(actual);
  }

  @ParameterizedTest
  @MethodSource("names")
  void isWhatItWas(String name) throws IOException {
    PlanDiff diff = PlanDiff.between(plan(script()), plan(edited(name)));
    isWhatItWas(name.replace(' ', '-') + ".txt", DiffText.of(diff));
  }

  @Test
  void otherVersionOfFlink() throws IOException {
    JobPlan before = plan(script(), FlinkVersion.V1_20);
    isWhatItWas("flink.txt", DiffText.of(PlanDiff.between(before, plan(script()))));
  }

  /** Several edits at once, in every form. */
  @Test
  void everyFormIsWhatItWas() throws IOException {
    String after = script();
    for (String edit :
        List.of("statement added", "hint removed", "topic", "join condition", "rows expire")) {
      after = after.replace(EDITS.get(edit).get(0), EDITS.get(edit).get(1));
    }
    PlanDiff diff = PlanDiff.between(plan(script()), plan(after));
    for (Map.Entry<String, Function<PlanDiff, String>> form :
        Map.<String, Function<PlanDiff, String>>of(
                "all.txt", DiffText::of,
                "all.json", DiffJson::of,
                "all.md", DiffMarkdown::of,
                "all.html", DiffHtml::of)
            .entrySet()) {
      isWhatItWas(form.getKey(), form.getValue().apply(diff));
    }
  }

  @Test
  void aPlanThatWasWrittenAndReadIsTheSame() throws Exception {
    JobPlan plan = plan(script());
    PlanDiff diff = PlanDiff.between(plan, PlanReader.read(PlanJson.of(plan)));
    assertThat(diff.isEmpty()).as(DiffText.of(diff)).isTrue();
  }

  /** There and back: what one way adds the other removes. */
  @ParameterizedTest
  @MethodSource("names")
  void isEmptyOnlyIfBothWaysAre(String name) throws IOException {
    JobPlan before = plan(script());
    JobPlan after = plan(edited(name));
    assertThat(PlanDiff.between(before, before).isEmpty()).isTrue();
    assertThat(PlanDiff.between(after, before).isEmpty())
        .isEqualTo(PlanDiff.between(before, after).isEmpty());
  }
}
