package io.hintflow.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/**
 * A table of articles that is updated all the time, joined with the sales of them and summed up:
 * the emitted job of a script with duplicate.right against that of the same script without the
 * hint. Most updates are of a column that the query does not read, or none is.
 */
final class DeduplicationBench implements AutoCloseable {
  private static final double TIME_TARGET = 1 / 2.5;
  private static final double CPU_TARGET = 1.25;

  private static final int ARTICLES = 20_000;
  private static final int SALES = 20_000;
  private static final int PARALLELISM = 2;

  private static final int UPDATES_OF_PRICE = 10;

  private static final String HINT = "/*+ OPTIONS('duplicate.right'='true') */";

  private final Folder folder;
  private final int changes;
  private final int rounds;
  private final EmbeddedJob mostlyUnseenHinted;
  private final EmbeddedJob mostlyUnseenStock;
  private final EmbeddedJob seenHinted;
  private final EmbeddedJob seenStock;

  /**
   * @param changes of the articles
   * @param rounds how often times are measured
   */
  DeduplicationBench(int changes, int rounds) throws IOException {
    this.folder = Folder.create();
    this.changes = changes;
    this.rounds = rounds;
    this.mostlyUnseenHinted = job(HINT, UPDATES_OF_PRICE);
    this.mostlyUnseenStock = job("", UPDATES_OF_PRICE);
    this.seenHinted = job(HINT, 1);
    this.seenStock = job("", 1);
  }

  /** The time of a change, if nine of ten are of a column that the query does not read. */
  Comparison time(Backend backend) throws Exception {
    return measure(mostlyUnseenHinted, mostlyUnseenStock, backend)
        .compare(
            "join, 90 %% of updates unseen, %s : without the hint".formatted(backend.label()),
            "µs/change",
            Cost::wallSeconds,
            TIME_TARGET);
  }

  /** The CPU time of a change, if each is of a column that the query reads. */
  Comparison cpu(Backend backend) throws Exception {
    return measure(seenHinted, seenStock, backend)
        .compare(
            "join, no update unseen, %s : without the hint".formatted(backend.label()),
            "CPU µs/change",
            Cost::cpuSeconds,
            CPU_TARGET);
  }

  private RowCosts measure(EmbeddedJob ours, EmbeddedJob rival, Backend backend) throws Exception {
    return RowCosts.measure(
        ours,
        rival,
        changes,
        rounds,
        count ->
            List.of(
                "-Dparallelism.default=" + PARALLELISM, backend.argument(), "-DCHANGES=" + count));
  }

  /**
   * @param updatesOfPrice of so many updates of an article, the price changes in one
   */
  private EmbeddedJob job(String hint, int updatesOfPrice) throws IOException {
    return EmbeddedJob.of(
        script(hint, updatesOfPrice), Files.createTempDirectory(folder.path(), "job"));
  }

  private static String script(String hint, int updatesOfPrice) {
    return """
    CREATE TABLE articles (
      id BIGINT NOT NULL,
      clicks BIGINT NOT NULL,
      price AS clicks / %d,
      PRIMARY KEY (id) NOT ENFORCED
    ) WITH ('connector' = 'updates', 'keys' = '%d', 'changes' = '${CHANGES}');
    CREATE TABLE sales (
      article BIGINT,
      shop AS MOD(article, 100),
      quantity AS MOD(article, 7)
    ) WITH (
      'connector' = 'datagen', 'rows-per-second' = '1000000000',
      'fields.article.kind' = 'sequence',
      'fields.article.start' = '0', 'fields.article.end' = '%d'
    );
    CREATE TABLE turnover (shop BIGINT, total BIGINT, sales BIGINT)
    WITH ('connector' = 'blackhole');
    INSERT INTO turnover
    SELECT s.shop, SUM(s.quantity * a.price), COUNT(*)
    FROM sales s JOIN articles %s AS a ON s.article = a.id
    GROUP BY s.shop;
    """
        .formatted(updatesOfPrice, ARTICLES, SALES - 1, hint);
  }

  @Override
  public void close() {
    folder.close();
  }
}
