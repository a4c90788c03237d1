package io.hintflow.cli.bench;

import java.util.Locale;

/** Where Flink keeps state, by Flink's own names. */
enum Backend {
  HASHMAP,
  ROCKSDB;

  /** For the table. */
  String label() {
    return this == HASHMAP ? "heap" : "RocksDB";
  }

  /** For the job's main. */
  String argument() {
    return "-Dstate.backend.type=" + name().toLowerCase(Locale.ROOT);
  }
}
