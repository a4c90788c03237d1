package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.catalog.UniqueConstraint;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.lookup.AsyncLookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.PartialCachingAsyncLookupProvider;
import org.apache.flink.table.connector.source.lookup.PartialCachingLookupProvider;
import org.apache.flink.table.types.DataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a table's options make of it; nothing here needs a server. */
class RedisTableFactoryTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "port | 0 | Option 'port' is a whole number from 1 to 65535.",
        "port | 65536 | Option 'port' is a whole number from 1 to 65535.",
        "port | sixty | For input string: \"sixty\"",
        "database | -1 | Option 'database' is a whole number of at least 0.",
        "lookup.max-retries | -1 | Option 'lookup.max-retries' is a whole number of at least 0.",
        "lookup.batch.size | 0 | Option 'lookup.batch.size' is a whole number of at least 1.",
        "lookup.cache.max-rows | -5 | Option 'lookup.cache.max-rows' is a number of rows, 0 for no cache.",
        "lookup.cache.ttl | 0 | Option 'lookup.cache.ttl' is a duration as '10 min', or a number of seconds, and longer than nothing.",
        "lookup.batch.interval | 3 min | Option 'lookup.batch.interval' is shorter than the job's 'table.exec.async-lookup.timeout', after which Flink gives a row up.",
        "timeout | soon | Option 'timeout' is a duration as '10 min', or a number of seconds, and longer than nothing.",
        "prot | 6379 | Unsupported options found for 'redis'",
      })
  void anOptionThatCannotBeUsedIsRefused(String option, String value, String message) {
    Map<String, String> options =
        new LinkedHashMap<>(Map.of("lookup.batch", "true", "lookup.cache.max-rows", "1"));
    options.put(option, value);

    assertThatThrownBy(() -> table(options))
        .satisfies(
            failure ->
                assertThat(messages(failure))
                    .anySatisfy(told -> assertThat(told).contains(message)));
  }

  @Test
  void aCacheWithATimeNeedsASize() {
    assertThatThrownBy(() -> table(Map.of("lookup.cache.ttl", "3600")))
        .satisfies(
            failure ->
                assertThat(messages(failure))
                    .contains(
                        "Option 'lookup.cache.ttl' needs 'lookup.cache.max-rows': without it, nothing is cached."));
  }

  @Test
  void aServerAndAFormatAreNeeded() {
    for (String needed : List.of("hostname", "format")) {
      Map<String, String> options = new LinkedHashMap<>(REQUIRED);
      options.remove(needed);
      assertThatThrownBy(() -> RedisTables.create(users(Optional.empty()), options, Map.of()))
          .satisfies(
              failure ->
                  assertThat(messages(failure))
                      .anySatisfy(told -> assertThat(told).contains(needed)));
    }
  }

  @Test
  void aFormatOfChangesIsRefused() {
    assertThatThrownBy(() -> table(Map.of("format", "debezium-json")))
        .satisfies(
            failure ->
                assertThat(messages(failure))
                    .contains(
                        "A Redis table needs a format of plain rows, and 'debezium-json' is one of changes."));
  }

  @Test
  void oneColumnOfTextOrAWholeNumberIsTheKey() {
    assertThatThrownBy(() -> create(users(Optional.of(List.of("id", "name")))))
        .satisfies(
            failure ->
                assertThat(messages(failure))
                    .contains("A Redis table has one key column, not several."));
    assertThatThrownBy(
            () ->
                create(
                    ResolvedSchema.of(
                        Column.physical("at", DataTypes.TIMESTAMP(3)),
                        Column.physical("name", DataTypes.STRING()))))
        .satisfies(
            failure ->
                assertThat(messages(failure))
                    .contains(
                        "The key column 'at' of a Redis table is a character string or a whole number, not TIMESTAMP(3)."));
    for (DataType type :
        List.of(DataTypes.CHAR(3), DataTypes.STRING(), DataTypes.TINYINT(), DataTypes.BIGINT())) {
      assertThat(create(ResolvedSchema.of(Column.physical("id", type)))).isNotNull();
    }
  }

  @Test
  void optionsChooseHowRowsAreLookedUp() throws Exception {
    assertThat(provider(Map.of(), Map.of()))
        .isInstanceOf(LookupFunctionProvider.class)
        .isNotInstanceOf(PartialCachingLookupProvider.class);
    assertThat(provider(Map.of("lookup.cache.max-rows", "5"), Map.of()))
        .isInstanceOf(PartialCachingLookupProvider.class);
    assertThat(function(Map.of("lookup.async", "true"), Map.of()))
        .isInstanceOf(RedisAsyncLookup.class);
    assertThat(provider(Map.of("lookup.async", "true", "lookup.cache.max-rows", "5"), Map.of()))
        .isInstanceOf(PartialCachingAsyncLookupProvider.class);
    assertThat(function(Map.of("lookup.batch", "true"), Map.of()))
        .isInstanceOf(RedisBatchLookup.class);
  }

  @Test
  void theJobsSettingHoldsForTablesThatDoNotSayOtherwise() throws Exception {
    Map<String, String> all = Map.of("is.dim.batch.mode", "true");

    assertThat(function(Map.of(), all)).isInstanceOf(RedisBatchLookup.class);
    assertThat(provider(Map.of("lookup.batch", "false"), all))
        .isInstanceOf(LookupFunctionProvider.class);
  }

  @Test
  void thePasswordIsNotTold() {
    assertThat(table(Map.of("password", "open-sesame")).asSummaryString())
        .isEqualTo("Redis at localhost:6379, keys '*'");
  }

  private static final Map<String, String> REQUIRED =
      Map.of("connector", "redis", "hostname", "localhost", "format", "json");

  // Flink 1.20 has no other constructor.
  @SuppressWarnings("deprecation")
  private static ResolvedSchema users(Optional<List<String>> primaryKey) {
    return new ResolvedSchema(
        List.of(
            Column.physical("id", DataTypes.STRING().notNull()),
            Column.physical("name", DataTypes.STRING().notNull())),
        List.of(),
        primaryKey.map(columns -> UniqueConstraint.primaryKey("key", columns)).orElse(null));
  }

  private static LookupTableSource create(ResolvedSchema schema) {
    return RedisTables.create(schema, REQUIRED, Map.of());
  }

  private static LookupTableSource table(Map<String, String> options) {
    Map<String, String> all = new LinkedHashMap<>(REQUIRED);
    all.putAll(options);
    return RedisTables.create(users(Optional.empty()), all, Map.of());
  }

  private static LookupTableSource.LookupRuntimeProvider provider(
      Map<String, String> options, Map<String, String> configuration) throws Exception {
    Map<String, String> all = new LinkedHashMap<>(REQUIRED);
    all.putAll(options);
    return RedisTables.create(users(Optional.empty()), all, configuration)
        .getLookupRuntimeProvider(RedisTables.context(new int[][] {{0}}));
  }

  private static Object function(Map<String, String> options, Map<String, String> configuration)
      throws Exception {
    return ((AsyncLookupFunctionProvider) provider(options, configuration))
        .createAsyncLookupFunction();
  }

  private static List<String> messages(Throwable failure) {
    return java.util.stream.Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
        .map(cause -> String.valueOf(cause.getMessage()))
        .toList();
  }
}
