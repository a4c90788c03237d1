package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.Statement;
import io.hintflow.transpiler.analysis.BlockAnalysis;
import io.hintflow.transpiler.analysis.BlockScope;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.OutputColumn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.SqlWithItem;

/** Finds every place in a block that reads a column of its FROM. */
public final class ColumnUses {
  private final ScriptContext script;
  private final Statement statement;
  private final Block block;
  private final BlockScope scope;
  private final Map<SqlSelect, Block> blocks = new IdentityHashMap<>();

  /** What the FROMs around a place read, the nearest first. */
  private final Deque<From> around = new ArrayDeque<>();

  private final List<ColumnUse> uses = new ArrayList<>();
  private final List<SqlIdentifier> stars = new ArrayList<>();
  private boolean inOrder;

  private ColumnUses(ScriptContext script, Statement statement, Block block, BlockScope scope) {
    this.script = script;
    this.statement = statement;
    this.block = block;
    this.scope = scope;
  }

  /**
   * @param all in the order of the text, stars left aside
   * @param stars the stars of the block's own select list, qualified ones included
   */
  public record Found(List<ColumnUse> all, List<SqlIdentifier> stars) {
    public Found {
      all = List.copyOf(all);
      stars = List.copyOf(stars);
    }

    /** What stands inside a span. */
    public List<ColumnUse> in(Span span) {
      return all.stream().filter(use -> span.contains(use.span())).toList();
    }
  }

  public static Found of(ScriptContext script, Statement statement, Block block, BlockScope scope) {
    ColumnUses reader = new ColumnUses(script, statement, block, scope);
    statement.blocks().forEach(reader::index);
    reader.read();
    reader.uses.sort(Comparator.comparing(ColumnUse::span));
    return new Found(reader.uses, reader.stars);
  }

  private void index(Block of) {
    blocks.put(of.select(), of);
    of.inner().forEach(this::index);
  }

  private void read() {
    around.push(scope.from());
    SqlSelect select = block.select();
    for (SqlNode item : select.getSelectList()) {
      if (item instanceof SqlIdentifier name && name.isStar()) {
        stars.add(name);
      } else if (item instanceof SqlIdentifier name) {
        use(name, ColumnUse.Place.SELECTED);
      } else {
        visit(item);
      }
    }
    readClauses(select);
    orderOf(select).ifPresent(this::readOrder);
    around.pop();
  }

  private void readClauses(SqlSelect select) {
    readFrom(select.getFrom());
    visit(select.getWhere());
    visit(select.getGroup());
    visit(select.getHaving());
    visit(select.getWindowList());
    visit(select.getQualify());
    visit(select.getOrderList());
  }

  /** The conditions of joins and what is computed from the rows of the left. */
  private void readFrom(SqlNode from) {
    if (from == null) {
      return;
    }
    if (from instanceof SqlJoin join) {
      readFrom(join.getLeft());
      readFrom(join.getRight());
      if (join.getCondition() != null && !(join.getCondition() instanceof SqlNodeList)) {
        visit(join.getCondition());
      }
      return;
    }
    switch (from.getKind()) {
      case AS, TABLE_REF -> readFrom(((SqlCall) from).operand(0));
      case SNAPSHOT -> visit(((SqlCall) from).operand(1));
      case LATERAL, UNNEST, COLLECTION_TABLE ->
          ((SqlCall) from).getOperandList().forEach(this::visit);
      default -> {}
    }
  }

  /** An ORDER BY names the columns that come out first, and only then those of FROM. */
  private void readOrder(SqlOrderBy order) {
    Set<String> output = new HashSet<>();
    script
        .analyze(statement, block)
        .map(BlockAnalysis::output)
        .orElse(List.of())
        .forEach(column -> output.add(column.name()));
    inOrder = true;
    for (SqlNode item : order.orderList) {
      visitOrder(item, output);
    }
    inOrder = false;
  }

  private void visitOrder(SqlNode item, Set<String> output) {
    if (item.getKind() == SqlKind.DESCENDING
        || item.getKind() == SqlKind.NULLS_FIRST
        || item.getKind() == SqlKind.NULLS_LAST) {
      visitOrder(((SqlCall) item).operand(0), output);
    } else if (!(item instanceof SqlIdentifier name
        && name.isSimple()
        && output.contains(name.getSimple()))) {
      visit(item);
    }
  }

  private Optional<SqlOrderBy> orderOf(SqlSelect select) {
    return root().flatMap(root -> orderOf(root, select));
  }

  private Optional<SqlNode> root() {
    if (statement instanceof Statement.Insert insert) {
      return Optional.of(insert.node().getSource());
    }
    if (statement instanceof Statement.CreateView view) {
      return Optional.of(view.node().getQuery());
    }
    if (statement instanceof Statement.Query query) {
      return Optional.of(query.node());
    }
    if (statement instanceof Statement.Inspection inspection) {
      return Optional.of(inspection.node());
    }
    return Optional.empty();
  }

  private static Optional<SqlOrderBy> orderOf(SqlNode node, SqlSelect select) {
    if (node instanceof SqlOrderBy order && order.query == select) {
      return Optional.of(order);
    }
    List<? extends SqlNode> parts = List.of();
    if (node instanceof SqlWithItem item) {
      return orderOf(item.query, select);
    } else if (node instanceof SqlCall call) {
      parts = call.getOperandList();
    } else if (node instanceof SqlNodeList list) {
      parts = list.getList();
    }
    for (SqlNode part : parts) {
      Optional<SqlOrderBy> found = orderOf(part, select);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private void visit(SqlNode node) {
    if (node instanceof SqlIdentifier name) {
      if (!name.isStar()) {
        use(name, inOrder ? ColumnUse.Place.ORDER : ColumnUse.Place.ELSEWHERE);
      }
    } else if (node instanceof SqlNodeList list) {
      list.forEach(this::visit);
    } else if (node instanceof SqlSelect select) {
      visitInner(select);
    } else if (node instanceof SqlWindow window) {
      visit(window.getPartitionList());
      visit(window.getOrderList());
    } else if (node instanceof SqlCall call) {
      visitCall(call);
    }
  }

  private void visitCall(SqlCall call) {
    switch (call.getKind()) {
      case AS, ARGUMENT_ASSIGNMENT -> visit(call.operand(0));
      case DESCRIPTOR, EXPLICIT_TABLE -> {}
      case OVER -> {
        visit(call.operand(0));
        // A plain name is that of a window, not of a column.
        if (!(call.operand(1) instanceof SqlIdentifier)) {
          visit(call.operand(1));
        }
      }
      default -> call.getOperandList().forEach(this::visit);
    }
  }

  /** A subquery can read the columns of the blocks around it. */
  private void visitInner(SqlSelect select) {
    Optional<BlockScope> inner =
        Optional.ofNullable(blocks.get(select))
            .flatMap(of -> script.analyze(statement, of))
            .filter(BlockAnalysis::correlated)
            .flatMap(BlockAnalysis::scope);
    if (inner.isEmpty()) {
      return;
    }
    around.push(inner.get().from());
    select.getSelectList().forEach(this::visit);
    readClauses(select);
    around.pop();
  }

  private void use(SqlIdentifier name, ColumnUse.Place place) {
    for (From from : around) {
      Optional<Resolved> resolved = resolve(from, name.names);
      if (resolved.isPresent()) {
        if (from == scope.from()) {
          uses.add(
              new ColumnUse(
                  script.script().span(statement, name.getParserPosition()),
                  resolved.get().item(),
                  resolved.get().column(),
                  resolved.get().nested(),
                  around.size() > 1 ? ColumnUse.Place.SUBQUERY : place));
        }
        return;
      }
    }
  }

  /** A column, and the fields of it that a name goes on to. */
  public record Resolved(From.Item item, OutputColumn column, List<String> nested) {}

  /**
   * What a name in an expression stands for. A column that USING or NATURAL makes one of two is
   * taken from the side whose rows are all kept.
   *
   * @param names the parts of the name, which the validator has found to have one meaning; it can
   *     begin with the catalog and the database of a table
   */
  public static Optional<Resolved> resolve(From from, List<String> names) {
    return qualified(from, names)
        .or(
            () ->
                column(from, names.get(0))
                    .map(
                        found ->
                            new Resolved(
                                found.item(), found.column(), names.subList(1, names.size()))))
        .or(
            () ->
                IntStream.range(1, names.size() - 1)
                    .mapToObj(table -> qualified(from, names.subList(table, names.size())))
                    .flatMap(Optional::stream)
                    .findFirst());
  }

  private static Optional<Resolved> qualified(From from, List<String> names) {
    if (names.size() < 2) {
      return Optional.empty();
    }
    for (From.Item item : from.items()) {
      Optional<OutputColumn> column =
          item.alias().filter(names.get(0)::equals).flatMap(alias -> item.column(names.get(1)));
      if (column.isPresent()) {
        return Optional.of(new Resolved(item, column.get(), names.subList(2, names.size())));
      }
    }
    return Optional.empty();
  }

  /** The columns that USING or NATURAL makes one. */
  public static List<String> commonColumns(From.Join join) {
    if (join.node().isNatural()) {
      return join.left().items().stream()
          .flatMap(item -> item.columns().stream())
          .map(OutputColumn::name)
          .filter(name -> resolve(join.right(), List.of(name)).isPresent())
          .distinct()
          .toList();
    }
    if (join.node().getConditionType() == JoinConditionType.USING) {
      return ((SqlNodeList) join.node().getCondition())
          .stream().map(name -> ((SqlIdentifier) name).getSimple()).toList();
    }
    return List.of();
  }

  private static Optional<Resolved> column(From from, String name) {
    if (from instanceof From.Join join) {
      Optional<Resolved> left = column(join.left(), name);
      Optional<Resolved> right = column(join.right(), name);
      boolean keepsRight = join.node().getJoinType() == JoinType.RIGHT;
      return left.isEmpty() || right.isPresent() && keepsRight ? right : left;
    }
    From.Item item = (From.Item) from;
    return item.column(name).map(column -> new Resolved(item, column, List.of()));
  }

  /** Whether a part of a syntax tree has a query in it. */
  public static boolean hasQuery(SqlNode node) {
    if (node == null) {
      return false;
    }
    if (node.isA(SqlKind.QUERY)) {
      return true;
    }
    List<? extends SqlNode> parts = List.of();
    if (node instanceof SqlCall call) {
      parts = call.getOperandList();
    } else if (node instanceof SqlNodeList list) {
      parts = list.getList();
    }
    return parts.stream().anyMatch(ColumnUses::hasQuery);
  }
}
