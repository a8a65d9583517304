package dev.idgen.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.store.memory.MemorySegmentStore;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentRulesTest {
  private static final SegmentTerms TERMS = SegmentTerms.of("default", "order", 100);

  private static SegmentReply.Granted granted(SegmentDecision decision) {
    SegmentReply reply = decision.reply();
    return assertInstanceOf(SegmentReply.Granted.class, reply, reply.toString());
  }

  private static SegmentReply.Refused refused(SegmentDecision decision) {
    assertNull(decision.row());
    return assertInstanceOf(SegmentReply.Refused.class, decision.reply());
  }

  private static SegmentRow row(long maxId, long floor) {
    return new SegmentRow(maxId, floor, "s", 0, 5, false);
  }

  private static SegmentDecision allocate(
      @Nullable SegmentRow row, SegmentTerms terms, long count, long mark) {
    return SegmentRules.allocate(
        new SegmentSnapshot("s", 0, "s", row), new SegmentRequest(terms, count, mark));
  }

  @Test
  void allocate_newTag_beginsAtItsStart() {
    SegmentDecision decision = allocate(null, TERMS, 10, -1);

    assertEquals(1, granted(decision).first());
    assertEquals(10, granted(decision).lastInclusive());
    assertEquals(new SegmentRow(10, 0, "s", 0, 1, false), decision.row());
    assertFalse(granted(decision).skipped());
    SegmentTerms fromZero = new SegmentTerms("default", "order", 0, 100, 1, 0, 0);
    assertEquals(0, granted(allocate(null, fromZero, 1, -1)).first());
  }

  /** All of the numbers there are: one more than fit a count. */
  @Test
  void allocate_fromZeroWithoutAnEnd_givesAsManyAsAskedFor() {
    SegmentTerms all = new SegmentTerms("default", "order", 0, Long.MAX_VALUE, 1, 0, 0);
    SegmentReply.Granted granted = granted(allocate(null, all, 10, -1));
    assertEquals(10, granted.count());
    assertEquals(9, granted.row().maxId());
  }

  @ParameterizedTest
  @CsvSource({
    "50,0,-1,51,false", // above the mark
    "50,60,-1,60,false", // at the floor
    "50,40,-1,51,false", // a floor that is passed
    "50,0,50,51,false", // the caller knows no more
    "50,0,70,171,true" // the store has forgotten: a gap above what the caller knows
  })
  void allocate_knownTag_goesOnAbove(
      long maxId, long floor, long mark, long first, boolean skipped) {
    SegmentDecision decision = allocate(row(maxId, floor), TERMS, 10, mark);

    assertEquals(first, granted(decision).first());
    assertEquals(skipped, granted(decision).skipped());
    assertEquals(new SegmentRow(first + 9, floor, "s", 0, 6, false), decision.row());
  }

  @Test
  void allocate_otherIdentity_leavesAGapOnce() {
    SegmentRow before = new SegmentRow(50, 0, "former", 0, 5, false);
    SegmentDecision first = allocate(before, TERMS, 10, -1);

    assertEquals(151, granted(first).first());
    assertTrue(granted(first).skipped());
    SegmentDecision second = allocate(first.row(), TERMS, 10, -1);
    assertEquals(161, granted(second).first());
    assertFalse(granted(second).skipped());
  }

  @Test
  void allocate_fenced_leavesAGapOnceAndSoDoesARowThatIsMissing() {
    SegmentSnapshot fenced = new SegmentSnapshot("s", 1, "s", row(50, 0));
    SegmentDecision first = SegmentRules.allocate(fenced, new SegmentRequest(TERMS, 10, -1));
    assertEquals(151, granted(first).first());
    SegmentSnapshot again = new SegmentSnapshot("s", 1, "s", first.row());
    assertEquals(
        161, granted(SegmentRules.allocate(again, new SegmentRequest(TERMS, 1, -1))).first());
    for (SegmentSnapshot missing :
        List.of(
            new SegmentSnapshot("s", 1, "s", null), new SegmentSnapshot("s", 0, "former", null))) {
      SegmentDecision fresh = SegmentRules.allocate(missing, new SegmentRequest(TERMS, 10, -1));
      assertEquals(101, granted(fresh).first());
      assertTrue(granted(fresh).skipped());
    }
  }

  /** C44: continues above, with the same residue. */
  @Test
  void allocate_residue_keepsIt() {
    SegmentTerms third = new SegmentTerms("default", "order", 9527, Long.MAX_VALUE, 66, 23, 100);
    SegmentDecision first = allocate(null, third, 5, -1);
    SegmentDecision second = allocate(first.row(), third, 5, -1);

    assertEquals(23, granted(first).first() % 66);
    assertTrue(granted(first).first() >= 9527);
    assertEquals(66, granted(first).stride());
    assertEquals(granted(first).lastInclusive() + 66, granted(second).first());
    assertEquals(23, granted(allocate(row(500, 0), third, 1, 777)).first() % 66);
  }

  @Test
  void allocate_nearTheMaximum_givesWhatIsLeftAndThenEnds() {
    SegmentTerms small = new SegmentTerms("default", "order", 1, 100, 1, 0, 0);
    SegmentDecision last = allocate(row(95, 0), small, 10, -1);

    assertEquals(5, granted(last).count());
    assertEquals(100, granted(last).lastInclusive());
    SegmentReply.Refused end = refused(allocate(last.row(), small, 1, -1));
    assertEquals(SegmentReply.Reason.EXHAUSTED, end.reason());
    assertEquals("tag: order: ended at 100 (expected: ids left)", end.message());
  }

  /** C43: no wrap at 2^31 or 2^63. */
  @Test
  void allocate_atTheEndOfNumbers_neverWraps() {
    assertEquals(2147483647L, granted(allocate(row(2147483646L, 0), TERMS, 10, -1)).first());
    SegmentDecision last = allocate(row(Long.MAX_VALUE - 1, 0), TERMS, 10, -1);
    assertEquals(1, granted(last).count());
    assertEquals(Long.MAX_VALUE, granted(last).first());
    refused(allocate(last.row(), TERMS, 10, -1));
    SegmentTerms odd = new SegmentTerms("default", "order", 1, Long.MAX_VALUE, 2, 0, 0);
    refused(allocate(row(Long.MAX_VALUE - 1, 0), odd, 10, -1));
    refused(allocate(row(1, 0), TERMS, 10, Long.MAX_VALUE - 5));
  }

  @Test
  void remove_thenAllocate_isRefused() {
    SegmentDecision removed =
        SegmentRules.remove(new SegmentSnapshot("s", 0, "s", row(50, 0)), TERMS);
    SegmentRow tombstone = removed.row();

    assertEquals(new SegmentRow(50, 0, "s", 0, 6, true), tombstone);
    assertEquals(SegmentReply.Reason.REMOVED, refused(allocate(tombstone, TERMS, 1, -1)).reason());
    assertNull(SegmentRules.remove(new SegmentSnapshot("s", 0, "s", tombstone), TERMS).row());
    assertEquals(
        SegmentReply.Reason.REMOVED,
        refused(SegmentRules.raise(new SegmentSnapshot("s", 0, "s", tombstone), TERMS, 9))
            .reason());
  }

  /** A process that has not heard of the removal must not begin with it. */
  @Test
  void remove_tagThatWasNeverUsed_leavesATombstone() {
    SegmentSnapshot s = new SegmentSnapshot("s", 0, "s", null);
    SegmentRow tombstone = SegmentRules.remove(s, TERMS).row();
    assertEquals(new SegmentRow(-1, 0, "s", 0, 1, true), tombstone);
    assertEquals(SegmentReply.Reason.REMOVED, refused(allocate(tombstone, TERMS, 1, -1)).reason());
    SegmentRow again = SegmentRules.revive(new SegmentSnapshot("s", 0, "s", tombstone)).row();
    assertEquals(1, granted(allocate(again, TERMS, 1, -1)).first());

    SegmentSnapshot forgotten = new SegmentSnapshot("other", 0, "s", null);
    SegmentRow above = SegmentRules.remove(forgotten, TERMS).row();
    assertEquals(TERMS.gap(), above == null ? 0 : above.maxId());
  }

  @Test
  void raise_tagThatWasNeverUsed_makesItsRow() {
    SegmentSnapshot s = new SegmentSnapshot("s", 0, "s", null);
    SegmentRow row = SegmentRules.raise(s, TERMS, 500).row();
    assertEquals(new SegmentRow(0, 500, "s", 0, 1, false), row);
  }

  /** Others may have been given what the store has forgotten: the gap is not to be lost. */
  @Test
  void raise_tagThatMayBeForgotten_leavesTheGapOut() {
    SegmentSnapshot s = new SegmentSnapshot("other", 0, "s", null);
    SegmentRow row = SegmentRules.raise(s, TERMS, 1).row();
    assertEquals(new SegmentRow(TERMS.gap(), 1, "other", 0, 1, false), row);
  }

  /** A gap counts ids, and those of one database of several are a modulus apart. */
  @Test
  void allocate_lossySharedTag_leavesAsManyIdsOut() {
    SegmentTerms shared = new SegmentTerms("default", "order", 1, Long.MAX_VALUE, 4, 2, 100);
    SegmentRow known = new SegmentRow(50, 0, "a", 0, 5, false);
    SegmentSnapshot s = new SegmentSnapshot("b", 0, "a", known);
    SegmentDecision decision = SegmentRules.allocate(s, new SegmentRequest(shared, 1, -1));
    assertEquals(50 + 100 * 4 + 4, granted(decision).first());
    SegmentTerms endless = new SegmentTerms("default", "x", 1, Long.MAX_VALUE, 4, 2, 1L << 62);
    assertEquals(
        SegmentReply.Reason.EXHAUSTED,
        refused(SegmentRules.allocate(s, new SegmentRequest(endless, 1, -1))).reason());
  }

  @Test
  void revive_tombstone_keepsMarkAndFloor() {
    SegmentRow tombstone = new SegmentRow(50, 60, "s", 0, 5, true);
    SegmentSnapshot s = new SegmentSnapshot("s", 0, "s", tombstone);
    assertEquals(new SegmentRow(50, 60, "s", 0, 6, false), SegmentRules.revive(s).row());
  }

  @Test
  void revive_noTombstone_writesNothing() {
    assertNull(SegmentRules.revive(new SegmentSnapshot("s", 0, "s", null)).row());
    SegmentRow used = new SegmentRow(50, 60, "s", 0, 5, false);
    assertNull(SegmentRules.revive(new SegmentSnapshot("s", 0, "s", used)).row());
  }

  @Test
  void raise_lowerThanBefore_changesNothing() {
    SegmentSnapshot s = new SegmentSnapshot("s", 0, "s", row(50, 60));

    assertNull(SegmentRules.raise(s, TERMS, 60).row());
    assertEquals(new SegmentRow(50, 61, "s", 0, 6, false), SegmentRules.raise(s, TERMS, 61).row());
  }

  @ParameterizedTest
  @CsvSource({
    "-1,10,1,0,0,start: -1 (expected: >= 0)",
    "5,4,1,0,0,maximum: 4 (expected: >= 5)",
    "1,10,0,0,0,modulus: 0 (expected: >= 1)",
    "1,10,2,2,0,residue: 2 (expected: 0..1)",
    "1,10,1,0,-1,gap: -1 (expected: >= 0)"
  })
  void terms_whatCannotBe_isRefused(
      long start, long maximum, int modulus, int residue, long gap, String message) {
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new SegmentTerms("default", "order", start, maximum, modulus, residue, gap));
    assertEquals(message, e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> SegmentTerms.of("a/b", "order", 0));
    assertThrows(IllegalArgumentException.class, () -> new SegmentRequest(TERMS, 0, -1));
    assertThrows(IllegalArgumentException.class, () -> new SegmentRequest(TERMS, 1, -2));
  }

  /**
   * Attacks I1: nodes allocate, answers get lost, the store fails over to a standby that has missed
   * the last writes, or to a backup that is fenced, and nothing is given twice. What is missed is
   * never more than the gap, gaps of earlier failovers included.
   */
  @Test
  void allocate_anyHistory_givesNothingTwice() {
    long seed = Long.getLong("idgen.seed", new Random().nextLong());
    System.out.println("idgen.seed=" + seed);
    for (int i = 0; i < 2_000; i++) {
      new History(seed + i).run();
    }
  }

  private static final class History {
    private static final long GAP = 600;

    private final long seed;
    private final Random random;
    private final SegmentTerms terms;
    private final TreeMap<Long, Long> used = new TreeMap<>();
    private final long[] marks = {-1, -1, -1};
    private MemorySegmentStore store = new MemorySegmentStore("s0");
    private MemorySegmentStore standby = store.replica("standby");

    History(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      int residue = random.nextInt(3);
      this.terms = new SegmentTerms("default", "order", 1, Long.MAX_VALUE, 3, residue, GAP);
    }

    void run() {
      for (int step = 0; step < 200; step++) {
        int draw = random.nextInt(100);
        if (draw < 80) {
          allocate();
        } else if (draw < 92) {
          standby = store.replica("standby");
        } else if (mark(store) - mark(standby) < GAP - 60) {
          failOver("s" + step);
        }
      }
    }

    private long mark(MemorySegmentStore of) {
      SegmentRow row = of.read("default", "order").toCompletableFuture().join();
      return row == null ? 0 : row.maxId();
    }

    private void failOver(String identity) {
      boolean noticed = random.nextBoolean();
      store = standby.replica(noticed ? identity : "s0");
      if (!noticed) {
        store.fence();
      }
      standby = store.replica("standby");
    }

    private void allocate() {
      int node = random.nextInt(marks.length);
      SegmentRequest request = new SegmentRequest(terms, 1 + random.nextInt(20), marks[node]);
      SegmentReply reply = store.allocate(request).toCompletableFuture().join();
      if (reply instanceof SegmentReply.Granted g && random.nextInt(5) > 0) {
        marks[node] = g.lastInclusive();
        Map.Entry<Long, Long> below = used.floorEntry(g.lastInclusive());
        assertTrue(below == null || below.getValue() < g.first(), () -> "seed " + seed + ": " + g);
        used.put(g.first(), g.lastInclusive());
      }
    }
  }
}
