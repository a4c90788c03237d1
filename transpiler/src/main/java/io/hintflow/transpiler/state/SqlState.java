package io.hintflow.transpiler.state;

import io.hintflow.grammar.ScriptReader;
import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Statement;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSetOperator;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/** What a statement makes Flink keep, by its words alone. */
final class SqlState {
  /** Most statements of a script keep nothing, and parsing them again would be for nothing. */
  private static final Pattern MAY_KEEP =
      Pattern.compile(
          "\\b(group|join|distinct|over|union|intersect|except|in|exists|order|limit|fetch"
              + "|match_recognize)\\b|\\b(count|sum|avg|min|max|collect|first_value|last_value|listagg"
              + "|stddev_pop|stddev_samp|variance|var_pop|var_samp)\\s*\\(",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern FROM = Pattern.compile("\\bfrom\\b", Pattern.CASE_INSENSITIVE);

  private static final Set<String> WINDOWS = Set.of("TUMBLE", "HOP", "CUMULATE", "SESSION");

  private static final Set<String> AGGREGATES =
      Set.of(
          "AVG",
          "COLLECT",
          "COUNT",
          "FIRST_VALUE",
          "LAST_VALUE",
          "LISTAGG",
          "MAX",
          "MIN",
          "STDDEV_POP",
          "STDDEV_SAMP",
          "SUM",
          "VARIANCE",
          "VAR_POP",
          "VAR_SAMP");

  private SqlState() {}

  /** One sentence part for each thing that is kept, in the order of the text. */
  static List<String> of(String sql) {
    if (!mayKeep(sql)) {
      return List.of();
    }
    Visitor visitor = new Visitor();
    for (Statement statement : ScriptReader.read(new SourceText("", sql)).script().statements()) {
      node(statement).ifPresent(node -> node.accept(visitor));
    }
    return List.copyOf(visitor.kept);
  }

  private static boolean mayKeep(String sql) {
    Matcher from = FROM.matcher(sql);
    boolean mayJoinByComma = from.find() && sql.indexOf(',', from.end()) >= 0;
    return mayJoinByComma || MAY_KEEP.matcher(sql).find();
  }

  private static Optional<? extends SqlNode> node(Statement statement) {
    if (statement instanceof Statement.Insert insert) {
      return Optional.of(insert.node());
    }
    if (statement instanceof Statement.Query query) {
      return Optional.of(query.node());
    }
    return statement instanceof Statement.CreateView view
        ? Optional.of(view.node())
        : Optional.empty();
  }

  private static final class Visitor extends SqlBasicVisitor<Void> {
    private final Set<String> kept = new LinkedHashSet<>();

    @Override
    public Void visit(SqlCall call) {
      look(call);
      return super.visit(call);
    }

    private void look(SqlCall call) {
      if (call instanceof SqlSelect select) {
        if (select.isDistinct()) {
          kept.add("the different rows of SELECT DISTINCT");
        }
        if (select.getGroup() != null) {
          kept.add("the groups of GROUP BY");
        } else if (select.getSelectList() != null && aggregates(select.getSelectList())) {
          kept.add("the result of the aggregate functions");
        }
        if (select.getFetch() != null && select.getOrderList() == null) {
          kept.add("the first rows of LIMIT");
        }
        return;
      }
      if (call instanceof SqlJoin join) {
        if (!isComputedFromLeft(join.getRight())) {
          kept.add(
              isVersioned(join.getRight())
                  ? "the versions of a table of FOR SYSTEM_TIME AS OF, unless it is looked up"
                  : "the rows of both sides of the join");
        }
        return;
      }
      switch (call.getKind()) {
        case OVER -> kept.add("the rows that OVER looks at");
        case ORDER_BY -> kept.add("the rows that ORDER BY puts in order");
        case MATCH_RECOGNIZE -> kept.add("the matches of MATCH_RECOGNIZE so far");
        case INTERSECT, EXCEPT -> kept.add("the rows of both sides of " + call.getKind());
        case UNION -> {
          if (!((SqlSetOperator) call.getOperator()).isAll()) {
            kept.add("the different rows of UNION");
          }
        }
        case EXISTS, IN, NOT_IN, SCALAR_QUERY -> {
          if (call.getOperandList().stream().anyMatch(SqlState::isQuery)) {
            kept.add("the rows of a subquery, and of what is compared with them");
          }
        }
        default -> {}
      }
    }
  }

  private static boolean isQuery(SqlNode node) {
    return node != null && node.isA(SqlKind.QUERY);
  }

  /** Whether the right side of a join is a function of each row of its left side. */
  private static boolean isComputedFromLeft(SqlNode right) {
    return switch (right.getKind()) {
      case AS -> isComputedFromLeft(((SqlCall) right).operand(0));
      case LATERAL -> !isQuery(((SqlCall) right).operand(0));
      case UNNEST -> true;
      case COLLECTION_TABLE ->
          !(((SqlCall) right).operand(0) instanceof SqlCall function
              && WINDOWS.contains(function.getOperator().getName().toUpperCase(Locale.ROOT)));
      default -> false;
    };
  }

  private static boolean isVersioned(SqlNode right) {
    return right.getKind() == SqlKind.AS
        ? isVersioned(((SqlCall) right).operand(0))
        : right.getKind() == SqlKind.SNAPSHOT;
  }

  /** Whether an expression has an aggregate function that is not one of OVER. */
  private static boolean aggregates(SqlNode node) {
    if (node instanceof SqlBasicCall call) {
      if (call.getKind() == SqlKind.OVER || isQuery(call)) {
        return false;
      }
      String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
      if (AGGREGATES.contains(name)) {
        return true;
      }
    }
    if (node instanceof SqlNodeList list) {
      return list.getList().stream().anyMatch(SqlState::aggregates);
    }
    return node instanceof SqlCall call
        && !isQuery(call)
        && call.getOperandList().stream()
            .anyMatch(operand -> operand != null && aggregates(operand));
  }
}
