package io.hintflow.transpiler.redis;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Hint;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.TableReference;
import io.hintflow.transpiler.analysis.BlockAnalysis;
import io.hintflow.transpiler.analysis.Column;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.Relation;
import io.hintflow.transpiler.analysis.TimeAttribute;
import io.hintflow.transpiler.lowering.BlockContext;
import io.hintflow.transpiler.lowering.ColumnUses;
import io.hintflow.transpiler.lowering.FromText;
import io.hintflow.transpiler.lowering.LookupKeys;
import io.hintflow.transpiler.lowering.Lowering;
import io.hintflow.transpiler.lowering.ScriptContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.type.SqlTypeFamily;

/** Checks how one script's blocks use its Redis tables, and notes how these are looked up. */
final class BlockLookups implements Lowering.BlockLowering {
  private final ScriptContext script;
  private final RedisTables tables;

  BlockLookups(ScriptContext script, RedisTables tables) {
    this.script = script;
    this.tables = tables;
  }

  @Override
  public void lower(BlockContext context) {
    Block block = context.block();
    boolean usesRedis =
        block.tables().stream()
            .anyMatch(
                reference ->
                    block.commonTable(reference).isEmpty()
                        && tables.of(context.statement(), reference.path()).isPresent());
    if (!usesRedis) {
      return;
    }
    Optional<BlockAnalysis> analysis = context.analysis();
    if (!context.hasErrors()) {
      analysis
          .flatMap(BlockAnalysis::scope)
          .ifPresent(
              scope -> {
                Statement statement = context.statement();
                LookupKeys keys =
                    new LookupKeys(
                        script,
                        statement,
                        block,
                        scope,
                        FromText.of(script, statement, block, scope.from()),
                        ColumnUses.of(script, statement, block, scope));
                scope.from().items().forEach(item -> check(context, scope.from(), item, keys));
              });
    }
  }

  private void check(BlockContext context, From from, From.Item item, LookupKeys keys) {
    Optional<TableReference> reference = reference(context, item);
    Optional<Relation.Table> table =
        reference.flatMap(of -> tables.of(context.statement(), of.path()));
    Optional<Column> key = table.flatMap(RedisTables::key);
    if (key.isPresent()
        && isLookedUp(context, from, item, reference.get(), keys)
        && hasKey(reference.get(), from.joinOf(item).orElseThrow(), key.get(), keys)) {
      describe(context.block(), reference.get(), table.get());
    }
  }

  private boolean isLookedUp(
      BlockContext context, From from, From.Item item, TableReference reference, LookupKeys keys) {
    String name = reference.exposedName();
    if (item.kind() != From.Item.Kind.TEMPORAL) {
      // Flink looks through a view to the table that it reads.
      if (!(context.statement() instanceof Statement.CreateView)) {
        refuse(
            reference,
            "'%s' is a Redis table, which can only be looked up".formatted(name),
            "Join it with FOR SYSTEM_TIME AS OF the processing time of the other side");
      }
      return false;
    }
    Optional<From.Join> join = from.joinOf(item).filter(of -> of.right() == item);
    if (join.isEmpty() || isOfBothSides(join.get())) {
      refuse(
          reference,
          "'%s' is looked up for each row of the other side, so it stands on the right of a JOIN or LEFT JOIN"
              .formatted(name),
          "Write … JOIN … or … LEFT JOIN … with it on the right");
      return false;
    }
    if (keys.time(item).filter(time -> time == TimeAttribute.ROWTIME).isPresent()) {
      refuse(
          reference,
          "Redis knows '%s' as it is now, not as it was at an event time".formatted(name),
          "Write FOR SYSTEM_TIME AS OF a column that is PROCTIME()");
      return false;
    }
    return true;
  }

  private void refuse(TableReference reference, String message, String help) {
    script.report(DiagnosticCode.LOOKUP_ONLY, reference.nameSpan(), message, help);
  }

  private static boolean isOfBothSides(From.Join join) {
    JoinType type = join.node().getJoinType();
    return type == JoinType.RIGHT || type == JoinType.FULL;
  }

  private Optional<TableReference> reference(BlockContext context, From.Item item) {
    Block block = context.block();
    return item.name()
        .flatMap(
            name ->
                block.tables().stream()
                    .filter(
                        reference ->
                            block.commonTable(reference).isEmpty()
                                && reference
                                    .nameSpan()
                                    .equals(
                                        script
                                            .script()
                                            .span(context.statement(), name.getParserPosition())))
                    .findFirst());
  }

  private boolean hasKey(TableReference reference, From.Join join, Column key, LookupKeys lookup) {
    List<LookupKeys.Key> keys = lookup.of(join);
    String table = reference.exposedName();
    Optional<LookupKeys.Key> found =
        keys.stream().filter(one -> one.column().name().equals(key.name())).findFirst();
    Optional<LookupKeys.Key> other =
        keys.stream()
            .filter(
                one ->
                    !one.column().name().equals(key.name())
                        && !one.values().isEmpty()
                        && !one.inWhere())
            .findFirst();
    if (found.isEmpty() && other.isPresent()) {
      script.report(
          DiagnosticCode.LOOKUP_KEY,
          other.get().at(),
          "Redis finds a row by its key alone, and '%s' is not the key column of %s, which is '%s'"
              .formatted(other.get().column().name(), table, key.name()),
          "Compare %s.%s, or declare PRIMARY KEY (%s) NOT ENFORCED if the keys in Redis are made of that"
              .formatted(table, key.name(), other.get().column().name()));
      return false;
    }
    if (found.isEmpty()) {
      script.report(
          DiagnosticCode.LOOKUP_KEY,
          lookup.span(join),
          "The look-up of %s has no key: nothing says what its key column '%s' equals"
              .formatted(table, key.name()),
          "Write ON … = %s.%s, with the bare column on one side".formatted(table, key.name()));
      return false;
    }
    if (other.isPresent()) {
      script.report(
          DiagnosticCode.LOOKUP_KEY,
          other.get().at(),
          "Redis takes one key, and this join compares two columns of %s with the other side: '%s' and '%s'"
              .formatted(table, key.name(), other.get().column().name()),
          "Join on %s.%s alone, and compare '%s' in WHERE or in the select list"
              .formatted(table, key.name(), other.get().column().name()));
      return false;
    }
    return isOfOneType(found.get(), lookup);
  }

  /**
   * Flink brings the two sides of a comparison to one type. If that is not the type of the key
   * column, it would have to cast the column, and could not look anything up by it.
   */
  private boolean isOfOneType(LookupKeys.Key key, LookupKeys lookup) {
    RelDataType type = key.column().type();
    Optional<RelDataType> value = lookup.valueType(key);
    boolean fits =
        value.isEmpty()
            || isText(type) && isText(value.get())
            || lookup
                .commonType(type, value.get())
                .filter(common -> common.getSqlTypeName() == type.getSqlTypeName())
                .isPresent();
    if (!fits) {
      String name = isText(type) ? "STRING" : type.getSqlTypeName().toString();
      script.report(
          DiagnosticCode.LOOKUP_KEY,
          key.valueAt(),
          "The key column '%s' is %s and this is %s, so Flink would have to cast the column, and can't look it up then"
              .formatted(key.column().name(), type, value.get()),
          "Write CAST(… AS %s)".formatted(name));
    }
    return fits;
  }

  private static boolean isText(RelDataType type) {
    return SqlTypeFamily.CHARACTER.contains(type);
  }

  /** The connector is told how much room the job's setting makes, but not what the hint says. */
  private void warnOfSmallBuffer(Block block, TableReference reference) {
    int room = tables.bufferCapacity();
    for (Hint hint : block.hints()) {
      if (hint instanceof Hint.Lookup lookup
          && lookup.capacity().filter(of -> of.text().matches("\\d{1,9}")).isPresent()
          && names(reference).contains(lookup.table().text())
          && Integer.parseInt(lookup.capacity().get().text()) < room) {
        script.report(
            DiagnosticCode.SMALL_LOOKUP_BUFFER,
            lookup.capacity().get().span(),
            "Batches of %s count on room for %d rows, and can wait for their whole interval where there is less"
                .formatted(reference.exposedName(), room),
            "Leave 'capacity' out, or SET '%s' to it".formatted(RedisTables.BUFFER_CAPACITY));
      }
    }
  }

  private static List<String> names(TableReference reference) {
    return List.of(reference.exposedName(), reference.path().get(reference.path().size() - 1));
  }

  /** Notes how a table is looked up. */
  private void describe(Block block, TableReference reference, Relation.Table table) {
    Map<String, String> options = new LinkedHashMap<>(table.options());
    reference.options().forEach(option -> options.put(option.key().text(), option.value().text()));
    script.note(
        "%s: %s is looked up %s%s"
            .formatted(
                script.origin(reference.nameSpan()),
                reference.exposedName(),
                mode(options),
                cache(options)));
    if (tables.isInBatches(options)) {
      warnOfSmallBuffer(block, reference);
    }
  }

  private String mode(Map<String, String> options) {
    boolean async = Boolean.parseBoolean(options.get(RedisOptions.ASYNC));
    if (tables.isInBatches(options)) {
      return "in requests for up to %d rows, sent after %s at the latest%s"
          .formatted(
              RedisTables.batchSize(options),
              options.getOrDefault(
                  RedisOptions.BATCH_INTERVAL, RedisOptions.DEFAULT_BATCH_INTERVAL),
              async ? ", several at a time" : ", one at a time");
    }
    return async ? "without waiting for the row before" : "row by row";
  }

  private static String cache(Map<String, String> options) {
    String rows = options.getOrDefault(RedisOptions.CACHE_ROWS, "0");
    if (rows.equals("0")) {
      return "";
    }
    return "; up to %s rows are cached%s"
        .formatted(
            rows,
            options.containsKey(RedisOptions.CACHE_TIME)
                ? ", for " + seconds(options.get(RedisOptions.CACHE_TIME))
                : "");
  }

  private static String seconds(String duration) {
    return duration.matches("\\d+") ? duration + " s" : duration;
  }
}
