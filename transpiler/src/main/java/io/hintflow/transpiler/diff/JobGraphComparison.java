package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.FlinkVersion;
import io.hintflow.transpiler.diff.StagePairs.Pair;
import io.hintflow.transpiler.emission.PlanText;
import io.hintflow.transpiler.lowering.HeldStates;
import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.plan.Stage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether Flink makes the same graph of operators of two jobs. It numbers the operators of SQL by
 * their place in the whole graph and by how many others are chained to them, so that a difference
 * anywhere can give any of them another number.
 */
final class JobGraphComparison {
  private static final String TIME_TO_LIVE = "table.exec.state.ttl";
  private static final String MAX_PARALLELISM = "pipeline.max-parallelism";
  private static final String PARALLELISM = "parallelism.default";

  private static final Pattern NUMBERED = Pattern.compile("\\bOVER\\b", Pattern.CASE_INSENSITIVE);

  /** Flink takes the power of two above one and a half of the parallelism, and this at least. */
  private static final int LEAST_MAX_PARALLELISM = 128;

  private final JobPlan before;
  private final JobPlan after;
  private final StagePairs pairs;
  private final List<Change.Value> settings;
  private final StageReads reads;

  JobGraphComparison(JobPlan before, JobPlan after, StagePairs pairs) {
    this.before = before;
    this.after = after;
    this.pairs = pairs;
    this.settings = JobChanges.settings(before, after);
    this.reads = new StageReads(after);
  }

  /** Why nothing of a savepoint can be read, in a clause; absent if it can. */
  Optional<String> unreadable() {
    String old = before.flinkVersion().label();
    String now = after.flinkVersion().label();
    if (!major(old).equals(major(now))) {
      return Optional.of("Flink %s does not promise to read what %s wrote".formatted(now, old));
    }
    // Without a setting of its own, a job takes over what the savepoint was written with.
    String most = after.configuration().get(MAX_PARALLELISM);
    if (most != null) {
      boolean same =
          most.equals(before.configuration().get(MAX_PARALLELISM))
              || mostTasks(before).map(String::valueOf).filter(most.strip()::equals).isPresent();
      return same
          ? Optional.empty()
          : Optional.of("'%s' is another, and keys are spread by it".formatted(MAX_PARALLELISM));
    }
    int mostBefore = mostTasks(before).orElse(LEAST_MAX_PARALLELISM);
    return number(after, PARALLELISM).orElse(1) > mostBefore
        ? Optional.of(
            "'%s' is more than the %d tasks that its keys can be spread over"
                .formatted(PARALLELISM, mostBefore))
        : Optional.empty();
  }

  /**
   * Over how many tasks a job's keys can ever be spread; empty if the script does not decide it.
   */
  private static Optional<Integer> mostTasks(JobPlan plan) {
    return plan.configuration().containsKey(MAX_PARALLELISM)
        ? number(plan, MAX_PARALLELISM)
        : number(plan, PARALLELISM).map(JobGraphComparison::mostTasks);
  }

  /** As Flink decides it by the number of tasks that a job begins with. */
  private static int mostTasks(int parallelism) {
    int roomy = parallelism + parallelism / 2;
    return Math.max(LEAST_MAX_PARALLELISM, Integer.highestOneBit(2 * roomy - 1));
  }

  /** The value of a setting; empty if there is none, or it is no number. */
  private static Optional<Integer> number(JobPlan plan, String setting) {
    return Optional.ofNullable(plan.configuration().get(setting))
        .map(String::strip)
        .filter(value -> value.matches("[1-9]\\d{0,4}"))
        .map(Integer::valueOf);
  }

  private static String major(String version) {
    return version.substring(0, version.indexOf('.'));
  }

  /**
   * Why rows in the state of SQL cannot be read, in a clause; absent if they can. From 2.0 on,
   * Flink reads rows that expire as rows that do not, and the other way round.
   */
  Optional<String> expiry() {
    if (after.flinkVersion() != FlinkVersion.V1_20) {
      return Optional.empty();
    }
    return settings.stream()
        .filter(setting -> setting.name().equals(TIME_TO_LIVE))
        .filter(
            setting -> HeldStates.expires(setting.before()) != HeldStates.expires(setting.after()))
        .map(setting -> "'%s' makes rows expire in one of the jobs only".formatted(TIME_TO_LIVE))
        .findFirst();
  }

  /** Why the operators may have other numbers, in a clause; absent if they have the same. */
  Optional<String> renumbered() {
    if (before.flinkVersion() != after.flinkVersion()) {
      return Optional.of("Flink %s plans for itself".formatted(after.flinkVersion().label()));
    }
    for (Change.Value setting : settings) {
      if (isOfGraph(setting.name())) {
        return Optional.of("'%s' is another".formatted(setting.name()));
      }
    }
    Set<String> used = used();
    return pairs.inOrder().stream()
        .filter(pair -> used.contains(pair.stage().id()))
        .map(this::difference)
        .flatMap(Optional::stream)
        .findFirst();
  }

  private boolean isOfGraph(String setting) {
    if (setting.equals(PARALLELISM)) {
      // Operators of one parallelism can be chained, of two they cannot.
      return hasParallelismOfItsOwn(before) || hasParallelismOfItsOwn(after);
    }
    return setting.startsWith("table.") && !setting.equals(TIME_TO_LIVE)
        || setting.startsWith("pipeline.operator-chaining")
        || setting.equals("execution.runtime-mode");
  }

  private static boolean hasParallelismOfItsOwn(JobPlan plan) {
    return plan.stages().stream()
        .anyMatch(
            stage ->
                PlanText.sql(stage).contains(".parallelism'")
                    || stage instanceof Stage.Operators operators
                        && operators.inputs().stream()
                            .anyMatch(input -> input.parallelism().isPresent()));
  }

  /** The ids of the stages that rows pass, in either job. */
  private Set<String> used() {
    Set<String> used = new LinkedHashSet<>();
    for (JobPlan plan : List.of(before, after)) {
      for (Stage stage : plan.stages()) {
        used.addAll(stage.reads());
        if (stage instanceof Stage.Insert insert) {
          used.add(insert.sink());
        }
        if (!isRelation(stage)) {
          used.add(stage.id());
        }
      }
    }
    // A table is declared behind the one that it is like.
    List<Pair> backwards = new ArrayList<>(pairs.inOrder());
    Collections.reverse(backwards);
    backwards.stream()
        .filter(pair -> used.contains(pair.stage().id()))
        .forEach(pair -> pair.contentAfter().flatMap(StageContent::likeTable).ifPresent(used::add));
    return used;
  }

  /** Whether a stage matters only through those that read it. */
  private static boolean isRelation(Stage stage) {
    return stage instanceof Stage.TableDefinition
        || stage instanceof Stage.Definition definition && definition.isView();
  }

  private Optional<String> difference(Pair pair) {
    String id = pair.stage().id();
    if (pair.stage() instanceof Stage.Inspection) {
      return Optional.empty();
    }
    if (pair.before().isEmpty()) {
      return Optional.of(id + " is new");
    }
    if (pair.after().isEmpty()) {
      return Optional.of(id + " is gone");
    }
    if (pair.moved() && !isRelation(pair.stage())) {
      return Optional.of(id + " has moved");
    }
    // Statements such as USE and ALTER are numbered, and nothing goes by their ids.
    if (pair.formerId().isPresent() && !(pair.stage() instanceof Stage.Definition)) {
      return Optional.of("%s was %s".formatted(id, pair.formerId().get()));
    }
    StageContent old = pair.contentBefore().orElseThrow();
    StageContent now = pair.contentAfter().orElseThrow();
    if (!old.travelsAs(now)) {
      return Optional.of("rows travel in other ways to " + id);
    }
    if (!pair.sameText()
        && !(old.differsInValuesOnly(now)
            && readsAlone(pair.stage())
            && !readsNumberedRows(pair.stage()))) {
      return Optional.of("%s has other SQL".formatted(id));
    }
    return option(pair);
  }

  /** Options that decide which operators a table is made of. */
  private static Optional<String> option(Pair pair) {
    for (Change change : pair.changes()) {
      if (change instanceof Change.Value value
          && value.group().equals("option")
          && (value.name().equals("connector")
              || value.name().endsWith("format")
              || value.name().endsWith(".parallelism")
              || value.name().startsWith("sink."))) {
        return Optional.of("'%s' of %s is another".formatted(value.name(), pair.stage().id()));
      }
    }
    return Optional.empty();
  }

  /**
   * Whether nothing else that is planned together with a stage reads what it reads. Else Flink may
   * have read it once for both, and with another value in one of them no longer can. Each query of
   * operators is planned for itself, the INSERTs are planned together.
   */
  private boolean readsAlone(Stage changed) {
    return after.stages().stream()
        .filter(stage -> stage == changed || reads.reads(stage, changed))
        .allMatch(
            stage ->
                stage instanceof Stage.Operators || stage instanceof Stage.Definition
                    ? reads.times(stage, changed) <= 1
                    : reads.sources(stage.reads()).stream()
                        .allMatch(source -> timesReadByInserts(source) <= 1));
  }

  /**
   * Whether a stage may filter by the number of a row. Which one it asks for decides over the
   * operator that numbers them.
   */
  private boolean readsNumberedRows(Stage changed) {
    return after.stages().stream()
        .filter(stage -> NUMBERED.matcher(PlanText.sql(stage)).find())
        .anyMatch(stage -> reads.reads(changed, stage));
  }

  private long timesReadByInserts(String source) {
    return after.stages().stream()
        .filter(stage -> stage instanceof Stage.Insert || stage instanceof Stage.Print)
        .flatMap(stage -> reads.sources(stage.reads()).stream())
        .filter(source::equals)
        .count();
  }
}
