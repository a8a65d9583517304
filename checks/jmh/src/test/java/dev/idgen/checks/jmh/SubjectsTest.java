package dev.idgen.checks.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whoever is measured does its work: what two threads take from one generator is never the same.
 */
class SubjectsTest {
  private static final int TAKES = 20_000;

  @ParameterizedTest
  @EnumSource(LongSubject.class)
  void longs_twoThreadsAtEachWidth_takeDifferentIds(LongSubject subject) throws Exception {
    for (Width width : Width.values()) {
      if (subject.allows(width)) {
        takeDifferent(subject.open(width)::getAsLong);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(SegmentSubject.class)
  void segments_twoThreads_takeDifferentIds(SegmentSubject subject) throws Exception {
    takeDifferent(subject.open()::getAsLong);
  }

  @ParameterizedTest
  @EnumSource(ObjectSubject.class)
  void objects_twoThreads_takeDifferentIds(ObjectSubject subject) throws Exception {
    takeDifferent(subject.open());
  }

  private static void takeDifferent(Supplier<Object> ids)
      throws InterruptedException, ExecutionException {
    FutureTask<Set<Object>> other = new FutureTask<>(() -> take(ids));
    new Thread(other).start();
    Set<Object> all = new HashSet<>(take(ids));
    all.addAll(other.get());
    assertEquals(2 * TAKES, all.size());
  }

  private static Set<Object> take(Supplier<Object> ids) {
    Set<Object> taken = new HashSet<>();
    for (int i = 0; i < TAKES; i++) {
      taken.add(ids.get());
    }
    return taken;
  }

  @ParameterizedTest
  @EnumSource(TextSubject.class)
  void texts_anId_comesBack(TextSubject subject) {
    Random random = new Random(1);
    for (int i = 0; i < TAKES; i++) {
      long id = random.nextLong() >>> 1;
      assertEquals(id, subject.decoder().applyAsLong(subject.encoder().apply(id)));
    }
  }
}
