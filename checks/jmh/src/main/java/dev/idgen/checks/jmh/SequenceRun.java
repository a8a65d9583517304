package dev.idgen.checks.jmh;

import dev.idgen.check.servers.PostgresServer;
import dev.idgen.sequence.SequenceEngine;
import dev.idgen.sequence.SequenceEvents;
import dev.idgen.sequence.SequenceOptions;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreBreaker;
import dev.idgen.store.jdbc.JdbcOptions;
import dev.idgen.store.jdbc.JdbcSegmentStore;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A process with a PostgreSQL server whose commits are durable, and callers that each ask for one
 * id of a sequence at a time: of the engine, and in turn with it of the store itself, one
 * transaction for each id.
 */
public final class SequenceRun {
  private static final long NANOS = 1_000_000_000;
  private static final long CALL_SECONDS = 30;
  private static final long ANSWER_MS = 2_000;
  private static final int MANY = 18; // connections, as a server has by default

  private final int callers;
  private final long millis;

  private SequenceRun(int callers, long millis) {
    this.callers = callers;
    this.millis = millis;
  }

  /** Issues one id, in order. */
  private interface Source {
    long next() throws Exception;
  }

  /**
   * Prints ids per second of the engine; of single transactions over one connection and over many,
   * on one row; and the engine's 50th and 99th percentile of a take, in ns.
   *
   * @param args callers, milliseconds for each
   */
  public static void main(String[] args) throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      String url = server.schemaUrl(server.freshSchema());
      new SequenceRun(Integer.parseInt(args[0]), Long.parseLong(args[1])).run(url);
    }
    System.exit(0);
  }

  private void run(String url) throws Exception {
    Latencies latencies = new Latencies();
    double shared = shared(url, latencies);
    double single = singly(url, 1);
    double spread = singly(url, MANY);
    System.out.println(
        "sequence "
            + shared
            + " "
            + single
            + " "
            + spread
            + " "
            + latencies.percentile(0.5)
            + " "
            + latencies.percentile(0.99));
  }

  private double shared(String url, Latencies latencies) throws Exception {
    try (SegmentStore store = JdbcSegmentStore.open(url);
        Scheduler scheduler = Scheduler.daemon("ids");
        SequenceEngine ids =
            new SequenceEngine(
                terms("shared"),
                SequenceOptions.defaults(),
                store,
                new StoreBreaker(),
                TimeSource.system(),
                scheduler,
                SequenceEvents.NONE)) {
      return rate(ids::next, latencies);
    }
  }

  private double singly(String url, int connections) throws Exception {
    JdbcOptions options = new JdbcOptions(connections + JdbcOptions.OWN, connections, ANSWER_MS);
    try (SegmentStore store = JdbcSegmentStore.open(url, options)) {
      SegmentRequest one = new SegmentRequest(terms("singly." + connections), 1, -1);
      return rate(() -> allocate(store, one), new Latencies());
    }
  }

  private static SegmentTerms terms(String tag) {
    return SegmentTerms.of("default", tag, 0);
  }

  private static long allocate(SegmentStore store, SegmentRequest one) throws Exception {
    SegmentReply reply =
        store.allocate(one).toCompletableFuture().get(CALL_SECONDS, TimeUnit.SECONDS);
    if (reply instanceof SegmentReply.Granted granted && granted.count() == 1) {
      return granted.first();
    }
    throw new IllegalStateException(reply + " (expected: one id)");
  }

  /** Ids per second of all callers, after half the time to warm up. */
  private double rate(Source source, Latencies latencies) throws Exception {
    Crowd crowd = new Crowd(source, latencies);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      Thread thread = new Thread(crowd, "caller-" + i);
      threads.add(thread);
      thread.start();
    }
    crowd.ready.await();
    Thread.sleep(millis / 2);
    latencies.clear();
    long before = crowd.taken.sum();
    long nanos = System.nanoTime();
    Thread.sleep(millis);
    double rate = (crowd.taken.sum() - before) * (double) NANOS / (System.nanoTime() - nanos);
    crowd.stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
    if (crowd.failure != null) {
      throw new IllegalStateException("a caller was refused", crowd.failure);
    }
    return rate;
  }

  /** What each caller does, until it is stopped. */
  private final class Crowd implements Runnable {
    private final Source source;
    private final Latencies latencies;
    private final CountDownLatch ready = new CountDownLatch(callers);
    private final LongAdder taken = new LongAdder();
    private volatile boolean stopped;
    private volatile @Nullable Exception failure;

    Crowd(Source source, Latencies latencies) {
      this.source = source;
      this.latencies = latencies;
    }

    @Override
    public void run() {
      ready.countDown();
      long last = -1;
      try {
        while (!stopped) {
          long begun = System.nanoTime();
          long id = source.next();
          latencies.add(System.nanoTime() - begun);
          if (id <= last) {
            throw new IllegalStateException("id: " + id + " (expected: above " + last + ")");
          }
          last = id;
          taken.increment();
        }
      } catch (Exception e) {
        failure = e;
      }
    }
  }
}
