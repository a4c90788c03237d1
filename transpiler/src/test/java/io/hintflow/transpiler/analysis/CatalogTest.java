package io.hintflow.transpiler.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.transpiler.analysis.Column.Kind;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CatalogTest {
  private static final String ORDERS =
      """
      CREATE TABLE orders (
        id BIGINT,
        `客户` STRING,
        price DECIMAL(10, 2),
        total AS price * 2,
        pt AS PROCTIME(),
        part INT METADATA FROM 'partition' VIRTUAL,
        headers STRING METADATA,
        ts TIMESTAMP(3),
        place ROW<city STRING, spot ROW<x INT>>,
        WATERMARK FOR ts AS ts - INTERVAL '1' SECOND,
        PRIMARY KEY (id) NOT ENFORCED
      ) WITH ('connector' = 'upsert-kafka', 'key.format' = 'json');
      """;

  private static List<String> columns(Relation.Table table) {
    return table.columns().stream().map(Column::name).toList();
  }

  private static Column column(Relation.Table table, String name) {
    return table.columns().stream()
        .filter(column -> column.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void readsEveryKindOfColumn() {
    Marked script = Marked.read(ORDERS + "SELECT 1;");
    Relation.Table orders = script.table("orders");

    assertThat(orders.path()).containsExactly("default_catalog", "default_database", "orders");
    assertThat(orders.primaryKey()).containsExactly("id");
    assertThat(orders.watermark()).contains("ts");
    assertThat(orders.options())
        .containsExactly(Map.entry("connector", "upsert-kafka"), Map.entry("key.format", "json"));
    assertThat(orders.changelog()).isEqualTo(Changelog.UPDATING);
    assertThat(columns(orders))
        .containsExactly("id", "客户", "price", "total", "pt", "part", "headers", "ts", "place");
    assertThat(orders.columns().stream().map(Column::kind))
        .containsExactly(
            Kind.PHYSICAL,
            Kind.PHYSICAL,
            Kind.PHYSICAL,
            Kind.COMPUTED,
            Kind.COMPUTED,
            Kind.VIRTUAL_METADATA,
            Kind.METADATA,
            Kind.PHYSICAL,
            Kind.PHYSICAL);
    assertThat(orders.columns().stream().map(Column::timeAttribute))
        .containsExactly(
            TimeAttribute.NONE,
            TimeAttribute.NONE,
            TimeAttribute.NONE,
            TimeAttribute.NONE,
            TimeAttribute.PROCTIME,
            TimeAttribute.NONE,
            TimeAttribute.NONE,
            TimeAttribute.ROWTIME,
            TimeAttribute.NONE);
    assertThat(column(orders, "id").type().getFullTypeString()).isEqualTo("BIGINT NOT NULL");
    assertThat(column(orders, "total").type().getFullTypeString()).isEqualTo("DECIMAL(21, 2)");
    assertThat(column(orders, "place").type().getFieldList().get(1).getType().isStruct()).isTrue();
    assertThat(script.script().text().text(column(orders, "客户").span())).isEqualTo("`客户`");
  }

  @Test
  void likeTakesWhatItDoesNotExclude() {
    String like =
        ORDERS + "CREATE TABLE copy (extra INT) WITH ('x' = 'y') LIKE orders%s; SELECT 1;";

    Relation.Table whole = Marked.read(like.formatted("")).table("copy");
    assertThat(columns(whole)).contains("total", "pt", "part").endsWith("extra");
    assertThat(whole.watermark()).contains("ts");
    assertThat(whole.options()).containsKeys("connector", "x");
    assertThat(column(whole, "ts").timeAttribute()).isEqualTo(TimeAttribute.ROWTIME);

    Relation.Table physical = Marked.read(like.formatted(" (EXCLUDING ALL)")).table("copy");
    assertThat(columns(physical)).containsExactly("id", "客户", "price", "ts", "place", "extra");
    assertThat(physical.watermark()).isEmpty();
    assertThat(physical.primaryKey()).isEmpty();
    assertThat(physical.options()).containsOnlyKeys("x");
    assertThat(column(physical, "ts").timeAttribute()).isEqualTo(TimeAttribute.NONE);

    Relation.Table mixed =
        Marked.read(like.formatted(" (EXCLUDING ALL INCLUDING GENERATED)")).table("copy");
    assertThat(columns(mixed)).contains("total", "pt").doesNotContain("part");
  }

  @Test
  void createTableAsHasTheColumnsOfItsQuery() {
    Marked script =
        Marked.read(
            ORDERS
                + "CREATE TABLE copy WITH ('connector' = 'kafka') AS SELECT id AS k, ts FROM orders; SELECT 1;");
    Relation.Table copy = script.table("copy");
    assertThat(columns(copy)).containsExactly("k", "ts");
    assertThat(column(copy, "ts").timeAttribute()).isEqualTo(TimeAttribute.NONE);
  }

  @Test
  void namesAreFoundThroughTheCurrentCatalogAndDatabase() {
    Marked script =
        Marked.read(
            """
            CREATE TABLE a (x INT);
            CREATE CATALOG c WITH ('type' = 'hive', 'default-database' = 'd');
            USE CATALOG c;
            CREATE TABLE b (x INT);
            CREATE DATABASE e;
            USE e;
            CREATE TABLE b (y INT);
            SELECT 1;
            """);
    assertThat(script.analysis().resolve(script.last(), List.of("a"))).isEmpty();
    assertThat(columns(script.table("default_catalog", "default_database", "a")))
        .containsExactly("x");
    assertThat(columns(script.table("b"))).containsExactly("y");
    assertThat(columns(script.table("d", "b"))).containsExactly("x");
    assertThat(script.table("d", "b").path()).containsExactly("c", "d", "b");
    assertThat(script.analysis().diagnostics()).isEmpty();
  }

  @Test
  void aNameMeansWhatItMeantWhenTheStatementIsReached() {
    Marked script =
        Marked.read(
            """
            SELECT 0;
            CREATE TABLE t (a INT);
            SELECT 1;
            CREATE TEMPORARY TABLE t (b INT);
            SELECT 2;
            DROP TEMPORARY TABLE t;
            SELECT 3;
            CREATE TABLE IF NOT EXISTS t (c INT);
            SELECT 4;
            DROP TABLE t;
            SELECT 5;
            """);
    List<String> found =
        IntStream.of(0, 2, 4, 6, 8, 10)
            .mapToObj(
                index ->
                    script
                        .analysis()
                        .resolve(script.script().statements().get(index), List.of("t"))
                        .map(relation -> columns((Relation.Table) relation).toString())
                        .orElse("none"))
            .toList();
    assertThat(found).containsExactly("none", "[a]", "[b]", "[a]", "[a]", "none");
    assertThat(script.analysis().diagnostics()).isEmpty();
  }

  @Test
  void alterTableChangesWhatComesAfterIt() {
    Marked script =
        Marked.read(
            """
            CREATE TABLE t (a INT, b INT, PRIMARY KEY (a) NOT ENFORCED) WITH ('connector' = 'kafka', 'format' = 'json');
            ALTER TABLE t ADD (c STRING FIRST, d TIMESTAMP(3) AFTER a, WATERMARK FOR d AS d);
            ALTER TABLE t RENAME a TO k;
            ALTER TABLE t DROP (b);
            ALTER TABLE t SET ('format' = 'debezium-json');
            ALTER TABLE t RESET ('connector');
            ALTER TABLE t RENAME TO u;
            SELECT 1;
            """);
    Relation.Table table = script.table("u");
    assertThat(columns(table)).containsExactly("c", "k", "d");
    assertThat(table.primaryKey()).containsExactly("k");
    assertThat(table.watermark()).contains("d");
    assertThat(table.options()).containsExactly(Map.entry("format", "debezium-json"));
    assertThat(script.analysis().resolve(script.last(), List.of("t"))).isEmpty();
    Relation.Table before =
        (Relation.Table)
            script
                .analysis()
                .resolve(script.script().statements().get(1), List.of("t"))
                .orElseThrow();
    assertThat(columns(before)).containsExactly("a", "b");
  }

  @Test
  void aTemporaryTableKeepsItsPlaceWhenRenamed() {
    Marked script =
        Marked.read(
            """
            CREATE TABLE t (a INT);
            CREATE TEMPORARY TABLE t (b INT);
            ALTER TABLE t RENAME TO u;
            SELECT 1;
            """);
    assertThat(columns(script.table("t"))).containsExactly("a");
    assertThat(columns(script.table("u"))).containsExactly("b");
  }

  @Test
  void aLongChainOfLikeIsRead() {
    int length = 300;
    String chain =
        IntStream.range(1, length)
            .mapToObj(i -> "CREATE TABLE t%d (c%d INT) LIKE t%d;".formatted(i, i, i - 1))
            .collect(Collectors.joining("\n", "CREATE TABLE t0 (c0 INT);\n", "\nSELECT 1;"));
    assertThat(columns(Marked.read(chain).table("t" + (length - 1)))).hasSize(length);
  }
}
