package io.hintflow.transpiler.analysis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * A copy of a query's syntax tree, for Calcite: its validator changes the tree it reads, and the
 * script's own tree has to stay as it was written. The copy has no hints, and what Calcite does not
 * know as Flink writes it has a form that Calcite knows. Positions stay those of the original.
 */
final class QueryCopy {
  private final SqlNode root;
  private final Map<SqlSelect, SqlSelect> copies = new IdentityHashMap<>();
  private final Set<SqlSelect> independent = Collections.newSetFromMap(new IdentityHashMap<>());
  private boolean known = true;

  private QueryCopy(SqlNode query) {
    this.root = copy(query, true);
  }

  static QueryCopy of(SqlNode query) {
    return new QueryCopy(query);
  }

  SqlNode root() {
    return root;
  }

  /** The copy of one of the original's SELECTs; empty if it isn't part of the query. */
  Optional<SqlSelect> copyOf(SqlSelect original) {
    return Optional.ofNullable(copies.get(original));
  }

  /**
   * Whether where one of the original's SELECTs stands alone shows that it can't read an enclosing
   * query's columns.
   */
  boolean isIndependent(SqlSelect original) {
    return independent.contains(original);
  }

  /** False if the query calls something whose columns only its implementation could tell. */
  boolean isKnown() {
    return known;
  }

  private SqlNode copy(SqlNode node, boolean alone) {
    if (node instanceof SqlIdentifier identifier) {
      return identifier.clone(identifier.getParserPosition());
    }
    if (node instanceof SqlNodeList list) {
      return new SqlNodeList(copyAll(list.getList(), alone), list.getParserPosition());
    }
    if (node instanceof SqlSelect select) {
      return copySelect(select, alone);
    }
    if (node instanceof SqlCall call) {
      return copyCall(call, alone);
    }
    return node;
  }

  private SqlSelect copySelect(SqlSelect select, boolean alone) {
    List<SqlNode> operands = new ArrayList<>();
    for (int i = 0; i < select.operandCount(); i++) {
      operands.add(copy(select.getOperandList().get(i), alone && i == SqlSelect.FROM_OPERAND));
    }
    SqlSelect copy = (SqlSelect) recreate(select, operands);
    copy.setHints(null);
    copies.put(select, copy);
    if (alone) {
      independent.add(select);
    }
    return copy;
  }

  private SqlNode copyCall(SqlCall call, boolean alone) {
    return switch (call.getKind()) {
      case TABLE_REF -> copy(call.operand(0), alone);
      case LATERAL -> recreate(call, copyAll(call.getOperandList(), false));
      case AS -> copyAlias(call, alone);
      case COLLECTION_TABLE -> copyTableFunction(call, 0, alone);
      default ->
          groupTimeAttribute(call)
              .orElseGet(() -> recreate(call, copyAll(call.getOperandList(), alone)));
    };
  }

  private SqlNode copyAlias(SqlCall as, boolean alone) {
    SqlNode aliased = as.operand(0);
    boolean lateral = aliased.getKind() == SqlKind.LATERAL;
    SqlNode inner = lateral ? ((SqlCall) aliased).operand(0) : aliased;
    if (inner.getKind() != SqlKind.COLLECTION_TABLE) {
      return recreate(as, copyAll(as.getOperandList(), alone));
    }
    int columns = as.operandCount() - 2;
    SqlNode function = copyTableFunction((SqlCall) inner, columns, alone && !lateral);
    List<SqlNode> operands = copyAll(as.getOperandList().subList(1, as.operandCount()), alone);
    operands.add(0, lateral ? recreate((SqlCall) aliased, List.of(function)) : function);
    return recreate(as, operands);
  }

  /**
   * TABLE(…), with the function that is meant in place of its name.
   *
   * @param columns how many columns its alias lists, 0 for none
   */
  private SqlNode copyTableFunction(SqlCall table, int columns, boolean alone) {
    if (!(table.operand(0) instanceof SqlCall function)
        || !(function.getOperator() instanceof SqlFunction)) {
      return recreate(table, copyAll(table.getOperandList(), alone));
    }
    String name = function.getOperator().getName();
    List<SqlNode> arguments = copyAll(function.getOperandList(), alone);
    Optional<WindowTableFunction> window = WindowTableFunction.named(name);
    SqlCall call;
    if (window.isPresent()) {
      call = window.get().call(function.getParserPosition(), arguments);
    } else {
      // A process table function passes columns of its table through; others tell their columns
      // only in an alias.
      known &= columns > 0 && arguments.stream().noneMatch(QueryCopy::isTable);
      call =
          new FlinkOperators.UnknownTableFunction(name, columns)
              .createCall(function.getParserPosition(), arguments);
    }
    return recreate(table, List.of(call));
  }

  private static boolean isTable(SqlNode argument) {
    return switch (argument.getKind()) {
      case EXPLICIT_TABLE, SET_SEMANTICS_TABLE, DESCRIPTOR -> true;
      case ARGUMENT_ASSIGNMENT -> isTable(((SqlCall) argument).operand(0));
      default -> argument.isA(SqlKind.QUERY);
    };
  }

  /**
   * TUMBLE_ROWTIME(…) and its like, which Calcite lacks, as a function of the start that it knows.
   */
  private Optional<SqlNode> groupTimeAttribute(SqlCall call) {
    if (!(call.getOperator() instanceof SqlFunction function)) {
      return Optional.empty();
    }
    String name = function.getName().toUpperCase(Locale.ROOT);
    SqlFunction attribute;
    if (name.endsWith("_ROWTIME")) {
      attribute = FlinkOperators.GROUP_ROWTIME;
    } else if (name.endsWith("_PROCTIME")) {
      attribute = FlinkOperators.GROUP_PROCTIME;
    } else {
      return Optional.empty();
    }
    Optional<SqlFunction> start =
        switch (name.substring(0, name.indexOf('_'))) {
          case "TUMBLE" -> Optional.of(SqlStdOperatorTable.TUMBLE_START);
          case "HOP" -> Optional.of(SqlStdOperatorTable.HOP_START);
          case "SESSION" -> Optional.of(SqlStdOperatorTable.SESSION_START);
          default -> Optional.empty();
        };
    return start.map(
        of ->
            attribute.createCall(
                call.getParserPosition(),
                of.createCall(call.getParserPosition(), copyAll(call.getOperandList(), false))));
  }

  private List<SqlNode> copyAll(List<? extends SqlNode> nodes, boolean alone) {
    List<SqlNode> copies = new ArrayList<>();
    for (SqlNode node : nodes) {
      copies.add(copy(node, alone));
    }
    return copies;
  }

  private static SqlNode recreate(SqlCall call, List<SqlNode> operands) {
    return call.getOperator()
        .createCall(
            call.getFunctionQuantifier(),
            call.getParserPosition(),
            operands.toArray(new SqlNode[0]));
  }
}
