package dev.idgen.uuid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.ClockException;
import dev.idgen.ExhaustedException;
import dev.idgen.entropy.Entropy;
import dev.idgen.text.Seed;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UlidGeneratorTest {
  private final WallClock time = new WallClock(0x123456);

  @Test
  void take_inOneMillisecond_addsOne() {
    UlidGenerator ulids = ulids("0102" + "0304050607080910");
    assertEquals(new Ulid(0x123456_0102L, 0x0304050607080910L), ulids.take());
    assertEquals(new Ulid(0x123456_0102L, 0x0304050607080911L), ulids.take());
    assertEquals(new Ulid(0x123456_0102L, 0x0304050607080912L).toString(), ulids.takeText());
    time.millis++;
    assertEquals(new Ulid(0x123457_0102L, 0x0304050607080910L), ulids.take());
  }

  @Test
  void take_lowHalfIsFull_carriesIntoTheHighHalf() {
    UlidGenerator ulids = ulids("fffe" + "fffffffffffffffe");
    assertEquals(new Ulid(0x123456_fffeL, -2), ulids.take());
    assertEquals(new Ulid(0x123456_fffeL, -1), ulids.take());
    assertEquals(new Ulid(0x123456_ffffL, 0), ulids.take());
    assertEquals(new Ulid(0x123456_ffffL, 1), ulids.take());
  }

  /** C82, for ULIDs. */
  @Test
  void take_all80BitsAreUsedUp_goesOnInTheNextMillisecond() {
    UlidGenerator ulids = ulids("ffff" + "fffffffffffffffe" + "0000" + "0000000000000007");
    assertEquals(new Ulid(0x123456_ffffL, -2), ulids.take());
    assertEquals(new Ulid(0x123456_ffffL, -1), ulids.take());
    assertEquals(new Ulid(0x123457_0000L, 7), ulids.take());
    assertEquals(1, ulids.aheadMillis());
    time.millis++;
    assertEquals(new Ulid(0x123457_0000L, 8), ulids.take());
  }

  @Test
  void take_startsAtTheLastPlaceAgainAndAgain_movesOnAMillisecondEach() {
    UlidGenerator ulids = ulids("ff");
    for (int i = 0; i < 100; i++) {
      assertEquals(new Ulid(0x123456_ffffL + (i << 16), -1), ulids.take());
    }
  }

  @Test
  void take_highHalfFullAndLowHalfHardly_hasRoom() {
    UlidGenerator ulids = ulids("ffff" + "0000000000000000");
    assertEquals(new Ulid(0x123456_ffffL, 0), ulids.take());
    assertEquals(new Ulid(0x123456_ffffL, 1), ulids.take());
  }

  @Test
  void take_clockGoesBack_goesOnInTheLastMillisecond() {
    UlidGenerator ulids = ulids("00000000000000000000");
    assertEquals(new Ulid(0x123456_0000L, 0), ulids.take());
    time.millis -= 3_600;
    assertEquals(new Ulid(0x123456_0000L, 1), ulids.take());
    assertEquals(3_600, ulids.aheadMillis());
  }

  @Test
  void take_timesThat48BitsDoNotHold_areRefused() {
    UlidGenerator ulids = ulids("ff");
    time.millis = 1L << 48;
    var e = assertThrows(ExhaustedException.class, ulids::take);
    assertEquals("wallMillis: 281474976710656 (expected: 0..281474976710655)", e.getMessage());
    time.millis = -1;
    assertThrows(ClockException.class, ulids::takeText);
    time.millis = (1L << 48) - 1;
    assertEquals("7" + "Z".repeat(25), ulids.takeText());
    assertThrows(ExhaustedException.class, ulids::take);
  }

  @Test
  void take_randomWalkOfTheClock_strictlyRises() {
    Random random = Seed.random("take_randomWalkOfTheClock_strictlyRises");
    UlidGenerator ulids = new UlidGenerator(time, Entropy.secure());
    Ulid last = new Ulid(0, 0);
    String lastText = "";
    for (int i = 0; i < 50_000; i++) {
      time.millis += random.nextInt(20) == 0 ? random.nextInt(4001) - 2000 : random.nextInt(2);
      Ulid ulid = ulids.take();
      assertTrue(last.compareTo(ulid) < 0);
      assertTrue(lastText.compareTo(ulid.toString()) < 0);
      last = ulid;
      lastText = ulid.toString();
    }
  }

  @Test
  void next_manyThreads_risesInEachAndIsUnique() throws Exception {
    Crowd.assertRisingAndUnique(Ulid::next, Comparator.naturalOrder());
    Crowd.assertRisingAndUnique(Ulid::nextText, Comparator.naturalOrder());
  }

  /** Each tick has room for 256 only, so the threads race for new ones all the time. */
  @Test
  void take_manyThreadsAndFullTicks_risesInEachAndIsUnique() throws Exception {
    Entropy nearlyFull =
        bytes -> {
          Arrays.fill(bytes, (byte) -1);
          bytes[bytes.length - 1] = 0;
        };
    UlidGenerator ulids = new UlidGenerator(time, nearlyFull);
    Crowd.assertRisingAndUnique(ulids::take, Comparator.naturalOrder());
  }

  private UlidGenerator ulids(String entropy) {
    return new UlidGenerator(time, new ScriptedEntropy(entropy));
  }
}
