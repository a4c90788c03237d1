package io.hintflow.operators;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.AsyncLookupFunction;
import org.apache.flink.table.functions.FunctionContext;

/**
 * Asks for each row at once, without waiting for the answers to earlier ones. Flink holds the rows
 * that wait, no more than {@code table.exec.async-lookup.buffer-capacity}, keeps them in its
 * checkpoints and lets them out in order.
 */
public final class RedisAsyncLookup extends AsyncLookupFunction {
  private final RedisServer server;
  private final RedisRows rows;
  private transient RedisConnection connection;

  RedisAsyncLookup(RedisServer server, RedisRows rows) {
    this.server = server;
    this.rows = rows;
  }

  @Override
  public void open(FunctionContext context) throws Exception {
    rows.open(context);
    connection = RedisConnection.open(server);
  }

  @Override
  public CompletableFuture<Collection<RowData>> asyncLookup(RowData lookup) {
    Optional<String> key = rows.key(lookup);
    if (key.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    return connection.get(List.of(key.get())).thenApply(values -> rows.rows(lookup, values.get(0)));
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
    }
  }
}
