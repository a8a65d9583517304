package dev.idgen.checks.jmh;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * A process that takes ids as fast as layout 41/10/12 allows, and says how many it got and what
 * processor time that cost. With the fourth argument it times each take instead.
 */
public final class CapRun {
  private static final long NANOS = 1_000_000_000;
  private static final int TAKES = 256; // between two looks at the clock

  private final LongSupplier ids;
  private final int threads;
  private final boolean timed;
  private final Latencies latencies = new Latencies();
  private final LongAdder taken = new LongAdder();
  private volatile boolean stopped;

  private CapRun(LongSupplier ids, int threads, boolean timed) {
    this.ids = ids;
    this.threads = threads;
    this.timed = timed;
  }

  /**
   * Prints ids per second, processors used, and the 99.99th percentile of a take in ns (0: not
   * timed).
   *
   * @param args {@link LongSubject}, threads, milliseconds, {@code timed} or nothing
   */
  public static void main(String[] args) throws InterruptedException {
    LongSupplier ids = LongSubject.valueOf(args[0]).open(Width.STANDARD);
    long millis = Long.parseLong(args[2]);
    new CapRun(ids, Integer.parseInt(args[1]), args.length > 3).run(millis);
    System.exit(0); // some peers leave threads behind
  }

  private void run(long millis) throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(threads);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread = new Thread(() -> take(ready), "taker-" + i);
      thread.start();
      all.add(thread);
    }
    ready.await();
    Thread.sleep(millis / 2); // warms up
    latencies.clear();
    long cpu = cpuNanos();
    long ids = taken.sum();
    long nanos = System.nanoTime();
    Thread.sleep(millis);
    double seconds = (System.nanoTime() - nanos) / (double) NANOS;
    double rate = (taken.sum() - ids) / seconds;
    double processors = (cpuNanos() - cpu) / (double) NANOS / seconds;
    stopped = true;
    for (Thread thread : all) {
      thread.join();
    }
    System.out.println("cap " + rate + " " + processors + " " + latencies.percentile(0.9999));
  }

  private void take(CountDownLatch ready) {
    ready.countDown();
    long last = 0;
    while (!stopped) {
      for (int i = 0; i < TAKES; i++) {
        last |= timed ? timedTake() : ids.getAsLong();
      }
      taken.add(TAKES);
    }
    if (last == 0) {
      throw new IllegalStateException("ids: all 0 (expected: ids)");
    }
  }

  private long timedTake() {
    long before = System.nanoTime();
    long id = ids.getAsLong();
    latencies.add(System.nanoTime() - before);
    return id;
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
