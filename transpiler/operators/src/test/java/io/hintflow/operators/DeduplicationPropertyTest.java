package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;

/**
 * Both filters in a row, each with several tasks, against a model that counts all rows. Rows of one
 * source row come from one task of the first filter, but equal rows come from any.
 */
class DeduplicationPropertyTest {
  private static final TypeInformation<Row> TYPE = Types.ROW(Types.STRING, Types.INT);

  /** What happens to a source row, of which the query does not show the number, or to the tasks. */
  private enum Step {
    /** Inserts the row; if it is there, updates it. */
    SET,
    /** Updates the row, if it is there, in columns that the query does not show. */
    TOUCH,
    REMOVE,
    WATERMARK,
    BARRIER,
    RESCALE
  }

  /**
   * @param sourceRow which of the source rows, or how many tasks less one to go on with
   * @param name what the query then shows of the row, with the number
   * @param between whether, between the rows before and after an update, something else happens
   */
  private record Action(
      Step step, int sourceRow, String name, Integer number, Optional<Step> between) {}

  @Provide
  Arbitrary<Action> actions() {
    return Combinators.combine(
            Arbitraries.frequency(
                Tuple.of(8, Step.SET),
                Tuple.of(5, Step.TOUCH),
                Tuple.of(4, Step.REMOVE),
                Tuple.of(1, Step.WATERMARK),
                Tuple.of(1, Step.BARRIER),
                Tuple.of(1, Step.RESCALE)),
            Arbitraries.integers().between(0, 4),
            // Two names have one hash.
            Arbitraries.of("Aa", "BB", "C").injectNull(0.1),
            Arbitraries.integers().between(0, 1).injectNull(0.1),
            Arbitraries.of(Step.WATERMARK, Step.BARRIER, Step.RESCALE).optional(0.2))
        .as(Action::new);
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  void theDistinctRowsOfTheModelRemain(
      @ForAll @Size(max = 80) List<@From("actions") Action> actions, @ForAll boolean insertOnly)
      throws Exception {
    check(actions, insertOnly, "hashmap");
  }

  @Property(tries = 2, edgeCases = EdgeCasesMode.NONE)
  void theDistinctRowsOfTheModelRemainWithRocksDb(
      @ForAll @Size(min = 40, max = 80) List<@From("actions") Action> actions,
      @ForAll boolean insertOnly)
      throws Exception {
    check(actions, insertOnly, "rocksdb");
  }

  private static void check(List<Action> actions, boolean insertOnly, String backend)
      throws Exception {
    try (Pipeline pipeline = new Pipeline(backend)) {
      Map<Integer, Row> sourceRows = new HashMap<>();
      for (Action action : actions) {
        Row row = Row.of(action.name, action.number);
        Optional<Row> known = Optional.ofNullable(sourceRows.get(action.sourceRow));
        switch (action.step) {
          case SET, TOUCH -> {
            if (insertOnly) {
              pipeline.change(action.sourceRow, RowKind.INSERT, row);
            } else if (known.isPresent()) {
              pipeline.change(action.sourceRow, RowKind.UPDATE_BEFORE, known.get());
              if (action.between.isPresent()) {
                pipeline.event(action.between.get(), action.sourceRow);
              }
              Row updated = action.step == Step.SET ? row : known.get();
              pipeline.change(action.sourceRow, RowKind.UPDATE_AFTER, updated);
              sourceRows.put(action.sourceRow, updated);
            } else if (action.step == Step.SET) {
              pipeline.change(action.sourceRow, RowKind.INSERT, row);
              sourceRows.put(action.sourceRow, row);
            }
          }
          case REMOVE -> {
            if (known.isPresent()) {
              pipeline.change(action.sourceRow, RowKind.DELETE, known.get());
              sourceRows.remove(action.sourceRow);
            }
          }
          case WATERMARK, BARRIER, RESCALE -> pipeline.event(action.step, action.sourceRow);
        }
      }
      pipeline.finish();
      if (!insertOnly) {
        assertThat(pipeline.result).isEqualTo(new HashSet<>(sourceRows.values()));
      }
    }
  }

  /** The tasks of both filters, with the model. It checks after each change what they let out. */
  private static final class Pipeline implements AutoCloseable {
    private final List<UnchangedUpdateTask> sourceTasks = new ArrayList<>();
    private final RepeatedRowTasks tasks;

    /** How many rows there are of each, without deletions that are held back. */
    private final Map<Row, Integer> model = new HashMap<>();

    /** The deletion that each source task holds back. */
    private final Map<Integer, Row> heldBack = new HashMap<>();

    /** The rows that are there according to what has come out. */
    private final Set<Row> result = new HashSet<>();

    private long watermark;

    Pipeline(String backend) throws Exception {
      tasks =
          new RepeatedRowTasks(
              TYPE, row -> (long) RowHash.hash(row.getField(0)), false, Duration.ZERO, backend, 2);
      start(2, List.of());
    }

    void change(int sourceRow, RowKind kind, Row row) throws Exception {
      int task = sourceRow % sourceTasks.size();
      Row change = Row.copy(row);
      change.setKind(kind);
      List<Row> due = new ArrayList<>(letGo(task));
      if (kind == RowKind.UPDATE_BEFORE) {
        heldBack.put(task, row);
      } else {
        due.add(change);
        model.merge(row, kind == RowKind.DELETE ? -1 : 1, Integer::sum);
      }
      sourceTasks.get(task).process(Row.copy(change));
      check(due);
    }

    /**
     * @param number of tasks less one, of a change of scale
     */
    void event(Step event, int number) throws Exception {
      List<Row> due = new ArrayList<>();
      for (int task = 0; task < sourceTasks.size(); task++) {
        due.addAll(letGo(task));
      }
      watermark++;
      for (UnchangedUpdateTask task : sourceTasks) {
        if (event == Step.WATERMARK) {
          task.processWatermark(watermark);
        } else {
          task.processBarrier();
        }
      }
      check(due);
      if (event == Step.RESCALE) {
        List<OperatorSubtaskState> snapshots = new ArrayList<>();
        for (UnchangedUpdateTask task : sourceTasks) {
          snapshots.add(task.snapshot());
        }
        stop();
        start(number + 1, snapshots);
        tasks.rescale(number + 1);
      }
    }

    void finish() throws Exception {
      List<Row> due = new ArrayList<>();
      for (int task = 0; task < sourceTasks.size(); task++) {
        due.addAll(letGo(task));
        sourceTasks.get(task).finish();
      }
      check(due);
    }

    private List<Row> letGo(int task) {
      Optional<Row> row = Optional.ofNullable(heldBack.remove(task));
      row.ifPresent(deletion -> model.merge(deletion, -1, Integer::sum));
      return row.map(deletion -> changed(deletion, false)).stream().toList();
    }

    /**
     * @param due what may come out now, in order
     */
    private void check(List<Row> due) throws Exception {
      List<Row> output = new ArrayList<>();
      for (UnchangedUpdateTask task : sourceTasks) {
        for (Object element : task.output()) {
          if (element instanceof Row row) {
            output.addAll(tasks.process(row));
          }
        }
      }
      if (!output.isEmpty()) {
        assertThat(due.stream().map(row -> changed(row, isAddition(row))).toList())
            .as("what may come out, in its order")
            .containsSubsequence(output);
      }
      for (Row row : output) {
        assertThat(
                isAddition(row)
                    ? result.add(changed(row, true))
                    : result.remove(changed(row, true)))
            .as("%s changes the set of rows", row)
            .isTrue();
      }
      model.values().removeIf(count -> count == 0);
      assertThat(result).isEqualTo(model.keySet());
    }

    private static boolean isAddition(Row row) {
      return row.getKind() == RowKind.INSERT || row.getKind() == RowKind.UPDATE_AFTER;
    }

    private static Row changed(Row row, boolean added) {
      Row changed = Row.copy(row);
      changed.setKind(added ? RowKind.INSERT : RowKind.DELETE);
      return changed;
    }

    private void start(int parallelism, List<OperatorSubtaskState> snapshots) throws Exception {
      for (int task = 0; task < parallelism; task++) {
        sourceTasks.add(
            new UnchangedUpdateTask(
                TYPE,
                task < snapshots.size() ? Optional.of(snapshots.get(task)) : Optional.empty()));
      }
    }

    private void stop() {
      sourceTasks.forEach(UnchangedUpdateTask::close);
      sourceTasks.clear();
    }

    @Override
    public void close() {
      stop();
      tasks.close();
    }
  }
}
