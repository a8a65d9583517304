package dev.idgen.uuid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.ClockException;
import dev.idgen.ExhaustedException;
import dev.idgen.entropy.Entropy;
import dev.idgen.text.Seed;
import dev.idgen.time.TimeSource;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class UuidV7Test {
  private static final long NOW = Instant.parse("2026-10-13T12:00:00Z").toEpochMilli();

  private final WallClock time = new WallClock(NOW);

  /** The check value of the layouts' page. */
  @Test
  void take_knownTime_beginsWithItsMilliseconds() {
    UUID id = new UuidV7(time, Entropy.secure()).take();
    assertTrue(id.toString().startsWith("01a13522-4200-7"), id::toString);
    assertEquals(Instant.ofEpochMilli(NOW), Uuids.timeOf(id));
    assertEquals(7, Uuids.versionOf(id));
  }

  /** RFC 9562, appendix A.6. */
  @Test
  void takeRandom_bitsOfTheStandardsExample_givesItsId() {
    time.millis = 0x17F22E279B0L;
    UuidV7 ids = new UuidV7(time, new ScriptedBits(0xCC3L << 52, 0x18C4DC0C0C07398FL << 2));
    assertEquals("017f22e2-79b0-7cc3-98c4-dc0c0c07398f", ids.takeRandom().toString());
  }

  @Test
  void takeRandom_allBitsSet_keepsVersionAndVariant() {
    UuidV7 ids = new UuidV7(time, new ScriptedBits(-1));
    assertEquals("01a13522-4200-7fff-bfff-ffffffffffff", ids.takeRandom().toString());
  }

  @Test
  void take_inOneMillisecond_countsUpAndRenewsTheTail() {
    long start = 0x2345FL << 45; // 19 bits, the upper ones of 64
    UuidV7 ids = new UuidV7(time, new ScriptedBits(start, -1, 0, 0xABCL << 10));
    assertEquals("01a13522-4200-7234-97ff-ffffffffffff", ids.take().toString());
    assertEquals("01a13522-4200-7234-9800-000000000000", ids.take().toString());
    assertEquals("01a13522-4200-7234-9840-000000000abc", ids.take().toString());
    time.millis++;
    assertTrue(ids.take().toString().startsWith("01a13522-4201-7"));
  }

  /** C82: the counter at its maximum carries into the milliseconds. */
  @Test
  void take_counterAtItsMaximum_goesOnInTheNextMillisecond() {
    UuidV7 ids = new UuidV7(time, new ScriptedBits(-1));
    UUID last = ids.take();
    assertEquals("01a13522-4200-77ff-bfff-ffffffffffff", last.toString());
    for (int i = 1; i <= 1 << 19; i++) {
      UUID id = ids.take();
      assertTrue(Uuids.compareUnsigned(last, id) < 0);
      last = id;
    }
    assertEquals("01a13522-4200-7fff-bfff-ffffffffffff", last.toString());
    assertEquals("01a13522-4201-77ff-bfff-ffffffffffff", ids.take().toString());
    assertEquals(1, ids.aheadMillis());
  }

  /** C82: signed comparison would turn the order round here. */
  @Test
  void take_acrossTheSignBit_risesUnsigned() {
    time.millis = (1L << 47) - 1;
    UuidV7 ids = new UuidV7(time, Entropy.secure());
    UUID before = ids.take();
    time.millis++;
    UUID after = ids.take();
    assertTrue(before.toString().startsWith("7fffffff-ffff-7"), before::toString);
    assertTrue(after.toString().startsWith("80000000-0000-7"), after::toString);
    assertTrue(Uuids.compareUnsigned(before, after) < 0);
    assertTrue(before.compareTo(after) > 0);
    assertTrue(before.toString().compareTo(after.toString()) < 0);
    assertEquals(Instant.ofEpochMilli(1L << 47), Uuids.timeOf(after));
  }

  @Test
  void take_clockBackAnHour_keepsOrderAndTime() {
    UuidV7 ids = new UuidV7(time, Entropy.secure());
    UUID last = ids.take();
    time.millis -= 3_600_000;
    for (int i = 0; i < 1000; i++) {
      UUID id = ids.take();
      assertTrue(Uuids.compareUnsigned(last, id) < 0);
      last = id;
    }
    assertEquals(Instant.ofEpochMilli(NOW), Uuids.timeOf(last));
    assertEquals(3_600_000, ids.aheadMillis());
  }

  @Test
  void take_timesThat48BitsDoNotHold_areRefused() {
    UuidV7 ids = new UuidV7(time, Entropy.secure());
    time.millis = 1L << 48;
    var e = assertThrows(ExhaustedException.class, ids::take);
    assertEquals("wallMillis: 281474976710656 (expected: 0..281474976710655)", e.getMessage());
    assertThrows(ExhaustedException.class, ids::takeRandom);
    time.millis = -1;
    assertThrows(ClockException.class, ids::take);
    assertThrows(ClockException.class, ids::takeRandom);
    time.millis = (1L << 48) - 1;
    assertTrue(ids.take().toString().startsWith("ffffffff-ffff-7"));
    assertTrue(ids.takeRandom().toString().startsWith("ffffffff-ffff-7"));
  }

  @Test
  void take_randomWalkOfTheClock_strictlyRises() {
    Random random = Seed.random("take_randomWalkOfTheClock_strictlyRises");
    UuidV7 ids = new UuidV7(time, Entropy.secure());
    UUID last = Uuids.NIL;
    long highest = 0;
    for (int i = 0; i < 100_000; i++) {
      time.millis += random.nextInt(20) == 0 ? random.nextInt(4001) - 2000 : random.nextInt(2);
      highest = Math.max(highest, time.millis);
      UUID id = ids.take();
      assertTrue(Uuids.compareUnsigned(last, id) < 0);
      assertEquals(highest, Uuids.timeOf(id).toEpochMilli());
      assertEquals(7, Uuids.versionOf(id));
      last = id;
    }
  }

  /** C6: the clock moves on with every reading. */
  @Test
  void take_clockTicksAtEachReading_aMillionStrictlyRise() {
    TimeSource running =
        new TimeSource() {
          private long reading = NOW;

          @Override
          public long wallMillis() {
            return reading++;
          }

          @Override
          public long monotonicNanos() {
            return 0;
          }

          @Override
          public void pause(long nanos) {}
        };
    UuidV7 ids = new UuidV7(running, Entropy.secure());
    UUID last = Uuids.NIL;
    for (int i = 0; i < 1_000_000; i++) {
      UUID id = ids.take();
      assertTrue(Uuids.compareUnsigned(last, id) < 0);
      last = id;
    }
  }

  @Test
  void next_manyThreads_risesInEachAndIsUnique() throws Exception {
    Crowd.assertRisingAndUnique(UuidV7::next, Uuids::compareUnsigned);
  }

  /** Nothing but the counter, which carries often, keeps these apart: the clock stands still. */
  @Test
  void take_manyThreadsAndAFrozenClock_risesInEachAndIsUnique() throws Exception {
    UuidV7 ids = new UuidV7(time, nowMillis -> -1);
    Crowd.assertRisingAndUnique(ids::take, Uuids::compareUnsigned);
    Crowd.assertRisingAndUnique(ids::take, Uuids::compareUnsigned);
    assertEquals(1, ids.aheadMillis());
  }

  @Test
  void take_threadsInTurn_seeEachOthersOrder() throws Exception {
    UuidV7 ids = new UuidV7(TimeSource.system(), Entropy.secure());
    var other = Executors.newSingleThreadExecutor();
    try {
      UUID last = Uuids.NIL;
      for (int i = 0; i < 5_000; i++) {
        UUID here = ids.take();
        UUID there = other.submit(ids::take).get();
        assertTrue(Uuids.compareUnsigned(last, here) < 0);
        assertTrue(Uuids.compareUnsigned(here, there) < 0);
        last = there;
      }
    } finally {
      other.shutdownNow();
    }
  }

  @Test
  void nextRandom_inOneProcess_differs() {
    assertNotEquals(UuidV7.nextRandom(), UuidV7.nextRandom());
    assertEquals(7, Uuids.versionOf(UuidV7.nextRandom()));
  }
}
