package io.hintflow.grammar;

import java.util.List;
import java.util.Optional;

/**
 * A hint as the user wrote it, one record for each kind; its meaning is in semantics and belongs to
 * the lowerings.
 *
 * <p>Query hints ({@link Broadcast}, {@link HashByKey}, {@link DistributeBy}, {@link LateDataSink},
 * {@link Lookup}) stand behind SELECT; table options ({@link DuplicateLeft}, {@link
 * DuplicateRight}, {@link SourceParallelism}) are single keys of an OPTIONS hint behind a table
 * name. {@link Native} is any other hint that Flink understands and that passes through.
 */
public sealed interface Hint {
  /** The hint with its parentheses; for a table option, its key and value. */
  Span span();

  /** {@code BROADCAST(a, b)}. */
  record Broadcast(Span span, List<Name> tables) implements Hint {}

  /** {@code HASH_BY_KEY('a'='c1, c2', …)}. */
  record HashByKey(Span span, List<TableColumns> tables) implements Hint {}

  /**
   * One pair of HASH_BY_KEY: a table and the columns by which its rows are hashed; at least one.
   */
  record TableColumns(Name table, List<Name> columns) {}

  /** {@code DISTRIBUTEBY('c1', 'c2')}; at least one column. */
  record DistributeBy(Span span, List<Name> columns) implements Hint {}

  /** {@code LATE_DATA_SINK('sink.name'='s', 'window.start.field'='a', 'window.end.field'='b')}. */
  record LateDataSink(
      Span span, Name sink, Optional<Name> windowStartField, Optional<Name> windowEndField)
      implements Hint {}

  /**
   * {@code LOOKUP('table'='dim', 'shuffle'='true', …)}: native; read because the look-up join
   * lowering looks at it.
   */
  record Lookup(Span span, Name table, boolean shuffle, Optional<Name> capacity) implements Hint {}

  /** {@code OPTIONS('duplicate.left'='true')} behind a table. */
  record DuplicateLeft(Span span, boolean enabled) implements Hint {}

  /** {@code OPTIONS('duplicate.right'='true')} behind a table. */
  record DuplicateRight(Span span, boolean enabled) implements Hint {}

  /**
   * {@code OPTIONS('source.parallelism'='2')} behind a table, or the same key in a table's WITH.
   */
  record SourceParallelism(Span span, int parallelism) implements Hint {}

  /** A hint that Flink itself understands, left where it is. */
  record Native(Span span, Name name) implements Hint {}
}
