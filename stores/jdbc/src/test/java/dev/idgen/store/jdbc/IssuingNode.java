package dev.idgen.store.jdbc;

import dev.idgen.IdException;
import dev.idgen.snowflake.EngineOptions;
import dev.idgen.snowflake.KeeperOptions;
import dev.idgen.snowflake.Snowflake;
import dev.idgen.store.LeaseTerms;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * An application that takes ids without rest from its start on: an engine, a keeper and a clock as
 * they are, with a short window.
 */
final class IssuingNode implements AutoCloseable {
  private static final long WINDOW_MS = 3_000;
  private static final long RENEW_MS = 500;
  private static final long REUSE_MS = 1_000;
  private static final long SKEW_MS = 500;
  private static final int WORKER_IDS = 3;
  private static final long PATIENCE_MS = 60_000;
  private static final long PAUSE_NANOS = 1_000_000;
  private static final int MAX_IDS = 1_000_000;

  private final Snowflake generator;
  private final Thread thread;
  private final List<Long> ids = new ArrayList<>(); // of the thread alone until it has ended
  private volatile int issued;
  private volatile boolean stopped;

  private IssuingNode(Snowflake generator) {
    this.generator = generator;
    this.thread = new Thread(this::issue, "issuing-node");
    thread.setDaemon(true);
  }

  /** Waits for a lease, and begins. */
  static IssuingNode start(String url, boolean newCluster) {
    EngineOptions options = EngineOptions.defaults().withMaxSkewMs(SKEW_MS).withWaitMs(0);
    LeaseTerms terms =
        new LeaseTerms("live", options.layout().describe(), WINDOW_MS, REUSE_MS, SKEW_MS);
    KeeperOptions keeping =
        KeeperOptions.leased(options, "live", false)
            .withTerms(terms, RENEW_MS)
            .withRange(0, WORKER_IDS - 1)
            .withNewCluster(newCluster);
    JdbcWorkerStore store = JdbcWorkerStore.open(url);
    IssuingNode node =
        new IssuingNode(Snowflake.leased(store, options, keeping, PATIENCE_MS)); // closes the store
    node.thread.start();
    return node;
  }

  private void issue() {
    while (!stopped && ids.size() < MAX_IDS) {
      try {
        ids.add(generator.next());
        issued = ids.size();
      } catch (IdException e) {
        // No lease, or the millisecond is used up: the next turn asks again.
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Waits until it has issued some more. */
  void awaitMore() {
    int enough = issued + 100;
    long end = TimeSource.system().monotonicNanos() + PATIENCE_MS * 1_000_000;
    while (issued < enough) {
      if (TimeSource.system().monotonicNanos() > end) {
        throw new IllegalStateException("no ids: " + generator.leaseStatus());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Every id that it has issued, from first to last; none comes after. */
  List<Long> ids() throws InterruptedException {
    stopped = true;
    thread.join();
    return ids;
  }

  @Override
  public void close() {
    stopped = true;
    generator.close();
  }
}
