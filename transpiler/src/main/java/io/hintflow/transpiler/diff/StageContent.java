package io.hintflow.transpiler.diff;

import io.hintflow.transpiler.emission.PlanText;
import io.hintflow.transpiler.plan.Distribution;
import io.hintflow.transpiler.plan.Secrets;
import io.hintflow.transpiler.plan.Stage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;

/** What a stage does, without its id and the lines that it stands on. */
final class StageContent {
  private final Stage stage;
  private final List<SqlWords> texts;
  private final Text text;

  private StageContent(Stage stage, List<SqlWords> texts) {
    this.stage = stage;
    this.texts = texts;
    this.text = new Text(kind(stage), texts.stream().map(SqlWords::meanings).toList());
  }

  /** Equal for stages of one kind whose SQL means the same. */
  record Text(String kind, List<List<String>> meanings) {}

  static StageContent of(Stage stage) {
    if (stage instanceof Stage.Operators operators) {
      return new StageContent(
          stage,
          operators.inputs().stream()
              .map(input -> SqlWords.of(Secrets.masked(input.sql())))
              .toList());
    }
    SqlWords words = SqlWords.of(Secrets.masked(PlanText.sql(stage)));
    return new StageContent(
        stage, List.of(stage instanceof Stage.TableDefinition ? words.withoutOptions() : words));
  }

  /** What kind of stage it is, in a word or two. */
  static String kind(Stage stage) {
    if (stage instanceof Stage.Operators operators) {
      return operators.kind();
    }
    if (stage instanceof Stage.TableDefinition) {
      return "table";
    }
    if (stage instanceof Stage.Insert) {
      return "insert";
    }
    if (stage instanceof Stage.Print) {
      return "query";
    }
    if (stage instanceof Stage.Inspection) {
      return "inspection";
    }
    return ((Stage.Definition) stage).isView() ? "view" : "statement";
  }

  Text text() {
    return text;
  }

  boolean hasTheTextOf(StageContent other) {
    return text.equals(other.text);
  }

  /** Whether nothing at all is different. */
  boolean equalsContentOf(StageContent other) {
    return hasTheTextOf(other) && changesTo(other).isEmpty();
  }

  /** Whether the texts are the same but for values in them. */
  boolean differsInValuesOnly(StageContent other) {
    return eachText(other, SqlWords::differsInValuesOnly);
  }

  private boolean eachText(StageContent other, BiPredicate<SqlWords, SqlWords> test) {
    return texts.size() == other.texts.size()
        && IntStream.range(0, texts.size())
            .allMatch(i -> test.test(texts.get(i), other.texts.get(i)));
  }

  /**
   * Whether a later stage, whose text is another, can give rows of other types or with other values
   * in them to what reads it.
   *
   * @param readers the stages through which its rows are read
   */
  boolean givesOtherRows(StageContent later, List<StageContent> readers) {
    if (differsInValuesOnly(later)) {
      return false;
    }
    if (!(stage instanceof Stage.TableDefinition)) {
      return !eachText(later, SqlWords::differsInFurtherItemsOnly);
    }
    Map<String, List<String>> before = texts.get(0).definitions();
    Map<String, List<String>> after = later.texts.get(0).definitions();
    Set<String> names = new LinkedHashSet<>(before.keySet());
    names.addAll(after.keySet());
    names.remove("keyword WATERMARK");
    names.removeIf(name -> Objects.equals(before.get(name), after.get(name)));
    return names.stream()
        .anyMatch(
            name ->
                name.startsWith("keyword ") || readers.stream().anyMatch(stage -> stage.has(name)));
  }

  /** Whether it asks for a column, by its name or with all others. */
  private boolean has(String meaning) {
    return texts.stream().anyMatch(text -> text.selectsAll() || text.meanings().contains(meaning));
  }

  /** The id of the table whose columns and options a table takes over. */
  Optional<String> likeTable() {
    return stage instanceof Stage.TableDefinition ? texts.get(0).likeTable() : Optional.empty();
  }

  /** All of it, as a change of a stage that is added or removed. */
  List<Change> whole(WordEdit.Kind kind) {
    boolean added = kind == WordEdit.Kind.ADDED;
    List<Change> changes = new ArrayList<>();
    if (stage instanceof Stage.TableDefinition table) {
      Map<String, String> options = masked(table.options());
      changes.addAll(
          added ? values("option", Map.of(), options) : values("option", options, Map.of()));
    }
    if (stage instanceof Stage.Operators operators) {
      Map<String, String> hint = Map.of("", Secrets.masked(operators.hint()));
      changes.addAll(added ? values("hint", Map.of(), hint) : values("hint", hint, Map.of()));
    }
    for (int i = 0; i < texts.size(); i++) {
      // Empty where rows come straight from other operators.
      if (!texts.get(i).words().isEmpty()) {
        changes.add(new Change.Sql(textName(i), WordEdit.all(kind, texts.get(i))));
      }
    }
    return List.copyOf(changes);
  }

  private String textName(int index) {
    return stage instanceof Stage.Operators ? inputName(texts.size(), index) : "SQL";
  }

  /** What is different in a later stage of the same class. */
  List<Change> changesTo(StageContent later) {
    List<Change> changes = new ArrayList<>();
    if (stage instanceof Stage.TableDefinition before
        && later.stage instanceof Stage.TableDefinition after) {
      changes.addAll(values("option", masked(before.options()), masked(after.options())));
    }
    if (stage instanceof Stage.Operators before && later.stage instanceof Stage.Operators after) {
      hint(before, after).ifPresent(changes::add);
      changes.addAll(values("parameter", joined(before), joined(after)));
      for (int i = 0; i < Math.min(before.inputs().size(), after.inputs().size()); i++) {
        changes.addAll(travel(before.inputs().get(i), after.inputs().get(i), after, i));
      }
    }
    for (int i = 0; i < Math.max(texts.size(), later.texts.size()); i++) {
      SqlWords before = i < texts.size() ? texts.get(i) : SqlWords.of("");
      SqlWords after = i < later.texts.size() ? later.texts.get(i) : SqlWords.of("");
      if (!before.meansTheSame(after)) {
        changes.add(new Change.Sql(textName(i), WordEdit.between(before, after)));
      }
    }
    return List.copyOf(changes);
  }

  private static String inputName(int count, int index) {
    return count == 1 ? "query" : "query " + (index + 1);
  }

  private static Optional<Change> hint(Stage.Operators before, Stage.Operators after) {
    return SqlWords.of(before.hint()).meansTheSame(SqlWords.of(after.hint()))
        ? Optional.empty()
        : Optional.of(
            new Change.Value(
                "hint",
                "",
                Optional.of(Secrets.masked(before.hint())),
                Optional.of(Secrets.masked(after.hint()))));
  }

  private static List<Change> travel(
      Stage.Input before, Stage.Input after, Stage.Operators stage, int index) {
    List<Change> changes = new ArrayList<>();
    if (!before.distribution().equals(after.distribution())) {
      changes.add(
          new Change.Travel(
              after.reads(), before.distribution(), after.distribution(), after.reason()));
    }
    if (!before.parallelism().equals(after.parallelism())) {
      changes.add(
          new Change.Value(
              "tasks",
              inputName(stage.inputs().size(), index),
              before.parallelism().map(String::valueOf),
              after.parallelism().map(String::valueOf)));
    }
    return changes;
  }

  private static Map<String, String> masked(Map<String, String> options) {
    Map<String, String> masked = new LinkedHashMap<>();
    options.forEach((key, value) -> masked.put(key, Secrets.masked(key, value)));
    return masked;
  }

  private static Map<String, String> joined(Stage.Operators stage) {
    Map<String, String> joined = new LinkedHashMap<>();
    stage.parameters().forEach((key, values) -> joined.put(key, String.join(", ", values)));
    return joined;
  }

  /**
   * The differences of two maps: changed and new values in the later one's order, then the gone.
   */
  static List<Change.Value> values(
      String group, Map<String, String> before, Map<String, String> after) {
    List<Change.Value> changes = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>(after.keySet());
    names.addAll(before.keySet());
    for (String name : names) {
      Optional<String> old = Optional.ofNullable(before.get(name));
      Optional<String> now = Optional.ofNullable(after.get(name));
      if (!Objects.equals(old, now)) {
        changes.add(new Change.Value(group, name, old, now));
      }
    }
    return changes;
  }

  /** Whether a later stage moves its rows between the same numbers of tasks in the same ways. */
  boolean travelsAs(StageContent later) {
    if (!(stage instanceof Stage.Operators before)
        || !(later.stage instanceof Stage.Operators after)) {
      return true;
    }
    return ways(before).equals(ways(after));
  }

  private record Way(Class<? extends Distribution> distribution, Optional<Integer> parallelism) {}

  private static List<Way> ways(Stage.Operators stage) {
    return stage.inputs().stream()
        .map(input -> new Way(input.distribution().getClass(), input.parallelism()))
        .toList();
  }
}
