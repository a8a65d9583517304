package dev.idgen.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * One call for ids, as its client saw it. A value.
 *
 * @param startNanos when it was sent, by {@link System#nanoTime}
 * @param endNanos when all of its answer was there
 * @param ids that it got, in their order; none if it was refused
 * @param refusal head and body of the answer; empty: it was not refused
 */
@SuppressWarnings("ArrayRecordComponent") // made by one thread, and never changed
record Call(long startNanos, long endNanos, long[] ids, String refusal) {

  boolean refused() {
    return !refusal.isEmpty();
  }

  long millis() {
    return (endNanos - startNanos) / 1_000_000;
  }

  /** The ids of calls, ascending. */
  static long[] idsOf(List<Call> calls) {
    return calls.stream().flatMapToLong(call -> Arrays.stream(call.ids())).sorted().toArray();
  }

  /** Whoever got an id is the only one. */
  static void assertAllDiffer(List<Call> calls) {
    long[] ids = idsOf(calls);
    for (int i = 1; i < ids.length; i++) {
      long id = ids[i];
      assertTrue(id > ids[i - 1], () -> "twice: " + id);
    }
  }

  /** Who was answered before another one asked has lower ids. */
  static void assertInOrderOfTime(List<Call> calls) {
    List<Call> served = calls.stream().filter(call -> !call.refused()).toList();
    List<Call> byEnd = served.stream().sorted(Comparator.comparing(Call::endNanos)).toList();
    long highest = -1;
    int answered = 0;
    for (Call call : served.stream().sorted(Comparator.comparing(Call::startNanos)).toList()) {
      for (; byEnd.get(answered).endNanos() < call.startNanos(); answered++) {
        long[] before = byEnd.get(answered).ids();
        highest = Math.max(highest, before[before.length - 1]);
      }
      long first = call.ids()[0];
      long bound = highest;
      assertTrue(first > bound, () -> "id: " + first + " (expected: > " + bound + ")");
    }
  }
}
