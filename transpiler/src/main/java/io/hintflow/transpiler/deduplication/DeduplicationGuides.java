package io.hintflow.transpiler.deduplication;

import io.hintflow.transpiler.HintGuide;
import java.util.List;

/** What a user is told of duplicate.left and duplicate.right. */
final class DeduplicationGuides {
  private static final List<String> PLACES =
      List.of(
          "In an OPTIONS hint behind the right table of a join, behind the left one, or directly after JOIN; other"
              + " options beside it are the connector's.",
          "On INNER, LEFT, RIGHT and FULL joins, a comma, USING and NATURAL; in a chain it is for the join whose input"
              + " the table is. An input that is itself a join has the changes of each of its tables dropped.");

  private static final List<String> RULES =
      List.of(
          "'true' asks for it, 'false' is the default.",
          "The columns that count are those that the SELECT uses, anywhere; HASH_BY_KEY uses its columns too. Of a"
              + " nested field its column counts, for * all do.",
          "If the columns hold a key of the table (its primary key, or what a query groups by), updates of other"
              + " columns are dropped by the task that reads them, before any shuffle; that costs no state.",
          "Else equal rows are counted, in the task that the hash of the join key chooses: the first comes in, the last"
              + " deletion takes it out. The join then sees a set: where rows repeat, the answer is that of SELECT"
              + " DISTINCT.",
          "What is counted is kept for table.exec.state.ttl, or the table's STATE_TTL. A row that repeats comes in again now"
              + " and then, so that the join keeps it too; an update that is dropped renews nothing in the join.",
          "Operators count what they drop: suppressedUpdates, suppressedDuplicates.",
          "Refused: a table that is no input of a join, look-up, temporal and window joins, and a subquery that reads"
              + " the query around it.");

  static final List<HintGuide> ALL =
      List.of(
          new HintGuide(
              "duplicate.left",
              "Drops changes of a join's left input that the query cannot see, before the join.",
              List.of(
                  "FROM a JOIN b /*+ OPTIONS('duplicate.left' = 'true') */ ON …",
                  "FROM a /*+ OPTIONS('duplicate.left' = 'true') */ JOIN b ON …"),
              PLACES,
              RULES,
              example(
                  "FROM clicks AS c JOIN users /*+ OPTIONS('duplicate.left' = 'true') */ AS u ON u.id = c.user_id")),
          new HintGuide(
              "duplicate.right",
              "Drops changes of a join's right input that the query cannot see, before the join.",
              List.of(
                  "FROM a JOIN b /*+ OPTIONS('duplicate.right' = 'true') */ ON …",
                  "FROM a JOIN b /*+ OPTIONS('duplicate.left' = 'true', 'duplicate.right' = 'true') */ ON …"),
              PLACES,
              RULES,
              example(
                  "FROM users AS u JOIN clicks /*+ OPTIONS('duplicate.right' = 'true') */ AS c ON u.id = c.user_id")));

  private DeduplicationGuides() {}

  private static String example(String from) {
    return """
      CREATE TABLE users (
        id BIGINT
      ) WITH (
        'connector' = 'datagen',
        'number-of-rows' = '20',
        'fields.id.kind' = 'sequence',
        'fields.id.start' = '0',
        'fields.id.end' = '19'
      );
      CREATE TABLE clicks (
        click_id BIGINT,
        user_id AS MOD(click_id, 20)
      ) WITH (
        'connector' = 'datagen',
        'number-of-rows' = '200',
        'fields.click_id.kind' = 'sequence',
        'fields.click_id.start' = '0',
        'fields.click_id.end' = '199'
      );
      -- Each user once, however often they click.
      SELECT u.id
      %s;
      """
        .formatted(from);
  }
}
