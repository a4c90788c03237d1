package io.hintflow.operators;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;

/**
 * Joins big rows, of which each task gets some, with small rows, of which each task gets all.
 *
 * <p>The small rows are in memory. The big rows are in keyed state, under keys that this operator
 * makes itself, from the hash of the join key and a key group. So a big row looks up its partners
 * in memory, and a small row looks up its partners under one key in each key group of the task.
 *
 * <p>What comes out, and as which kind of row, is what Flink's own StreamingJoinOperator lets out.
 * Only the number of partners of a big row, which outer joins need, is not kept but counted anew.
 */
final class BroadcastJoinOperator extends AbstractStreamOperator<Row>
    implements TwoInputStreamOperator<Row, Row, Row> {
  private static final long serialVersionUID = 1L;

  /**
   * Chooses the key group of a big row among those of the task. A row that may be taken back has to
   * be in the group in which whoever takes it back, perhaps after a rescaling, will look for it.
   */
  interface GroupChoice extends Serializable {
    int group(Row big, int keyHash, KeyGroups groups) throws Exception;

    /**
     * For rows that are never taken back. All rows of a join key share a key of the task, which
     * keeps state small. After a rescaling rows are in groups that would not be chosen any more,
     * but small rows visit all groups of their task.
     */
    static GroupChoice own() {
      return (big, keyHash, groups) -> groups.ownGroup(keyHash);
    }

    /** The group by which Flink has chosen the task of the row. */
    static GroupChoice of(KeySelector<Row, Long> distribution) {
      return (big, keyHash, groups) -> groups.groupOf(distribution.getKey(big));
    }

    /** The group that the join before this one has chosen: its last field. */
    static GroupChoice inField(int field) {
      return (big, keyHash, groups) -> big.<Integer>getFieldAs(field);
    }
  }

  /**
   * One of the two inputs.
   *
   * @param type of the rows in state: changing it makes savepoints useless
   * @param retention how long to keep a row after its last change; zero for ever
   */
  record Side(TypeInformation<Row> type, JoinKey key, Duration retention) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /**
   * What comes out: the columns asked for, or a row of the rows of the tables.
   *
   * @param outer whether big rows without a partner come out too
   * @param bigTables how many fields of a big row are rows of tables, if it is a row that another
   *     join let out; 0 if it is the row of a table itself
   * @param columns those of the rows that come out; none for the rows of the tables
   * @param withGroup whether the key group of the big row follows the rows of the tables
   */
  record Result(boolean outer, int bigTables, List<JoinColumn> columns, boolean withGroup)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  private final Side big;
  private final Side small;
  private final JoinCondition.Test condition;
  private final GroupChoice groupChoice;
  private final Result result;
  private final JoinColumn[] columns;

  private transient KeyGroups keyGroups;

  /** Each big row under its key, with the number of equal ones. */
  private transient MapState<PackedRow, Integer> bigRows;

  private transient PackedRow.Serializer bigSerializer;

  private transient SmallRows smallRows;

  BroadcastJoinOperator(
      Side big, Side small, JoinCondition.Test condition, GroupChoice groupChoice, Result result) {
    this.big = big;
    this.small = small;
    this.condition = condition;
    this.groupChoice = groupChoice;
    this.result = result;
    this.columns = result.columns.toArray(JoinColumn[]::new);
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    SerializerConfig serializers = getExecutionConfig().getSerializerConfig();
    bigSerializer = new PackedRow.Serializer(big.type.createSerializer(serializers));
    MapStateDescriptor<PackedRow, Integer> bigDescriptor =
        new MapStateDescriptor<>(
            "big-rows", bigSerializer.duplicate(), Types.INT.createSerializer(serializers));
    if (!big.retention.isZero()) {
      bigDescriptor.enableTimeToLive(StateTtlConfig.newBuilder(big.retention).build());
    }
    bigRows = context.getKeyedStateStore().getMapState(bigDescriptor);
    smallRows =
        new SmallRows(
            context
                .getOperatorStateStore()
                .getBroadcastState(
                    new MapStateDescriptor<>(
                        "small-rows", small.type, Types.TUPLE(Types.INT, Types.LONG))),
            small.key,
            small.retention,
            getProcessingTimeService());
  }

  @Override
  public void open() throws Exception {
    super.open();
    keyGroups = KeyGroups.of(getRuntimeContext().getTaskInfo());
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    smallRows.dropExpired();
    super.snapshotState(context);
  }

  /** Flink would set the key by which rows are distributed; the keys of the state are others. */
  @Override
  @SuppressWarnings("rawtypes") // as Flink declares it
  public void setKeyContextElement1(StreamRecord element) {}

  @Override
  public void processElement1(StreamRecord<Row> element) throws Exception {
    Row row = element.getValue();
    RowKind kind = row.getKind();
    row.setKind(RowKind.INSERT); // Rows in state have no kind: a retraction must equal its row.
    boolean matchless = big.key.hasNull(row);
    int keyHash = matchless ? 0 : big.key.hash(row);
    int group = groupChoice.group(row, keyHash, keyGroups);
    boolean partnerFound = false;
    if (!matchless) {
      setCurrentKey(keyGroups.key(group, keyHash));
      store(bigSerializer.pack(row), isAddition(kind));
      List<SmallRows.SmallRow> candidates = smallRows.withHash(keyHash);
      for (int index = 0; index < candidates.size(); index++) {
        SmallRows.SmallRow candidate = candidates.get(index);
        if (matches(row, candidate.row()) && smallRows.isAlive(candidate)) {
          partnerFound = true;
          for (int copy = 0; copy < candidate.count(); copy++) {
            emit(pairKind(kind), row, candidate.row(), group);
          }
        }
      }
    }
    if (result.outer && !partnerFound) {
      emit(pairKind(kind), row, null, group);
    }
  }

  @Override
  public void processElement2(StreamRecord<Row> element) throws Exception {
    Row row = element.getValue();
    RowKind kind = row.getKind();
    row.setKind(RowKind.INSERT);
    if (small.key.hasNull(row)) {
      return;
    }
    boolean addition = isAddition(kind);
    boolean firstOrLast = addition ? smallRows.add(row) == 1 : smallRows.remove(row) == 0;
    int keyHash = small.key.hash(row);
    for (int group = keyGroups.first(); group <= keyGroups.last(); group++) {
      setCurrentKey(keyGroups.key(group, keyHash));
      for (Map.Entry<PackedRow, Integer> entry : bigRows.entries()) {
        Row bigRow = bigSerializer.unpack(entry.getKey());
        if (matches(bigRow, row)) {
          boolean onlyPartner = result.outer && firstOrLast && !hasPartnerBut(row, bigRow, keyHash);
          for (int copy = 0; copy < entry.getValue(); copy++) {
            if (onlyPartner && addition) {
              emit(RowKind.DELETE, bigRow, null, group);
            }
            emit(pairKind(kind), bigRow, row, group);
            if (onlyPartner && !addition) {
              emit(RowKind.INSERT, bigRow, null, group);
            }
          }
        }
      }
    }
  }

  private void store(PackedRow row, boolean addition) throws Exception {
    Integer count = bigRows.get(row);
    if (addition) {
      bigRows.put(row, count == null ? 1 : count + 1);
    } else if (count != null && count > 1) {
      bigRows.put(row, count - 1);
    } else if (count != null) {
      bigRows.remove(row);
    }
  }

  private boolean hasPartnerBut(Row smallRow, Row bigRow, int keyHash) {
    for (SmallRows.SmallRow candidate : smallRows.withHash(keyHash)) {
      if (matches(bigRow, candidate.row())
          && smallRows.isAlive(candidate)
          && !candidate.row().equals(smallRow)) {
        return true;
      }
    }
    return false;
  }

  private boolean matches(Row bigRow, Row smallRow) {
    return big.key.equals(bigRow, small.key, smallRow) && condition.holds(bigRow, smallRow);
  }

  private static boolean isAddition(RowKind kind) {
    return kind == RowKind.INSERT || kind == RowKind.UPDATE_AFTER;
  }

  /**
   * Updates stay updates in an inner join only. In an outer join the row that replaces another may
   * be one without partner, which is neither's update.
   */
  private RowKind pairKind(RowKind kind) {
    if (!result.outer) {
      return kind;
    }
    return isAddition(kind) ? RowKind.INSERT : RowKind.DELETE;
  }

  /** Lets out a pair; for a big row without partner, the small row is null. */
  private void emit(RowKind kind, Row bigRow, Row smallRow, int group) {
    Row pair =
        result.columns.isEmpty()
            ? rowOfRows(kind, bigRow, smallRow, group)
            : columns(kind, bigRow, smallRow);
    output.collect(new StreamRecord<>(pair));
  }

  private Row columns(RowKind kind, Row bigRow, Row smallRow) {
    Row pair = Row.withPositions(kind, columns.length);
    for (int field = 0; field < columns.length; field++) {
      JoinColumn column = columns[field];
      boolean missing = !column.big() && smallRow == null;
      pair.setField(field, missing ? null : column.value(bigRow, smallRow));
    }
    return pair;
  }

  private Row rowOfRows(RowKind kind, Row bigRow, Row smallRow, int group) {
    int bigFields = Math.max(result.bigTables, 1);
    Row pair = Row.withPositions(kind, bigFields + (result.withGroup ? 2 : 1));
    if (result.bigTables == 0) {
      pair.setField(0, bigRow);
    } else {
      for (int field = 0; field < bigFields; field++) {
        pair.setField(field, bigRow.getField(field));
      }
    }
    pair.setField(bigFields, smallRow);
    if (result.withGroup) {
      pair.setField(bigFields + 1, group);
    }
    return pair;
  }
}
