package io.hintflow.transpiler.analysis;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Snapshot;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Tells of which columns of a logical plan Flink has the same type as the plan has. Calcite and
 * Flink derive many types differently, so that only what is declared, cast, or made by a few
 * operators that have been compared with Flink's is certain.
 */
final class CertainTypes {
  /** Functions that give a STRING in every Flink version. */
  private static final Set<String> OF_TEXT =
      Set.of(
          "||",
          "CONCAT",
          "CONCAT_WS",
          "DATE_FORMAT",
          "FROM_UNIXTIME",
          "LOWER",
          "LPAD",
          "LTRIM",
          "REGEXP_EXTRACT",
          "REGEXP_REPLACE",
          "REPLACE",
          "RPAD",
          "RTRIM",
          "SPLIT_INDEX",
          "SUBSTR",
          "SUBSTRING",
          "TRIM",
          "UPPER");

  private final RelDataTypeFactory factory;

  /** Views are shared by the plans that use them. */
  private final Map<RelNode, ImmutableBitSet> known = new IdentityHashMap<>();

  CertainTypes(RelDataTypeFactory factory) {
    this.factory = factory;
  }

  /** The positions of those columns. */
  ImmutableBitSet columns(RelNode rel) {
    ImmutableBitSet columns = known.get(rel);
    if (columns == null) {
      columns = compute(rel);
      known.put(rel, columns);
    }
    return columns;
  }

  private ImmutableBitSet compute(RelNode rel) {
    if (rel instanceof TableScan scan) {
      RelationTable table = scan.getTable().unwrap(RelationTable.class);
      return table == null ? ImmutableBitSet.of() : table.certainTypes();
    }
    if (rel instanceof Project project) {
      ImmutableBitSet input = columns(project.getInput());
      return those(rel, i -> isCertain(project.getProjects().get(i), input));
    }
    if (rel instanceof Filter || rel instanceof Sort || rel instanceof Snapshot) {
      return columns(rel.getInput(0));
    }
    if (rel instanceof Join || rel instanceof Correlate) {
      int left = rel.getInput(0).getRowType().getFieldCount();
      ImmutableBitSet ofRight = columns(rel.getInput(1));
      ImmutableBitSet both = columns(rel.getInput(0)).union(ofRight.shift(left));
      return those(rel, both::get);
    }
    if (rel instanceof SetOp set) {
      return those(rel, i -> isCertain(set, i));
    }
    if (rel instanceof Values values) {
      return those(
          rel,
          i -> haveOneType(values.getTuples().stream().map(row -> row.get(i).getType()).toList()));
    }
    if (rel instanceof Aggregate aggregate) {
      return aggregate(aggregate);
    }
    if (rel instanceof TableFunctionScan function
        && function.getCall() instanceof RexCall call
        && call.getOperator() instanceof WindowTableFunction) {
      int ofInput = rel.getInput(0).getRowType().getFieldCount();
      ImmutableBitSet input = columns(rel.getInput(0));
      return those(rel, i -> i >= ofInput || input.get(i));
    }
    return ImmutableBitSet.of();
  }

  private interface Test {
    boolean of(int column);
  }

  private static ImmutableBitSet those(RelNode rel, Test test) {
    return ImmutableBitSet.of(
        IntStream.range(0, rel.getRowType().getFieldCount()).filter(test::of).toArray());
  }

  private boolean isCertain(SetOp set, int column) {
    return set.getInputs().stream().allMatch(input -> columns(input).get(column))
        && haveOneType(
            set.getInputs().stream()
                .map(input -> input.getRowType().getFieldList().get(column).getType())
                .toList());
  }

  private ImmutableBitSet aggregate(Aggregate aggregate) {
    ImmutableBitSet input = columns(aggregate.getInput());
    List<Integer> keys = aggregate.getGroupSet().toList();
    List<AggregateCall> calls = aggregate.getAggCallList();
    return those(
        aggregate,
        i ->
            i < keys.size()
                ? input.get(keys.get(i))
                : isCertain(
                    calls.get(i - keys.size()).getAggregation(),
                    calls.get(i - keys.size()).getType(),
                    calls.get(i - keys.size()).getArgList().stream().allMatch(input::get)));
  }

  private boolean isCertain(RexNode node, ImmutableBitSet input) {
    if (node instanceof RexInputRef reference) {
      return input.get(reference.getIndex());
    }
    if (node instanceof RexLiteral) {
      return true;
    }
    if (node instanceof RexFieldAccess access) {
      return isCertain(access.getReferenceExpr(), input);
    }
    if (node instanceof RexSubQuery query) {
      return query.getKind() == SqlKind.SCALAR_QUERY
          ? columns(query.rel).get(0)
          : query.getType().getSqlTypeName() == SqlTypeName.BOOLEAN;
    }
    if (node instanceof RexOver over) {
      return isCertain(over.getAggOperator(), over.getType(), areCertain(over.operands, input));
    }
    return node instanceof RexCall call && isCertain(call, input);
  }

  private boolean areCertain(List<RexNode> nodes, ImmutableBitSet input) {
    return nodes.stream().allMatch(node -> isCertain(node, input));
  }

  private static boolean isCertain(
      SqlAggFunction function, RelDataType type, boolean certainArguments) {
    return switch (function.getKind()) {
      case COUNT, ROW_NUMBER, RANK, DENSE_RANK -> type.getSqlTypeName() == SqlTypeName.BIGINT;
      case SUM, SUM0, AVG, MIN, MAX, FIRST_VALUE, LAST_VALUE, SINGLE_VALUE, LAG, LEAD ->
          certainArguments;
      default -> false;
    };
  }

  private boolean isCertain(RexCall call, ImmutableBitSet input) {
    if (call.getOperator() == FlinkOperators.TRY_CAST
        || call.getOperator() == FlinkOperators.PROCTIME) {
      return true;
    }
    if (OF_TEXT.contains(call.getOperator().getName())) {
      return call.getType().getSqlTypeName() == SqlTypeName.VARCHAR;
    }
    return switch (call.getKind()) {
      case CAST -> true;
      case AND, OR, NOT -> true;
      case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL -> true;
      case GREATER_THAN, GREATER_THAN_OR_EQUAL, LIKE, SIMILAR -> true;
      case IS_NULL, IS_NOT_NULL, IS_TRUE, IS_NOT_TRUE, IS_FALSE, IS_NOT_FALSE -> true;
      case PLUS, MINUS, TIMES, DIVIDE, MINUS_PREFIX, PLUS_PREFIX ->
          call.operands.stream().allMatch(operand -> SqlTypeUtil.isNumeric(operand.getType()))
              && areCertain(call.operands, input);
      case CASE -> isCertainChoice(branches(call), input);
      case ITEM -> isCertain(call.operands.get(0), input);
      case ROW -> areCertain(call.operands, input);
      case ARRAY_VALUE_CONSTRUCTOR -> isCertainChoice(call.operands, input);
      default -> false;
    };
  }

  /** What a CASE can give. */
  private static List<RexNode> branches(RexCall call) {
    int last = call.operands.size() - 1;
    return IntStream.rangeClosed(0, last)
        .filter(i -> i % 2 == 1 || i == last)
        .mapToObj(call.operands::get)
        .toList();
  }

  /**
   * Calcite casts what it chooses from to a type that it has derived from all of it: of numbers
   * Flink's, but not of timestamps.
   */
  private boolean isCertainChoice(List<RexNode> nodes, ImmutableBitSet input) {
    List<RexNode> uncast = nodes.stream().map(CertainTypes::withoutCast).toList();
    return areCertain(uncast, input)
        && (haveOneType(uncast.stream().map(RexNode::getType).toList())
            || uncast.stream().allMatch(node -> SqlTypeUtil.isNumeric(node.getType())))
        && haveOneType(nodes.stream().map(RexNode::getType).toList());
  }

  private static RexNode withoutCast(RexNode node) {
    return node.getKind() == SqlKind.CAST ? ((RexCall) node).operands.get(0) : node;
  }

  /** Whether types are the same but for NOT NULL and lengths; that of a NULL is any. */
  private boolean haveOneType(List<RelDataType> types) {
    List<RelDataType> typed =
        types.stream().filter(type -> type.getSqlTypeName() != SqlTypeName.NULL).toList();
    if (typed.isEmpty()) {
      return false;
    }
    RelDataType first = typed.get(0);
    return typed.stream()
        .allMatch(
            type ->
                SqlTypeUtil.isAtomic(type)
                    ? type.getSqlTypeName() == first.getSqlTypeName()
                    : SqlTypeUtil.equalSansNullability(factory, type, first));
  }
}
