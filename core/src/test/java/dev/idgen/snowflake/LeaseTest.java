package dev.idgen.snowflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.layout.Layout;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeaseTest {
  private static final Layout LAYOUT = Layout.of("41/10/12");
  private static final Layout TINY = Layout.builder().time(49).worker(10).sequence(4).build();

  private static Lease lease(Layout layout, long from, long horizon, int... workers) {
    return new Lease(layout, workers, from, horizon, SequenceStart.ZERO, 8);
  }

  @Test
  void reserve_sameTick_goesOn() {
    Lease lease = lease(LAYOUT, 0, 1000, 7);
    assertEquals(100L << 12, lease.reserve(1, 100));
    assertEquals((100L << 12) + 1, lease.reserve(5, 100));
    assertEquals((100L << 12) + 6, lease.reserve(1, 100));
  }

  @Test
  void reserve_olderTick_neverGoesBack() {
    Lease lease = lease(LAYOUT, 0, 1000, 7);
    lease.reserve(1, 100);
    assertEquals((100L << 12) + 1, lease.reserve(1, 99));
  }

  @Test
  void reserve_belowItsStart_beginsAtItsStart() {
    assertEquals(200L << 12, lease(LAYOUT, 200, 1000, 7).reserve(1, 195));
  }

  @Test
  void reserve_tickUsedUp_runsAhead() {
    Lease lease = lease(TINY, 0, 1000, 7);
    long last = 0;
    for (int i = 0; i < 17; i++) {
      last = lease.reserve(1, 100);
    }
    assertEquals(101, lease.tickOf(last));
  }

  @Test
  void reserve_tooFarAhead_isRefusedAndDoesNotPush() {
    Lease lease = lease(TINY, 120, 1000, 7);
    long before = lease.position();
    assertEquals(Lease.AHEAD, lease.reserve(1, 100));
    assertEquals(before, lease.position());
  }

  @Test
  void reserve_atHorizon_isRefusedAndDoesNotPush() {
    Lease lease = lease(LAYOUT, 0, 100, 7);
    lease.reserve(1, 99);
    long before = lease.position();
    assertEquals(Lease.HORIZON, lease.reserve(1, 100));
    assertEquals(before, lease.position());
  }

  /** C90. */
  @Test
  void reserve_overTheHorizon_isDropped() {
    Lease lease = lease(TINY, 0, 101, 7);
    lease.reserve(12, 100);
    assertEquals(Lease.DROPPED, lease.reserve(5, 100));
    assertEquals(Lease.HORIZON, lease.reserve(1, 100));
  }

  @Test
  void takeOne_tickOfTheState_goesOn() {
    Lease lease = lease(LAYOUT, 0, 1000, 7);
    lease.reserve(5, 100);
    assertEquals((100L << 12) + 5, lease.takeOne(100));
    assertEquals((100L << 12) + 6, lease.reserve(1, 100));
  }

  @Test
  void takeOpen_tickOfTheState_goesOnUpToItsEnd() {
    Lease lease = lease(TINY, 0, 1000, 7);
    long wall = TINY.startMillis(100);
    assertFalse(lease.isOpen(wall));
    long first = lease.idAt(lease.reserve(1, 100));
    lease.open(wall);
    assertTrue(lease.isOpen(wall));
    assertEquals(first, lease.firstId(wall));
    for (long distance = 1; distance < 16; distance++) {
      assertEquals(distance, lease.takeOpen(wall));
    }
    assertEquals(~(101L << 4), lease.takeOpen(wall), "reserved above");
    lease.shut();
    assertFalse(lease.isOpen(wall));
  }

  /** At both ends of a layout that fills all bits, where differences overflow. */
  @Test
  void takeOpen_closed_reservesNothing() {
    for (long tick : new long[] {0, 100, TINY.maxTick()}) {
      Lease lease = lease(TINY, 0, Long.MAX_VALUE, 7);
      lease.reserve(1, tick);
      lease.open(TINY.startMillis(tick));
      lease.close();
      assertEquals(Lease.NONE, lease.takeOpen(TINY.startMillis(tick)));
      assertEquals(Lease.NONE, lease.takeOpen(TINY.startMillis(tick)));
      assertTrue(lease.closed());
    }
  }

  @Test
  void open_idsNotInARow_staysShut() {
    Layout slow = Layout.builder().time(49).worker(10).sequence(4).tickMillis(10).build();
    Lease several = lease(TINY, 0, 1000, 7, 8);
    several.open(TINY.startMillis(100));
    assertFalse(several.isOpen(TINY.startMillis(100)));
    Lease lease = lease(slow, 0, 1000, 7);
    lease.open(slow.startMillis(100));
    assertFalse(lease.isOpen(slow.startMillis(100)));
  }

  @Test
  void takeOne_anotherTick_reservesNothing() {
    Lease lease = lease(LAYOUT, 0, 1000, 7);
    lease.reserve(5, 100);
    assertEquals(Lease.NONE, lease.takeOne(101));
    assertEquals(Lease.NONE, lease.takeOne(99));
    assertEquals(Lease.NONE, lease.takeOne(-1));
    assertEquals((100L << 12) + 5, lease.position());
  }

  @Test
  void takeOne_atHorizon_reservesNothing() {
    Lease lease = lease(TINY, 0, 101, 7);
    for (int i = 0; i < 15; i++) {
      lease.reserve(1, 100);
    }
    assertEquals((100L << 4) + 15, lease.takeOne(100));
    assertEquals(Lease.NONE, lease.takeOne(100));
    assertEquals(Lease.NONE, lease.takeOne(101));
    assertEquals(101L << 4, lease.position());
  }

  @Test
  void takeOne_closed_reservesNothing() {
    Lease lease = lease(LAYOUT, 0, 1000, 7);
    lease.reserve(5, 100);
    lease.close();
    assertEquals(Lease.NONE, lease.takeOne(100));
    assertTrue(lease.closed());
  }

  @Test
  void takeOne_severalWorkers_seesTheWholeTick() {
    Lease lease = lease(TINY, 0, 1000, 1, 2, 3);
    lease.reserve(6, 100);
    for (long v = 6; v < 48; v++) {
      assertEquals(100L * 48 + v, lease.takeOne(100));
    }
    assertEquals(Lease.NONE, lease.takeOne(100));
  }

  @Test
  void takeOne_tickOfFewPlaces_leavesItToReserve() {
    Lease lease = lease(Layout.builder().time(51).worker(10).sequence(2).build(), 0, 1000, 7);
    assertEquals(100L << 2, lease.reserve(1, 100));
    assertEquals(Lease.NONE, lease.takeOne(100));
    assertEquals((100L << 2) + 1, lease.reserve(1, 100));
  }

  /** A layout of all 63 bits: the place behind its last one does not exist. */
  @Test
  void takeOne_endOfLayout_stopsAtTheLargestId() {
    Layout full = Layout.builder().time(41).worker(0).sequence(22).build();
    Lease lease = lease(full, full.maxTick(), Long.MAX_VALUE, 0);
    long all = 1L << 22;
    assertEquals(Long.MAX_VALUE - all + 1, lease.reserve(1, full.maxTick()));
    lease.reserve(all - 2, full.maxTick());
    assertEquals(Long.MAX_VALUE, lease.takeOne(full.maxTick()));
    assertEquals(Lease.NONE, lease.takeOne(full.maxTick()));
    assertEquals(Lease.CLOSED, lease.reserve(1, full.maxTick()));
    assertEquals(full.maxTick() + 1, lease.horizonTick());
  }

  @Test
  void reserve_afterRaise_goesOn() {
    Lease lease = lease(LAYOUT, 0, 100, 7);
    lease.raise(101);
    assertEquals(100L << 12, lease.reserve(1, 100));
    lease.raise(50);
    assertEquals(101, lease.horizonTick());
  }

  @Test
  void reserve_closed_isRefused() {
    Lease lease = lease(LAYOUT, 0, 1000, 7);
    lease.reserve(3, 100);
    assertEquals(100, lease.close());
    assertEquals(Lease.CLOSED, lease.reserve(1, 100));
    assertEquals(100, lease.close(), "closing again tells the same");
  }

  @Test
  void close_neverUsed_isBelowItsStart() {
    assertEquals(199, lease(LAYOUT, 200, 1000, 7).close());
    assertEquals(-1, lease(LAYOUT, 0, 1000, 7).close());
  }

  @Test
  void reserve_wholeTicks_areCutAtTheirBorders() {
    Lease lease = lease(TINY, 0, 1000, 7);
    long p = lease.reserve(16, 100);
    assertEquals(16, lease.runLength(p, 16));
    assertEquals(4, lease.runLength(p + 12, 16));
  }

  @Test
  void idAt_severalWorkers_risesThroughAllOfATick() {
    Lease lease = lease(TINY, 0, 1000, 3, 5, 900);
    Set<Integer> workers = new HashSet<>();
    long before = -1;
    for (int i = 0; i < 48; i++) {
      long p = lease.reserve(1, 100);
      assertEquals(100, lease.tickOf(p));
      long id = lease.idAt(p);
      assertTrue(id > before);
      assertEquals(100, TINY.tickOf(id));
      workers.add(TINY.workerOf(id));
      before = id;
    }
    assertEquals(Set.of(3, 5, 900), workers);
    assertEquals(101, lease.tickOf(lease.reserve(1, 100)));
    assertEquals(List.of(3, 5, 900), lease.workerIds());
  }

  @Test
  void idAt_anyFieldOrder_agreesWithTheLayout() {
    Layout sonyflake = Layout.builder().time(39).sequence(8).worker(16).tickMillis(10).build();
    Layout seata = Layout.builder().worker(10).time(41).sequence(12).build();
    Layout versioned = Layout.builder().version(2, 2).time(41).worker(8).sequence(12).build();
    for (Layout layout : List.of(LAYOUT, TINY, sonyflake, seata, versioned)) {
      Lease lease = lease(layout, 0, 1000, 77);
      long p = lease.reserve(3, 500) + 2;
      assertEquals(layout.encode(500, 77, 2), lease.idAt(p), layout.describe());
      assertEquals(layout.encode(500, 77, 2) - layout.encode(500, 77, 1), lease.stride());
    }
  }

  @Test
  void reserve_spread_carriesTheLowBitsOver() {
    Lease lease = new Lease(LAYOUT, new int[] {7}, 0, 10_000, SequenceStart.SPREAD, 8);
    for (int i = 0; i < 200; i++) {
      long p = lease.reserve(1, 100 + i * 10L);
      assertEquals(i % 64, p & 4095);
      assertEquals(100 + i * 10L, lease.tickOf(p));
    }
  }

  /** C9: the last place of a layout that fills all 63 bits with time and sequence. */
  @Test
  void reserve_lastTickOfAFullLayout_worksAndNothingComesAfter() {
    Layout full = Layout.builder().time(41).worker(0).sequence(22).build();
    long max = full.maxTick();
    Lease lease = lease(full, 0, Long.MAX_VALUE, 0);
    assertEquals(max + 1, lease.horizonTick());
    long p = lease.reserve(1 << 22, max);
    assertEquals(Long.MAX_VALUE, lease.idAt(p + (1 << 22) - 1));
    assertTrue(lease.reserve(1, max) < 0);
    assertTrue(lease.reserve(1, max + 1) < 0);
    assertEquals(max, lease.close());
  }

  @Test
  void reserve_overTheEndOfAFullLayout_isDropped() {
    Layout full = Layout.builder().time(41).worker(0).sequence(22).build();
    Lease lease = lease(full, 0, Long.MAX_VALUE, 0);
    lease.reserve((1 << 22) - 1, full.maxTick());
    assertEquals(Lease.DROPPED, lease.reserve(2, full.maxTick()));
    assertEquals(Lease.CLOSED, lease.reserve(1, full.maxTick()));
    assertEquals(full.maxTick(), lease.close(), "all of it counts as used");
  }

  @Test
  void none_always_refuses() {
    assertEquals(Lease.CLOSED, Lease.none(LAYOUT).reserve(1, 5));
    assertEquals(-1, Lease.none(LAYOUT).close());
    assertEquals(List.of(), Lease.none(LAYOUT).workerIds());
  }
}
