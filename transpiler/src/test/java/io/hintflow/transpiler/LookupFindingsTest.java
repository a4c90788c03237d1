package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.transpiler.TranspilerOptions.Emission;
import io.hintflow.transpiler.testing.MarkedScript;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of Redis tables, their look-ups and the logger, with the exact place. */
class LookupFindingsTest {
  private static final String OPTIONS =
      "'connector' = 'redis', 'hostname' = 'redis.example', 'format' = 'json'";

  private static final String TABLES =
      """
      CREATE TABLE s (id INT, big BIGINT, 名 STRING, name STRING, sex STRING, ts TIMESTAMP(3),
        seen AS PROCTIME(), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');
      CREATE TABLE users (name STRING, age INT, sex STRING) WITH (%1$s);
      CREATE TABLE items (item INT, sold INT, PRIMARY KEY (sold) NOT ENFORCED) WITH (%1$s);
      """
          .formatted(OPTIONS);

  private static MarkedScript table(String columns, String options) {
    return MarkedScript.of("CREATE TABLE d (%s) WITH (%s);".formatted(columns, options));
  }

  private static MarkedScript query(String query) {
    return MarkedScript.of(TABLES + query + ";");
  }

  // ---------------------------------------------------------------------------- options

  private static final String REDIS_OPTIONS =
      "database, format, hostname, key-prefix, lookup.async, lookup.batch, lookup.batch.interval,"
          + " lookup.batch.size, lookup.cache.caching-missing-key, lookup.cache.max-rows,"
          + " lookup.cache.ttl, lookup.max-retries, password, port, ssl, timeout, username";

  @Test
  void anUnknownOption() {
    table("k STRING, v INT", OPTIONS + ", ⟦'prot'⟧ = '6379'")
        .gives(
            DiagnosticCode.UNKNOWN_TABLE_OPTION,
            "The connector 'redis' has no option 'prot'",
            "Did you mean 'port'? The options are " + REDIS_OPTIONS);
    table("k STRING, v INT", OPTIONS + ", ⟦'no.such.thing'⟧ = '1'")
        .gives(
            DiagnosticCode.UNKNOWN_TABLE_OPTION,
            "The connector 'redis' has no option 'no.such.thing'",
            "The options are " + REDIS_OPTIONS);
    table("k STRING", "'connector' = 'logger', ⟦'print.identifier'⟧ = 'x'")
        .gives(
            DiagnosticCode.UNKNOWN_TABLE_OPTION,
            "The connector 'logger' has no option 'print.identifier'",
            "Did you mean 'print-identifier'? The options are print-identifier, sink.parallelism");
  }

  @Test
  void anUnknownOptionBesideTheName() {
    query(
            "SELECT s.id, users.age FROM s JOIN users /*+ OPTIONS(⟦'lookup.asinc'⟧ = 'true') */"
                + " FOR SYSTEM_TIME AS OF s.seen ON s.name = users.name")
        .gives(
            DiagnosticCode.UNKNOWN_TABLE_OPTION,
            "The connector 'redis' has no option 'lookup.asinc'",
            "Did you mean 'lookup.async'? The options are " + REDIS_OPTIONS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'port' = ⟦'0'⟧ | port | a port: a whole number from 1 to 65535",
        "'port' = ⟦'65536'⟧ | port | a port: a whole number from 1 to 65535",
        "'port' = ⟦'redis'⟧ | port | a port: a whole number from 1 to 65535",
        "'lookup.batch.size' = ⟦'0'⟧ | lookup.batch.size | a whole number of at least 1",
        "'lookup.batch.size' = ⟦'-3'⟧ | lookup.batch.size | a whole number of at least 1",
        "'lookup.cache.max-rows' = ⟦'many'⟧ | lookup.cache.max-rows | a whole number of at least 0",
        "'lookup.max-retries' = ⟦'99999999999'⟧ | lookup.max-retries | a whole number of at least 0",
        "'lookup.async' = ⟦'yes'⟧ | lookup.async | 'true' or 'false'",
        "'lookup.cache.ttl' = ⟦'0'⟧ | lookup.cache.ttl | a duration as '10 min', or a number of seconds, and longer than nothing",
        "'lookup.batch.interval' = ⟦'soon'⟧ | lookup.batch.interval | a duration as '10 min', or a number of seconds, and longer than nothing",
      })
  void aValueThatIsNone(String option, String name, String meaning) {
    table("k STRING, v INT", OPTIONS + ", " + option)
        .gives(
            DiagnosticCode.INVALID_TABLE_OPTION,
            "The option '%s' is %s".formatted(name, meaning),
            "Write '%s' = '…' with such a value".formatted(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'port' = '${PORT}'",
        "'json.ignore-parse-errors' = 'true'",
        "'lookup.cache.ttl' = '3600', 'lookup.cache.max-rows' = '0'",
        "'lookup.cache.ttl' = '10 min', 'lookup.cache.max-rows' = '${ROWS}', 'timeout' = '500ms', 'lookup.batch.interval' = '1 h'",
        "'username' = 'u', 'password' = 'p', 'database' = '3', 'ssl' = 'TRUE', 'key-prefix' = ''",
      })
  void optionsThatAreFine(String option) {
    MarkedScript script =
        new MarkedScript(
            "CREATE TABLE d (k STRING, v INT) WITH (%s, %s);".formatted(OPTIONS, option), null);
    assertThat(script.transpile(FlinkVersion.V2_2, Emission.PROJECT).diagnostics()).isEmpty();
  }

  @Test
  void anOptionThatIsNeeded() {
    table("k STRING, v INT", "⟦'connector' = 'redis'⟧, 'format' = 'json'")
        .gives(
            DiagnosticCode.MISSING_TABLE_OPTION,
            "The connector 'redis' needs the option 'hostname'",
            "Add 'hostname' = '…' to the WITH clause");
    table("k STRING, v INT", "'hostname' = 'h', ⟦'connector' = 'redis'⟧")
        .gives(
            DiagnosticCode.MISSING_TABLE_OPTION,
            "The connector 'redis' needs the option 'format'",
            "Add 'format' = '…' to the WITH clause");
  }

  @Test
  void aTimeOfACacheWithoutItsSize() {
    table("k STRING, v INT", OPTIONS + ", ⟦'lookup.cache.ttl' = '3600'⟧")
        .gives(
            DiagnosticCode.MISSING_TABLE_OPTION,
            "'lookup.cache.ttl' needs 'lookup.cache.max-rows': without it, nothing is cached",
            "Say how many rows a task may keep");
  }

  @Test
  void anOptionInATableThatIsLikeAnother() {
    MarkedScript.of(TABLES + "CREATE TABLE d WITH ('port' = ⟦'none'⟧) LIKE users;")
        .gives(
            DiagnosticCode.INVALID_TABLE_OPTION,
            "The option 'port' is a port: a whole number from 1 to 65535",
            "Write 'port' = '…' with such a value");
  }

  // ---------------------------------------------------------------------------- the key column

  @Test
  void aPrimaryKeyOfTwoColumns() {
    MarkedScript.of(
            "CREATE TABLE ⟦d⟧ (k STRING, v INT, PRIMARY KEY (k, v) NOT ENFORCED) WITH (%s);"
                .formatted(OPTIONS))
        .gives(
            DiagnosticCode.LOOKUP_TABLE_KEY,
            "A Redis table has one key column, and the primary key of 'd' has 2: k, v",
            "Declare the one that the keys in Redis are made of");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "⟦k⟧ DOUBLE, v INT | k | DOUBLE",
        "v STRING, ⟦k⟧ TIMESTAMP(3), PRIMARY KEY (k) NOT ENFORCED | k | TIMESTAMP(3)",
        "⟦键⟧ ARRAY<INT>, v INT | 键 | INTEGER ARRAY",
      })
  void aKeyOfAnotherType(String columns, String name, String type) {
    table(columns, OPTIONS)
        .gives(
            DiagnosticCode.LOOKUP_TABLE_KEY,
            "'%s' is the key column of a Redis table, and a %s is no key in Redis"
                .formatted(name, type),
            "Declare it as a STRING, an INT or a BIGINT, or name another column in a PRIMARY KEY");
  }

  // ---------------------------------------------------------------------------- the join

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT s.id FROM s JOIN users FOR SYSTEM_TIME AS OF s.seen ON ⟦s.name > users.name⟧",
        "SELECT s.id FROM s LEFT JOIN users FOR SYSTEM_TIME AS OF s.seen ON ⟦TRUE⟧",
        "SELECT s.id FROM s, ⟦users FOR SYSTEM_TIME AS OF s.seen⟧ WHERE s.id = 1",
        "SELECT s.id FROM s JOIN users FOR SYSTEM_TIME AS OF s.seen ON ⟦s.name = LOWER(users.name)⟧",
        "SELECT s.id FROM s LEFT JOIN users FOR SYSTEM_TIME AS OF s.seen ON ⟦users.age = 3⟧ WHERE s.name = users.name",
      })
  void noKey(String query) {
    query(query)
        .gives(
            DiagnosticCode.LOOKUP_KEY,
            "The look-up of users has no key: nothing says what its key column 'name' equals",
            "Write ON … = users.name, with the bare column on one side");
  }

  @Test
  void aColumnThatIsNotTheKey() {
    query("SELECT s.id FROM s JOIN users FOR SYSTEM_TIME AS OF s.seen AS u ON s.sex = ⟦u.sex⟧")
        .gives(
            DiagnosticCode.LOOKUP_KEY,
            "Redis finds a row by its key alone, and 'sex' is not the key column of u, which is 'name'",
            "Compare u.name, or declare PRIMARY KEY (sex) NOT ENFORCED if the keys in Redis are made of that");
    query("SELECT 名, sold FROM s JOIN items FOR SYSTEM_TIME AS OF s.seen ON ⟦items.item⟧ = s.id")
        .gives(
            DiagnosticCode.LOOKUP_KEY,
            "Redis finds a row by its key alone, and 'item' is not the key column of items, which is 'sold'",
            "Compare items.sold, or declare PRIMARY KEY (item) NOT ENFORCED if the keys in Redis are made of that");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT s.id FROM s JOIN users FOR SYSTEM_TIME AS OF s.seen ON s.name = users.name AND s.sex = ⟦users.sex⟧",
        "SELECT s.id FROM s JOIN users FOR SYSTEM_TIME AS OF s.seen ⟦USING (name, sex)⟧",
      })
  void twoKeys(String query) {
    query(query)
        .gives(
            DiagnosticCode.LOOKUP_KEY,
            "Redis takes one key, and this join compares two columns of users with the other side: 'name' and 'sex'",
            "Join on users.name alone, and compare 'sex' in WHERE or in the select list");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT s.id FROM s JOIN users FOR SYSTEM_TIME AS OF s.seen ON ⟦s.id⟧ = users.name | name | VARCHAR(2147483647) | INTEGER | STRING",
        "SELECT s.id FROM s JOIN items FOR SYSTEM_TIME AS OF s.seen ON items.sold = ⟦s.big⟧ | sold | INTEGER | BIGINT | INTEGER",
        "SELECT s.id FROM s JOIN items FOR SYSTEM_TIME AS OF s.seen ON items.sold = ⟦s.name⟧ | sold | INTEGER | VARCHAR(2147483647) | INTEGER",
      })
  void aValueOfAnotherType(
      String query, String column, String type, String valueType, String cast) {
    query(query)
        .gives(
            DiagnosticCode.LOOKUP_KEY,
            "The key column '%s' is %s and this is %s, so Flink would have to cast the column, and can't look it up then"
                .formatted(column, type, valueType),
            "Write CAST(… AS %s)".formatted(cast));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT s.id, u.age FROM s LEFT JOIN users FOR SYSTEM_TIME AS OF s.seen AS u ON s.name = u.name",
        "SELECT s.id FROM s, users FOR SYSTEM_TIME AS OF s.seen WHERE s.name = users.name AND users.sex = s.sex",
        "SELECT s.id FROM s JOIN users FOR SYSTEM_TIME AS OF s.seen ON UPPER(s.name) = users.name AND users.sex = 'f'",
        "SELECT s.id FROM s JOIN users FOR SYSTEM_TIME AS OF s.seen ON users.name = 'ann'",
        "SELECT s.id FROM s JOIN users FOR SYSTEM_TIME AS OF s.seen USING (name)",
        "SELECT s.id FROM s JOIN items FOR SYSTEM_TIME AS OF s.seen ON CAST(s.big AS INT) = items.sold",
        "SELECT s.id FROM (SELECT id, name, seen AS p FROM s) s JOIN users FOR SYSTEM_TIME AS OF s.p ON s.name = users.name",
        "CREATE VIEW known AS SELECT name, age FROM users WHERE sex = 'f'",
      })
  void joinsThatAreFine(String query) {
    assertThat(
            new MarkedScript(TABLES + query + ";", null)
                .transpile(FlinkVersion.V2_2, Emission.PROJECT)
                .diagnostics())
        .isEmpty();
  }

  // ---------------------------------------------------------------------------- other uses

  @Test
  void aTableThatIsRead() {
    query("SELECT name FROM ⟦users⟧")
        .gives(
            DiagnosticCode.LOOKUP_ONLY,
            "'users' is a Redis table, which can only be looked up",
            "Join it with FOR SYSTEM_TIME AS OF the processing time of the other side");
    query(
            "SELECT s.id FROM s JOIN ⟦default_catalog.default_database.users⟧ AS u ON s.name = u.name")
        .gives(
            DiagnosticCode.LOOKUP_ONLY,
            "'u' is a Redis table, which can only be looked up",
            "Join it with FOR SYSTEM_TIME AS OF the processing time of the other side");
  }

  @Test
  void aTableThatIsWritten() {
    query("INSERT INTO ⟦users⟧ SELECT name, id, sex FROM s")
        .gives(
            DiagnosticCode.LOOKUP_ONLY,
            "Nothing can be inserted into 'users': a Redis table can only be looked up",
            "Insert into a table of another connector");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RIGHT", "FULL"})
  void aJoinThatKeepsTheTable(String kind) {
    query(
            "SELECT s.id FROM s %s JOIN ⟦users⟧ FOR SYSTEM_TIME AS OF s.seen ON s.name = users.name"
                .formatted(kind))
        .gives(
            DiagnosticCode.LOOKUP_ONLY,
            "'users' is looked up for each row of the other side, so it stands on the right of a JOIN or LEFT JOIN",
            "Write … JOIN … or … LEFT JOIN … with it on the right");
  }

  @Test
  void anEventTime() {
    query("SELECT s.id FROM s JOIN ⟦users⟧ FOR SYSTEM_TIME AS OF s.ts ON s.name = users.name")
        .gives(
            DiagnosticCode.LOOKUP_ONLY,
            "Redis knows 'users' as it is now, not as it was at an event time",
            "Write FOR SYSTEM_TIME AS OF a column that is PROCTIME()");
  }

  // ---------------------------------------------------------------------------- hints

  private static final String TO_SHUFFLE =
      "Put what the look-up is joined with into a subquery that gives its key as a column, or use Flink 2";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT /*+ ⟦LOOKUP('table'='users', 'shuffle'='true')⟧ */ s.id FROM s JOIN s AS t ON s.id = t.id JOIN users FOR SYSTEM_TIME AS OF s.seen ON s.name = users.name | its other side is a join, whose rows come in an order and place of their own",
        "SELECT /*+ ⟦LOOKUP('table'='users', 'shuffle'='true')⟧ */ s.id FROM s JOIN users FOR SYSTEM_TIME AS OF s.seen ON users.name = 'ann' | its key is not made of columns of the first table of FROM",
        "SELECT /*+ LOOKUP('table'='items', 'shuffle'='true'), ⟦LOOKUP('table'='users', 'shuffle'='true')⟧ */ s.id FROM s JOIN items FOR SYSTEM_TIME AS OF s.seen ON s.id = items.sold JOIN users FOR SYSTEM_TIME AS OF s.seen ON s.name = users.name | the rows go by the key of another look-up of this SELECT",
      })
  void rowsThatCannotGoByTheKey(String query, String reason) {
    MarkedScript script = query(query);
    script.gives(
        script.transpile(FlinkVersion.V1_20, Emission.PROJECT),
        DiagnosticCode.LOOKUP_NOT_SHUFFLED,
        "Rows of one key go to any task here: Flink 1.20 does not know 'shuffle', and " + reason,
        TO_SHUFFLE);
    assertThat(script.transpile(FlinkVersion.V2_2, Emission.PROJECT).diagnostics()).isEmpty();
  }

  @Test
  void aBufferSmallerThanWhatBatchesCountOn() {
    MarkedScript.of(
            "SET 'is.dim.batch.mode' = 'true';\n"
                + TABLES
                + "SELECT /*+ LOOKUP('table'='u', 'capacity'=⟦'20'⟧) */ s.id FROM s JOIN users"
                + " FOR SYSTEM_TIME AS OF s.seen AS u ON s.name = u.name;")
        .gives(
            DiagnosticCode.SMALL_LOOKUP_BUFFER,
            "Batches of u count on room for 300 rows, and can wait for their whole interval where there is less",
            "Leave 'capacity' out, or SET 'table.exec.async-lookup.buffer-capacity' to it");
  }

  @Test
  void noSqlScriptCanBringAConnectorAlong() {
    MarkedScript script =
        MarkedScript.of(
            "CREATE TABLE d (k STRING, v INT) WITH ('connector' = ⟦'redis'⟧, 'hostname' = 'h', 'format' = 'json');");
    script.gives(
        script.transpile(FlinkVersion.V2_2, Emission.SQL),
        DiagnosticCode.NO_NATIVE_FORM,
        "The connector 'redis', which the job carries as source, has no form in the SQL of Flink 2.2",
        "Write the job as a project: --emit project");
  }
}
