package io.hintflow.grammar;

import io.hintflow.grammar.HintReader.TableHints;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlMatchRecognize;
import org.apache.calcite.sql.SqlMerge;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSnapshot;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.flink.sql.parser.ddl.SqlReplaceTableAs;

/**
 * Finds the query blocks of one statement, and gives each hint comment to the SELECT or table that
 * it belongs to.
 *
 * <p>A block's path has one label for each step from the statement inwards: {@code cte NAME} for a
 * table of a WITH clause, {@code union N}, {@code intersect N} and {@code except N} for a branch of
 * a set operation, and the name of the clause with a number for a query inside a clause of a block:
 * {@code select N}, {@code from N}, {@code on N}, {@code where N}, {@code group N}, {@code having
 * N}, {@code window N}, {@code qualify N}, {@code order N}; {@code query N} for one that stands in
 * no block, as in VALUES or UPDATE. Numbers count from 1 within their clause, so that a path does
 * not change with what stands elsewhere.
 */
final class BlockReader {
  private final Tokens tokens;
  private final Positions positions;
  private final HintReader hintReader;

  /**
   * The hint comments that nothing has claimed yet, by the index of their first token and of the
   * token behind them.
   */
  private final Map<Integer, HintComment> commentsByStart = new HashMap<>();

  private final Map<Integer, HintComment> commentsByEnd = new HashMap<>();
  private final Set<HintComment> claimed = new HashSet<>();

  BlockReader(
      Tokens tokens, Positions positions, List<HintComment> comments, HintReader hintReader) {
    this.tokens = tokens;
    this.positions = positions;
    this.hintReader = hintReader;
    for (HintComment comment : comments) {
      commentsByStart.put(comment.firstToken(), comment);
      commentsByEnd.put(comment.endToken(), comment);
    }
  }

  /** The outermost blocks of a statement. */
  List<Block> read(SqlNode statement) {
    List<Block> blocks = new ArrayList<>();
    Scope scope = new Scope(List.of(), List.of());
    List<SqlNode> queries = outermostQueries(statement);
    if (queries.size() == 1) {
      query(queries.get(0), scope, blocks);
    } else {
      Clause clause = new Clause("query", scope, blocks);
      queries.forEach(clause::add);
    }
    return inOrder(blocks);
  }

  private static List<Block> inOrder(List<Block> blocks) {
    return blocks.stream().sorted(Comparator.comparing(Block::span)).toList();
  }

  /** Where a query stands: its path, and the WITH tables that it can name. */
  private record Scope(List<String> path, List<CommonTable> commonTables) {
    Scope inside(String label) {
      List<String> longer = new ArrayList<>(path);
      longer.add(label);
      return new Scope(List.copyOf(longer), commonTables);
    }

    Scope with(CommonTable table) {
      List<CommonTable> longer = new ArrayList<>(commonTables);
      longer.add(table);
      return new Scope(path, List.copyOf(longer));
    }
  }

  private static boolean isQuery(SqlNode node) {
    return switch (node.getKind()) {
      case SELECT, UNION, INTERSECT, EXCEPT, WITH, ORDER_BY -> true;
      default -> false;
    };
  }

  /** Adds the blocks of a query expression. */
  private void query(SqlNode query, Scope scope, List<Block> blocks) {
    if (query instanceof SqlOrderBy ordered) {
      Optional<SqlSelect> select = selectUnder(ordered.query);
      if (select.isPresent()) {
        query(ordered.query, scope, Optional.of(ordered), blocks);
      } else {
        query(ordered.query, scope, Optional.empty(), blocks);
        // The ORDER BY of a set operation belongs to none of its branches.
        new Clause("order", scope, blocks).search(ordered.orderList);
      }
    } else {
      query(query, scope, Optional.empty(), blocks);
    }
  }

  /** The SELECT whose rows an ORDER BY around the query sorts, if it is a single one. */
  private static Optional<SqlSelect> selectUnder(SqlNode query) {
    SqlNode body = query;
    while (body instanceof SqlWith with) {
      body = with.body;
    }
    return body instanceof SqlSelect select ? Optional.of(select) : Optional.empty();
  }

  private void query(SqlNode query, Scope scope, Optional<SqlOrderBy> ordered, List<Block> blocks) {
    switch (query.getKind()) {
      case SELECT -> blocks.add(block((SqlSelect) query, scope, ordered));
      case ORDER_BY -> query(query, scope, blocks);
      case WITH -> {
        SqlWith with = (SqlWith) query;
        Scope inner = scope;
        for (SqlNode node : with.withList) {
          SqlWithItem item = (SqlWithItem) node;
          CommonTable table = commonTable(item);
          Scope behind = inner.with(table);
          Scope visible = item.recursive.booleanValue() ? behind : inner;
          query(item.query, visible.inside("cte " + table.name().text()), blocks);
          inner = behind;
        }
        query(with.body, inner, ordered, blocks);
      }
      case UNION, INTERSECT, EXCEPT -> {
        int number = 1;
        String label = query.getKind().lowerName;
        for (SqlNode branch : branches((SqlCall) query)) {
          query(branch, scope.inside(label + " " + number++), blocks);
        }
      }
      default -> new Clause("query", scope, blocks).search(query);
    }
  }

  /** The branches of a chain of set operations of one kind, which the parser nests to the left. */
  private static List<SqlNode> branches(SqlCall operation) {
    Deque<SqlNode> branches = new ArrayDeque<>();
    SqlNode left = operation;
    while (left.getKind() == operation.getKind()) {
      SqlCall call = (SqlCall) left;
      branches.addFirst(call.operand(1));
      left = call.operand(0);
    }
    branches.addFirst(left);
    return List.copyOf(branches);
  }

  private CommonTable commonTable(SqlWithItem item) {
    Name name = name(item.name);
    int index = tokens.indexAt(name.span().start()) + 1;
    if (tokens.isSymbol(index, "(")) {
      index = tokens.matching(index).orElse(index) + 1;
    }
    int open = tokens.isWord(index, "AS") ? index + 1 : index;
    OptionalInt close = tokens.isSymbol(open, "(") ? tokens.matching(open) : OptionalInt.empty();
    Span span =
        close.isPresent() ? name.span().cover(tokens.get(close.getAsInt()).span()) : name.span();
    return new CommonTable(name, span);
  }

  private Block block(SqlSelect select, Scope scope, Optional<SqlOrderBy> ordered) {
    Span selectSpan = positions.span(select.getParserPosition());
    int firstToken = tokens.indexAt(selectSpan.start());
    Optional<HintComment> comment = claim(commentsByStart, firstToken + 1);
    List<Hint> hints = comment.map(hintReader::readBehindSelect).orElse(List.of());
    List<TableReference> tables = new ArrayList<>();
    List<Block> inner = new ArrayList<>();
    new Clause("select", scope, inner).search(select.getSelectList());
    if (select.getFrom() != null) {
      new FromClause(scope, inner, tables).item(select.getFrom(), Optional.empty());
    }
    new Clause("where", scope, inner).search(select.getWhere());
    new Clause("group", scope, inner).search(select.getGroup());
    new Clause("having", scope, inner).search(select.getHaving());
    new Clause("window", scope, inner).search(select.getWindowList());
    new Clause("qualify", scope, inner).search(select.getQualify());
    ordered.ifPresent(order -> new Clause("order", scope, inner).search(order.orderList));
    return new Block(
        select,
        scope.path(),
        ordered.isPresent() ? new Span(selectSpan.start(), orderEnd(selectSpan.end())) : selectSpan,
        comment.map(HintComment::span),
        hints,
        scope.commonTables(),
        List.copyOf(tables),
        inOrder(inner));
  }

  /**
   * Where the ORDER BY, LIMIT, OFFSET and FETCH end that follow a SELECT: the parser does not tell.
   */
  private int orderEnd(int selectEnd) {
    int index = tokens.indexAt(selectEnd);
    int statementEnd = tokens.indexAt(positions.statement().end());
    int end = selectEnd;
    while (index < statementEnd && !tokens.isSymbol(index, ")") && !isConflictClause(index)) {
      if (tokens.isSymbol(index, "(")) {
        index = tokens.matching(index).orElse(index);
      }
      end = tokens.get(index).span().end();
      index++;
    }
    return end;
  }

  private boolean isConflictClause(int index) {
    return tokens.isWord(index, "ON") && tokens.isWord(index + 1, "CONFLICT");
  }

  private Optional<HintComment> claim(Map<Integer, HintComment> comments, int index) {
    HintComment comment = comments.get(index);
    return comment != null && claimed.add(comment) ? Optional.of(comment) : Optional.empty();
  }

  private Name name(SqlIdentifier identifier) {
    int last = identifier.names.size() - 1;
    return new Name(
        identifier.names.get(last), positions.span(identifier.getComponentParserPosition(last)));
  }

  private Optional<HintComment> claimBehind(Span name) {
    return claim(commentsByStart, tokens.indexAt(name.end()));
  }

  private Optional<HintComment> claimBefore(Span name) {
    return claim(commentsByEnd, tokens.indexAt(name.start()));
  }

  /** A table that no SELECT reads: the target of a change, or {@code TABLE t} as a query. */
  private void otherTable(SqlNode table) {
    claimBehind(positions.span(tableName(table).getParserPosition()))
        .ifPresent(hintReader::checkBehindTarget);
  }

  /**
   * The name of a table outside a FROM clause; {@code t (a INT)}, which the parser takes as well,
   * is a call around it.
   */
  static SqlIdentifier tableName(SqlNode table) {
    SqlNode name = table;
    while (name instanceof SqlCall call) {
      name = call.operand(0);
    }
    return (SqlIdentifier) name;
  }

  /** A part of a query in which other queries may stand, and where their blocks go. */
  private final class Clause {
    private final String label;
    private final Scope scope;
    private final List<Block> blocks;
    private int count;

    Clause(String label, Scope scope, List<Block> blocks) {
      this.label = label;
      this.scope = scope;
      this.blocks = blocks;
    }

    void add(SqlNode query) {
      count++;
      query(query, scope.inside(label + " " + count), blocks);
    }

    void search(SqlNode expression) {
      outermostQueries(expression).forEach(this::add);
    }
  }

  /**
   * The queries in an expression or statement that stand in no other query in it; all other tables
   * met on the way are seen to as well. A loop, because a chain of a few thousand ANDs is a tree as
   * deep.
   */
  private List<SqlNode> outermostQueries(SqlNode root) {
    List<SqlNode> queries = new ArrayList<>();
    Deque<SqlNode> open = new ArrayDeque<>();
    push(open, root);
    while (!open.isEmpty()) {
      SqlNode node = open.pop();
      if (isQuery(node)) {
        queries.add(node);
      } else if (node.getKind() == SqlKind.EXPLICIT_TABLE) {
        otherTable(((SqlCall) node).operand(0));
      } else if (node instanceof SqlNodeList list) {
        pushAll(open, list.getList());
      } else if (node instanceof SqlReplaceTableAs replace) {
        // Its operand list throws if the table has no watermark.
        push(open, replace.getAsQuery());
      } else if (node instanceof SqlCall call) {
        target(call).ifPresent(this::otherTable);
        pushAll(open, call.getOperandList());
      }
    }
    return List.copyOf(queries);
  }

  private static void push(Deque<SqlNode> open, SqlNode node) {
    if (node != null) {
      open.push(node);
    }
  }

  private static void pushAll(Deque<SqlNode> open, List<SqlNode> nodes) {
    for (int i = nodes.size() - 1; i >= 0; i--) {
      push(open, nodes.get(i));
    }
  }

  /** The table that a statement changes. */
  private static Optional<SqlNode> target(SqlCall call) {
    if (call instanceof SqlInsert insert) {
      return Optional.of(insert.getTargetTable());
    } else if (call instanceof SqlUpdate update) {
      return Optional.of(update.getTargetTable());
    } else if (call instanceof SqlDelete delete) {
      return Optional.of(delete.getTargetTable());
    } else if (call instanceof SqlMerge merge) {
      return Optional.of(merge.getTargetTable());
    }
    return Optional.empty();
  }

  /** A FROM clause: tells its tables from the queries in it. */
  private final class FromClause {
    private final Clause derived;
    private final Clause conditions;
    private final List<TableReference> tables;

    FromClause(Scope scope, List<Block> blocks, List<TableReference> tables) {
      this.derived = new Clause("from", scope, blocks);
      this.conditions = new Clause("on", scope, blocks);
      this.tables = tables;
    }

    /** Reads one item of the clause; a join is an item made of two. */
    void item(SqlNode node, Optional<Name> alias) {
      if (node instanceof SqlIdentifier identifier) {
        table(identifier, alias);
      } else if (isQuery(node)) {
        derived.add(node);
      } else if (node instanceof SqlJoin join) {
        item(join.getLeft(), Optional.empty());
        item(join.getRight(), Optional.empty());
        conditions.search(join.getCondition());
      } else if (node instanceof SqlSnapshot snapshot) {
        item(snapshot.getTableRef(), alias);
      } else if (node instanceof SqlMatchRecognize pattern) {
        item(pattern.getTableRef(), alias);
      } else if (node instanceof SqlCall call) {
        switch (call.getKind()) {
          case AS -> item(call.operand(0), Optional.of(name(call.operand(1))));
          case TABLESAMPLE, OVER, EXTEND, PIVOT, UNPIVOT, EXPLICIT_TABLE, LATERAL ->
              item(call.operand(0), alias);
          default -> call.getOperandList().forEach(this::argument);
        }
      }
    }

    /**
     * An argument of a table function: a bare name in it is a column, but {@code TABLE t} names a
     * table.
     */
    private void argument(SqlNode node) {
      if (node instanceof SqlNodeList list) {
        list.getList().forEach(this::argument);
      } else if (node instanceof SqlCall) {
        if (isQuery(node) || node.getKind() == SqlKind.EXPLICIT_TABLE) {
          item(node, Optional.empty());
        } else {
          ((SqlCall) node).getOperandList().forEach(this::argument);
        }
      }
    }

    private void table(SqlIdentifier identifier, Optional<Name> alias) {
      Span span = positions.span(identifier.getParserPosition());
      Optional<HintComment> behind = claimBehind(span);
      Optional<HintComment> before = behind.isPresent() ? Optional.empty() : claimBefore(span);
      TableHints hints =
          behind
              .map(hintReader::readBehindTable)
              .or(() -> before.map(hintReader::readBeforeTable))
              .orElse(TableHints.NONE);
      tables.add(
          new TableReference(
              List.copyOf(identifier.names),
              span,
              alias,
              behind.or(() -> before).map(HintComment::span),
              hints.options(),
              hints.hints()));
    }
  }

  /** The comments that belong to no SELECT and no table; to be asked for last. */
  List<HintComment> unclaimed() {
    return commentsByStart.values().stream()
        .filter(comment -> !claimed.contains(comment))
        .sorted(Comparator.comparing(HintComment::span))
        .toList();
  }
}
