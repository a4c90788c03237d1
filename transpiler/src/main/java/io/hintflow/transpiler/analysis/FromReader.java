package io.hintflow.transpiler.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.validate.SqlValidatorNamespace;

/** Reads what one FROM clause stands for. */
final class FromReader {
  private final QueryPlanner.Validator validator;
  private final FlowReader flows;
  private final Optional<QueryPlanner.Planned> planned;
  private final SqlSelect select;

  /**
   * @param planned without it, nothing is known of how rows come out
   * @param select the validated copy of the SELECT whose FROM is read
   */
  FromReader(
      QueryPlanner.Validator validator,
      FlowReader flows,
      Optional<QueryPlanner.Planned> planned,
      SqlSelect select) {
    this.validator = validator;
    this.flows = flows;
    this.planned = planned;
    this.select = select;
  }

  /** Throws whatever Calcite throws if it knows something else than expected. */
  From read(SqlNode original) {
    return read(original, select.getFrom());
  }

  /**
   * The validator has given the copy's items an alias each, but leaves the joins as they are.
   *
   * @param original as the script has it
   * @param validated the same part of the validated copy
   */
  private From read(SqlNode original, SqlNode validated) {
    Optional<Flow> flow = plan(validated).map(flows::read);
    Changelog changelog = flow.map(Flow::changelog).orElse(Changelog.UNKNOWN);
    if (original instanceof SqlJoin join) {
      SqlJoin validatedJoin = (SqlJoin) validated;
      return new From.Join(
          join,
          read(join.getLeft(), validatedJoin.getLeft()),
          read(join.getRight(), validatedJoin.getRight()),
          changelog,
          kind(validatedJoin));
    }
    SqlValidatorNamespace namespace = validator.getNamespace(validated);
    if (namespace == null) {
      namespace = validator.getNamespace(stripAlias(validated));
    }
    List<OutputColumn> columns = OutputColumn.of(namespace.getRowType(), flow);
    List<List<String>> keys =
        plan(validated).map(UniqueKeys::of).orElse(List.of()).stream()
            .map(key -> key.asList().stream().map(columns::get).map(OutputColumn::name).toList())
            .toList();
    return new From.Item(
        original,
        alias(original),
        columns,
        keys,
        changelog,
        kind(original),
        plan(validated).flatMap(item -> window(original, item)));
  }

  private Optional<WindowedTable> window(SqlNode original, RelNode plan) {
    RelNode function = plan;
    while (function instanceof Project project) {
      function = project.getInput();
    }
    if (!(function instanceof TableFunctionScan scan) || scan.getInputs().size() != 1) {
      return Optional.empty();
    }
    RelNode table = scan.getInput(0);
    Flow flow = flows.read(table);
    return WindowedTable.of(
        stripAlias(original),
        OutputColumn.of(table.getRowType(), Optional.of(flow)),
        flow.changelog());
  }

  private Optional<RelNode> plan(SqlNode from) {
    return planned.flatMap(plans -> Optional.ofNullable(plans.froms().get(from)));
  }

  private From.Join.Kind kind(SqlJoin validated) {
    return plan(validated)
        .filter(Join.class::isInstance)
        .map(Join.class::cast)
        .map(join -> flows.kind(join, conditions(join)))
        .orElse(From.Join.Kind.REGULAR);
  }

  /** The condition of a join, and that of a WHERE right above it. */
  private List<RexNode> conditions(Join join) {
    List<RexNode> conditions = new ArrayList<>(List.of(join.getCondition()));
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, RelNode parent) {
        if (node instanceof Filter filter && filter.getInput() == join) {
          conditions.add(filter.getCondition());
        }
        super.visit(node, ordinal, parent);
      }
    }.go(planned.orElseThrow().selects().get(select));
    return conditions;
  }

  private static SqlNode stripAlias(SqlNode item) {
    return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
  }

  private static Optional<String> alias(SqlNode item) {
    if (item.getKind() == SqlKind.AS) {
      return Optional.of(((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple());
    }
    if (item.getKind() == SqlKind.TABLE_REF || item.getKind() == SqlKind.SNAPSHOT) {
      return alias(((SqlCall) item).operand(0));
    }
    return item instanceof SqlIdentifier name
        ? Optional.of(name.names.get(name.names.size() - 1))
        : Optional.empty();
  }

  private static From.Item.Kind kind(SqlNode item) {
    SqlNode read = stripAlias(item);
    return switch (read.getKind()) {
      case SNAPSHOT -> From.Item.Kind.TEMPORAL;
      case LATERAL, UNNEST -> From.Item.Kind.LATERAL;
      default -> From.Item.Kind.PLAIN;
    };
  }
}
