package io.hintflow.transpiler.redis;

import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Statement;
import io.hintflow.transpiler.analysis.Column;
import io.hintflow.transpiler.analysis.Relation;
import io.hintflow.transpiler.lowering.ScriptContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.type.SqlTypeName;

/** The Redis tables of one script. */
final class RedisTables {
  /** How many rows and watermarks Flink holds behind the first row that waits for an answer. */
  static final String BUFFER_CAPACITY = "table.exec.async-lookup.buffer-capacity";

  private static final int DEFAULT_CAPACITY = 100;

  private static final int BATCHES_IN_BUFFER = 10;

  private final ScriptContext script;

  RedisTables(ScriptContext script) {
    this.script = script;
  }

  /** Reports what is wrong with their declarations, and makes room for their batches. */
  void check() {
    RedisOptions.ALL.check(script);
    List<Relation.Table> tables = RedisOptions.ALL.tables(script);
    tables.forEach(this::check);
    for (Statement statement : script.script().statements()) {
      if (statement instanceof Statement.Insert insert) {
        of(insert, insert.target())
            .ifPresent(
                table ->
                    script.report(
                        DiagnosticCode.LOOKUP_ONLY,
                        insert.targetSpan(),
                        "Nothing can be inserted into '%s': a Redis table can only be looked up"
                            .formatted(String.join(".", insert.target())),
                        "Insert into a table of another connector"));
      }
    }
    makeRoomForBatches(tables);
  }

  private void check(Relation.Table table) {
    Statement.CreateTable create = table.statement();
    if (table.primaryKey().size() > 1) {
      script.report(
          DiagnosticCode.LOOKUP_TABLE_KEY,
          create.nameSpan(),
          "A Redis table has one key column, and the primary key of '%s' has %d: %s"
              .formatted(
                  String.join(".", create.path()),
                  table.primaryKey().size(),
                  String.join(", ", table.primaryKey())),
          "Declare the one that the keys in Redis are made of");
      return;
    }
    create.options().stream()
        .filter(option -> option.key().text().equals(RedisOptions.CACHE_TIME))
        .filter(option -> !table.options().containsKey(RedisOptions.CACHE_ROWS))
        .forEach(
            option ->
                script.report(
                    DiagnosticCode.MISSING_TABLE_OPTION,
                    option.span(),
                    "'%s' needs '%s': without it, nothing is cached"
                        .formatted(RedisOptions.CACHE_TIME, RedisOptions.CACHE_ROWS),
                    "Say how many rows a task may keep"));
    Optional<Column> key = key(table);
    if (key.isPresent() && !canBeKey(key.get())) {
      script.report(
          DiagnosticCode.LOOKUP_TABLE_KEY,
          key.get().span(),
          "'%s' is the key column of a Redis table, and a %s is no key in Redis"
              .formatted(key.get().name(), key.get().type()),
          "Declare it as a STRING, an INT or a BIGINT, or name another column in a PRIMARY KEY");
    }
  }

  private static boolean canBeKey(Column column) {
    SqlTypeName type = column.type().getSqlTypeName();
    return SqlTypeName.CHAR_TYPES.contains(type) || SqlTypeName.INT_TYPES.contains(type);
  }

  /**
   * Flink's buffer would hold few batches of its own, and rows that are found in the cache wait in
   * it too.
   */
  private void makeRoomForBatches(List<Relation.Table> tables) {
    tables.stream()
        .map(Relation.Table::options)
        .filter(this::isInBatches)
        .mapToInt(options -> batchSize(options) * BATCHES_IN_BUFFER)
        .max()
        .ifPresent(
            capacity -> {
              if (capacity > DEFAULT_CAPACITY && script.setting(BUFFER_CAPACITY).isEmpty()) {
                script.addSetting(BUFFER_CAPACITY, String.valueOf(capacity));
                script.note(
                    "%s is %d, so that the rows of %d batches find room in a task"
                        .formatted(BUFFER_CAPACITY, capacity, BATCHES_IN_BUFFER));
              }
            });
  }

  /** How many rows a task holds behind the first that waits for an answer. */
  int bufferCapacity() {
    return script
        .setting(BUFFER_CAPACITY)
        .filter(capacity -> capacity.matches("\\d{1,9}"))
        .map(Integer::parseInt)
        .orElse(DEFAULT_CAPACITY);
  }

  /** The Redis table that a name stands for. */
  Optional<Relation.Table> of(Statement at, List<String> path) {
    return RedisOptions.ALL.table(script, at, path);
  }

  /** The column that Redis is asked by; empty if the table's columns are not known. */
  static Optional<Column> key(Relation.Table table) {
    return table.columns().stream()
        .filter(column -> column.kind() == Column.Kind.PHYSICAL)
        .filter(
            column -> table.primaryKey().isEmpty() || table.primaryKey().contains(column.name()))
        .findFirst();
  }

  boolean isInBatches(Map<String, String> options) {
    return Boolean.parseBoolean(
        options.getOrDefault(
            RedisOptions.BATCH, script.setting(RedisOptions.ALL_IN_BATCHES).orElse("false")));
  }

  /** The default stands in for what is only known when the job starts. */
  static int batchSize(Map<String, String> options) {
    String size = options.getOrDefault(RedisOptions.BATCH_SIZE, "");
    return size.matches("\\d{1,6}") ? Integer.parseInt(size) : RedisOptions.DEFAULT_BATCH_SIZE;
  }
}
