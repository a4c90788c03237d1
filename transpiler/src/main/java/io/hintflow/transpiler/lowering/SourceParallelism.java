package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.CommonTable;
import io.hintflow.grammar.Hint;
import io.hintflow.grammar.Script;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.TableReference;
import io.hintflow.transpiler.analysis.BlockAnalysis;
import io.hintflow.transpiler.analysis.BlockScope;
import io.hintflow.transpiler.analysis.From;
import io.hintflow.transpiler.analysis.Relation;
import io.hintflow.transpiler.analysis.ScriptAnalysis;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSetOperator;
import org.apache.calcite.sql.SqlWith;
import org.apache.flink.sql.parser.ddl.table.SqlCreateTableLike;

/** Reads off a script with how many tasks the rows of a table, a view or a block are read. */
public final class SourceParallelism {
  public static final String OPTION = "source.parallelism";
  public static final String NATIVE_OPTION = "scan.parallelism";

  /**
   * A place in the script where a source's parallelism is given.
   *
   * @param connector of the table that it is given for
   */
  public record Origin(Hint.SourceParallelism hint, Optional<String> connector) {}

  private final Script script;
  private final ScriptAnalysis analysis;
  private final Map<Block, Optional<Integer>> blocks = new IdentityHashMap<>();

  SourceParallelism(Script script, ScriptAnalysis analysis) {
    this.script = script;
    this.analysis = analysis;
  }

  /** Whether the option stands anywhere in a script. */
  public static boolean isUsed(Script script) {
    return script.statements().stream()
        .anyMatch(
            statement ->
                statement instanceof Statement.CreateTable table && own(table.hints()).isPresent()
                    || statement.blocks().stream().anyMatch(SourceParallelism::isUsed));
  }

  private static boolean isUsed(Block block) {
    return block.tables().stream().anyMatch(reference -> own(reference.hints()).isPresent())
        || block.inner().stream().anyMatch(SourceParallelism::isUsed);
  }

  /**
   * The parallelism at which a block's rows are read, if the script gives one, it is the same for
   * all tables that the block reads, and the rows come from them one by one. All of the block can
   * then run at that parallelism, and its rows come out in the order in which they were read.
   */
  public Optional<Integer> ofBlock(Statement statement, Block block) {
    Optional<Integer> known = blocks.get(block);
    if (known == null) {
      known = uniform(statement, references(statement, block));
      if (known.isPresent() && !isRowWise(statement, block)) {
        known = Optional.empty();
      }
      blocks.put(block, known);
    }
    return known;
  }

  /**
   * The parallelism at which the rows of a view are read, under the conditions of {@link #ofBlock}.
   */
  public Optional<Integer> ofView(Statement.CreateView view) {
    if (!isUnionOfBlocks(view.node().getQuery())) {
      return Optional.empty();
    }
    List<Optional<Integer>> parallelisms =
        view.blocks().stream().map(block -> ofBlock(view, block)).distinct().toList();
    return parallelisms.size() == 1 ? parallelisms.get(0) : Optional.empty();
  }

  /**
   * The parallelism that a name in FROM is read with: from its own hint, its table's WITH, or the
   * query of its view.
   */
  public Optional<Integer> ofReference(Statement statement, TableReference reference) {
    return own(reference.hints())
        .map(Hint.SourceParallelism::parallelism)
        .or(() -> analysis.resolve(statement, reference.path()).flatMap(this::ofRelation));
  }

  private Optional<Integer> ofRelation(Relation relation) {
    return relation instanceof Relation.View view
        ? ofView(view.statement())
        : origins(relation).stream().map(origin -> origin.hint().parallelism()).findFirst();
  }

  /** The places that give the parallelism of the sources below a table or view. */
  public List<Origin> origins(Relation relation) {
    if (relation instanceof Relation.View view) {
      Statement statement = view.statement();
      return statement.blocks().stream()
          .flatMap(block -> origins(statement, block).stream())
          .toList();
    }
    Relation.Table table = (Relation.Table) relation;
    Optional<String> connector = Optional.ofNullable(table.options().get("connector"));
    return declaringHint(table.statement())
        .map(hint -> List.of(new Origin(hint, connector)))
        .orElse(List.of());
  }

  /** The option in a table's WITH clause, or in that of the table which it was made LIKE. */
  private Optional<Hint.SourceParallelism> declaringHint(Statement.CreateTable table) {
    Optional<Hint.SourceParallelism> own = own(table.hints());
    if (own.isPresent() || !(table.node() instanceof SqlCreateTableLike like)) {
      return own;
    }
    return analysis
        .resolveTable(table, like.getTableLike().getSourceTable().names)
        .flatMap(source -> declaringHint(source.statement()));
  }

  private List<Origin> origins(Statement statement, Block block) {
    List<Origin> origins = new ArrayList<>();
    for (TableReference reference : references(statement, block)) {
      origins.addAll(origins(statement, reference));
    }
    return origins;
  }

  private List<Origin> origins(Statement statement, TableReference reference) {
    List<Origin> origins = new ArrayList<>();
    Optional<Hint.SourceParallelism> own = own(reference.hints());
    Optional<Relation> relation = analysis.resolve(statement, reference.path());
    own.ifPresent(
        hint -> origins.add(new Origin(hint, relation.flatMap(SourceParallelism::connector))));
    // A hint outweighs the WITH clause, but only where it is: what is made of the clause must
    // suit this place too.
    relation.ifPresent(declared -> origins.addAll(origins(declared)));
    return origins;
  }

  public static Optional<String> connector(Relation relation) {
    return relation instanceof Relation.Table table
        ? Optional.ofNullable(table.options().get("connector"))
        : Optional.empty();
  }

  /** Whether a block, or one around it, is distributed in the order in which its rows were read. */
  public boolean isOrdered(Statement statement, Block block, List<Block> enclosing) {
    return isOrdered(statement, block)
        || enclosing.stream().anyMatch(around -> isOrdered(statement, around));
  }

  private boolean isOrdered(Statement statement, Block block) {
    return block.hints().stream().anyMatch(Hint.DistributeBy.class::isInstance)
        && ofBlock(statement, block).isPresent();
  }

  /**
   * Whether a table's rows go straight to a stage that has its own use for their order: that hashes
   * the big side of a broadcast join, or looks for updates that change nothing.
   */
  public boolean isReadByStage(Statement statement, Block block, TableReference reference) {
    return (isHashed(block, reference) || isDeduplicated(statement, block, reference))
        && block.commonTable(reference).isEmpty()
        && ofReference(statement, reference).isPresent();
  }

  private static boolean isHashed(Block block, TableReference reference) {
    return block.hints().stream()
            .filter(Hint.HashByKey.class::isInstance)
            .flatMap(hint -> ((Hint.HashByKey) hint).tables().stream())
            .anyMatch(table -> table.table().text().equals(reference.exposedName()))
        && block.hints().stream().anyMatch(Hint.Broadcast.class::isInstance);
  }

  private boolean isDeduplicated(Statement statement, Block block, TableReference reference) {
    if (block.tables().stream().allMatch(table -> DuplicateOptions.of(table).isEmpty())) {
      return false;
    }
    Optional<From> from =
        analysis
            .analyze(statement)
            .block(block)
            .flatMap(BlockAnalysis::scope)
            .map(BlockScope::from);
    return from.flatMap(of -> DuplicateOptions.item(script, statement, reference, of))
        .filter(
            item ->
                DuplicateOptions.of(script, statement, block, from.get()).items().containsKey(item))
        .isPresent();
  }

  /**
   * The places whose rows go straight to a DISTRIBUTEBY, or to what {@link #isReadByStage} says.
   */
  public Set<Hint> orderedOrigins(Script script) {
    Set<Hint> ordered = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Statement statement : script.statements()) {
      statement.blocks().forEach(block -> collectOrdered(statement, block, ordered));
    }
    return ordered;
  }

  private void collectOrdered(Statement statement, Block block, Set<Hint> ordered) {
    if (isOrdered(statement, block)) {
      origins(statement, block).forEach(origin -> ordered.add(origin.hint()));
    }
    for (TableReference reference : block.tables()) {
      if (isReadByStage(statement, block, reference)) {
        origins(statement, reference).forEach(origin -> ordered.add(origin.hint()));
      }
    }
    block.inner().forEach(inner -> collectOrdered(statement, inner, ordered));
  }

  private static Optional<Hint.SourceParallelism> own(List<Hint> hints) {
    return hints.stream()
        .filter(Hint.SourceParallelism.class::isInstance)
        .map(Hint.SourceParallelism.class::cast)
        .findFirst();
  }

  private Optional<Integer> uniform(Statement statement, List<TableReference> references) {
    List<Optional<Integer>> parallelisms =
        references.stream().map(reference -> ofReference(statement, reference)).distinct().toList();
    return parallelisms.size() == 1 ? parallelisms.get(0) : Optional.empty();
  }

  private boolean isRowWise(Statement statement, Block block) {
    return analysis.analyze(statement).block(block).map(BlockAnalysis::rowWise).orElse(false);
  }

  private static boolean isUnionOfBlocks(SqlNode query) {
    if (query instanceof SqlWith with) {
      return isUnionOfBlocks(with.body);
    }
    if (query instanceof SqlCall call && call.getOperator() instanceof SqlSetOperator operator) {
      return operator.isAll()
          && call.getKind() == SqlKind.UNION
          && call.getOperandList().stream().allMatch(SourceParallelism::isUnionOfBlocks);
    }
    return query.getKind() == SqlKind.SELECT;
  }

  /**
   * All tables and views that a block reads: in its FROM, in the blocks inside it, and in the WITH
   * tables it names.
   */
  private static List<TableReference> references(Statement statement, Block block) {
    List<TableReference> references = new ArrayList<>();
    for (TableReference reference : block.tables()) {
      Optional<CommonTable> commonTable = block.commonTable(reference);
      if (commonTable.isPresent()) {
        outermostIn(commonTable.get(), statement.blocks())
            .forEach(inside -> references.addAll(references(statement, inside)));
      } else {
        references.add(reference);
      }
    }
    block.inner().forEach(inner -> references.addAll(references(statement, inner)));
    return references;
  }

  private static List<Block> outermostIn(CommonTable table, List<Block> blocks) {
    return blocks.stream()
        .flatMap(
            block ->
                table.span().contains(block.span())
                    ? List.of(block).stream()
                    : outermostIn(table, block.inner()).stream())
        .toList();
  }
}
