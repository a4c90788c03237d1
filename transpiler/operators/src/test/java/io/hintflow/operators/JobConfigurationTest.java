package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.PipelineOptions;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobConfigurationTest {
  private static final String ORDERS =
      """
      CREATE TABLE orders ( -- WITH ('not' = 'this')
        id INT COMMENT 'a WITH (''x'' = ''y'') in text',
        price DECIMAL(10, 2)
      ) COMMENT 'orders' PARTITIONED BY (id)
      WITH (
        'connector' = 'kafka', -- the source
        'topic' = 'it''s, orders)',
        'properties.sasl.password' = 'hunter2'
      )""";

  @TempDir Path folder;

  @Test
  void withoutArgumentsTheFileOnTheClassPathIsRead() {
    JobConfiguration configuration = JobConfiguration.load(new String[0]);

    assertThat(configuration.flink().toMap()).containsEntry("pipeline.name", "from the class path");
  }

  @Test
  void optionsAreReadAsFlinkReadsItsOwnFile() {
    JobConfiguration configuration =
        load(
            """
            # Nested, dotted, and both.
            parallelism.default: 4
            execution:
              runtime-mode: batch
              checkpointing.interval: 10 s
            pipeline:
              name: 订单
              jars: [file:///a.jar, file:///b;c.jar]
            a.version: 1.10
            a.switch: yes
            a.quoted: "~"
            a.missing: ~
            a.absent:
            tables:
            """);

    assertThat(configuration.flink().toMap())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "parallelism.default", "4",
                "execution.runtime-mode", "batch",
                "execution.checkpointing.interval", "10 s",
                "pipeline.name", "订单",
                "pipeline.jars", "file:///a.jar;'file:///b;c.jar'",
                "a.version", "1.10",
                "a.switch", "yes",
                "a.quoted", "~"));
    assertThat(configuration.flink().get(PipelineOptions.JARS))
        .containsExactly("file:///a.jar", "file:///b;c.jar");
  }

  @Test
  void argumentsOverrideTheFile() {
    JobConfiguration configuration =
        load(
            "parallelism: {default: 4}\npipeline.name: a",
            "-Dparallelism.default=2",
            "-Dpipeline.name=b=c",
            "-Da.b=");

    assertThat(configuration.flink().toMap())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("parallelism.default", "2", "pipeline.name", "b=c", "a.b", ""));
  }

  @Test
  void anEmptyFileSetsNothing() {
    assertThat(load("# nothing").flink().toMap()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--parallelism", "-p", "-Dnovalue", "-D=x", "x", "--config", ""})
  void otherArgumentsAreRefused(String argument) {
    assertThatThrownBy(() -> JobConfiguration.load(new String[] {argument}, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Argument '%s' is not understood. The arguments of the job are: [--config FILE] [-Dkey=value]..."
                .formatted(argument.split("=")[0]));
  }

  @Test
  void aMissingFileIsNamed() {
    String missing = folder.resolve("missing.yaml").toString();

    assertThatThrownBy(() -> JobConfiguration.load(new String[] {"--config", missing}, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(missing)
        .hasMessageContaining("cannot be read");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.password: hunter2\\n b: [hunter2 | line 2",
        "a: hunter2\\na: hunter2 | line 2: 'a' has a value already",
        "a: {b: hunter2}\\na.b: hunter2 | line 2: 'a.b' has a value already",
        "- hunter2 | line 1: there should be lines of the form \"key: value\"",
        "tables: hunter2 | line 1: there should be lines of the form \"key: value\"",
        "tables:\\n  t: hunter2 | line 2: there should be lines of the form \"key: value\"",
        "tables:\\n  t: {a: hunter2}\\n  t: {b: hunter2} | line 3: this table stands here",
        "a: [[hunter2]] | line 1: there should be a single value",
        "[hunter2]: x | line 1: there should be a single value",
        "a: *hunter | config.yaml",
      })
  void aMistakeInTheFileIsNamedWithItsLineAndNoValue(String text, String message) {
    assertMistake(() -> load(text.replace("\\n", "\n")))
        .hasMessageContaining("config.yaml")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "a = '${TOPIC}' | a = 'it''s'",
        "a = 'x-${TOPIC}-${USER}' | a = 'x-it''s-${TOPIC}'",
        "a = '${ABSENT:-d''f:-x}' | a = 'd''f:-x'",
        "a = '${ABSENT:-}' | a = ''",
        "a = '${TOPIC:-unused}' | a = 'it''s'",
        "a = '''${TOPIC}''' | a = '''it''s'''",
        "a = '$${TOPIC} ${} ${1} $TOPIC ${a.b}' | a = '$${TOPIC} ${} ${1} $TOPIC ${a.b}'",
        "`${TOPIC}` /* '${TOPIC}' */ '1' | `${TOPIC}` /* '${TOPIC}' */ '1'",
        "t /*+ OPTIONS('k'='${TOPIC}') */ | t /*+ OPTIONS('k'='it''s') */",
        "`it's` = '${TOPIC}' | `it's` = 'it''s'",
        "a -- it's\\n = '${TOPIC}' -- '${ABSENT}' | a -- it's\\n = 'it''s' -- '${ABSENT}'",
        "a // it's\\n = '${TOPIC}' | a // it's\\n = 'it''s'",
        "a /* it's */ = '${TOPIC}' | a /* it's */ = 'it''s'",
        "a = 'unterminated ${TOPIC} | a = 'unterminated ${TOPIC}",
      })
  void placeholdersAreResolvedInLiteralsOnly(String statement, String resolved) {
    JobConfiguration configuration =
        JobConfiguration.load(
            arguments("", "-DTOPIC=it's"), Map.of("TOPIC", "environment", "USER", "${TOPIC}"));

    assertThat(configuration.sql(statement.replace("\\n", "\n")))
        .isEqualTo(resolved.replace("\\n", "\n"));
  }

  @Test
  void aPlaceholderWithoutAValueIsNamedWithItsStatement() {
    assertMistake(
            () ->
                load("")
                    .sql(
                        "\n  CREATE TABLE t (a INT)\nWITH ('password' = 'hunter2', 'b' = '${PASSWORD}')"))
        .hasMessage(
            "There is no value for ${PASSWORD} in the statement that starts with \"CREATE TABLE t (a INT) WITH (\". Pass -DPASSWORD=value or set the environment variable PASSWORD.");
  }

  @Test
  void placeholdersInFlinksOptionsAreResolved() {
    assertThat(
            load("pipeline.name: ${WHO}\nstate.backend.type: ${BACKEND:-rocksdb}", "-DWHO=it's me")
                .flink()
                .toMap())
        .containsEntry("pipeline.name", "it's me")
        .containsEntry("state.backend.type", "rocksdb");
    assertMistake(() -> load("pipeline.name: ${WHO}").flink())
        .hasMessage(
            "There is no value for ${WHO} in the option pipeline.name. Pass -DWHO=value or set the environment variable WHO.");
  }

  @Test
  void valuesOfPlaceholdersAreNotFlinksOptions() {
    assertThat(load("", "-DPASSWORD=hunter2").flink().toMap()).isEmpty();
  }

  @Test
  void longLiteralsAndStatementsAreRead() {
    String statement = "SELECT '" + "x''".repeat(100_000) + "${A:-b}', " + "'c', ".repeat(100_000);

    assertThat(load("").sql(statement)).isEqualTo(statement.replace("${A:-b}", "b"));
  }

  @Test
  void aTableWithoutAnEntryStaysByteForByte() {
    JobConfiguration configuration = load("tables: {other: {connector: print}}");

    assertThat(configuration.createTable("orders", ORDERS)).isEqualTo(ORDERS);
  }

  @Test
  void singleOptionsAreReplacedAddedAndRemoved() {
    JobConfiguration configuration =
        load(
            """
            tables:
              orders:
                topic: new 'orders'
                properties: {bootstrap.servers: "${SERVERS:-localhost:9092}", sasl.password: ~}
            """);

    assertThat(configuration.createTable("orders", ORDERS))
        .isEqualTo(
            ORDERS.substring(0, ORDERS.indexOf("WITH (\n"))
                + """

                WITH (
                  'connector' = 'kafka',
                  'topic' = 'new ''orders''',
                  'properties.bootstrap.servers' = 'localhost:9092'
                )
                """);
  }

  @Test
  void aConnectorReplacesAllOptions() {
    JobConfiguration configuration =
        load("tables: {orders: {path: /data, connector: filesystem, format: csv, x: ~}}");

    assertThat(configuration.createTable("orders", ORDERS))
        .endsWith(
            "\nWITH (\n  'path' = '/data',\n  'connector' = 'filesystem',\n  'format' = 'csv'\n)\n")
        .doesNotContain("kafka");
  }

  @Test
  void placeholdersOfReplacedOptionsNeedNoValue() {
    JobConfiguration configuration = load("tables: {t: {connector: print}}");

    assertThat(configuration.createTable("t", "CREATE TABLE t (a INT) WITH ('url' = '${URL}')"))
        .contains("'connector' = 'print'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "CREATE TABLE t (a INT) | CREATE TABLE t (a INT)#",
        "CREATE TABLE t (a INT); | CREATE TABLE t (a INT)#;",
        "CREATE TABLE t (a INT) -- end | CREATE TABLE t (a INT)# -- end",
        "CREATE TABLE t LIKE s (INCLUDING ALL) | CREATE TABLE t #LIKE s (INCLUDING ALL)",
        "CREATE TABLE `with` (`like` INT, b AS `with` + 1) LIKE s | CREATE TABLE `with` (`like` INT, b AS `with` + 1) #LIKE s",
        "CREATE TABLE t as WITH x AS (SELECT 1) SELECT * FROM x | CREATE TABLE t #as WITH x AS (SELECT 1) SELECT * FROM x",
        "CREATE TABLE t with () AS SELECT 1 | CREATE TABLE t # AS SELECT 1",
        "CREATE TABLE t (a INT) WITH ('k' = 'old') LIKE s | CREATE TABLE t (a INT) # LIKE s",
        "CREATE TABLE t (a INT) WITH/* x */('k'/* = */='old'-- y\\n,) | CREATE TABLE t (a INT) #",
      })
  void theWithClauseIsFoundOrAdded(String statement, String expected) {
    JobConfiguration configuration = load("tables: {t: {k: new}}");

    assertThat(configuration.createTable("t", statement.replace("\\n", "\n")))
        .isEqualTo(expected.replace("#", "\nWITH (\n  'k' = 'new'\n)\n"));
  }

  @Test
  void anArgumentReplacesAnOptionOfTheTableWithTheLongestPath() {
    JobConfiguration configuration =
        load(
            "tables.shop.orders.a: 1\ntables: {shop: {x: 1}, shop.orders: {b: 2}}",
            "-Dtables.shop.orders.b=3",
            "-Dtables.shop.format=csv",
            "-Dtables.`my.db`.t.c=d");

    assertThat(configuration.createTable("shop.orders", "CREATE TABLE shop.orders (a INT)"))
        .endsWith("(\n  'b' = '3',\n  'a' = '1'\n)\n");
    assertThat(configuration.createTable("shop", "CREATE TABLE shop (a INT)"))
        .endsWith("(\n  'x' = '1',\n  'format' = 'csv'\n)\n");
    assertThat(configuration.createTable("`my.db`.t", "CREATE TABLE `my.db`.t (a INT)"))
        .endsWith("(\n  'c' = 'd'\n)\n");
    configuration.requireAllTablesUsed();
  }

  @Test
  void tablesThatTheJobDoesNotCreateAreNamed() {
    JobConfiguration configuration =
        load(
            "tables: {ordres: {password: hunter2}, orders: {a: b}}",
            "-Dtables.odrers.password=hunter2");
    configuration.createTable("orders", ORDERS);
    configuration.createTable("sink", "CREATE TABLE sink (a INT)");

    assertMistake(configuration::requireAllTablesUsed)
        .hasMessage(
            "The configuration has options for tables that the job does not create: ordres, odrers.password. Its tables are: orders, sink.");
  }

  /** Secrets must not get into a log, neither by the message nor by a cause. */
  private static AbstractThrowableAssert<?, ?> assertMistake(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .hasMessageNotContaining("hunter2");
  }

  private JobConfiguration load(String yaml, String... overrides) {
    return JobConfiguration.load(arguments(yaml, overrides), Map.of());
  }

  private String[] arguments(String yaml, String... overrides) {
    Path file = folder.resolve("config.yaml");
    try {
      Files.writeString(file, yaml);
    } catch (IOException problem) {
      throw new java.io.UncheckedIOException(problem);
    }
    List<String> arguments = new ArrayList<>(List.of("--config", file.toString()));
    arguments.addAll(List.of(overrides));
    return arguments.toArray(String[]::new);
  }
}
