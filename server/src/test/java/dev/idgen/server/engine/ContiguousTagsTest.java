package dev.idgen.server.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.idgen.IdRun;
import dev.idgen.segment.SegmentEngine;
import dev.idgen.segment.SegmentEvents;
import dev.idgen.segment.SegmentOptions;
import dev.idgen.sequence.SequenceEngine;
import dev.idgen.sequence.SequenceEvents;
import dev.idgen.sequence.SequenceOptions;
import dev.idgen.server.service.Durations;
import dev.idgen.server.service.NumberEngine;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreBreaker;
import dev.idgen.store.memory.MemorySegmentStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tags whose ids can follow one another, and those whose ids cannot. */
class ContiguousTagsTest {
  private static final long WAIT = 1_000_000_000;

  private final StillTime time = new StillTime(1_800_000_000_000L);
  private final MemorySegmentStore store = new MemorySegmentStore("s");

  private NumberEngine segment(int modulus) {
    return new SegmentTagEngine(
        new SegmentEngine(
            new SegmentTerms("default", "order", 1, Long.MAX_VALUE, modulus, 0, 10),
            SegmentOptions.defaults().withSteps(10, 1, 100),
            store,
            new StoreBreaker(),
            time,
            time.scheduler(),
            SegmentEvents.NONE),
        new RunLimit(modulus, 100),
        new FetchMeter(new Durations()),
        WAIT);
  }

  private NumberEngine sequence() {
    return new SequenceTagEngine(
        new SequenceEngine(
            SegmentTerms.of("default", "order", 10),
            SequenceOptions.defaults().withMaxIds(100),
            store,
            new StoreBreaker(),
            time,
            time.scheduler(),
            SequenceEvents.NONE),
        new RunLimit(1, 100),
        new FetchMeter(new Durations()),
        WAIT);
  }

  private static List<IdRun> taken(NumberEngine engine, int count) {
    CompletableFuture<dev.idgen.IdBatch> taken =
        engine.nextContiguous(count, WAIT).toCompletableFuture();
    return taken.join().runs();
  }

  @Test
  void nextContiguous_segmentAndSequence_isOneRun() {
    for (NumberEngine engine : List.of(segment(1), sequence())) {
      IdRun first = taken(engine, 7).get(0);
      time.advance(1);
      IdRun second = taken(engine, 100).get(0);
      assertEquals(7, first.count());
      assertEquals(100, second.count());
      assertEquals(1, second.stride());
      assertEquals(true, second.first() > first.lastInclusive());
      time.advance(1);
    }
  }

  @Test
  void nextContiguous_moreThanStepMax_isNoCount() {
    for (NumberEngine engine : List.of(segment(1), sequence())) {
      var e = assertThrows(ServiceException.class, () -> engine.nextContiguous(101, WAIT));
      assertEquals(ServiceReason.INVALID_COUNT, e.reason());
      assertEquals("count: 101 (expected: 1..100, the stepMax of the tag)", e.detail());
    }
    assertEquals(1, taken(segment(1), 1).get(0).first()); // nothing was taken
  }

  @Test
  void nextContiguous_severalDatabasesOrRegions_isAMismatch() {
    var e = assertThrows(ServiceException.class, () -> segment(3).nextContiguous(2, WAIT));
    assertEquals(ServiceReason.ENGINE_MISMATCH, e.reason());
    assertEquals(
        "tag: its ids are 3 apart (expected: a tag of one database and region: only their ids"
            + " follow one another)",
        e.detail());
  }
}
