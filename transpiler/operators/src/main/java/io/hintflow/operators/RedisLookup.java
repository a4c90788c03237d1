package io.hintflow.operators;

import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.ExecutionException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.LookupFunction;

/** Looks up one row after the other: the task waits for each answer. */
public final class RedisLookup extends LookupFunction {
  private final RedisAsyncLookup lookups;

  RedisLookup(RedisAsyncLookup lookups) {
    this.lookups = lookups;
  }

  @Override
  public void open(FunctionContext context) throws Exception {
    lookups.open(context);
  }

  @Override
  public Collection<RowData> lookup(RowData lookup) throws IOException {
    try {
      return lookups.asyncLookup(lookup).get();
    } catch (ExecutionException failure) {
      throw new IOException(failure.getCause().getMessage(), failure.getCause());
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while waiting for an answer", interruption);
    }
  }

  @Override
  public void close() {
    lookups.close();
  }
}
