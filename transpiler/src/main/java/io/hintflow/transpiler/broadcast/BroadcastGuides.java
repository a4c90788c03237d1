package io.hintflow.transpiler.broadcast;

import io.hintflow.transpiler.HintGuide;
import java.util.List;

/** What a user is told of BROADCAST and HASH_BY_KEY. */
final class BroadcastGuides {
  private static final String TABLES =
      """
      CREATE TABLE payments (
        payment_id BIGINT,
        currency INT
      ) WITH (
        'connector' = 'datagen',
        'number-of-rows' = '20',
        'fields.payment_id.kind' = 'sequence',
        'fields.payment_id.start' = '1',
        'fields.payment_id.end' = '20',
        'fields.currency.min' = '1',
        'fields.currency.max' = '1'
      );
      CREATE TABLE currencies (
        id INT
      ) WITH (
        'connector' = 'datagen',
        'number-of-rows' = '1',
        'fields.id.kind' = 'sequence',
        'fields.id.start' = '1',
        'fields.id.end' = '1'
      );
      CREATE TABLE known_payments (
        payment_id BIGINT,
        currency INT
      ) WITH (
        'connector' = 'print'
      );
      """;

  static final List<HintGuide> ALL =
      List.of(
          new HintGuide(
              "BROADCAST",
              "Joins a big table with a small one so that a frequent key can't pile up on one task: every task gets"
                  + " all rows of the small table, and each row of the big one goes to one task, whatever its key.",
              List.of(
                  "SELECT /*+ BROADCAST(small) */ … FROM big JOIN small ON …",
                  "SELECT /*+ BROADCAST(small1, small2) */ … FROM big JOIN small1 ON … JOIN small2 ON …"),
              List.of(
                  "Behind any SELECT that joins the table, by its alias or the last part of its name: of an INSERT, a"
                      + " view, a subquery, a WITH table, a branch of a UNION, a statement set, or one that stands alone.",
                  "Inner joins of any form (JOIN … ON, USING, NATURAL, CROSS JOIN, a comma with WHERE), a LEFT JOIN with"
                      + " the small table on the right, a RIGHT JOIN with it on the left."),
              List.of(
                  "The answer is that of Flink's own join; rows of either side may come late, change and be deleted.",
                  "Big rows go to the tasks in turn if the big side is only ever inserted into; else by the primary key"
                      + " of the big table if it declares one, else by the whole row; HASH_BY_KEY names other columns. The"
                      + " plan says which, and why.",
                  "Every task holds the small table in memory.",
                  "Refused: a LEFT JOIN with the small table on the left, a RIGHT JOIN with it on the right, a FULL JOIN,"
                      + " both sides of one join, and look-up, temporal, interval and window joins.",
                  "In an outer join, what compares the two sides must be =, <>, <, <=, >, >= or IS [NOT] DISTINCT FROM"
                      + " of a value of each.",
                  "In batch mode it is Flink's own hint and passes through."),
              TABLES
                  + """
                  INSERT INTO known_payments
                  SELECT /*+ BROADCAST(c) */ p.payment_id, c.id
                  FROM payments p JOIN currencies c ON p.currency = c.id;
                  """),
          new HintGuide(
              "HASH_BY_KEY",
              "Beside BROADCAST: spreads the rows of the big table by the hash of some of its columns, so that rows"
                  + " equal in them meet the same task, in order.",
              List.of(
                  "SELECT /*+ BROADCAST(small), HASH_BY_KEY('big'='c1, c2') */ … FROM big JOIN small ON …"),
              List.of(
                  "Behind a SELECT with BROADCAST; it names the big table of a broadcast join."),
              List.of(
                  "With columns of the table's primary key, the updates of each key leave in order; with others they can"
                      + " overtake each other, and the plan notes it.",
                  "The columns should not be skewed: a frequent value of theirs goes to one task.",
                  "Columns of processing time have no value to hash.",
                  "In batch mode it is left out, for nothing is updated there."),
              TABLES
                  + """
                  INSERT INTO known_payments
                  SELECT /*+ BROADCAST(c), HASH_BY_KEY('p'='payment_id') */ p.payment_id, c.id
                  FROM payments p JOIN currencies c ON p.currency = c.id;
                  """));

  private BroadcastGuides() {}
}
