package io.hintflow.transpiler.broadcast;

import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Tokens;
import io.hintflow.transpiler.lowering.SqlNames;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** How a stage's parameters write the columns and conditions of a join: as SQL would. */
final class JoinText {
  private static final String TRUE = "TRUE";

  private final Tokens tokens;
  private int at;

  private JoinText(String sql) {
    this.tokens = Tokens.of(new SourceText("", sql));
  }

  /** {@code o.id AS order_id}. */
  static String column(List<String> path, String name) {
    return SqlNames.path(path) + " AS " + SqlNames.identifier(name);
  }

  /**
   * @param path table and column
   */
  record Column(List<String> path, String name) {}

  static Column readColumn(String sql) {
    JoinText text = new JoinText(sql);
    List<String> path = text.path();
    text.at++;
    return new Column(path, text.tokens.get(text.at).value());
  }

  /** {@code o.currency = c.code}. */
  static String key(BroadcastJoinStage.Key key) {
    return SqlNames.path(key.big()) + " = " + SqlNames.path(key.small());
  }

  static BroadcastJoinStage.Key readKey(String sql) {
    JoinText text = new JoinText(sql);
    List<String> big = text.path();
    text.at++;
    return new BroadcastJoinStage.Key(big, text.path());
  }

  /** {@code o.amount < c.credit OR c.trusted IS TRUE}. */
  static String clause(List<PairCondition.Comparison> clause) {
    return clause.stream()
        .map(
            comparison ->
                SqlNames.path(comparison.left())
                    + " "
                    + comparison.operator().sql()
                    + (comparison.operator() == PairCondition.Operator.TRUE
                        ? " " + TRUE
                        : " " + SqlNames.path(comparison.right())))
        .collect(Collectors.joining(" OR "));
  }

  static List<PairCondition.Comparison> readClause(String sql) {
    JoinText text = new JoinText(sql);
    List<PairCondition.Comparison> clause = new ArrayList<>();
    while (text.at < text.tokens.size()) {
      clause.add(text.comparison());
      text.at++;
    }
    return clause;
  }

  private PairCondition.Comparison comparison() {
    List<String> left = path();
    List<String> words = new ArrayList<>();
    do {
      words.add(tokens.get(at).text());
      at++;
    } while (words.contains("IS") && !words.contains("FROM") && !tokens.isWord(at, TRUE));
    PairCondition.Operator operator = PairCondition.Operator.ofSql(String.join(" ", words));
    if (operator == PairCondition.Operator.TRUE) {
      at++;
      return PairCondition.Comparison.isTrue(left);
    }
    return new PairCondition.Comparison(left, operator, path());
  }

  private List<String> path() {
    List<String> path = new ArrayList<>(List.of(tokens.get(at).value()));
    at++;
    while (tokens.isSymbol(at, ".")) {
      path.add(tokens.get(at + 1).value());
      at += 2;
    }
    return path;
  }
}
