package io.hintflow.transpiler.analysis;

import io.hintflow.transpiler.analysis.Flow.Role;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Match;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Snapshot;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Reads from a logical plan what kinds of rows it produces in streaming mode, which columns are
 * time attributes, and whether rows pass one by one. Says less than Flink's planner knows rather
 * than more: whoever relies on {@link Changelog#INSERT_ONLY} would lose rows if it were wrong.
 */
final class FlowReader {
  /** Views are shared by the plans that use them. */
  private final Map<RelNode, Flow> known = new IdentityHashMap<>();

  Flow read(RelNode rel) {
    Flow flow = known.get(rel);
    if (flow == null) {
      flow = compute(rel);
      known.put(rel, flow);
    }
    return flow;
  }

  private Flow compute(RelNode rel) {
    if (rel instanceof TableScan scan) {
      return scan(scan);
    }
    if (rel instanceof Project project) {
      return project(project);
    }
    if (rel instanceof Filter filter) {
      return filter(filter);
    }
    if (rel instanceof Aggregate aggregate) {
      return aggregate(aggregate);
    }
    if (rel instanceof Join join) {
      return join(join, List.of(join.getCondition()));
    }
    if (rel instanceof Correlate correlate) {
      return correlate(correlate);
    }
    if (rel instanceof Union union && union.all) {
      return unionAll(union);
    }
    if (rel instanceof SetOp) {
      return new Flow(Changelog.UPDATING, false, Flow.plain(columns(rel)));
    }
    if (rel instanceof Sort sort) {
      return sort(sort);
    }
    if (rel instanceof Values) {
      return new Flow(Changelog.INSERT_ONLY, true, Flow.plain(columns(rel)));
    }
    if (rel instanceof TableFunctionScan function) {
      return tableFunction(function);
    }
    if (rel instanceof Uncollect uncollect) {
      Flow input = read(uncollect.getInput());
      return new Flow(input.changelog(), input.rowWise(), Flow.plain(columns(rel)));
    }
    if (rel instanceof Snapshot snapshot) {
      Flow input = read(snapshot.getInput());
      return new Flow(input.changelog(), false, input.roles());
    }
    if (rel instanceof Match match) {
      return match(match);
    }
    return Flow.unknown(columns(rel));
  }

  private static int columns(RelNode rel) {
    return rel.getRowType().getFieldCount();
  }

  private static Flow scan(TableScan scan) {
    RelationTable table = scan.getTable().unwrap(RelationTable.class);
    if (table == null) {
      return Flow.unknown(columns(scan));
    }
    List<Role> roles = table.timeAttributes().stream().map(Role::of).toList();
    return new Flow(table.changelog(), true, roles);
  }

  private Flow project(Project project) {
    Flow input = read(project.getInput());
    List<Role> roles = project.getProjects().stream().map(node -> role(node, input)).toList();
    if (contains(project.getProjects(), RexSubQuery.class)) {
      return new Flow(Changelog.UNKNOWN, false, roles);
    }
    if (!contains(project.getProjects(), RexOver.class)) {
      // A function that we don't know, in a SELECT that does not group, could be an aggregate
      // function.
      boolean mayAggregate =
          !(project.getInput() instanceof Aggregate) && callsUnknownFunction(project.getProjects());
      Changelog changelog =
          mayAggregate ? combine(input.changelog(), Changelog.UNKNOWN) : input.changelog();
      return new Flow(changelog, input.rowWise(), roles);
    }
    boolean ordered =
        overs(project)
            .allMatch(
                over ->
                    isOrderedByTime(over, input) || role(over, input) == Role.WINDOW_ROW_NUMBER);
    return new Flow(ordered ? insertOnlyOrUnknown(input) : Changelog.UNKNOWN, false, roles);
  }

  private static Role role(RexNode node, Flow input) {
    if (node instanceof RexInputRef reference) {
      return input.roles().get(reference.getIndex());
    }
    if (node instanceof RexOver over) {
      return isNumbering(over) ? numbering(over, input) : Role.PLAIN;
    }
    if (!(node instanceof RexCall call)) {
      return Role.PLAIN;
    }
    SqlOperator operator = call.getOperator();
    if (operator == FlinkOperators.PROCTIME || operator == FlinkOperators.GROUP_PROCTIME) {
      return Role.PROCTIME;
    }
    if (operator == FlinkOperators.GROUP_ROWTIME) {
      return Role.WINDOW_ROWTIME;
    }
    return switch (call.getKind()) {
      case TUMBLE, HOP, SESSION -> Role.GROUP_WINDOW;
      default -> Role.PLAIN;
    };
  }

  private static Stream<RexOver> overs(Project project) {
    List<RexOver> overs = new ArrayList<>();
    RexUtil.apply(
        new RexVisitorImpl<Void>(true) {
          @Override
          public Void visitOver(RexOver over) {
            overs.add(over);
            return super.visitOver(over);
          }
        },
        project.getProjects(),
        null);
    return overs.stream();
  }

  private static boolean isNumbering(RexOver over) {
    return switch (over.getAggOperator().getKind()) {
      case ROW_NUMBER, RANK, DENSE_RANK -> true;
      default -> false;
    };
  }

  private static Role numbering(RexOver over, Flow input) {
    List<Role> partition =
        over.getWindow().partitionKeys.stream().map(key -> role(key, input)).toList();
    if (isWindow(partition)) {
      return Role.WINDOW_ROW_NUMBER;
    }
    boolean byArrival =
        over.getAggOperator().getKind() == SqlKind.ROW_NUMBER
            && over.getWindow().orderKeys.size() == 1
            && isAscending(over.getWindow().orderKeys.get(0))
            && role(over.getWindow().orderKeys.get(0).left, input).timeAttribute()
                == TimeAttribute.PROCTIME;
    return byArrival ? Role.ARRIVAL_NUMBER : Role.ROW_NUMBER;
  }

  private static boolean isOrderedByTime(RexOver over, Flow input) {
    List<RexFieldCollation> keys = List.copyOf(over.getWindow().orderKeys);
    return keys.size() == 1 && isAscending(keys.get(0)) && role(keys.get(0).left, input).isTime();
  }

  private static boolean isAscending(RexFieldCollation key) {
    return key.getDirection() == RelFieldCollation.Direction.ASCENDING;
  }

  /**
   * Whether a query of one SELECT groups the rows of its FROM by the start and end of a window, or
   * numbers them within one.
   */
  boolean isByWindow(RelNode rel) {
    if (rel instanceof Aggregate aggregate) {
      List<Role> roles = read(aggregate.getInput()).roles();
      return aggregate.getGroupSets().stream()
              .allMatch(set -> isWindow(set.asList().stream().map(roles::get).toList()))
          || isByWindow(aggregate.getInput());
    }
    if (rel instanceof Project project) {
      Flow input = read(project.getInput());
      return overs(project).anyMatch(over -> role(over, input) == Role.WINDOW_ROW_NUMBER)
          || isByWindow(project.getInput());
    }
    return (rel instanceof Filter || rel instanceof Sort) && isByWindow(rel.getInput(0));
  }

  private static boolean isWindow(List<Role> keys) {
    return keys.contains(Role.WINDOW_START) && keys.contains(Role.WINDOW_END);
  }

  private Flow filter(Filter filter) {
    if (contains(List.of(filter.getCondition()), RexSubQuery.class)) {
      return new Flow(Changelog.UNKNOWN, false, read(filter.getInput()).roles());
    }
    // FROM a, b WHERE …: what WHERE says of both sides belongs to the join.
    boolean joins =
        filter.getInput() instanceof Join join && join.getJoinType() == JoinRelType.INNER;
    Flow input =
        joins
            ? join(
                (Join) filter.getInput(),
                List.of(((Join) filter.getInput()).getCondition(), filter.getCondition()))
            : read(filter.getInput());
    Changelog changelog = input.changelog();
    for (int column : RelOptUtil.InputFinder.bits(filter.getCondition())) {
      changelog =
          switch (input.roles().get(column)) {
            case ROW_NUMBER -> Changelog.UPDATING;
            case ARRIVAL_NUMBER ->
                keepsFirst(filter.getCondition(), column) ? changelog : Changelog.UPDATING;
            default -> changelog;
          };
    }
    return new Flow(changelog, input.rowWise(), input.roles());
  }

  /**
   * Whether a condition keeps only the row with the number one: {@code n = 1}, {@code n <= 1} or
   * {@code n < 2}.
   */
  private static boolean keepsFirst(RexNode condition, int column) {
    return RelOptUtil.conjunctions(condition).stream()
        .anyMatch(
            term -> {
              if (!(term instanceof RexCall call) || call.operands.size() != 2) {
                return false;
              }
              if (!(call.operands.get(0) instanceof RexInputRef reference)
                  || reference.getIndex() != column
                  || !(call.operands.get(1) instanceof RexLiteral literal)) {
                return false;
              }
              if (!SqlTypeUtil.isExactNumeric(literal.getType())) {
                return false;
              }
              BigDecimal limit = literal.getValueAs(BigDecimal.class);
              return switch (call.getKind()) {
                case EQUALS, LESS_THAN_OR_EQUAL -> BigDecimal.ONE.equals(limit);
                case LESS_THAN -> BigDecimal.valueOf(2).equals(limit);
                default -> false;
              };
            });
  }

  private Flow aggregate(Aggregate aggregate) {
    Flow input = read(aggregate.getInput());
    List<Role> keys = aggregate.getGroupSet().toList().stream().map(input.roles()::get).toList();
    boolean windowed =
        isWindow(keys)
            || keys.contains(Role.GROUP_WINDOW)
                && aggregate.getGroupType() == Aggregate.Group.SIMPLE;
    List<Role> roles = new ArrayList<>();
    for (Role key : keys) {
      roles.add(windowed && key != Role.ROWTIME && key != Role.PROCTIME ? key : Role.PLAIN);
    }
    roles.addAll(Flow.plain(columns(aggregate) - keys.size()));
    Changelog changelog = windowed ? insertOnlyOrUnknown(input) : Changelog.UPDATING;
    return new Flow(changelog, false, List.copyOf(roles));
  }

  private static Changelog insertOnlyOrUnknown(Flow input) {
    return input.changelog() == Changelog.INSERT_ONLY ? Changelog.INSERT_ONLY : Changelog.UNKNOWN;
  }

  /** A join under all the conditions that concern it. */
  private Flow join(Join join, List<RexNode> conditions) {
    Flow left = read(join.getLeft());
    Flow right = read(join.getRight());
    List<Role> roles = Stream.concat(left.roles().stream(), right.roles().stream()).toList();
    boolean timed = kind(conditions, roles, left.roles().size()) != From.Join.Kind.REGULAR;
    Changelog both = combine(left.changelog(), right.changelog());
    boolean outer = join.getJoinType() != JoinRelType.INNER;
    Changelog changelog =
        both == Changelog.INSERT_ONLY && outer && !timed ? Changelog.UPDATING : both;
    // A join without time bounds holds rows back and gives them out late: their times are times no
    // more.
    List<Role> kept =
        timed ? roles : roles.stream().map(role -> role.isTime() ? Role.PLAIN : role).toList();
    return new Flow(changelog, false, kept.subList(0, columns(join)));
  }

  /**
   * What kind of join it is.
   *
   * @param conditions that of the join, and those that filter what it produces
   */
  From.Join.Kind kind(Join join, List<RexNode> conditions) {
    Flow left = read(join.getLeft());
    List<Role> roles =
        Stream.concat(left.roles().stream(), read(join.getRight()).roles().stream()).toList();
    return kind(conditions, roles, left.roles().size());
  }

  private static From.Join.Kind kind(List<RexNode> conditions, List<Role> roles, int leftColumns) {
    List<RexNode> terms =
        conditions.stream()
            .flatMap(condition -> RelOptUtil.conjunctions(condition).stream())
            .toList();
    if (isWindowJoin(terms, roles, leftColumns)) {
      return From.Join.Kind.WINDOW;
    }
    return isIntervalJoin(terms, roles, leftColumns)
        ? From.Join.Kind.INTERVAL
        : From.Join.Kind.REGULAR;
  }

  /** Whether a lower and an upper bound tie a time of one side to a time of the other. */
  private static boolean isIntervalJoin(List<RexNode> terms, List<Role> roles, int leftColumns) {
    boolean above = false;
    boolean below = false;
    for (RexNode term : terms) {
      if (!(term instanceof RexCall call)
          || call.operands.size() != 2
          || !isTimeOfOneSide(call.operands.get(0), roles, leftColumns)
          || !isTimeOfOneSide(call.operands.get(1), roles, leftColumns)) {
        continue;
      }
      boolean leftFirst = RelOptUtil.InputFinder.bits(call.operands.get(0)).nth(0) < leftColumns;
      boolean leftLast = RelOptUtil.InputFinder.bits(call.operands.get(1)).nth(0) < leftColumns;
      if (leftFirst == leftLast) {
        continue;
      }
      switch (call.getKind()) {
        case EQUALS -> {
          above = true;
          below = true;
        }
        case GREATER_THAN, GREATER_THAN_OR_EQUAL -> {
          above |= leftFirst;
          below |= !leftFirst;
        }
        case LESS_THAN, LESS_THAN_OR_EQUAL -> {
          above |= !leftFirst;
          below |= leftFirst;
        }
        default -> {}
      }
    }
    return above && below;
  }

  private static boolean isTimeOfOneSide(RexNode node, List<Role> roles, int leftColumns) {
    ImmutableBitSet columns = RelOptUtil.InputFinder.bits(node);
    return columns.cardinality() == 1 && roles.get(columns.nth(0)).isTime();
  }

  /** Whether both sides are of the same windows. */
  private static boolean isWindowJoin(List<RexNode> terms, List<Role> roles, int leftColumns) {
    return Stream.of(Role.WINDOW_START, Role.WINDOW_END)
        .allMatch(
            role ->
                terms.stream()
                    .anyMatch(
                        term ->
                            term instanceof RexCall call
                                && call.getKind() == SqlKind.EQUALS
                                && call.operands.stream()
                                    .allMatch(
                                        operand ->
                                            operand instanceof RexInputRef reference
                                                && roles.get(reference.getIndex()) == role)
                                && spansBothSides(call, leftColumns)));
  }

  private static boolean spansBothSides(RexCall call, int leftColumns) {
    ImmutableBitSet columns = RelOptUtil.InputFinder.bits(call);
    return columns.nth(0) < leftColumns && columns.length() > leftColumns;
  }

  private Flow correlate(Correlate correlate) {
    Flow left = read(correlate.getLeft());
    int rightColumns = columns(correlate) - left.roles().size();
    List<Role> roles =
        Stream.concat(left.roles().stream(), Flow.plain(rightColumns).stream()).toList();
    if (contains(correlate.getRight(), Snapshot.class)) {
      return new Flow(left.changelog(), false, roles);
    }
    if (contains(correlate.getRight(), TableScan.class)) {
      return new Flow(Changelog.UNKNOWN, false, roles);
    }
    return new Flow(left.changelog(), left.rowWise(), roles);
  }

  private Flow unionAll(Union union) {
    List<Flow> inputs = union.getInputs().stream().map(this::read).toList();
    Changelog changelog =
        inputs.stream().map(Flow::changelog).reduce(Changelog.INSERT_ONLY, FlowReader::combine);
    List<Role> roles =
        IntStream.range(0, columns(union))
            .mapToObj(
                column ->
                    inputs.stream()
                        .map(input -> input.roles().get(column))
                        .reduce(FlowReader::common)
                        .orElse(Role.PLAIN))
            .toList();
    return new Flow(changelog, inputs.stream().allMatch(Flow::rowWise), roles);
  }

  private static Role common(Role one, Role other) {
    if (one == other) {
      return one;
    }
    return one.timeAttribute() == other.timeAttribute() ? Role.of(one.timeAttribute()) : Role.PLAIN;
  }

  private static Changelog combine(Changelog one, Changelog other) {
    if (one == Changelog.UPDATING || other == Changelog.UPDATING) {
      return Changelog.UPDATING;
    }
    return one == other ? one : Changelog.UNKNOWN;
  }

  private Flow sort(Sort sort) {
    Flow input = read(sort.getInput());
    List<RelFieldCollation> keys = sort.getCollation().getFieldCollations();
    if (sort.fetch != null || sort.offset != null) {
      return new Flow(Changelog.UPDATING, false, input.roles());
    }
    boolean byTime =
        !keys.isEmpty()
            && !keys.get(0).getDirection().isDescending()
            && input.roles().get(keys.get(0).getFieldIndex()).isTime();
    // Any other order Flink refuses at the top and ignores in a subquery.
    return new Flow(byTime ? insertOnlyOrUnknown(input) : Changelog.UNKNOWN, false, input.roles());
  }

  private Flow tableFunction(TableFunctionScan function) {
    boolean window =
        function.getInputs().size() == 1
            && function.getCall() instanceof RexCall call
            && call.getOperator() instanceof WindowTableFunction;
    if (!window) {
      return function.getInputs().isEmpty()
          ? new Flow(Changelog.INSERT_ONLY, false, Flow.plain(columns(function)))
          : Flow.unknown(columns(function));
    }
    Flow input = read(function.getInput(0));
    RexNode time = ((RexCall) function.getCall()).operands.get(0);
    Role windowTime =
        role(time, input).timeAttribute() == TimeAttribute.PROCTIME
            ? Role.WINDOW_PROCTIME
            : Role.WINDOW_ROWTIME;
    List<Role> roles = new ArrayList<>();
    // Behind a window only window_time still is a time attribute.
    input.roles().forEach(role -> roles.add(role.isTime() ? Role.PLAIN : role));
    roles.add(Role.WINDOW_START);
    roles.add(Role.WINDOW_END);
    roles.add(windowTime);
    return new Flow(insertOnlyOrUnknown(input), false, List.copyOf(roles));
  }

  private Flow match(Match match) {
    Flow input = read(match.getInput());
    Map<String, Role> measures =
        match.getMeasures().entrySet().stream()
            .collect(
                Collectors.toMap(Map.Entry::getKey, measure -> measureRole(measure.getValue())));
    List<Role> roles =
        match.getRowType().getFieldNames().stream()
            .map(name -> measures.getOrDefault(name, Role.PLAIN))
            .toList();
    return new Flow(insertOnlyOrUnknown(input), false, roles);
  }

  private static Role measureRole(RexNode measure) {
    Optional<SqlOperator> operator =
        measure instanceof RexCall call ? Optional.of(call.getOperator()) : Optional.empty();
    if (operator.filter(FlinkOperators.MATCH_ROWTIME::equals).isPresent()) {
      return Role.ROWTIME;
    }
    if (operator.filter(FlinkOperators.MATCH_PROCTIME::equals).isPresent()) {
      return Role.PROCTIME;
    }
    // Calcite wraps measures in FINAL.
    return measure instanceof RexCall call && call.getKind() == SqlKind.FINAL
        ? measureRole(call.operands.get(0))
        : Role.PLAIN;
  }

  private static boolean callsUnknownFunction(List<RexNode> nodes) {
    boolean[] found = {false};
    RexVisitorImpl<Void> visitor =
        new RexVisitorImpl<>(true) {
          @Override
          public Void visitCall(RexCall call) {
            found[0] |= call.getOperator() instanceof FlinkOperators.UnknownFunction;
            return super.visitCall(call);
          }
        };
    nodes.forEach(node -> node.accept(visitor));
    return found[0];
  }

  private static boolean contains(List<RexNode> nodes, Class<? extends RexNode> type) {
    boolean[] found = {false};
    RexVisitorImpl<Void> visitor =
        new RexVisitorImpl<>(true) {
          @Override
          public Void visitOver(RexOver over) {
            found[0] |= type.isInstance(over);
            return super.visitOver(over);
          }

          @Override
          public Void visitSubQuery(RexSubQuery subQuery) {
            found[0] |= type.isInstance(subQuery);
            return super.visitSubQuery(subQuery);
          }
        };
    nodes.forEach(node -> node.accept(visitor));
    return found[0];
  }

  private static boolean contains(RelNode rel, Class<? extends RelNode> type) {
    boolean[] found = {false};
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, RelNode parent) {
        found[0] |= type.isInstance(node);
        super.visit(node, ordinal, parent);
      }
    }.go(rel);
    return found[0];
  }
}
