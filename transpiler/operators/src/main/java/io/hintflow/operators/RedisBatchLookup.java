package io.hintflow.operators;

import java.io.Serializable;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.runtime.metrics.groups.InternalCacheMetricGroup;
import org.apache.flink.table.connector.source.lookup.cache.LookupCache;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.AsyncLookupFunction;
import org.apache.flink.table.functions.FunctionContext;

/**
 * Gathers the keys of several rows and asks for them in one pipelined request, equal ones once. As
 * with {@link RedisAsyncLookup}, Flink holds the rows that wait, keeps them in its checkpoints and
 * lets them out in order.
 *
 * <p>It has its cache to itself, where Flink would put one in front: rows that are found there have
 * to be counted here, see {@link #isDue}.
 */
public final class RedisBatchLookup extends AsyncLookupFunction {
  /**
   * How keys are gathered.
   *
   * @param size how many rows make a batch, at least 1
   * @param interval how long a row waits for the batch to fill
   * @param overlapping whether a batch is sent before the one in front is answered
   * @param bufferCapacity how many rows and watermarks Flink holds behind the first that waits
   */
  record Batching(int size, Duration interval, boolean overlapping, int bufferCapacity)
      implements Serializable {}

  /** The rows that wait for the value of one key. */
  private static final class Waiting {
    private final CompletableFuture<Optional<byte[]>> value = new CompletableFuture<>();
    private final long sinceNanos = System.nanoTime();
    private final long firstRow;
    private int rows;

    Waiting(long firstRow) {
      this.firstRow = firstRow;
    }
  }

  private final RedisServer server;
  private final RedisRows rows;
  private final Batching batching;
  private final LookupCache cache;
  private transient RedisConnection connection;

  /** By key, those that are not asked for yet, the first to come first; the lock of all below. */
  private transient Map<String, Waiting> waiting;

  private transient long rowsSeen;
  private transient int rowsWaiting;
  private transient int requestsInFlight;
  private transient boolean hasTimer;

  /**
   * @param cache one of 0 rows, if none is wanted
   */
  RedisBatchLookup(RedisServer server, RedisRows rows, Batching batching, LookupCache cache) {
    this.server = server;
    this.rows = rows;
    this.batching = batching;
    this.cache = cache;
  }

  @Override
  public void open(FunctionContext context) throws Exception {
    waiting = new LinkedHashMap<>();
    rows.open(context);
    // Flink's own, as for the caches that it opens itself: there is no public one.
    cache.open(new InternalCacheMetricGroup(context.getMetricGroup(), "cache"));
    connection = RedisConnection.open(server);
  }

  @Override
  public CompletableFuture<Collection<RowData>> asyncLookup(RowData lookup) {
    Optional<String> key = rows.key(lookup);
    Collection<RowData> cached = key.isEmpty() ? List.of() : cache.getIfPresent(lookup);
    synchronized (waiting) {
      rowsSeen++;
      CompletableFuture<Collection<RowData>> found =
          cached != null
              ? CompletableFuture.completedFuture(cached)
              : gather(key.get()).thenApply(value -> found(lookup, value));
      sendWhatIsDue();
      return found;
    }
  }

  private CompletableFuture<Optional<byte[]>> gather(String key) {
    Waiting rowsOfKey = waiting.computeIfAbsent(key, first -> new Waiting(rowsSeen));
    rowsOfKey.rows++;
    rowsWaiting++;
    return rowsOfKey.value;
  }

  private Collection<RowData> found(RowData lookup, Optional<byte[]> value) {
    Collection<RowData> found = rows.rows(lookup, value);
    cache.put(lookup, found);
    return found;
  }

  private void sendWhatIsDue() {
    synchronized (waiting) {
      while (isDue() && (batching.overlapping || requestsInFlight == 0)) {
        send();
      }
      if (!waiting.isEmpty() && !isDue() && !hasTimer) {
        hasTimer = true;
        connection.after(batching.interval.minusNanos(waitedNanos(first())), this::onTimer);
      }
    }
  }

  private void onTimer() {
    synchronized (waiting) {
      hasTimer = false;
      sendWhatIsDue();
    }
  }

  /**
   * A batch is due when it has its rows, when the first of them has waited for the interval, or
   * when the rows behind that one, though found in the cache, have filled half of Flink's buffer:
   * they leave it after that row, and soon no more could come. Half, for a watermark takes a place
   * too, and may follow each row.
   */
  private boolean isDue() {
    return !waiting.isEmpty()
        && (rowsWaiting >= batching.size
            || rowsSeen - first().firstRow >= batching.bufferCapacity / 2
            || waitedNanos(first()) >= batching.interval.toNanos());
  }

  private Waiting first() {
    return waiting.values().iterator().next();
  }

  private static long waitedNanos(Waiting one) {
    return System.nanoTime() - one.sinceNanos;
  }

  private void send() {
    Map<String, Waiting> batch = new LinkedHashMap<>();
    Iterator<Map.Entry<String, Waiting>> oldest = waiting.entrySet().iterator();
    int rowsOfBatch = 0;
    while (oldest.hasNext() && rowsOfBatch < batching.size) {
      Map.Entry<String, Waiting> one = oldest.next();
      batch.put(one.getKey(), one.getValue());
      rowsOfBatch += one.getValue().rows;
      oldest.remove();
    }
    rowsWaiting -= rowsOfBatch;
    requestsInFlight++;
    connection
        .get(batch.keySet())
        .whenComplete((values, failure) -> onAnswer(batch, values, failure));
  }

  private void onAnswer(
      Map<String, Waiting> batch, List<Optional<byte[]>> values, Throwable failure) {
    synchronized (waiting) {
      requestsInFlight--;
      // Before the rows of this one are read: the server need not wait for that.
      sendWhatIsDue();
    }
    int position = 0;
    for (Waiting one : batch.values()) {
      if (failure == null) {
        one.value.complete(values.get(position++));
      } else {
        one.value.completeExceptionally(failure);
      }
    }
  }

  @Override
  public void close() throws Exception {
    if (connection != null) {
      connection.close();
    }
    cache.close();
  }
}
