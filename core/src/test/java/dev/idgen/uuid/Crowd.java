package dev.idgen.uuid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Many threads that take ids at once. */
final class Crowd {
  private static final int THREADS = 8;
  private static final int EACH = 50_000;
  private static final int WAIT_SECONDS = 120;

  private Crowd() {}

  /** What each thread gets rises, and nobody gets what another one has. */
  static <T> void assertRisingAndUnique(Supplier<T> ids, Comparator<T> order) throws Exception {
    List<T> all = new ArrayList<>(THREADS * EACH);
    for (Object[] taken : takeTogether(ids)) {
      List<T> mine = cast(taken);
      for (int i = 1; i < mine.size(); i++) {
        assertTrue(order.compare(mine.get(i - 1), mine.get(i)) < 0, "order within a thread");
      }
      all.addAll(mine);
    }
    all.sort(order);
    for (int i = 1; i < all.size(); i++) {
      assertTrue(order.compare(all.get(i - 1), all.get(i)) < 0, "no id twice");
    }
    assertEquals(THREADS * EACH, all.size());
  }

  @SuppressWarnings("unchecked")
  private static <T> List<T> cast(Object[] taken) {
    return (List<T>) Arrays.asList(taken);
  }

  private static <T> List<Object[]> takeTogether(Supplier<T> ids) throws Exception {
    CountDownLatch start = new CountDownLatch(THREADS);
    Callable<Object[]> taker =
        () -> {
          Object[] taken = new Object[EACH];
          start.countDown();
          start.await();
          for (int i = 0; i < EACH; i++) {
            taken[i] = ids.get();
          }
          return taken;
        };
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Object[]> all = new ArrayList<>();
      List<Future<Object[]>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        running.add(threads.submit(taker));
      }
      for (Future<Object[]> one : running) {
        all.add(one.get(WAIT_SECONDS, TimeUnit.SECONDS));
      }
      return all;
    } finally {
      threads.shutdownNow();
    }
  }
}
